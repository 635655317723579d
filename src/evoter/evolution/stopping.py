"""When to stop: every criterion is progress from 0 to 1, and criteria combine with | (any) and & (all)."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Final

GENERATIONS: Final = 100
"""Maximum number of generations of an estimator's run by default."""

PATIENCE: Final = 20
"""Number of generations without improvement after which it stops by default."""

_ALMOST = math.nextafter(1.0, 0.0)


@dataclass(frozen=True, slots=True)
class Status:
    """How far a run has come; scores are in the user's direction."""

    generation: int
    seconds: float
    best: float
    first_best: float
    stagnant_generations: int


class Stopping(ABC):
    """A criterion; a run ends when its progress reaches 1."""

    @abstractmethod
    def progress(self, status: Status) -> float:
        """Return how near the end is, from 0 to 1."""

    def lasting_progress(self, status: Status) -> float:
        """Return the part of the progress that no later generation can undo, as an improvement undoes stagnation."""
        return 0.0

    def __or__(self, other: "Stopping") -> "Stopping":
        return AnyOf((self, other))

    def __and__(self, other: "Stopping") -> "Stopping":
        return AllOf((self, other))


@dataclass(frozen=True, slots=True)
class Generations(Stopping):
    """Stop after `n` generations, not counting the random one that a run begins with.

    >>> (Generations(100) | Seconds(60)).progress(Status(50, 10.0, 0.9, 0.5, 3))
    0.5
    """

    n: int

    def __post_init__(self) -> None:
        if not self.n >= 0:
            raise ValueError(f"Generations needs a number of generations, 0 or more, got {self.n!r}")

    def progress(self, status: Status) -> float:
        """Return the part of the generations that is done."""
        return 1.0 if status.generation >= self.n else status.generation / self.n

    def lasting_progress(self, status: Status) -> float:
        """Return the same: generations only increase."""
        return self.progress(status)


@dataclass(frozen=True, slots=True)
class Seconds(Stopping):
    """Stop after some wall-clock seconds; the generation under way is finished."""

    seconds: float

    def __post_init__(self) -> None:
        if not self.seconds >= 0:
            raise ValueError(f"Seconds needs a time of 0 or more, got {self.seconds!r}")

    def progress(self, status: Status) -> float:
        """Return the part of the time that is used."""
        return 1.0 if status.seconds >= self.seconds else status.seconds / self.seconds

    def lasting_progress(self, status: Status) -> float:
        """Return the same: time only increases."""
        return self.progress(status)


@dataclass(frozen=True, slots=True)
class TargetScore(Stopping):
    """Stop when the best score is as good as `target`."""

    target: float
    maximise: bool = True

    def __post_init__(self) -> None:
        if math.isnan(self.target):
            raise ValueError("TargetScore needs a number to reach, got nan")

    def progress(self, status: Status) -> float:
        """Return the part of the way from the first best score to the target."""
        sign = 1.0 if self.maximise else -1.0
        if sign * status.best >= sign * self.target:
            return 1.0
        way = sign * (self.target - status.first_best)
        done = sign * (status.best - status.first_best)
        # A run that began without a finite score has no way to measure; one that is nearly there is not there.
        return min(done / way, _ALMOST) if 0.0 < done < math.inf else 0.0


@dataclass(frozen=True, slots=True)
class Stagnation(Stopping):
    """Stop after `n` generations without improvement."""

    n: int

    def __post_init__(self) -> None:
        if not self.n >= 1:
            raise ValueError(f"Stagnation needs a number of generations, 1 or more, got {self.n!r}")

    def progress(self, status: Status) -> float:
        """Return the part of the patience that is used."""
        return 1.0 if status.stagnant_generations >= self.n else status.stagnant_generations / self.n


@dataclass(frozen=True, slots=True)
class AnyOf(Stopping):
    """Stop when any criterion says so."""

    criteria: tuple[Stopping, ...]

    def progress(self, status: Status) -> float:
        """Return the progress of the criterion that is nearest to its end."""
        return max(criterion.progress(status) for criterion in self.criteria)

    def lasting_progress(self, status: Status) -> float:
        """Return the same for what cannot be undone."""
        return max(criterion.lasting_progress(status) for criterion in self.criteria)


@dataclass(frozen=True, slots=True)
class AllOf(Stopping):
    """Stop when all criteria say so."""

    criteria: tuple[Stopping, ...]

    def progress(self, status: Status) -> float:
        """Return the progress of the criterion that is furthest from its end."""
        return min(criterion.progress(status) for criterion in self.criteria)

    def lasting_progress(self, status: Status) -> float:
        """Return the same for what cannot be undone."""
        return min(criterion.lasting_progress(status) for criterion in self.criteria)
