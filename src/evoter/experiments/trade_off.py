"""Accuracy against complexity: points of several experiments, and who is both as accurate and as simple as EVOTER."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

REFERENCE = "evoter"
BLACK_BOXES = ("forest",)
"""Models that nobody can read as a whole."""


@dataclass(frozen=True, slots=True)
class Point:
    """A model's mean complexity and accuracy, here or in the paper."""

    complexity: float
    accuracy: float

    def dominates(self, other: "Point") -> bool:
        """Say whether a point is no worse in both ways, and better in one.

        >>> Point(3, 0.9).dominates(Point(5, 0.9)), Point(3, 0.9).dominates(Point(2, 0.8))
        (True, False)
        """
        no_worse = self.complexity <= other.complexity and self.accuracy >= other.accuracy
        return no_worse and self != other


def dominating(points: Mapping[str, Point], transparent: Sequence[str]) -> list[str]:
    """Return the transparent models that dominate EVOTER."""
    ours = points.get(REFERENCE)
    return [name for name in transparent if ours is not None and name in points and points[name].dominates(ours)]
