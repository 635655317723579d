"""The geometry of charts: where the ticks, lines and points of a plot are drawn."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evoter.analysis.formatting import rounded

WIDTH, HEIGHT = 480, 270
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 16, 46
"""The margins around the plot, for ticks and labels."""

HUGE = 1e300
"""Values of this size or more, infinities and NaN cannot be drawn on an axis."""

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Line:
    """Points, joined by a line or not; `style` is their class in the style sheet. Without a name it has no legend."""

    name: str
    points: Points
    style: str
    joined: bool = True
    marked: bool = False


class Tick(NamedTuple):
    """A tick of an axis: where it is drawn, and its number."""

    position: float
    text: str


class Drawing(NamedTuple):
    """A line as it is drawn: the data of an SVG path, empty where points are not joined, and the centres of dots."""

    style: str
    path: str
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over two axes, in the coordinates of the picture."""

    title: str
    description: str
    x_name: str
    y_name: str
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    drawings: tuple[Drawing, ...]
    legend: tuple[tuple[str, Drawing], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


@dataclass(frozen=True, slots=True)
class Axis:
    """The range of an axis, its ticks, and the ends of its line in the picture."""

    low: float
    high: float
    ticks: tuple[float, ...]
    start: float
    end: float

    def position(self, value: float) -> float:
        """Return where a value is drawn."""
        return round(self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start), 1)

    def drawn_ticks(self) -> tuple[Tick, ...]:
        """Return the ticks with their positions and numbers."""
        return tuple(Tick(self.position(tick), rounded(tick)) for tick in self.ticks)


def nice_ticks(low: float, high: float, most: int = 6, *, whole: bool = False) -> tuple[float, ...]:
    """Return round numbers at even steps, the first at or below `low` and the last at or above `high`.

    >>> nice_ticks(0.71, 0.98)
    (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
    >>> nice_ticks(3, 5, whole=True)
    (3.0, 4.0, 5.0)
    """
    if high - low <= max(abs(high) * 1e-9, 1 / HUGE):  # a single value gets some space around it
        margin = abs(high) * 0.05 if abs(high) > 1e-9 else 0.5
        low, high = low - margin, high + margin
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    if whole:
        step = max(step, 1.0)
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    # Rounded, because 3 * 0.1 is 0.30000000000000004.
    return tuple(float(f"{number * step:.12g}") for number in range(first, max(last, first + 1) + 1))


def make_chart(
    lines: Sequence[Line], *, x: str, y: str, title: str, description: str, whole_x: bool = False, whole_y: bool = False
) -> Chart | None:
    """Lay out lines over axes that are as long as they need to be; None where no point can be drawn.

    Points that are not finite are left out. `whole_x` and `whole_y` allow ticks at whole numbers only.
    """
    finite = [[point for point in line.points if all(abs(value) < HUGE for value in point)] for line in lines]
    points = [point for each in finite for point in each]
    if not points:
        return None
    across = _tight_axis([point[0] for point in points], whole=whole_x)
    up = _round_axis([point[1] for point in points], whole=whole_y)
    return Chart(
        title=title,
        description=description,
        x_name=x,
        y_name=y,
        x_ticks=across.drawn_ticks(),
        y_ticks=up.drawn_ticks(),
        drawings=tuple(
            _draw(line, [(across.position(a), up.position(b)) for a, b in each])
            for line, each in zip(lines, finite, strict=True)
        ),
        legend=tuple(
            (line.name, _draw(line, [(3, 6), (25, 6)] if line.joined else [(14, 6)])) for line in lines if line.name
        ),
    )


def _round_axis(values: Sequence[float], *, whole: bool) -> Axis:
    """Return the vertical axis, which ends at ticks."""
    ticks = nice_ticks(min(values), max(values), 5, whole=whole)
    return Axis(ticks[0], ticks[-1], ticks, HEIGHT - BOTTOM, TOP)


def _tight_axis(values: Sequence[float], *, whole: bool) -> Axis:
    """Return the horizontal axis, which ends at the first and the last value."""
    ticks = nice_ticks(min(values), max(values), whole=whole)
    low, high = (min(values), max(values)) if min(values) < max(values) else (ticks[0], ticks[-1])
    return Axis(low, high, tuple(tick for tick in ticks if low <= tick <= high), LEFT, WIDTH - RIGHT)


def _draw(line: Line, points: Points) -> Drawing:
    is_path = line.joined and len(points) > 1
    path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points) if is_path else ""
    dotted = line.marked or not line.joined or len(points) == 1
    return Drawing(line.style, path, tuple(points) if dotted else ())
