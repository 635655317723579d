"""What a condition means: which form it has, what it reads, and whether it holds for the values that it reads.

This is the one place where compiled code says how values are scaled, raised and compared, and that a missing value,
which is NaN, makes every comparison false. Everything here is inlined, so that callers who pass a constant operator,
form or power get a loop without branches.
"""

import numpy as np

from evoter.kernels.compilation import inlined_kernel
from evoter.kernels.conditions.codes import (
    COMPARISON,
    CONSTANT,
    EQ,
    GE,
    GT,
    IN,
    IS_MISSING,
    IS_PRESENT,
    LE,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    LT,
    MEMBERSHIP,
    NE,
    NOT_IN,
    OPERATOR,
    PRESENCE,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SET_BITS,
    SUM,
    SUM_CONSTANT,
    SUMMED,
    THRESHOLD,
    UNKNOWN,
)
from evoter.kernels.layout import Floats, Ints


@inlined_kernel
def is_presence_test(operator: int) -> bool:
    """Tell whether an operator asks for presence instead of comparing."""
    return operator == IS_MISSING or operator == IS_PRESENT


@inlined_kernel
def is_membership(operator: int) -> bool:
    """Tell whether an operator takes a set of categories."""
    return operator == IN or operator == NOT_IN


@inlined_kernel
def is_equality(operator: int) -> bool:
    """Tell whether an operator is = or !=; the four other comparisons are comparisons of order."""
    return operator == EQ or operator == NE


@inlined_kernel
def form_of(codes: Ints) -> int:
    """Return the form of a condition; codes that make no sense are of the form UNKNOWN."""
    operator, right = codes[OPERATOR], codes[RIGHT]
    if EQ <= operator <= GE:
        if right == CONSTANT:
            return THRESHOLD
        if right < 0:
            return UNKNOWN
        if codes[RIGHT_POWER] != SUMMED:
            return COMPARISON
        return SUM if operator >= LT and codes[LEFT_POWER] == 1 else UNKNOWN
    if right != CONSTANT:
        return UNKNOWN
    if is_presence_test(operator):
        return PRESENCE
    return MEMBERSHIP if is_membership(operator) else UNKNOWN


@inlined_kernel
def reads_second_feature(codes: Ints) -> bool:
    """Tell whether a condition reads the feature in RIGHT beside the one in LEFT."""
    return codes[RIGHT] >= 0


@inlined_kernel
def reads_scaled_values(form: int) -> bool:
    """Tell whether conditions of a form read features scaled where the schema says so; other forms read them raw."""
    return form == COMPARISON


@inlined_kernel
def n_counted(codes: Ints) -> int:
    """Return what a condition counts towards complexity: a sum of two features counts as two conditions."""
    return 2 if form_of(codes) == SUM else 1


@inlined_kernel
def longest_lag(codes: Ints) -> int:
    """Return how many steps back a condition reads; with a shorter history it is false, whatever its form."""
    return max(codes[LEFT_LAG], codes[RIGHT_LAG])


@inlined_kernel
def is_missing(value: float) -> bool:
    """Tell whether a value is missing."""
    return value != value


@inlined_kernel
def scaled(value: float, low: float, span: float) -> float:
    """Scale a value to [0, 1]; a feature without a span reads 0, and a missing value stays missing."""
    if span > 0.0:
        return (value - low) / span
    return value if is_missing(value) else 0.0


@inlined_kernel
def raised(value: float, power: int) -> float:
    """Raise a value to a power by multiplication, in the interpreter's order of operations; NaN unless it is 1 to 3."""
    if power == 1:
        return value
    if power == 2:
        return value * value
    return value * value * value if power == 3 else np.nan


@inlined_kernel
def term(value: float, coefficient: float, power: int) -> float:
    """Return `coefficient * value ^ power`, the power first."""
    return coefficient * raised(value, power)


@inlined_kernel
def added(first: float, coefficient: float, second: float, other_coefficient: float) -> float:
    """Return the sum of two terms; each product is rounded before they are added, as in the interpreter."""
    return term(first, coefficient, 1) + term(second, other_coefficient, 1)


@inlined_kernel
def compare(operator: int, left: float, right: float) -> bool:
    """Compare two numbers; NaN makes every comparison false, and so does an operator that does not compare."""
    if operator == LE:
        return left <= right
    if operator == GT:
        return left > right
    if operator == LT:
        return left < right
    if operator == GE:
        return left >= right
    if operator == EQ:
        return left == right
    if operator == NE:
        return (left < right) | (left > right)
    return False


@inlined_kernel
def mirrored(operator: int) -> int:
    """Return the operator that says the same with its sides exchanged."""
    if operator == LT:
        return GT
    if operator == LE:
        return GE
    if operator == GT:
        return LT
    if operator == GE:
        return LE
    return operator


@inlined_kernel
def presence_holds(operator: int, value: float) -> bool:
    """Tell whether a test for missing, `is missing` or `is present`, holds for a value."""
    return is_missing(value) == (operator == IS_MISSING)


@inlined_kernel
def set_has(numbers: Floats, code: int) -> bool:
    """Tell whether the category with this code is in the set of a condition; an unlisted one is in no set."""
    if code < 0 or code >= 2 * SET_BITS:
        return False
    if code < SET_BITS:
        return (np.int64(numbers[LEFT_COEFFICIENT]) >> code) & 1 == 1
    return (np.int64(numbers[RIGHT_NUMBER]) >> (code - SET_BITS)) & 1 == 1


@inlined_kernel
def membership_holds(operator: int, numbers: Floats, value: float) -> bool:
    """Tell whether a category is in a set, or is present and not in it."""
    if is_missing(value):
        return False
    return set_has(numbers, int(value)) == (operator == IN)


@inlined_kernel
def holds(form: int, codes: Ints, numbers: Floats, first: float, second: float) -> bool:
    """Tell whether a condition of this form holds for the values of the features that it reads.

    A value is NaN where it is missing, and scaled already where the form reads scaled values. `second` is ignored by
    forms that read one feature. The caller has checked that the history is long enough.
    """
    operator = codes[OPERATOR]
    if form == PRESENCE:
        return presence_holds(operator, first)
    if form == MEMBERSHIP:
        return membership_holds(operator, numbers, first)
    if form == SUM:
        total = added(first, numbers[LEFT_COEFFICIENT], second, numbers[RIGHT_NUMBER])
        return compare(operator, total, numbers[SUM_CONSTANT])
    left = term(first, numbers[LEFT_COEFFICIENT], codes[LEFT_POWER])
    if form == THRESHOLD:
        return compare(operator, left, numbers[RIGHT_NUMBER])
    if form == COMPARISON:
        return compare(operator, left, term(second, numbers[RIGHT_NUMBER], codes[RIGHT_POWER]))
    return False
