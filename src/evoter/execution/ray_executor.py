"""Evaluation on a Ray cluster: workers hold the rows, this process breeds and adds up what they count."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Final

import numpy as np

from evoter.evolution.executor import Answer, Apart, ExactMoves, Separate, evaluation_of
from evoter.evolution.islands import Breeder, Epoch
from evoter.evolution.mechanisms.migration import IslandState
from evoter.evolution.problem import Evaluation, Problem
from evoter.evolution.sharding import SHARD_ROWS, Sharded, Shards, Tally, add_up, shard_bounds
from evoter.execution.messages import Array, Sender, dense
from evoter.execution.ray_connection import connect
from evoter.execution.ray_pool import Held, Job, WorkerPool
from evoter.execution.ray_worker import SparseTally, views_of
from evoter.kernels.layout import Ints, Population, Refinement
from evoter.kernels.threads import Threads

LEAST_WORK: Final = 2_000_000
"""Rows times individuals below which a population is evaluated here: sending it would take longer."""


@dataclass(frozen=True)
class RayExecutor:
    """A Ray cluster to evaluate on; the result is that of one thread, byte for byte.

    Parameters
    ----------
    address : str or None
        Where the cluster is: "auto" for the one that this machine belongs to, "host:6379" for the one with this head,
        "local" for a new one of this machine alone. None is the one that this process is connected to or that the
        variable RAY_ADDRESS names, and "local" if there is none.
    n_workers : int or None
        Number of worker processes; None is as many as there are processors free for.
    threads_per_worker : int
        Number of processors of each worker, which it uses in threads. The more a worker has, the fewer messages there
        are; a worker is on one machine, so no machine may have fewer.
    start_seconds : float
        How long to wait for the first worker.
    least_work : int
        Number of rows times individuals below which a population is evaluated in this process.
    """

    address: str | None = None
    n_workers: int | None = None
    threads_per_worker: int = 1
    start_seconds: float = 120.0
    least_work: int = LEAST_WORK

    def __post_init__(self) -> None:
        for name in ("n_workers", "threads_per_worker"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise ValueError(f"{name} must be 1 or more, got {number}")

    def start(self, threads: Threads) -> "RayEvaluation":
        """Connect, and start the workers; `threads` are those of this process."""
        return RayEvaluation(self, threads)


class RayEvaluation:
    """An executor whose workers run on a Ray cluster, from its making until `close`."""

    def __init__(self, where: RayExecutor, threads: Threads) -> None:
        self.threads = threads
        self._ray: ModuleType
        self._ray, self._connected = connect(where.address)
        n_free = int(self._ray.available_resources().get("CPU", 1))
        n_workers = where.n_workers or max(1, n_free // where.threads_per_worker)
        self._n_threads = where.threads_per_worker
        self.pool = WorkerPool(self._ray, n_workers, self._n_threads, start_seconds=where.start_seconds)
        self._least_work = where.least_work
        self._sender = Sender()
        self._apart = Apart()
        self._placed: dict[int, tuple[object, list[Held]]] = {}

    @property
    def address(self) -> str:
        """The address of the head."""
        return str(self._ray.get_runtime_context().gcs_address)

    @property
    def n_parallel(self) -> int:
        """One child for each thread of each worker."""
        return self.pool.n_workers * self._n_threads

    @property
    def n_hosted(self) -> int:
        """One island for each worker."""
        return self.pool.n_workers

    def evaluate(self, problem: Problem, population: Population, seed: int) -> Evaluation:
        """Score a population by what workers count on their shards, or else each individual on one of the workers."""
        apart = self._apart.task_of(problem)
        if apart is not None:
            return evaluation_of(self.work_on(apart, population, np.array([seed])))
        shards = problem.shards if isinstance(problem, Sharded) else None
        if shards is None or not isinstance(problem, Sharded) or self._is_small(shards, population):
            return problem.evaluate(population, self.threads, seed)
        runs = self._hold(problem, _runs(shards, self.pool.n_workers))
        # Fewer runs of shards than workers: several workers hold the same one, each for a part of the individuals.
        n_copies = [len(range(run, self.pool.n_workers, len(runs))) for run in range(len(runs))]
        jobs = [
            Job("count", (held,), (block,))
            for held, n in zip(runs, n_copies, strict=True)
            for block in _blocks(population.size, n)
        ]
        answers = iter(self.pool.run(jobs, self._sender.send(population)))
        tallies = []
        for n in n_copies:
            parts = [_unpacked(next(answers)) for _ in _blocks(population.size, n)]
            tallies.append(_joined(parts))
        return problem.evaluation(population, add_up(tallies), self.threads)

    def _is_small(self, shards: Shards, population: Population) -> bool:
        return shards.n_shards * SHARD_ROWS * population.size < self._least_work

    def refine(self, moves: ExactMoves) -> None:
        """Make children by exact moves, some on each worker."""
        base = moves.refinement
        (grammar,) = self._hold(moves.grammar, [lambda: moves.grammar])
        (held,) = self._hold(base.ranks, [lambda: base])
        first_seen = held.make()
        assert isinstance(first_seen, Refinement)
        rewards = None if first_seen.rewards is base.rewards else self._ray.put(base.rewards)
        changes = {"price": base.price, "temperature": base.temperature, "n_moves": base.n_moves}
        common = (moves.seed, moves.generation, moves.ranks, moves.tournament_size, changes)
        sent = self._ray.put((*common, moves.first_child, moves.prices))
        shape = (*moves.offspring.rules.shape[:2], moves.offspring.new_codes.shape[1])
        blocks = _blocks(len(moves.prices), self.pool.n_workers)
        jobs = [Job("refine", (grammar, held), (sent, shape, block, rewards)) for block in blocks]
        answers = self.pool.run(jobs, self._sender.send(moves.population))
        for block, answer in zip(blocks, answers, strict=True):
            first = moves.first_child + block.start
            for own, made in zip(
                views_of(moves.offspring, first, first + block.stop - block.start), answer, strict=True
            ):
                own[...] = made

    def work_on(self, task: Separate, population: Population, argument: Ints) -> Answer:
        """Do work on each individual; neighbours, which are often alike, go to different workers."""
        (held,) = self._hold(task, [lambda: task])
        n = min(self.pool.n_workers, population.size)
        jobs = [Job("work", (held,), (slice(k, None, n), argument)) for k in range(n)]
        answers = self.pool.run(jobs, self._sender.send(population))
        back = np.argsort(np.concatenate([np.arange(k, population.size, n) for k in range(n)]))
        return tuple(np.concatenate([dense(part) for part in parts])[back] for parts in zip(*answers, strict=True))

    def takes_islands(self, problem: Problem) -> bool:
        """Let whole islands evolve on workers if these would not hold different rows anyway."""
        return isinstance(problem, Sharded) and (
            problem.shards is None or problem.shards.n_shards < self.pool.n_workers
        )

    def advance_islands(self, breeder: Breeder, epochs: Sequence[Epoch]) -> list[IslandState]:
        """Let each island evolve on one of the workers, which then hold all rows."""
        (held,) = self._hold(breeder, [lambda: breeder])
        return self.pool.run([Job("advance", (held,), (epoch,)) for epoch in epochs])

    def _hold(self, owner: object, makes: Sequence[Callable[[], object]]) -> list[Held]:
        """Return what workers hold of an object, made when it is first asked for."""
        if id(owner) not in self._placed:
            self._placed[id(owner)] = (owner, [Held(make) for make in makes])
        return self._placed[id(owner)][1]

    def close(self) -> None:
        """End the workers, the threads, and the connection if it was made here."""
        self.pool.close()
        self._placed.clear()
        self.threads.close()
        if self._connected:
            self._ray.shutdown()


def _runs(shards: Shards, n: int) -> list[Callable[[], object]]:
    """Return what makes each of at most `n` runs of shards."""
    return [partial(shards.take, first, last) for first, last in shard_bounds(shards.n_shards, n)]


def _blocks(n_items: int, n: int) -> list[slice]:
    """Divide items into at most `n` blocks of nearly equal size.

    >>> _blocks(5, 2), _blocks(1, 2)
    ([slice(0, 2, None), slice(2, 5, None)], [slice(0, 1, None)])
    """
    return [slice(first, last) for first, last in shard_bounds(n_items, n)]


def _unpacked(packed: SparseTally) -> Tally:
    counts, sums = packed
    return Tally(tuple(map(dense, counts)), tuple(map(dense, sums)))


def _joined(parts: Sequence[Tally]) -> Tally:
    """Join what was counted of parts of a population on the same shards."""
    if len(parts) == 1:
        return parts[0]
    counts = zip(*(part.counts for part in parts), strict=True)
    sums = zip(*(part.sums for part in parts), strict=True)
    return Tally(tuple(_padded(each, 0) for each in counts), tuple(_padded(each, 1) for each in sums))


def _padded(arrays: Sequence[Array], axis: int) -> Array:
    """Join arrays along an axis; other axes may differ in length, and are filled up with zeros.

    Of many classes, individuals are counted by those that some individual beside them can predict.
    """
    longest = np.max([array.shape for array in arrays], axis=0)
    longest[axis] = 0
    widths = [[(0, max(0, most - size)) for most, size in zip(longest, array.shape, strict=True)] for array in arrays]
    return np.concatenate([np.pad(array, width) for array, width in zip(arrays, widths, strict=True)], axis=axis)
