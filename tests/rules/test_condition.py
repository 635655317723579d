"""Terms and conditions: only what makes sense can be made, and what people write is understood."""

from enum import StrEnum
from typing import Any

import pytest

from evoter.rules.condition import Condition, Operator, Term
from evoter.rules.errors import RuleError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"coefficient": float("inf")}, "feature 'x': the coefficient must be a finite number, not inf"),
        ({"coefficient": True}, "the coefficient must be a finite number, not True"),
        ({"power": 0}, "feature 'x': the power must be 1 to 3, not 0"),
        ({"power": 4}, "the power must be 1 to 3, not 4"),
        ({"power": 2.0}, "the power must be 1 to 3, not 2.0"),
        ({"lag": -1}, "feature 'x': the lag must be a whole number, 0 or more, not -1"),
        ({"lag": True}, "the lag must be a whole number, 0 or more, not True"),
    ],
)
def test_terms_that_make_no_sense_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RuleError) as caught:
        Term("x", **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("operator", "right", "message"),
    [
        ("is missing", 3.0, "feature 'x': 'is missing' takes no right-hand side, got 3.0"),
        ("<", None, "feature 'x': the operator '<' needs a right-hand side"),
        ("<", float("nan"), "feature 'x': a constant must be a finite number, not nan"),
        pytest.param("<", 10**400, "a constant must be a finite number", id="huge"),
    ],
)
def test_conditions_that_make_no_sense_are_refused(operator: str, right: Any, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        Condition(Term("x"), operator, right)
    assert message in str(caught.value)


def test_an_unknown_operator_is_refused() -> None:
    with pytest.raises(ValueError, match="'=<' is not a valid Operator"):
        Condition(Term("x"), "=<", 3)


def test_operators_and_numbers_are_taken_as_people_write_them() -> None:
    condition = Condition(Term("x", 2), "<", 3)
    assert condition == Condition(Term("x", 2.0), Operator.LT, 3.0)
    assert type(condition.right) is type(condition.left.coefficient) is float
    assert condition.operator is Operator.LT
    assert Condition(Term("wild"), "=", True).right is True
    assert Condition(Term("x"), "is missing").right is None


def test_a_condition_knows_the_terms_it_reads() -> None:
    assert Condition(Term("x"), "<", 3).terms == (Term("x"),)
    assert Condition(Term("x"), "<", Term("y", 0.5)).terms == (Term("x"), Term("y", 0.5))
    assert Term("x", lag=1).is_plain
    assert not Term("x", 0.5).is_plain
    assert not Term("x", power=2).is_plain


def test_categories_become_plain_text() -> None:
    class Colour(StrEnum):
        RED = "red"

    assert type(Condition(Term("colour"), "=", Colour.RED).right) is str
