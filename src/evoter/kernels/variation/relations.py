"""Which conditions are tautologies or falsehoods, contradict or imply each other: the quick tests of variation.

They reason over the real numbers and about the forms that evolution writes; `evoter.rules.logic` is the exact judge.
"""

from typing import Final

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions import copy_condition
from evoter.kernels.layout import (
    CONSTANT,
    EQ,
    GE,
    GT,
    HIGH,
    IS_MISSING,
    IS_PRESENT,
    KIND,
    LE,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LOW,
    LT,
    MISSING,
    N_CATEGORIES,
    NE,
    NUMERIC,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SCALED,
    Floats,
    Grammar,
    Ints,
)

ALWAYS: Final = 1
NEVER: Final = -1
DEPENDS: Final = 0

UNRELATED: Final = 0
CONTRADICTION: Final = 1
FIRST_IMPLIES: Final = 2
SECOND_IMPLIES: Final = 3


@kernel
def negation(operator: int) -> int:
    """Return the operator that holds exactly where `operator` does not (of present values)."""
    if operator == EQ:
        return NE
    if operator == NE:
        return EQ
    if operator == LT:
        return GE
    if operator == LE:
        return GT
    if operator == GT:
        return LE
    return LT


@kernel
def implies(operator: int, threshold: float, other: int, other_threshold: float) -> bool:
    """Tell whether `x operator threshold` implies `x other other_threshold` for every real x."""
    strictly_below = operator == LT and threshold <= other_threshold
    strictly_above = operator == GT and threshold >= other_threshold
    below = (operator == LE or operator == EQ) and threshold < other_threshold
    above = (operator == GE or operator == EQ) and threshold > other_threshold
    same = threshold == other_threshold
    if other == LT:
        return strictly_below or below
    if other == LE:
        return strictly_below or below or (same and (operator == LE or operator == EQ))
    if other == GT:
        return strictly_above or above
    if other == GE:
        return strictly_above or above or (same and (operator == GE or operator == EQ))
    if other == EQ:
        return operator == EQ and same
    return strictly_below or strictly_above or below or above or (operator == NE and same)


@kernel
def _implies_both(operator: int, threshold: float, other: int, other_threshold: float, of_zero: bool) -> bool:
    """Tell whether an implication holds for these thresholds and, with `of_zero`, also where both are 0."""
    holds = implies(operator, threshold, other, other_threshold)
    return holds and (not of_zero or implies(operator, 0.0, other, 0.0))


@kernel
def _presence_relation(test: Ints, other: Ints) -> int:
    """Relate a test for missing to another condition: from the first one's side."""
    same = (other[LEFT] == test[LEFT] and other[LEFT_LAG] == test[LEFT_LAG]) or (
        other[RIGHT] == test[LEFT] and other[RIGHT_LAG] == test[LEFT_LAG]
    )
    if other[OPERATOR] >= IS_MISSING:
        if not same:
            return UNRELATED
        return FIRST_IMPLIES if test[OPERATOR] == other[OPERATOR] else CONTRADICTION
    if not same:
        return UNRELATED
    return SECOND_IMPLIES if test[OPERATOR] == IS_PRESENT else CONTRADICTION


@kernel
def relation(grammar: Grammar, a: Ints, a_numbers: Floats, b: Ints, b_numbers: Floats) -> int:
    """Relate two conditions of one rule."""
    if a[OPERATOR] >= IS_MISSING:
        return _presence_relation(a, b)
    if b[OPERATOR] >= IS_MISSING:
        related = _presence_relation(b, a)
        if related == FIRST_IMPLIES:
            return SECOND_IMPLIES
        return FIRST_IMPLIES if related == SECOND_IMPLIES else related
    for k in (LEFT, LEFT_POWER, LEFT_LAG, RIGHT):
        if a[k] != b[k]:
            return UNRELATED
    if a_numbers[LEFT_COEFFICIENT] <= 0.0 or b_numbers[LEFT_COEFFICIENT] <= 0.0:
        return UNRELATED
    if a[RIGHT] != CONSTANT:
        if a[RIGHT_POWER] != b[RIGHT_POWER] or a[RIGHT_LAG] != b[RIGHT_LAG]:
            return UNRELATED
        # a*x < b*y is x < (b/a)*y: with y >= 0 the ratios order the comparisons like thresholds.
        low, _ = term_bounds(grammar, a[RIGHT], a[RIGHT_POWER], 1.0)
        same = a_numbers[0] == b_numbers[0] and a_numbers[1] == b_numbers[1]
        if not same and (low < 0.0 or a[OPERATOR] <= NE or b[OPERATOR] <= NE):
            return UNRELATED
    threshold = a_numbers[RIGHT_NUMBER] / a_numbers[LEFT_COEFFICIENT]
    other = b_numbers[RIGHT_NUMBER] / b_numbers[LEFT_COEFFICIENT]
    of_zero = a[RIGHT] != CONSTANT  # Multiples of y = 0 are equal thresholds, whatever the ratios.
    if _implies_both(a[OPERATOR], threshold, b[OPERATOR], other, of_zero):
        return FIRST_IMPLIES
    if _implies_both(b[OPERATOR], other, a[OPERATOR], threshold, of_zero):
        return SECOND_IMPLIES
    contradiction = _implies_both(a[OPERATOR], threshold, negation(b[OPERATOR]), other, of_zero)
    return CONTRADICTION if contradiction else UNRELATED


@kernel
def term_bounds(grammar: Grammar, feature: int, power: int, coefficient: float) -> tuple[float, float]:
    """Return the range of a term of a comparison between features, for a coefficient of 0 or more."""
    low, high = grammar.ranges[feature, LOW], grammar.ranges[feature, HIGH]
    if grammar.features[feature, SCALED]:
        low, high = 0.0, 1.0
    if power == 2:
        a, b = low * low, high * high
        low, high = (0.0 if low < 0.0 < high else min(a, b)), max(a, b)
    elif power == 3:
        low, high = low * low * low, high * high * high
    return coefficient * low, coefficient * high


@kernel
def truth(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    """Tell whether a condition holds always, never, or depends, when no value is missing."""
    operator = codes[OPERATOR]
    feature = codes[LEFT]
    if operator == IS_MISSING:
        return DEPENDS if grammar.features[feature, MISSING] or codes[LEFT_LAG] > 0 else NEVER
    if operator == IS_PRESENT:
        return DEPENDS if grammar.features[feature, MISSING] or codes[LEFT_LAG] > 0 else ALWAYS
    if grammar.features[feature, KIND] != NUMERIC:
        return DEPENDS if grammar.features[feature, N_CATEGORIES] > 1 else (ALWAYS if operator == EQ else NEVER)
    if numbers[LEFT_COEFFICIENT] <= 0.0:
        return DEPENDS
    if codes[RIGHT] == CONSTANT:
        if codes[LEFT_POWER] != 1:
            return DEPENDS
        low = numbers[LEFT_COEFFICIENT] * grammar.ranges[feature, LOW]
        high = numbers[LEFT_COEFFICIENT] * grammar.ranges[feature, HIGH]
        other_low = other_high = numbers[RIGHT_NUMBER]
    else:
        if numbers[RIGHT_NUMBER] <= 0.0:
            return DEPENDS
        low, high = term_bounds(grammar, feature, codes[LEFT_POWER], numbers[LEFT_COEFFICIENT])
        other_low, other_high = term_bounds(grammar, codes[RIGHT], codes[RIGHT_POWER], numbers[RIGHT_NUMBER])
    return _by_ranges(operator, low, high, other_low, other_high)


@kernel
def _by_ranges(operator: int, low: float, high: float, other_low: float, other_high: float) -> int:
    """Tell whether numbers from two ranges compare always, never, or it depends."""
    if operator == LT:
        return ALWAYS if high < other_low else (NEVER if low >= other_high else DEPENDS)
    if operator == LE:
        return ALWAYS if high <= other_low else (NEVER if low > other_high else DEPENDS)
    if operator == GT:
        return ALWAYS if low > other_high else (NEVER if high <= other_low else DEPENDS)
    if operator == GE:
        return ALWAYS if low >= other_high else (NEVER if high < other_low else DEPENDS)
    apart = high < other_low or low > other_high
    if operator == EQ:
        return NEVER if apart else DEPENDS
    return ALWAYS if apart else DEPENDS


@kernel
def _cannot_be_related(codes: Ints, j: int, k: int) -> bool:
    """Tell quickly that two conditions have nothing to do with each other, as most pairs have not."""
    return bool(
        codes[j, LEFT] != codes[k, LEFT] and codes[j, OPERATOR] < IS_MISSING and codes[k, OPERATOR] < IS_MISSING
    )


@kernel
def prune_conditions(grammar: Grammar, codes: Ints, numbers: Floats, n_pruned: int, n: int) -> int:
    """Drop tautologies and redundant conditions in place; return how many are left, or -1 for a rule that never holds.

    The first `n_pruned` conditions are known to be in order among themselves. A tautology on a feature that may be
    missing, or on a lag, still asks for the value to be there: it stays.
    """
    kept = n_pruned
    for k in range(n_pruned, n):
        certain = truth(grammar, codes[k], numbers[k])
        if certain == NEVER:
            return -1
        if certain == ALWAYS and not _may_be_absent(grammar, codes[k]):
            continue
        wanted = True
        j = 0
        while j < kept:
            if _cannot_be_related(codes, j, k):
                j += 1
                continue
            related = relation(grammar, codes[j], numbers[j], codes[k], numbers[k])
            if related == CONTRADICTION:
                return -1
            if related == FIRST_IMPLIES:
                wanted = False
                break
            if related == SECOND_IMPLIES:
                kept -= 1
                for m in range(j, kept):
                    copy_condition(codes[m + 1], numbers[m + 1], codes[m], numbers[m])
            else:
                j += 1
        if wanted:
            copy_condition(codes[k], numbers[k], codes[kept], numbers[kept])
            kept += 1
    return kept


@kernel
def _may_be_absent(grammar: Grammar, codes: Ints) -> bool:
    """Tell whether a value that the condition reads may be missing or lie before the beginning of the history."""
    if grammar.features[codes[LEFT], MISSING] or codes[LEFT_LAG] > 0:
        return True
    return codes[RIGHT] != CONSTANT and (grammar.features[codes[RIGHT], MISSING] or codes[RIGHT_LAG] > 0)


@kernel
def acceptable(grammar: Grammar, codes: Ints, numbers: Floats, n: int, candidate: int) -> bool:
    """Tell whether condition `candidate` is informative and neither contradicts nor repeats any other of the rule."""
    if truth(grammar, codes[candidate], numbers[candidate]) != DEPENDS:
        return False
    for k in range(n):
        if (
            k != candidate
            and relation(grammar, codes[k], numbers[k], codes[candidate], numbers[candidate]) != UNRELATED
        ):
            return False
    return True
