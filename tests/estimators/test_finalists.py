"""Finalists: the rule sets of a run with one objective that are nearly as good as the best, and the choice of one."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import EvoterClassifier, EvoterPrescriptor
from evoter.estimators.finalists import DISTANCE, MAX_FINALISTS, near_best
from evoter.evolution.engine import Evolution
from evoter.evolution.settings import Settings
from evoter.evolution.stopping import Generations
from evoter.rules.model import Mode
from laws import examples
from patients import diagnoses, fitted, patients
from tasks import SMALL, mixed_problem


def evolved(seed: int, settings: Settings = SMALL, mode: Mode = Mode.FIRST) -> Evolution:
    evolution = Evolution(mixed_problem(seed % 5, mode=mode), settings, seed=seed)
    evolution.run(Generations(6))
    return evolution


@examples(10)
@given(st.integers(0, 200), st.floats(0.0, 0.4), st.floats(0.0, 0.05))
def test_finalists_are_distinct_near_the_best_and_complete(seed: int, distance: float, parsimony: float) -> None:
    evolution = evolved(seed, SMALL.replace(parsimony=parsimony))
    finalists = evolution.finalists(distance, MAX_FINALISTS)
    rulesets = [each.ruleset for each in finalists]
    assert rulesets[0] == evolution.result().best
    assert len(set(rulesets)) == len(rulesets)
    worth = evolution.evaluation.scores[:, 0] - parsimony * evolution.population.complexity
    leaders = evolution.leaders(evolution.population.size)
    order = np.argsort(-worth, kind="stable")
    near = {leader for leader, value in zip(leaders, worth[order], strict=True) if value >= worth.max() - distance}
    assert set(rulesets) == near
    assert evolution.finalists(distance, 3) == finalists[:3]
    assert set(evolution.finalists(distance / 2, MAX_FINALISTS)) <= set(finalists)


def test_the_distance_follows_from_the_number_of_rows() -> None:
    evolution = evolved(1)
    distance = DISTANCE * evolution.problem.uncertainty  # type: ignore[attr-defined]
    assert near_best(evolution) == evolution.finalists(distance, MAX_FINALISTS)


@pytest.mark.parametrize("mode", ["first", "vote"])
def test_without_a_wish_nothing_changes_and_the_first_finalist_is_the_same_winner(mode: str) -> None:
    plain, chosen = fitted(mode=mode), fitted(mode=mode, select=lambda finalists: 0)
    assert not hasattr(plain, "finalists_")
    assert chosen.ruleset_ == plain.ruleset_
    assert np.array_equal(chosen.times_decided_, plain.times_decided_)
    assert np.array_equal(chosen.rule_probabilities_, plain.rule_probabilities_)
    assert chosen.n_right_ == plain.n_right_ == round(plain.score(patients(), diagnoses()) * len(patients()))
    assert len(chosen.finalists_) > 1
    assert not hasattr(chosen, "front_")
    with pytest.raises(ValueError, match="no candidates to switch between"):
        plain.with_ruleset(0)


@pytest.mark.parametrize("select", ["best", "knee", "neighbours", {"by": "neighbours", "n_neighbours": 2}])
def test_the_choice_depends_on_the_seed_alone(select: Any) -> None:
    one, other = fitted(select=select), fitted(select=select, n_jobs=2)
    assert one.ruleset_ == other.ruleset_
    assert one.finalists_.chosen == other.finalists_.chosen
    assert one.finalists_[one.finalists_.chosen or 0].ruleset == one.ruleset_


def test_neighbours_are_averaged_at_the_price_of_the_run() -> None:
    model = fitted(select="neighbours", random_state=3)
    weights = {"accuracy": 1.0, "complexity": model.parsimony_}
    assert model.finalists_.select("neighbours", weights=weights).ruleset == model.ruleset_
    other = model.with_ruleset(len(model.finalists_) - 1)
    assert other.ruleset_ == model.finalists_[-1].ruleset
    assert other.predict(patients()).tolist() == other.classes_[model.finalists_[-1].behaviour].tolist()
    assert model.finalists_[model.finalists_.chosen or 0].ruleset == model.ruleset_, "the model stays what it was"


def test_another_validation_can_choose() -> None:
    model = fitted(select={"validation": lambda ruleset: -ruleset.n_conditions})
    assert model.ruleset_.n_conditions == min(each.n_conditions for each in model.finalists_)


def test_fitting_again_without_a_wish_forgets_the_finalists() -> None:
    model = fitted(select="neighbours")
    model.set_params(select=None).fit(patients(), diagnoses())
    assert not hasattr(model, "finalists_")


def test_policies_of_prescriptors_are_chosen_alike() -> None:
    rng = np.random.default_rng(0)
    X, action = rng.random((200, 2)), rng.choice(["diet", "drug"], 200)
    health = np.where((action == "drug") == (X[:, 0] > 0.5), 1.0, 0.0)

    def policy(select: Any) -> EvoterPrescriptor:
        model = EvoterPrescriptor(
            objectives={"health": "maximise"}, select=select, generations=5, population_size=60, random_state=0
        )
        return model.fit(X, action, health)

    plain, first, chosen = policy(None), policy(lambda finalists: 0), policy("neighbours")
    assert first.ruleset_ == plain.ruleset_
    assert first.value_ == pytest.approx(plain.value_)
    assert set(chosen.value_) == {"health"}
    assert chosen.finalists_[chosen.finalists_.chosen or 0].scores["health"] == chosen.value_["health"]
    assert chosen.with_ruleset(0).ruleset_ == plain.ruleset_


def test_there_are_finalists_of_one_objective_only() -> None:
    model = EvoterClassifier(
        objectives=["accuracy", "rules"], select="neighbours", generations=3, population_size=40, random_state=0
    )
    model.fit(patients(), diagnoses())
    assert not hasattr(model, "finalists_")
    assert model.front_.chosen is not None
