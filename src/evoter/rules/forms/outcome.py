"""What a condition found on a row: the values that its terms read, and how they are said."""

from dataclasses import dataclass

from evoter.rules.condition import Condition, Constant, Right, Term
from evoter.rules.printing.pieces import (
    ASCII,
    TimeStep,
    joined,
    name_text,
    number_text,
    render,
    term_pieces,
    timed,
    visible,
)
from evoter.rules.schema import Feature

DIGITS = 6
"""Results of arithmetic are shown to this many digits, unless both sides would then look equal and are not."""

MEASURED_DIGITS = 10
"""A value of more digits than this is a result of arithmetic too, if only of the one who measured it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a term read: the feature's own value, None where missing; `available` is false with too little history."""

    term: Term
    value: Constant | None
    available: bool = True


@dataclass(frozen=True, slots=True)
class ConditionOutcome:
    """Whether a condition held, what its terms read, and the values of its two sides.

    `left` and `right` are the sides as they were compared, after scaling, power and coefficient; they are None where
    a value is missing or lies beyond the history, and where a side is not a single value.
    """

    condition: Condition
    holds: bool
    readings: tuple[Reading, ...]
    left: Constant | None
    right: Constant | None


def value_text(reading: Reading, feature: Feature, other: Right) -> str:
    """Say the value that a term read, to as many digits as tell it from the other side; or why there is none."""
    value = reading.value
    if (absence := _absence(reading)) or value is None:
        return absence
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{number_text(shown_value(value, other))} {visible(feature.unit)}".rstrip()
    return name_text(value)


def named_value_text(reading: Reading, feature: Feature, other: Right, time_step: TimeStep | None) -> str:
    """Say the value that a term read together with the feature and the lag: `x[2] = 5 cm`."""
    pieces = term_pieces(Term(feature.name, lag=reading.term.lag))
    name = joined(render(pieces, timed(ASCII, time_step)))
    text = value_text(reading, feature, other)
    return f"{name} has {text}" if _absence(reading) else f"{name} = {text}"


def sides_text(left: float, right: float) -> str:
    """Say which numbers were compared, to as many digits as tell them apart."""
    sides = [f"{side:.{DIGITS}g}" for side in (left, right)]
    if sides[0] == sides[1] and left != right:
        sides = [number_text(side) for side in (left, right)]
    return f"{sides[0]} against {sides[1]}"


def shown_sides(left: float, right: float) -> tuple[float, float]:
    """Return which numbers were compared, rounded as far as that keeps them apart."""
    rounded = (_rounded(left), _rounded(right))
    return (left, right) if rounded[0] == rounded[1] and left != right else rounded


def _absence(reading: Reading) -> str:
    if not reading.available:
        return "too little history"
    return "no value" if reading.value is None else ""


def shown_value(value: float, other: Right) -> float:
    """Return a value as it is, or rounded if it has many digits and still compares alike with the other side."""
    text, rounded = number_text(value), _rounded(value)
    if sum(map(str.isdigit, text.partition("e")[0].lstrip("-0."))) <= MEASURED_DIGITS:
        return value
    sides = (other, _rounded(other)) if isinstance(other, float) else ()
    alike = all((value < side, value > side) == (rounded < side, rounded > side) for side in sides)
    return rounded if alike else value


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
