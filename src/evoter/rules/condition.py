"""Conditions and what they are made of: terms, operators and constants, all frozen and comparable."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from evoter.rules.errors import RuleError
from evoter.rules.schema import is_finite

MAX_POWER = 3
"""Higher powers are hard to read and are not part of the language."""


class Operator(StrEnum):
    """How a condition compares its leading term with its trailing side, or tests it for being missing."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IS_MISSING = "is missing"
    IS_PRESENT = "is present"
    IN = "in"
    NOT_IN = "not in"

    @property
    def tests_missing(self) -> bool:
        """Whether this operator asks for presence instead of comparing."""
        return self in (Operator.IS_MISSING, Operator.IS_PRESENT)


MIRRORED = {
    Operator.EQ: Operator.EQ,
    Operator.NE: Operator.NE,
    Operator.LT: Operator.GT,
    Operator.LE: Operator.GE,
    Operator.GT: Operator.LT,
    Operator.GE: Operator.LE,
}
"""The operator that says the same with its sides exchanged."""

COMPARISONS = tuple(MIRRORED)
"""The operators that compare two values."""

OPPOSITES = {
    Operator.EQ: Operator.NE,
    Operator.NE: Operator.EQ,
    Operator.LT: Operator.GE,
    Operator.LE: Operator.GT,
    Operator.GT: Operator.LE,
    Operator.GE: Operator.LT,
    Operator.IS_MISSING: Operator.IS_PRESENT,
    Operator.IS_PRESENT: Operator.IS_MISSING,
    Operator.IN: Operator.NOT_IN,
    Operator.NOT_IN: Operator.IN,
}
"""The operator that holds where this one does not, as long as no value is missing."""


SET_OPERATORS = {Operator.IN: Operator.EQ, Operator.NOT_IN: Operator.NE}
"""The operators that take a set of categories, and those that say the same of a single one."""


@dataclass(frozen=True, slots=True)
class Term:
    """`coefficient * feature ^ power [lag]`: a feature's value `lag` steps ago, raised and scaled."""

    feature: str
    coefficient: float = 1.0
    power: int = 1
    lag: int = 0

    def __post_init__(self) -> None:
        if not is_number(self.coefficient):
            raise RuleError(
                f"feature {self.feature!r}: the coefficient must be a finite number, not {self.coefficient!r}"
            )
        object.__setattr__(self, "coefficient", float(self.coefficient))
        if not _is_whole(self.power) or not 1 <= self.power <= MAX_POWER:
            raise RuleError(f"feature {self.feature!r}: the power must be 1 to {MAX_POWER}, not {self.power!r}")
        if not _is_whole(self.lag) or self.lag < 0:
            raise RuleError(f"feature {self.feature!r}: the lag must be a whole number, 0 or more, not {self.lag!r}")

    @property
    def is_plain(self) -> bool:
        """Whether the term reads the feature as it is (of any lag)."""
        return self.coefficient == 1.0 and self.power == 1


Constant = float | str | bool
"""A number, a category, or a truth value."""


@dataclass(frozen=True, slots=True)
class Sum:
    """What makes a condition a weighted sum: the term that is added to its left term, and the constant on the right.

    `Condition(Term("a"), "<=", Sum(Term("b", 0.5), 3))` is `a + 0.5*b <= 3`, of both features in their own units.
    """

    added: Term
    constant: float

    def __post_init__(self) -> None:
        if not is_number(self.constant):
            raise RuleError(
                f"feature {self.added.feature!r}: a sum is compared with a finite number, not {self.constant!r}"
            )
        object.__setattr__(self, "constant", float(self.constant))


Right = Term | Constant | tuple[str, ...] | Sum | None
"""What a condition may have on its right-hand side; its type tells the form of the condition."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`left operator right`: right is a term, a constant, a set of categories, a sum, or None for tests for missing.

    What each form of condition means is said in `evoter.rules.forms`, one module per form. A set is a tuple, in the
    order of the alphabet; membership in a set of one category is a comparison with that category.

    >>> Condition(Term("velocity", 0.11, power=3), "<", Term("angle", 0.87)).operator
    <Operator.LT: '<'>
    """

    left: Term
    operator: Operator
    right: Right = None

    def __init__(self, left: Term, operator: Operator | str, right: Right | Iterable[str] = None) -> None:
        operator = Operator(operator)
        if operator in SET_OPERATORS:
            right = _category_set(left, operator, right)
            if len(right) == 1:
                operator, right = SET_OPERATORS[operator], right[0]
        elif operator.tests_missing:
            if right is not None:
                raise RuleError(f"feature {left.feature!r}: '{operator}' takes no right-hand side, got {right!r}")
        elif right is None:
            raise RuleError(f"feature {left.feature!r}: the operator '{operator}' needs a right-hand side")
        elif isinstance(right, Sum):
            _check_sum(left, operator, right)
        elif isinstance(right, str):
            right = str(right)  # subclasses of str would not be recognised as categories
        elif not isinstance(right, (Term, bool)):
            if not isinstance(right, (int, float)) or not is_number(right):
                raise RuleError(f"feature {left.feature!r}: a constant must be a finite number, not {right!r}")
            right = float(right)
        object.__setattr__(self, "left", left)
        object.__setattr__(self, "operator", operator)
        object.__setattr__(self, "right", right)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The one or two terms that the condition reads."""
        if isinstance(self.right, Sum):
            return self.left, self.right.added
        return (self.left, self.right) if isinstance(self.right, Term) else (self.left,)


def _check_sum(left: Term, operator: Operator, right: Sum) -> None:
    added = right.added
    names = f"{left.feature!r} and {added.feature!r}" if left.feature != added.feature else f"{left.feature!r}"
    if operator in (Operator.EQ, Operator.NE):
        raise RuleError(
            f"a sum of {names} is compared with <, <=, > or >=, not with '{operator}': sums are rounded, and whether "
            "two are equal says little; write a condition with >= and one with <="
        )
    for term in (left, added):
        if term.power != 1:
            raise RuleError(f"feature {term.feature!r}: a sum has no powers; write it without ^{term.power}")
        if term.coefficient == 0.0:
            raise RuleError(f"feature {term.feature!r}: a sum has no coefficient of 0; leave the feature out")
    if (left.feature, left.lag) == (added.feature, added.lag):
        raise RuleError(f"a sum reads two features, or one at two lags, not {names} twice; add the coefficients up")


def _category_set(left: Term, operator: Operator, right: object) -> tuple[str, ...]:
    if isinstance(right, (str, Term)) or not isinstance(right, Iterable):
        raise RuleError(f"feature {left.feature!r}: '{operator}' takes a set of categories, not {right!r}")
    categories = tuple(right)
    if not categories or not all(isinstance(each, str) for each in categories):
        raise RuleError(f"feature {left.feature!r}: '{operator}' takes names of categories, one or more, not {right!r}")
    twice = next((each for position, each in enumerate(categories) if each in categories[:position]), None)
    if twice is not None:
        raise RuleError(f"feature {left.feature!r}: the set after '{operator}' has {twice!r} twice")
    return tuple(sorted(str(each) for each in categories))  # subclasses of str would not be recognised as categories


def is_number(value: object) -> bool:
    """Tell whether a value is a finite number, and not a truth value."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and is_finite(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
