"""What leaf-common's evaluator reads: numbered columns, constants as fractions of their ranges, a limited memory."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evoter.rules.condition import Operator, Term
from evoter.rules.errors import RuleError
from evoter.rules.schema import Feature, Schema

BINDING_KEY = "RuleSetBinding-1.0"
REPRESENTATION = "RuleBased"

CATEGORY_MARKER = "_is_category_"
"""Joins the name of a categorical feature and one of its categories to the name of a one-hot column."""

CONSTANT_KEY = "value"
"""A second state that is not the key of a state means a constant; keys of states are numbers, so this is not one."""

STEPS_PER_ACTION = 100
"""The evaluator remembers as many steps as this times the number of actions."""

Bounds = tuple[float, float]
Fields = dict[str, object]

ZERO_TO_ONE = 0.0, 1.0


@dataclass(frozen=True, slots=True)
class Column:
    """A state of leaf-common: a feature or, where a category is given, one of its one-hot columns."""

    feature: str
    category: str | None
    bounds: Bounds | None

    @property
    def name(self) -> str:
        """The name of the state."""
        return self.feature if self.category is None else f"{self.feature}{CATEGORY_MARKER}{self.category}"


@dataclass(frozen=True, slots=True)
class LeafKeys:
    """The schema of a rule set and the keys by which a file refers to its columns and actions."""

    schema: Schema
    columns: Mapping[tuple[str, str | None], str]
    actions: Mapping[str, str]


def longest_lookback(n_actions: int) -> int:
    """Return how far back the evaluator looks reliably.

    Once its memory is full it forgets the second oldest step and not the oldest, which is then in the wrong position.
    """
    return STEPS_PER_ACTION * n_actions - 2


def constant_at(fraction: float, bounds: Bounds) -> float:
    """Return the constant for a `second_state_value`, in the very steps of the evaluator.

    >>> constant_at(0.25, (-8.0, 10.0))
    -3.5
    """
    low, high = bounds
    return low + (high - low) * fraction


def fraction_of(constant: float, bounds: Bounds, operator: Operator) -> float | None:
    """Return the `second_state_value` that gives a constant back; where none does, the nearest safe one, if any.

    Safe means: next to the constant, on the side where a value equal to the constant still compares as it should, which
    is above it for <= and > and below it for >= and <. Only values between the two compare wrongly.

    >>> fraction_of(-3.5, (-8.0, 10.0), Operator.LE)
    0.25
    """
    low, high = bounds
    if low == high:
        return 0.0 if constant == low else None
    upwards = operator in (Operator.LE, Operator.GT)
    nearest, error = None, 4 * math.ulp(max(abs(low), abs(high), abs(constant)))
    for fraction in _around((constant - low) / (high - low)):
        replacement = constant_at(fraction, bounds)
        if replacement == constant:
            return fraction
        if (replacement > constant) == upwards and abs(replacement - constant) <= error:
            nearest, error = fraction, abs(replacement - constant)
    return nearest


def _around(number: float) -> Iterator[float]:
    """Yield a number and its neighbours, further than the roundings between a fraction and its constant reach."""
    yield number
    below = above = number
    for _ in range(4):
        below, above = math.nextafter(below, -math.inf), math.nextafter(above, math.inf)
        yield below
        yield above


def fraction_for(constant: float, feature: Feature, operator: Operator) -> float:
    """Return the `second_state_value` for a constant; refuse a constant that leaf-common cannot say."""
    assert feature.low is not None
    assert feature.high is not None
    fraction = fraction_of(constant, (feature.low, feature.high), operator)
    if fraction is None:
        span = f"the range {feature.low!r} to {feature.high!r}"
        raise RuleError(f"{feature.name!r}: {constant!r} is no fraction of {span}; change low or high in the schema")
    return fraction


def equality_parts(operator: Operator, feature: str) -> tuple[Operator, ...]:
    """Return the operators of leaf-common that together say the same about numbers; refuse `!=`."""
    if operator is Operator.NE:
        raise RuleError(f"{feature!r}: leaf-common has no !=; split the rule into one with < and one with >")
    return (Operator.GE, Operator.LE) if operator is Operator.EQ else (operator,)


def comparison_fields(
    key: str,
    first: Term,
    operator: Operator,
    *,
    fraction: float = 0.0,
    second_key: str = CONSTANT_KEY,
    second: Term | None = None,
) -> Fields:
    """Return the fields of a comparison with a fraction of the range of the first state, or with a second state."""
    second = second or Term(first.feature)
    return {
        "first_state_key": key,
        "first_state_coefficient": first.coefficient,
        "first_state_exponent": first.power,
        "first_state_lookback": first.lag,
        "operator": operator.value,
        "second_state_key": second_key,
        "second_state_coefficient": second.coefficient,
        "second_state_exponent": second.power,
        "second_state_lookback": second.lag,
        "second_state_value": fraction,
    }
