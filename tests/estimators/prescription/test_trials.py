"""Policies that are tried get better, and the predictor learns where they lead."""

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeRegressor

from evoter import EvoterPrescriptor
from evoter.estimators.prescription.trials import evolve_by_trying

QUICK: dict[str, Any] = {"population_size": 40, "generations": 8, "random_state": 0}


def cases(n: int, rng: np.random.Generator) -> Any:
    return rng.random((n, 2))


def game(table: Any, actions: Any) -> Any:
    """Going right pays where the first number is large."""
    return np.where((actions == "right") == (table[:, 0] > 0.4), 1.0, 0.0)


def test_rounds_get_better_and_predictions_truer() -> None:
    model = EvoterPrescriptor(
        DecisionTreeRegressor(), actions=["left", "right"], objectives={"win": "maximise"}, **QUICK
    )
    run = evolve_by_trying(model, cases, game, n_rounds=3, n_trials=40, random_state=0)
    assert len(run.rounds) == 4
    assert run.rounds[0].predicted == {}
    assert run.rounds[0].scores["win"] < 0.7
    assert run.rounds[-1].scores["win"] > 0.85
    assert run.rounds[-1].predicted["win"] == pytest.approx(1.0, abs=0.1)
    assert len(run.cases) == len(run.actions) == len(run.outcomes["win"]) == 160
    assert not hasattr(model, "ruleset_"), "the prescriptor itself is left as it is"
    again = evolve_by_trying(model, cases, game, n_rounds=3, n_trials=40, random_state=0)
    assert again.prescriptor.ruleset_ == run.prescriptor.ruleset_


def test_several_actions_and_amounts_can_be_tried() -> None:
    def light(table: Any, actions: Any) -> Any:
        return actions[:, 0] * (table[:, 0] > 0.5) - 1.0 * actions[:, 1]

    several = EvoterPrescriptor(DecisionTreeRegressor(), actions=["p", "q"], several=True, **QUICK)
    run = evolve_by_trying(several, cases, light, n_rounds=2, n_trials=60, exploration=0.0, random_state=0)
    assert run.rounds[-1].scores["outcome"] > run.rounds[0].scores["outcome"]
    amounts = EvoterPrescriptor(DecisionTreeRegressor(), actions={"p": (0, 1), "q": (0, 1)}, **QUICK)
    run = evolve_by_trying(amounts, cases, light, n_rounds=2, n_trials=60, exploration=0.0, random_state=0)
    assert run.rounds[-1].scores["outcome"] > run.rounds[0].scores["outcome"]


def test_what_cannot_be_tried_is_refused() -> None:
    with pytest.raises(ValueError, match="1 round or more"):
        evolve_by_trying(EvoterPrescriptor(actions=["a", "b"]), cases, game, n_rounds=0)
    for actions in (None, {"young": {"age": 20}}):
        with pytest.raises(ValueError, match="what can be done"):
            evolve_by_trying(EvoterPrescriptor(actions=actions), cases, game)
