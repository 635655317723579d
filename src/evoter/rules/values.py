"""How a value in a row becomes a value of the rule language, and what a term makes of it."""

from collections.abc import Callable, Mapping, Sequence
from reprlib import repr as shortened
from typing import Any

from evoter.rules.condition import Constant, Term
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.schema import Feature, Kind, Schema

Value = float | int | str | bool | None
"""What a row holds for a feature; None and NaN both mean missing."""

Row = Mapping[str, Value]


def read(feature: Feature, row: Row) -> Constant | None:
    """Return a feature's value in a row; a row that lacks the feature is refused."""
    try:
        value = row[feature.name]
    except KeyError:
        hint = did_you_mean(feature.name, [str(name) for name in row])
        raise SchemaError(f"the row has no value for the feature {feature.name!r}{hint}") from None
    return read_value(feature, value)


def read_value(feature: Feature, value: object) -> Constant | None:
    """Return a value of a feature as a float, a category's name, a truth value, or None where it is missing.

    Scalars of numpy and pandas are welcome. A boolean may be given as 0 or 1, a category as a number or truth value.

    >>> read_value(Feature("anaemia", Kind.BOOLEAN), 1)
    True
    >>> read_value(Feature("grade", Kind.CATEGORICAL, categories=("1", "2")), 2.0)
    '2'
    """
    plain = plain_value(value)
    if is_missing(plain):
        return None
    reading = _READINGS[feature.kind](plain)
    if reading is None:
        raise SchemaError(
            f"the feature {feature.name!r} is {feature.kind} and takes {_TAKES[feature.kind]}, "
            f"not {type(value).__name__} {shortened(value)}"
        )
    return reading


def read_term(term: Term, history: Sequence[Row], schema: Schema, *, scale: bool) -> Constant | None:
    """Return the value of a term, None where it is missing; the history must reach back to its lag."""
    feature = schema.feature(term.feature)
    value = read(feature, history[-1 - term.lag])
    return term_value(value, term, feature, scale=scale) if isinstance(value, float) else value


def term_value(value: float, term: Term, feature: Feature, *, scale: bool) -> float:
    """Return the value of a term for a value of its numeric feature; with `scale`, as in a comparison of two terms."""
    x = _scaled(value, feature) if scale and feature.scaled else value
    # Multiplied out, because x**3 rounds differently and raises an error where multiplication overflows to infinity.
    raised = (x, x * x, x * x * x)[term.power - 1]
    return term.coefficient * raised


def _scaled(value: float, feature: Feature) -> float:
    low, high = feature.bounds
    return 0.0 if low == high else (value - low) / (high - low)


def category_name(value: object) -> str | None:
    """Return the name by which the language calls a category, or None for a value that cannot be one.

    >>> category_name("Asian"), category_name(3), category_name(3.0), category_name(True)
    ('Asian', '3', '3', 'true')
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else None


def plain_value(value: object) -> object:
    """Turn a scalar of numpy, or of a library that follows it, into Python's own."""
    item = getattr(value, "item", None)
    try:
        return item() if callable(item) else value
    except (TypeError, ValueError):  # an array of several values
        return value


def is_missing(value: object) -> bool:
    """Tell whether a value is None, NaN, or another library's sign for missing."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas' NA refuses to be true or false
        return True
    except ValueError:  # an array compares element by element
        return False


def _read_number(value: Any) -> float | None:
    if isinstance(value, str | bytes):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _read_truth(value: Any) -> bool | None:
    return bool(value) if isinstance(value, int | float) and value in (0, 1) else None


_READINGS: dict[Kind, Callable[[object], Constant | None]] = {
    Kind.NUMERIC: _read_number,
    Kind.CATEGORICAL: category_name,
    Kind.BOOLEAN: _read_truth,
}
_TAKES = {Kind.NUMERIC: "a number", Kind.CATEGORICAL: "a category", Kind.BOOLEAN: "true or false"}
