"""A worker of a Ray cluster: it holds shards and other objects, and counts what populations do on them."""

import os
import platform
from typing import Any

import numpy as np

import evoter
from evoter.evolution.executor import ExactMoves, ThreadExecutor
from evoter.evolution.islands import Breeder, Epoch
from evoter.evolution.mechanisms.migration import IslandState
from evoter.evolution.sharding import Tally
from evoter.execution.messages import Array, PopulationMessage, Receiver, Sparse, sparse
from evoter.genome.arrays import empty_offspring, pick
from evoter.kernels.layout import Floats, Ints, Offspring
from evoter.kernels.machine_code import kernels_digest
from evoter.kernels.refinement.refine import refine
from evoter.kernels.threads import Threads

SparseTally = tuple[tuple[Sparse, ...], tuple[Sparse, ...]]


def versions() -> dict[str, str]:
    """Return what must be equal wherever results are to be equal."""
    return {
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "evoter": evoter.__version__,
        "the compiled kernels of evoter": kernels_digest(),
        "numpy": np.__version__,
    }


class Worker:
    """One process. Every method is a function of what it is given and of what is held."""

    def __init__(self, n_threads: int = 1) -> None:
        self._held: dict[int, Any] = {}
        self._receiver = Receiver()
        self._threads = Threads(n_threads)
        self._room: Offspring | None = None

    def describe(self) -> tuple[dict[str, str], int]:
        """Return the versions of the software, and the number of the process."""
        return versions(), os.getpid()

    def hold(self, key: int, pickled: bytes) -> None:
        """Keep an object under a key."""
        import ray.cloudpickle

        # Pickled by hand: arrays that Ray passes are read-only, for which kernels would have to be compiled again.
        self._held[key] = ray.cloudpickle.loads(bytes(pickled))

    def drop(self, key: int) -> None:
        """Forget an object."""
        self._held.pop(key, None)

    def count(self, message: PopulationMessage, keys: tuple[int], part: slice) -> SparseTally:
        """Count what part of a population does on the shards that are held under a key."""
        population = self._receiver.receive(message)
        some = pick(population, np.arange(population.size)[part])
        tally: Tally = self._held[keys[0]].count(some, self._threads)
        return tuple(map(sparse, tally.counts)), tuple(map(sparse, tally.sums))

    def work(self, message: PopulationMessage, keys: tuple[int], part: slice, argument: Ints) -> tuple[Sparse, ...]:
        """Do the work that is held under a key on part of a population."""
        population = self._receiver.receive(message)
        some = pick(population, np.arange(population.size)[part])
        return tuple(map(sparse, self._held[keys[0]].work(some, np.array(argument), self._threads)))

    def refine(
        self,
        message: PopulationMessage,
        keys: tuple[int, int],
        moves: tuple[Any, ...],
        shape: tuple[int, int, int],
        part: slice,
        rewards: Floats | None,
    ) -> tuple[Array, ...]:
        """Make some children by exact moves; `keys` are those of the grammar and of what exact moves need."""
        population = self._receiver.receive(message)
        seed, generation, ranks, tournament_size, changes, first_child, prices = moves
        grammar, refinement = (self._held[key] for key in keys)
        refinement = refinement._replace(**changes)
        if rewards is not None:
            refinement = refinement._replace(rewards=np.array(rewards))
        if self._room is None or self._room.rules.shape[:2] != shape[:2]:
            self._room = empty_offspring(*shape)
        arguments = ExactMoves(
            seed,
            generation,
            population,
            np.array(ranks),
            tournament_size,
            grammar,
            refinement,
            self._room,
            first_child + part.start,
            np.array(prices)[part],
        )
        self._threads.run(refine, part.stop - part.start, np.inf, *arguments)
        return children_of(self._room, first_child + part.start, first_child + part.stop)

    def advance(self, keys: tuple[int], epoch: Epoch) -> IslandState:
        """Let an island evolve."""
        breeder: Breeder = self._held[keys[0]]
        return breeder.advance(epoch, ThreadExecutor(self._threads))


def children_of(offspring: Offspring, first: int, last: int) -> tuple[Array, ...]:
    """Return copies of all that belongs to the refined children `first` to `last`."""
    return tuple(np.array(each) for each in views_of(offspring, first, last))


def views_of(offspring: Offspring, first: int, last: int) -> tuple[Array, ...]:
    """Return what belongs to refined children, each of which has a new antecedent for every rule."""
    width = offspring.rules.shape[1]
    own, new = slice(first, last), slice(first * width, last * width)
    return (*(each[own] for each in offspring[:4]), *(each[new] for each in offspring[4:]))
