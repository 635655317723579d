"""The runner of comparison tables fits what it is asked for, under the protocol it is asked for."""

from typing import Any

import pytest

from evoter import parse
from evoter.analysis.information_criteria import information_criteria
from evoter.experiments.classification.runner import run


def test_figures_are_the_papers() -> None:
    """AIC and BIC are computed over the test rows, and of trees that are full where that is asked for."""
    found = run("clean", ["tree", "bayes"], 1, data="wine", full_trees=["tree"])
    tree, bayes = found["tree"].measures, found["bayes"].measures
    assert tree["full_parameters"] > tree["parameters"]
    assert bayes["parameters"] == 2 * 3 * 13
    assert (tree["n_train"], tree["n_test"]) == (124, 54)
    expected = information_criteria(round((1 - tree["accuracy"]) * 54), int(tree["full_parameters"]), 54)
    assert (tree["aic"], tree["bic"]) == pytest.approx(expected)
    assert "full_parameters" not in bayes


def test_rules_are_evolved_with_the_parameters_of_the_file() -> None:
    given: dict[str, Any] = {"data": "iris", "parameters": {"generations": 3, "population_size": 50}}
    first, again = (run("paper", ["evoter"], 2, **given)["evoter"] for _ in range(2))
    assert first.measures == again.measures
    assert parse(first.rules).n_conditions == first.measures["parameters"]


def test_few_rows_are_always_the_same() -> None:
    first, again = (run("clean", ["bayes"], 0, data="wine", rows=60)["bayes"].measures for _ in range(2))
    assert first == again
    assert first["n_train"] + first["n_test"] == 60
