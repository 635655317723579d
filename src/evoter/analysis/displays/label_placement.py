"""Where to write the names of points in a plot, so that no name covers another or a point."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

DISTANCES = (12, 20, 30, 42, 56, 72, 90, 110, 135, 165)
ANGLES = (0, 30, -30, 60, -60, 90, -90, 180, 150, -150, 120, -120)
POINT_SIZE = 9


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: float
    bottom: float
    right: float
    top: float

    def overlaps(self, other: "Box") -> bool:
        """Return whether two rectangles overlap."""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )

    def within(self, other: "Box") -> bool:
        """Return whether the rectangle is inside another."""
        return (
            self.left >= other.left
            and self.right <= other.right
            and self.bottom >= other.bottom
            and self.top <= other.top
        )


def place_labels(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    frame: Box,
    obstacles: Iterable[Box] = (),
) -> list[tuple[Box, bool]]:
    """Return for each point where its name goes, and whether it is so far away that a line should lead there.

    One after the other, each name takes the nearest position that is free of points, other names and obstacles; where
    none is free, the one to the right.

    >>> (first, _), (second, _) = place_labels([(50, 50), (51, 50)], [(40, 10), (40, 10)], Box(0, 0, 200, 200))
    >>> first.overlaps(second)
    False
    """
    taken = [Box(x - POINT_SIZE, y - POINT_SIZE, x + POINT_SIZE, y + POINT_SIZE) for x, y in points] + [*obstacles]
    placed = []
    for (x, y), (width, height) in zip(points, sizes, strict=True):
        candidates = list(_candidates(x, y, width, height))
        free = (
            (box, distance)
            for box, distance in candidates
            if box.within(frame) and not any(box.overlaps(other) for other in taken)
        )
        box, distance = next(free, candidates[0])
        taken.append(box)
        placed.append((box, distance > DISTANCES[0]))
    return placed


def _candidates(x: float, y: float, width: float, height: float) -> Iterator[tuple[Box, float]]:
    """Yield positions around a point, the nearest first."""
    for distance in DISTANCES:
        for angle in ANGLES:
            across, up = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            # The name's nearest point lies at the distance: its left end on the right, its middle above and below.
            left = x + distance * across - width * (1 - across) / 2
            bottom = y + distance * up - height * (1 - up) / 2
            yield Box(left, bottom, left + width, bottom + height), distance
