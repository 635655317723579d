"""Objectives by name, and the candidate that is wanted of a front."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from evoter.estimators.objectives import (
    SECONDARY,
    make_secondary,
    read_constraints,
    read_objectives,
    select_candidate,
    select_finalist,
)
from evoter.evolution.fronts.front import Front
from evoter.rules.model import Mode
from fronts import front
from tasks import PLAIN

COLUMNS = np.random.default_rng(0).random((3, 30))


def test_the_first_is_the_measure() -> None:
    assert read_objectives(["matthews", "rules", "novelty"], "accuracy") == ("matthews", ("rules", "novelty"))
    assert read_objectives(("metric", "rules"), "f1_macro") == ("f1_macro", ("rules",))
    costs = np.eye(2)
    assert read_objectives(["metric", "rules"], costs)[0] is costs


@pytest.mark.parametrize(
    ("objectives", "metric", "message"),
    [
        (["accuracy"], "accuracy", "a measure and one or more of complexity"),
        (["accuracy", 3], "accuracy", "a measure and one or more of complexity"),
        (["accuracy", "rules", "rules"], "accuracy", "each once"),
        (["complexity", "accuracy"], "accuracy", "the first of objectives must be a measure"),
        (["accuracy", "complexty"], "accuracy", "unknown objective 'complexty'.*complexity"),
        (["accuracy", "f1_macro"], "accuracy", "unknown objective 'f1_macro' beside the measure 'accuracy'"),
        (["accuracy", "rules"], "f1_macro", "metric and the first of objectives, 'accuracy', differ"),
        (["accuracy", "rules"], np.eye(2), "name it 'metric'"),
    ],
)
def test_what_makes_no_sense_is_refused(objectives: Sequence[str], metric: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_objectives(objectives, metric)


def test_every_name_makes_its_objective() -> None:
    made = make_secondary(SECONDARY, PLAIN, COLUMNS, Mode.FIRST, {"x": 3.0})
    assert list(made) == [each.objective.name for each in made.values()] == list(SECONDARY)
    assert list(make_secondary(["rules", "features", "rules"], PLAIN, COLUMNS, Mode.FIRST, None)) == [
        "rules",
        "features",
    ]


def test_prices_and_their_objective_belong_together() -> None:
    for names, prices in ((["feature_cost"], None), (["rules"], {"x": 1.0})):
        with pytest.raises(ValueError, match="give both or neither"):
            make_secondary(names, PLAIN, COLUMNS, Mode.FIRST, prices)


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ({"novelty": 1}, "constraints cannot limit 'novelty'; known: 'complexity', 'rules'"),
        ({"complexty": 1}, "constraints cannot limit 'complexty'; did you mean 'complexity'"),
        ({"rules": -1}, "the constraint on 'rules' must be the most of it, a number 0 or more, got -1"),
        ({"rules": "3"}, "a number 0 or more, got '3'"),
        ({"rules": np.nan}, "a number 0 or more, got nan"),
    ],
)
def test_constraints_that_make_no_sense_are_refused(constraints: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_constraints(constraints)


def some_front() -> Front:
    return front([0.95, 0.94, 0.9, 0.6], [12, 6, 3, 0])


@pytest.mark.parametrize(
    ("select", "parsimony", "expected"),
    [
        (None, 0.0, 12),
        (None, 0.005, 6),
        (None, 0.02, 3),
        (None, 1.0, 0),
        ("best", 1.0, 12),
        ("knee", 0.0, 3),
        ({"at_most": {"conditions": 8}}, 0.0, 6),
        (lambda front: front[-1], 0.0, 0),
        (lambda front: 1, 0.0, 6),
    ],
)
def test_wishes(select: Any, parsimony: float, expected: int) -> None:
    assert select_candidate(some_front(), select, parsimony).n_conditions == expected


@pytest.mark.parametrize(
    ("select", "parsimony", "expected"),
    [
        ("best", 0.0, 12),
        ("best", 0.02, 3),
        ({"at_most": {"conditions": 8}}, 0.02, 3),
        ({"by": "best", "objective": "accuracy"}, 1.0, 12),
        ({"weights": {"complexity": 1.0}}, 0.0, 0),
        ("knee", 0.0, 3),
        (lambda front: 1, 0.0, 6),
    ],
)
def test_wishes_among_finalists_are_priced_as_the_run_was(select: Any, parsimony: float, expected: int) -> None:
    assert select_finalist(some_front(), select, parsimony).n_conditions == expected
