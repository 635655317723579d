"""The runner of control says whether a policy was found in time, and how it does."""

from typing import Any

import pytest

from evoter import parse
from evoter.experiments.control.runner import run

pytest.importorskip("gymnasium")

GIVEN: dict[str, Any] = {"env": "CartPole-v0", "perfect": 200, "n_test": 2, "generations": 4}
SMALL = {"n_episodes": 8, "n_validation": 10, "population_size": 40}


def test_generations_are_told_of_runs_that_found_one() -> None:
    measures = run("v0", ["evoter"], 3, within=4, parameters=SMALL, **GIVEN)["evoter"].measures
    assert measures["in_time"] == measures["solved"]
    assert ("generations" in measures) == bool(measures["solved"])
    impossible = run("v0", ["evoter"], 3, within=4, parameters={**SMALL, "target_score": 1e6}, **GIVEN)["evoter"]
    assert impossible.measures["in_time"] == 0
    assert "generations" not in impossible.measures
    assert len(impossible.curves["score"]) == 5
    assert parse(impossible.rules).n_conditions == impossible.measures["conditions"]
