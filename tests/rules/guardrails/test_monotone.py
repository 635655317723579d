"""Which conditions keep the direction of a monotone feature: in all forms, at all lags, for all classes in order."""

import pytest

from domains import compare
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.model import Condition, Operator, Rule, Sum, Term
from evoter.rules.schema import Feature, Kind, Schema

LOAN = Schema(
    [
        Feature("age", low=18, high=90),
        Feature("income", low=0, high=9000),
        Feature("debt", low=0, high=9000),
        Feature("owner", Kind.BOOLEAN),
    ],
    ["refuse", "grant"],
)


def rails(**given: object) -> Guardrails:
    return read_guardrails(LOAN, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("condition", "action", "suits"),
    [
        (compare("income", ">", 5), "grant", True),
        (compare("income", ">=", 5), "grant", True),
        (compare("income", "<", 5), "grant", False),
        (compare("income", "<=", 5), "refuse", True),
        (compare("income", "=", 5), "grant", False),
        (compare("income", "!=", 5), "refuse", False),
        (compare("income", "is missing", None), "grant", True),
        (compare("income", "is present", None), "refuse", True),
        (Condition(Term("income", -0.5), Operator.GT, 5), "grant", False),
        (Condition(Term("income", -0.5), Operator.GT, 5), "refuse", True),
        (Condition(Term("income", power=3), Operator.GT, 5), "grant", True),
        (Condition(Term("income", power=2), Operator.GT, 5), "grant", False),
        (Condition(Term("income", 0.0), Operator.GT, -5), "grant", False),
        (Condition(Term("income"), Operator.GT, Term("debt")), "grant", True),
        (Condition(Term("debt"), Operator.GT, Term("income")), "grant", False),
        (Condition(Term("debt"), Operator.LE, Term("income", power=3)), "grant", True),
        (Condition(Term("income"), Operator.GT, Term("income", power=3)), "grant", False),
        (Condition(Term("debt"), Operator.GT, Sum(Term("income", 0.5), 9)), "grant", True),
        (Condition(Term("debt"), Operator.GT, Sum(Term("income", -0.5), 9)), "grant", False),
        (Condition(Term("debt"), Operator.GT, Sum(Term("age"), 9)), "grant", True),
        (compare("owner", "=", True), "grant", True),
        (compare("owner", "!=", False), "grant", True),
        (compare("owner", "=", True), "refuse", False),
        (compare("owner", "!=", True), "refuse", True),
    ],
)
def test_which_conditions_keep_a_direction(condition: Condition, action: str, suits: bool) -> None:
    increasing = rails(monotone={"income": "increasing", "owner": 1})
    decreasing = rails(monotone={"income": "decreasing", "owner": -1}, order=["grant", "refuse"])
    rule = Rule([condition], action)
    assert increasing.permits(rule) is suits
    assert decreasing.permits(rule) is suits, "the other direction in the opposite order is the same"


def test_lags_follow_the_direction_like_present_values() -> None:
    schema = Schema([Feature("pressure", low=0, high=200)], ["well", "ill"], max_lag=3)
    falls = read_guardrails(schema, monotone={"pressure": "decreasing"})
    assert falls.permits(Rule([Condition(Term("pressure", lag=3), "<", 60)], "ill"))
    assert not falls.permits(Rule([Condition(Term("pressure", lag=3), ">", 60)], "ill"))
    assert not falls.permits(Rule([Condition(Term("pressure"), "<", Term("pressure", lag=3))], "ill"))


def test_classes_in_between_do_not_test_the_feature() -> None:
    schema = Schema([Feature("age", low=0, high=100)], ["low", "medium", "high"])
    guarded = read_guardrails(schema, monotone={"age": 1}, order=["low", "medium", "high"])
    assert not guarded.permits(Rule([compare("age", ">", 5)], "medium"))
    assert guarded.permits(Rule([compare("age", "is missing", None)], "medium"))
    assert guarded.permits(Rule([compare("age", ">", 5)], "high"))
    assert guarded.permits(Rule([compare("age", "<", 5)], "low"))
