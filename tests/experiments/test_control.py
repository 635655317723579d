"""A search for a policy tells what it took, and a run whether a policy was found in time."""

from typing import Any

import pytest

from evoter import parse
from evoter.experiments.control import run, search_policy

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


def test_a_policy_is_found_and_played() -> None:
    found, policy = search_policy(
        "CartPole-v0", 3, generations=4, n_test=3, n_episodes=8, n_validation=10, population_size=40
    )
    assert found.solved == policy.solved_
    assert found.generations <= 4
    assert found.test_score == policy.score(3)
    assert found.n_conditions == policy.ruleset_.n_conditions
    assert found.seconds > 0


def test_the_paper_has_a_preset_and_a_printed_rule() -> None:
    shared: dict[str, Any] = {"within": 4, "parameters": SMALL, "printed": "cart_pole", **GIVEN}
    ours = run("v0", ["evoter-paper"], 3, paper_parameters={**SMALL, "units": {}}, **shared)["evoter-paper"]
    assert ours.measures["score"] > 50
    printed = run("v0", ["printed"], 3, **shared)["printed"].measures
    assert printed["score"] < 20, "with Left for Left, as gymnasium counts actions"
    assert printed["exchanged"] == 200
    assert printed["conditions"] == 1
