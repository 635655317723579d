"""Trends: what rising values do to a condition, and which conditions rules for an action may therefore have.

A condition is *rising* in a feature if it can only begin to hold as the value rises, and *falling* if it can only cease
to hold. Tests for missing are neither: a rising value stays present.
"""

from typing import Final

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions.codes import (
    COMPARISON,
    EQ,
    GE,
    GT,
    LE,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_POWER,
    LT,
    NE,
    OPERATOR,
    PRESENCE,
    RIGHT,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SUM,
    THRESHOLD,
)
from evoter.kernels.conditions.meaning import form_of
from evoter.kernels.layout import (
    ANY_TREND,
    BOOLEAN,
    KIND,
    NO_TREND,
    NUMERIC,
    ONLY_FALLING,
    ONLY_RISING,
    Floats,
    Grammar,
    Ints,
)

BOTH_SIDES: Final = 0
ONLY_BELOW: Final = 1
ONLY_ABOVE: Final = 2
NEITHER_SIDE: Final = 3

_UNKNOWN: Final = 0


@kernel
def _sign(coefficient: float, power: int) -> int:
    """Return 1 for a term that rises with its feature, -1 for one that falls, 0 where neither is certain."""
    if power % 2 == 0 or coefficient == 0.0:
        return 0
    return 1 if coefficient > 0.0 else -1


@kernel
def _order(operator: int) -> int:
    """Return 1 for an operator that asks for large values on its left, -1 for small ones, 0 for any other."""
    if operator == GT or operator == GE:
        return 1
    return -1 if operator == LT or operator == LE else 0


@kernel
def _suits(grammar: Grammar, feature: int, action: int, trend: int) -> bool:
    """Tell whether rules for an action may test a feature by a condition of this trend, 0 if it has none."""
    wanted = grammar.trends[feature, action]
    return wanted == ANY_TREND or (wanted != NO_TREND and wanted == trend)


@kernel
def is_permitted(grammar: Grammar, action: int, codes: Ints, numbers: Floats) -> bool:
    """Tell whether rules for an action may have a condition."""
    if len(grammar.trends) == 0:
        return True
    form, order = form_of(codes), _order(codes[OPERATOR])
    if form == PRESENCE:
        return True
    trend = _UNKNOWN
    if form == THRESHOLD and grammar.features[codes[LEFT], KIND] == BOOLEAN:
        is_true = (codes[OPERATOR] == EQ) == (numbers[RIGHT_NUMBER] == 1.0)
        trend = 1 if is_true else -1
    elif form == THRESHOLD or form == COMPARISON or form == SUM:
        trend = order * _sign(numbers[LEFT_COEFFICIENT], codes[LEFT_POWER])
    if not _suits(grammar, codes[LEFT], action, trend):
        return False
    if form == COMPARISON:
        return _suits(grammar, codes[RIGHT], action, -order * _sign(numbers[RIGHT_NUMBER], codes[RIGHT_POWER]))
    if form == SUM:
        return _suits(grammar, codes[RIGHT], action, order * _sign(numbers[RIGHT_NUMBER], 1))
    return True


@kernel
def are_permitted(grammar: Grammar, action: int, codes: Ints, numbers: Floats, n: int) -> bool:
    """Tell whether rules for an action may have all of `n` conditions."""
    if len(grammar.trends) == 0:
        return True
    permitted = True
    for c in range(n):
        permitted &= is_permitted(grammar, action, codes[c], numbers[c])
    return permitted


@kernel
def make_permitted(grammar: Grammar, action: int, codes: Ints, numbers: Floats) -> bool:
    """Turn a condition that rules for an action may not have into its opposite, if they may have that.

    Returns whether they may have what it is now.
    """
    if is_permitted(grammar, action, codes, numbers):
        return True
    operator = codes[OPERATOR]
    is_boolean = form_of(codes) == THRESHOLD and grammar.features[codes[LEFT], KIND] == BOOLEAN
    if is_boolean and (operator == EQ or operator == NE):
        numbers[RIGHT_NUMBER] = 1.0 - numbers[RIGHT_NUMBER]
    elif LT <= operator <= GE:
        codes[OPERATOR] = LT + GE - operator
    return is_permitted(grammar, action, codes, numbers)


@kernel
def sides(
    grammar: Grammar, action: int, feature: int, power: int, other: int, other_power: int, other_sign: float
) -> int:
    """Return the sides of a cut that rules for an action may ask for, where a term rises with a feature.

    Where `other` is a feature, the term rises or falls with it, too, as `other_sign` says.
    """
    if len(grammar.trends) == 0:
        return BOTH_SIDES
    sign = _sign(1.0, power)
    above, below = _suits(grammar, feature, action, sign), _suits(grammar, feature, action, -sign)
    if other >= 0:
        sign = _sign(other_sign, other_power)
        above &= _suits(grammar, other, action, sign)
        below &= _suits(grammar, other, action, -sign)
    if above:
        return BOTH_SIDES if below else ONLY_ABOVE
    return ONLY_BELOW if below else NEITHER_SIDE


@kernel
def may_ask_for(grammar: Grammar, action: int, feature: int, code: int) -> bool:
    """Tell whether rules for an action may ask for a category, or a truth value, by its code."""
    if len(grammar.trends) == 0 or grammar.features[feature, KIND] == NUMERIC:
        return True
    trend = _UNKNOWN
    if grammar.features[feature, KIND] == BOOLEAN:
        trend = ONLY_RISING if code == 1 else ONLY_FALLING
    return _suits(grammar, feature, action, trend)
