"""Quick logic of conditions, form by form: which hold always or never, and which contradict or imply each other.

It reasons over the real numbers; `evoter.rules.logic` is exact for doubles and decides in case of doubt.
"""

from typing import Final

from evoter.kernels.compilation import kernel
from evoter.kernels.conditions.codes import (
    COMPARISON,
    EQ,
    GE,
    GT,
    IS_MISSING,
    IS_PRESENT,
    LE,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LT,
    MEMBERSHIP,
    NE,
    OPERATOR,
    PRESENCE,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SUM,
    SUM_CONSTANT,
    THRESHOLD,
    UNKNOWN,
)
from evoter.kernels.conditions.meaning import (
    form_of,
    holds,
    is_equality,
    membership_holds,
    raised,
    reads_second_feature,
)
from evoter.kernels.layout import (
    HIGH,
    KIND,
    LOW,
    MISSING,
    N_CATEGORIES,
    NUMERIC,
    SCALED,
    Floats,
    Grammar,
    Ints,
)

# What can be said about one condition.
ALWAYS: Final = 1
NEVER: Final = -1
DEPENDS: Final = 0

# What can be said about two conditions.
UNRELATED: Final = 0
CONTRADICTION: Final = 1
FIRST_IMPLIES: Final = 2
SECOND_IMPLIES: Final = 3


@kernel
def truth(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    """Tell whether a condition holds always, never, or depends, when no value is missing."""
    form = form_of(codes)
    if form == PRESENCE:
        return _truth_of_presence(grammar, codes)
    if form == THRESHOLD:
        return _truth_of_threshold(grammar, codes, numbers)
    if form == COMPARISON:
        return _truth_of_comparison(grammar, codes, numbers)
    if form == MEMBERSHIP:
        return _truth_of_membership(grammar, codes, numbers)
    if form == SUM:
        return _truth_of_sum(grammar, codes, numbers)
    return DEPENDS


@kernel
def relation(grammar: Grammar, a: Ints, a_numbers: Floats, b: Ints, b_numbers: Floats) -> int:
    """Relate two conditions of one rule."""
    form, other_form = form_of(a), form_of(b)
    if form == UNKNOWN or other_form == UNKNOWN:
        return UNRELATED
    if form == PRESENCE:
        return _relation_to_presence(a, b)
    if other_form == PRESENCE:
        return _exchanged(_relation_to_presence(b, a))
    if form == MEMBERSHIP or other_form == MEMBERSHIP:
        return _relation_of_categories(grammar, a, a_numbers, b, b_numbers)
    if form != other_form:
        return UNRELATED
    if form == THRESHOLD:
        return _relation_of_thresholds(a, a_numbers, b, b_numbers)
    if form == COMPARISON:
        return _relation_of_comparisons(grammar, a, a_numbers, b, b_numbers)
    if form == SUM:
        return _relation_of_sums(a, a_numbers, b, b_numbers)
    return UNRELATED


@kernel
def may_be_absent(grammar: Grammar, codes: Ints) -> bool:
    """Tell whether a value that the condition reads may be missing or lie before the beginning of the history."""
    if grammar.features[codes[LEFT], MISSING] or codes[LEFT_LAG] > 0:
        return True
    return reads_second_feature(codes) and (grammar.features[codes[RIGHT], MISSING] or codes[RIGHT_LAG] > 0)


@kernel
def cannot_be_related(a: Ints, b: Ints) -> bool:
    """Tell quickly that two conditions are unrelated, as most pairs are: related ones read one feature on the left.

    Tests for missing are the exception: they say something about either feature of a comparison.
    """
    return a[LEFT] != b[LEFT] and form_of(a) != PRESENCE and form_of(b) != PRESENCE


@kernel
def _truth_of_presence(grammar: Grammar, codes: Ints) -> int:
    if may_be_absent(grammar, codes):
        return DEPENDS
    return ALWAYS if codes[OPERATOR] == IS_PRESENT else NEVER


@kernel
def _truth_of_threshold(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    feature, operator, coefficient = codes[LEFT], codes[OPERATOR], numbers[LEFT_COEFFICIENT]
    if grammar.features[feature, KIND] != NUMERIC:
        return DEPENDS if grammar.features[feature, N_CATEGORIES] > 1 else (ALWAYS if operator == EQ else NEVER)
    if coefficient <= 0.0:
        return DEPENDS
    low, high = _raised_range(grammar.ranges[feature, LOW], grammar.ranges[feature, HIGH], codes[LEFT_POWER])
    constant = numbers[RIGHT_NUMBER]
    return _truth_on_ranges(operator, coefficient * low, coefficient * high, constant, constant)


@kernel
def _truth_of_membership(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    n = 0
    n_categories = grammar.features[codes[LEFT], N_CATEGORIES]
    for code in range(n_categories):
        n += membership_holds(codes[OPERATOR], numbers, float(code))
    return NEVER if n == 0 else (ALWAYS if n == n_categories else DEPENDS)


@kernel
def _truth_of_comparison(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    if numbers[LEFT_COEFFICIENT] <= 0.0 or numbers[RIGHT_NUMBER] <= 0.0:
        return DEPENDS
    low, high = _term_range(grammar, codes[LEFT], codes[LEFT_POWER], numbers[LEFT_COEFFICIENT])
    other_low, other_high = _term_range(grammar, codes[RIGHT], codes[RIGHT_POWER], numbers[RIGHT_NUMBER])
    return _truth_on_ranges(codes[OPERATOR], low, high, other_low, other_high)


@kernel
def _truth_of_sum(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    low, high = _multiples(grammar, codes[LEFT], numbers[LEFT_COEFFICIENT])
    other_low, other_high = _multiples(grammar, codes[RIGHT], numbers[RIGHT_NUMBER])
    constant = numbers[SUM_CONSTANT]
    # Sums of infinite ends may be NaN, which compares false: it depends then.
    return _truth_on_ranges(codes[OPERATOR], low + other_low, high + other_high, constant, constant)


@kernel
def _multiples(grammar: Grammar, feature: int, coefficient: float) -> tuple[float, float]:
    """Return the least and the greatest product of a coefficient and a raw value of a feature."""
    a, b = coefficient * grammar.ranges[feature, LOW], coefficient * grammar.ranges[feature, HIGH]
    return min(a, b), max(a, b)


@kernel
def _term_range(grammar: Grammar, feature: int, power: int, coefficient: float) -> tuple[float, float]:
    """Return the range of a term of a comparison between features, for a coefficient of 0 or more."""
    low, high = grammar.ranges[feature, LOW], grammar.ranges[feature, HIGH]
    if grammar.features[feature, SCALED]:
        low, high = 0.0, 1.0
    a, b = _raised_range(low, high, power)
    return coefficient * a, coefficient * b


@kernel
def _raised_range(low: float, high: float, power: int) -> tuple[float, float]:
    """Return the range of a power of numbers between `low` and `high`."""
    a, b = raised(low, power), raised(high, power)
    if power == 2:
        return (0.0 if low < 0.0 < high else min(a, b)), max(a, b)
    return a, b


@kernel
def _truth_on_ranges(operator: int, low: float, high: float, other_low: float, other_high: float) -> int:
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
    if operator == NE:
        return ALWAYS if apart else DEPENDS
    return DEPENDS


@kernel
def _relation_to_presence(test: Ints, other: Ints) -> int:
    """Relate a test for missing to any other condition, from the side of the test."""
    on_left = other[LEFT] == test[LEFT] and other[LEFT_LAG] == test[LEFT_LAG]
    on_right = reads_second_feature(other) and other[RIGHT] == test[LEFT] and other[RIGHT_LAG] == test[LEFT_LAG]
    if not (on_left or on_right):
        return UNRELATED
    if form_of(other) == PRESENCE:
        return FIRST_IMPLIES if test[OPERATOR] == other[OPERATOR] else CONTRADICTION
    # Every other condition holds only where the values that it reads are present.
    return CONTRADICTION if test[OPERATOR] == IS_MISSING else SECOND_IMPLIES


@kernel
def _relation_of_thresholds(a: Ints, a_numbers: Floats, b: Ints, b_numbers: Floats) -> int:
    if not _have_same_left_side(a, b):
        return UNRELATED
    if a_numbers[LEFT_COEFFICIENT] <= 0.0 or b_numbers[LEFT_COEFFICIENT] <= 0.0:
        return UNRELATED
    return _relation_of_ratios(a, a_numbers, b, b_numbers, False)


@kernel
def _relation_of_comparisons(grammar: Grammar, a: Ints, a_numbers: Floats, b: Ints, b_numbers: Floats) -> int:
    for k in (RIGHT, RIGHT_POWER, RIGHT_LAG):
        if a[k] != b[k]:
            return UNRELATED
    if not _have_same_left_side(a, b):
        return UNRELATED
    if a_numbers[LEFT_COEFFICIENT] <= 0.0 or b_numbers[LEFT_COEFFICIENT] <= 0.0:
        return UNRELATED
    # a*x < b*y is x < (b/a)*y: with y >= 0 the ratios order the comparisons like thresholds.
    low, _ = _term_range(grammar, a[RIGHT], a[RIGHT_POWER], 1.0)
    same = True
    for k in (LEFT_COEFFICIENT, RIGHT_NUMBER):
        same &= a_numbers[k] == b_numbers[k]
    if not same and (low < 0.0 or is_equality(a[OPERATOR]) or is_equality(b[OPERATOR])):
        return UNRELATED
    # Multiples of y = 0 are equal thresholds, whatever the ratios.
    return _relation_of_ratios(a, a_numbers, b, b_numbers, True)


@kernel
def _relation_of_sums(a: Ints, a_numbers: Floats, b: Ints, b_numbers: Floats) -> int:
    """Relate two sums by their constants where they add the same terms."""
    same = True
    for k in (LEFT, LEFT_LAG, RIGHT, RIGHT_LAG):
        same &= a[k] == b[k]
    for k in (LEFT_COEFFICIENT, RIGHT_NUMBER):
        same &= a_numbers[k] == b_numbers[k]
    if not same:
        return UNRELATED
    return _relation_by_thresholds(a[OPERATOR], a_numbers[SUM_CONSTANT], b[OPERATOR], b_numbers[SUM_CONSTANT], False)


@kernel
def _relation_of_categories(grammar: Grammar, a: Ints, a_numbers: Floats, b: Ints, b_numbers: Floats) -> int:
    """Relate two conditions on one categorical feature by the categories that satisfy them, unlisted ones included."""
    if not _have_same_left_side(a, b):
        return UNRELATED
    only_first = only_second = both = 0
    for code in range(-1, grammar.features[a[LEFT], N_CATEGORIES]):
        first = holds(form_of(a), a, a_numbers, float(code), 0.0)
        second = holds(form_of(b), b, b_numbers, float(code), 0.0)
        both += first and second
        only_first += first and not second
        only_second += second and not first
    if only_first == 0:
        return FIRST_IMPLIES
    if only_second == 0:
        return SECOND_IMPLIES
    return CONTRADICTION if both == 0 else UNRELATED


@kernel
def _have_same_left_side(a: Ints, b: Ints) -> bool:
    return a[LEFT] == b[LEFT] and a[LEFT_POWER] == b[LEFT_POWER] and a[LEFT_LAG] == b[LEFT_LAG]


@kernel
def _relation_of_ratios(a: Ints, a_numbers: Floats, b: Ints, b_numbers: Floats, and_of_zero: bool) -> int:
    """Relate two conditions on one left side by their thresholds, with `and_of_zero` also where both are 0."""
    threshold = a_numbers[RIGHT_NUMBER] / a_numbers[LEFT_COEFFICIENT]
    other = b_numbers[RIGHT_NUMBER] / b_numbers[LEFT_COEFFICIENT]
    return _relation_by_thresholds(a[OPERATOR], threshold, b[OPERATOR], other, and_of_zero)


@kernel
def _relation_by_thresholds(a: int, threshold: float, b: int, other: float, and_of_zero: bool) -> int:
    """Relate two conditions on one left side, given their operators and thresholds."""
    if _implies_both(a, threshold, b, other, and_of_zero):
        return FIRST_IMPLIES
    if _implies_both(b, other, a, threshold, and_of_zero):
        return SECOND_IMPLIES
    contradiction = _implies_both(a, threshold, _negation(b), other, and_of_zero)
    return CONTRADICTION if contradiction else UNRELATED


@kernel
def _implies_both(operator: int, threshold: float, other: int, other_threshold: float, and_of_zero: bool) -> bool:
    """Tell whether an implication holds for these thresholds and, with `and_of_zero`, also where both are 0."""
    implied = _implies(operator, threshold, other, other_threshold)
    return implied and (not and_of_zero or _implies(operator, 0.0, other, 0.0))


@kernel
def _implies(operator: int, threshold: float, other: int, other_threshold: float) -> bool:
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
    if other == NE:
        return strictly_below or strictly_above or below or above or (operator == NE and same)
    return False


@kernel
def _negation(operator: int) -> int:
    """Return the comparison that holds, of present values, exactly where `operator` does not."""
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
    if operator == GE:
        return LT
    return operator


@kernel
def _exchanged(related: int) -> int:
    """Return a relation as seen with the two conditions exchanged."""
    if related == FIRST_IMPLIES:
        return SECOND_IMPLIES
    return FIRST_IMPLIES if related == SECOND_IMPLIES else related
