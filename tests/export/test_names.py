"""Inputs are called as features are, and no name is given twice."""

import pytest

from evoter.export.names import Names, inputs
from evoter.rules.errors import RuleError
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema


def test_earlier_values_are_inputs_of_their_own() -> None:
    read = inputs(parse("y < x[2] -> a; x > 1 -> a; Default -> b"), "ONNX")
    assert [each.name for each in read.values()] == ["y", "x", "x[2]"]
    assert [each.lag for each in read.values()] == [0, 0, 2]


def test_a_name_that_means_two_things_is_refused() -> None:
    schema = Schema([Feature("x"), Feature("x[1]")], ["a", "b"], 1)
    ruleset = RuleSet([Rule([Condition(Term("x", lag=1), "<", Term("x[1]"))], "a")], "b", schema)
    with pytest.raises(RuleError, match=r"'x\[1\]' is a feature and an earlier value of another feature"):
        inputs(ruleset, "PMML")


def test_whether_an_earlier_value_is_missing_cannot_be_asked() -> None:
    with pytest.raises(RuleError, match=r"rule 1 tests an earlier value \(x\[1\] is missing\): PMML cannot tell"):
        inputs(parse("x[1] is missing -> a; Default -> b"), "PMML")


def test_fresh_names_are_remembered() -> None:
    names = Names(["x_1", "x_3"])
    assert [names.fresh("x") for _ in range(3)] == ["x", "x_2", "x_4"]
    assert names.fresh("x_2") == "x_2_1"


def test_many_fresh_names_take_time_in_proportion() -> None:
    names = Names()
    given = [names.fresh("result") for _ in range(100_000)]  # minutes, if each search started from the first
    assert len(set(given)) == len(given)
