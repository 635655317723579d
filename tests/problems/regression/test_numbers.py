"""The numbers of the winner: the best ones for its rows, in few digits, with linear terms where they pay."""

import numpy as np
import pytest

from evoter.problems.regression.numbers import Fitter, with_numbers
from evoter.problems.regression.predictions import predict_columns
from evoter.problems.regression.problem import RegressionProblem
from evoter.rules.interpreter import estimate
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Schema, Target

SCHEMA = Schema([Feature("x"), Feature("z")], target=Target("y"))


def _problem(numbers: np.ndarray, **options: object) -> RegressionProblem:
    x = np.arange(len(numbers), dtype=float)
    return RegressionProblem(SCHEMA, np.array([x, x % 7]), numbers, **options)  # type: ignore[arg-type]


def test_each_rule_gets_what_is_best_for_its_rows() -> None:
    x = np.arange(100.0)
    problem = _problem(np.where(x > 49, 40.0 + 0.5 * x, 7.0))
    rules = RuleSet([Rule([Condition(Term("x"), ">", 49)], "0")], "1", problem.schema)
    numeric = with_numbers(rules, problem, Target("y", "kg"), 0.001)
    assert numeric.to_text(declarations=False) == "1. x > 49 -> 40 kg + 0.5*x\n2. Default -> 7 kg"
    predicted = predict_columns(numeric, problem.columns).numbers
    assert predicted.tolist() == [estimate(numeric, {"x": value, "z": value % 7}) for value in x]


def test_a_linear_term_must_pay_its_price() -> None:
    numbers = np.arange(100.0)
    problem = _problem(numbers)
    assert Fitter(problem, 0.5).best(np.arange(100)).action.feature == "x"
    assert Fitter(problem, 1.1).best(np.arange(100)).action.feature == ""
    assert Fitter(_problem(numbers, linear=False), 0.1).best(np.arange(100)).action.feature == ""


def test_numbers_are_as_short_as_they_are_known() -> None:
    draw = np.random.default_rng(0)
    problem = _problem(3.14159 + draw.normal(size=400), linear=False)
    constant = Fitter(problem, 0.01).best(np.arange(400)).action.constant
    assert constant == pytest.approx(problem.numbers.mean(), abs=0.2 * problem.numbers.std() / 20)
    assert len(str(constant)) <= 4
    assert Fitter(problem, 0.01).best(np.arange(0)).action.constant == pytest.approx(constant, abs=0.01)
