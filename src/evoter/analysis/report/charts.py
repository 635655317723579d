"""Charts drawn by hand as SVG: lines and points over two axes, readable without colours and without a script."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evoter.analysis.report.markup import escaped, number_text

WIDTH, HEIGHT = 480, 270
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 16, 46
"""The room around the plot, for ticks and labels."""

HUGE = 1e300
"""What is not less than this, infinities and NaN among it, has no place on an axis."""

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Line:
    """Points joined by a line, or single ones; `look` is the class that the style sheet knows them by."""

    name: str
    points: Points
    look: str
    joined: bool = True
    marked: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis shows, from where to where, and its ticks."""

    name: str
    low: float
    high: float
    ticks: tuple[float, ...]

    def place(self, value: float) -> float:
        """Return where a value stands between the low end, 0, and the high end, 1."""
        return (value - self.low) / (self.high - self.low)


def nice_ticks(low: float, high: float, most: int = 6, *, whole: bool = False) -> tuple[float, ...]:
    """Return round numbers at even steps, the first at or below `low` and the last at or above `high`.

    >>> nice_ticks(0.71, 0.98)
    (0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
    >>> nice_ticks(3, 5, whole=True)
    (3.0, 4.0, 5.0)
    """
    if high - low <= max(abs(high) * 1e-9, 1 / HUGE):  # a single value, around which there is some room
        room = abs(high) * 0.05 if abs(high) > 1e-9 else 0.5
        low, high = low - room, high + room
    step = 10.0 ** math.floor(math.log10((high - low) / most))
    if whole:
        step = max(step, 1.0)
    step = next(step * factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    # Rounded, because 3 * 0.1 is 0.30000000000000004.
    return tuple(float(f"{number * step:.12g}") for number in range(first, max(last, first + 1) + 1))


def chart(
    lines: Sequence[Line], *, x: str, y: str, title: str, description: str, whole_x: bool = False, whole_y: bool = False
) -> str:
    """Draw lines over axes that are as long as they need to be; values without a place there are left out."""
    drawn = [(line, [point for point in line.points if all(abs(value) < HUGE for value in point)]) for line in lines]
    points = [point for _, finite in drawn for point in finite]
    if not points:
        return ""
    across = _tight_axis(x, [point[0] for point in points], whole=whole_x)
    up = _round_axis(y, [point[1] for point in points], whole=whole_y)
    parts = [
        f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{escaped(title)}</title><desc>{escaped(description)}</desc>",
        *_axes(across, up),
    ]
    for line, finite in drawn:
        parts += _drawn(line, [(_x(across, a), _y(up, b)) for a, b in finite])
    return "\n".join([*parts, "</svg>"])


def _round_axis(name: str, values: Sequence[float], *, whole: bool) -> Axis:
    """Return an axis that ends at ticks."""
    ticks = nice_ticks(min(values), max(values), 5, whole=whole)
    return Axis(name, ticks[0], ticks[-1], ticks)


def _tight_axis(name: str, values: Sequence[float], *, whole: bool) -> Axis:
    """Return an axis that ends at the first and the last value."""
    ticks = nice_ticks(min(values), max(values), whole=whole)
    low, high = (min(values), max(values)) if min(values) < max(values) else (ticks[0], ticks[-1])
    return Axis(name, low, high, tuple(tick for tick in ticks if low <= tick <= high))


def legend(lines: Sequence[Line]) -> str:
    """Return the names of lines beside a sample of each."""
    items = []
    for line in lines:
        sample = "".join(_drawn(line, [(3, 6), (25, 6)] if line.joined else [(14, 6)]))
        items.append(
            f'<span class="key"><svg viewBox="0 0 28 12" aria-hidden="true">{sample}</svg>{escaped(line.name)}</span>'
        )
    return f'<div class="legend">{"".join(items)}</div>'


def _x(axis: Axis, value: float) -> float:
    return LEFT + axis.place(value) * (WIDTH - LEFT - RIGHT)


def _y(axis: Axis, value: float) -> float:
    return HEIGHT - BOTTOM - axis.place(value) * (HEIGHT - TOP - BOTTOM)


def _axes(across: Axis, up: Axis) -> list[str]:
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = []
    for tick in up.ticks:
        y = _y(up, tick)
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{right}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4.5:.1f}" text-anchor="end">{number_text(tick)}</text>')
    for tick in across.ticks:
        x = _x(across, tick)
        parts.append(f'<path class="grid" d="M{x:.1f} {bottom}v5"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 19}" text-anchor="middle">{number_text(tick)}</text>')
    middle = (LEFT + right) / 2
    parts.append(
        f'<text class="axis" x="{middle:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{escaped(across.name)}</text>'
    )
    height = (TOP + bottom) / 2
    parts.append(
        f'<text class="axis" transform="translate(14 {height:.1f}) rotate(-90)" text-anchor="middle">'
        f"{escaped(up.name)}</text>"
    )
    return parts


def _drawn(line: Line, places: Sequence[tuple[float, float]]) -> list[str]:
    parts = []
    if line.joined and len(places) > 1:
        path = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(f'<path class="line {line.look}" d="M{path}"/>')
    if line.marked or not line.joined or len(places) == 1:
        parts += [f'<circle class="dot {line.look}" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>' for x, y in places]
    return parts
