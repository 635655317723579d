"""The protocol of a batch: many episodes of one environment, stepped together."""

from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.evaluation.policies import Past
from evoter.kernels.layout import Floats, Ints, Population
from evoter.kernels.threads import Threads

Bools = NDArray[np.bool_]


class Step(NamedTuple):
    """What one step of a batch returns, a row per episode; the arrays may be overwritten by the next step."""

    observations: Floats
    rewards: Floats
    done: Bools


class BatchEnvironment(Protocol):
    """Episodes that run side by side, one per row, until each is done or `max_steps` steps have been taken.

    The caller counts the steps. A row that is done stays in the batch, and its results are meaningless, until the
    caller drops it with `keep`.
    """

    @property
    def max_steps(self) -> int:
        """The maximum number of steps of an episode."""
        ...

    def reset(self, seeds: Ints) -> Floats:
        """Begin an episode for every seed and return the first observations; equal seeds begin equal episodes."""
        ...

    def step(self, actions: Ints) -> Step:
        """Take an action, by its number from 0, in every episode."""
        ...

    def keep(self, rows: Ints) -> None:
        """Continue with these episodes only, in this order."""
        ...


@runtime_checkable
class Playing(Protocol):
    """A batch that plays whole episodes in compiled code, without returning to Python for every step."""

    def play(
        self,
        population: Population,
        past: Past,
        seeds: Ints,
        threads: Threads,
        n_counted: int,
        returns: Floats,
        applied: Ints,
        decided: Ints,
    ) -> None:
        """Let every individual play an episode for every seed; fill in returns and add what its rules do.

        `past` tells how far rules look back and how values are scaled. The last column of `decided` is the default's.
        All rules that hold are counted in the first `n_counted` episodes, only those that decide in the others.
        """
        ...


def generator(seed: int) -> np.random.Generator:
    """Return the random generator that gymnasium gives an environment with this seed."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
