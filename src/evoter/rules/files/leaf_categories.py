"""What comparisons of the one-hot columns of leaf-common say about categories."""

from collections.abc import Callable, Iterable

from evoter.rules.condition import Condition, Operator, Term
from evoter.rules.files.leaf_columns import Column

Compare = Callable[[float, float], bool]

_BOTH = {0, 1}


def category_conditions(category: str, term: Term, compare: Compare, constant: float) -> list[Condition]:
    """Translate a comparison of a one-hot column with a constant by what it says of 0 and of 1, its only values."""
    values = {value for value in _BOTH if compare(value * term.coefficient, constant)}
    return _conditions(category, term, values)


def compared_categories(
    column: Column, left: Term, compare: Compare, other: Column, right: Term
) -> list[Condition] | None:
    """Translate a comparison of two one-hot columns; None where it takes more than conditions joined by AND.

    Two columns of one feature at the same time are not both 1, and one column is equal to itself.
    """
    assert column.category is not None
    assert other.category is not None
    is_same = (column.feature, left.lag) == (other.feature, right.lag)
    holding = {
        (x, y)
        for x in _BOTH
        for y in _BOTH
        if compare(x * left.coefficient, y * right.coefficient)
        and not (is_same and ((x != y) if column.category == other.category else (x and y)))
    }
    if is_same and column.category == other.category:
        return _conditions(column.category, left, {x for x, _ in holding})
    if is_same:
        return _of_one_feature(column.category, other.category, left, holding)
    xs, ys = {x for x, _ in holding}, {y for _, y in holding}
    if len(holding) != len(xs) * len(ys):
        return None
    pair = [*_conditions(column.category, left, xs), *_conditions(other.category, right, ys)]
    # A value that has to be there goes without saying, unless it may lie beyond the history or is all there is to say.
    telling = [each for each in pair if each.operator is not Operator.IS_PRESENT or each.left.lag]
    return telling or pair[:1]


def _of_one_feature(one: str, other: str, term: Term, holding: Iterable[tuple[int, int]]) -> list[Condition]:
    plain = Term(term.feature, lag=term.lag)
    match ((1, 0) in holding, (0, 1) in holding, (0, 0) in holding):
        case True, True, True:
            return [Condition(plain, Operator.IS_PRESENT)]
        case True, True, False:
            return [Condition(plain, Operator.IN, (one, other))]
        case True, False, True:
            return [Condition(plain, Operator.NE, other)]
        case True, False, False:
            return [Condition(plain, Operator.EQ, one)]
        case False, True, True:
            return [Condition(plain, Operator.NE, one)]
        case False, True, False:
            return [Condition(plain, Operator.EQ, other)]
        case False, False, True:
            return [Condition(plain, Operator.NE, one), Condition(plain, Operator.NE, other)]
        case _:
            return _conditions(one, term, set())


def _conditions(category: str, term: Term, values: set[int]) -> list[Condition]:
    """Return the conditions for a one-hot column that has one of some values."""
    plain = Term(term.feature, lag=term.lag)
    equal, unequal = Condition(plain, Operator.EQ, category), Condition(plain, Operator.NE, category)
    if values == _BOTH:
        return [Condition(plain, Operator.IS_PRESENT)]
    return [equal] if values == {1} else [unequal] if values == {0} else [equal, unequal]
