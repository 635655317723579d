"""Predictors are fitted, or taken as they are, and their disagreement counts against a score."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from evoter.estimators.prescription.outcome_model import (
    OutcomeModel,
    fit_outcome_model,
    is_fitted,
    refit_outcome_model,
    seeded,
)

RNG = np.random.default_rng(0)
TABLE = RNG.random((80, 2))
NUMBERS = {"y": TABLE[:, 0] + RNG.normal(size=80)}
LABELS = {"z": (TABLE[:, 1] > 0.5).astype(int)}


def outcome_model(predictor: object, outcomes: object = NUMBERS, **changes: object) -> OutcomeModel:
    aims = dict.fromkeys(outcomes or {"y": 0}, "maximise")  # type: ignore[call-overload]
    options = {"caution": 0.0, "n_members": None, "seed": 0, **changes}
    return fit_outcome_model(predictor, TABLE, outcomes, aims, **options)  # type: ignore[arg-type]


def test_an_unfitted_predictor_is_copied_and_fitted() -> None:
    model = LinearRegression()
    found = outcome_model(model)
    assert not is_fitted(model)
    expected = LinearRegression().fit(TABLE, NUMBERS["y"]).predict(TABLE)
    assert found.scores(TABLE)[:, 0] == pytest.approx(expected)
    assert found.predictions(TABLE)["y"] == pytest.approx(expected)


def test_caution_takes_off_standard_deviations_in_the_right_direction() -> None:
    bold = outcome_model(DecisionTreeRegressor(), n_members=5)
    careful = outcome_model(DecisionTreeRegressor(), caution=2.0)
    spread = np.std([member["y"].predict(TABLE) for member in bold.members], axis=0)
    assert careful.scores(TABLE)[:, 0] == pytest.approx(bold.scores(TABLE)[:, 0] - 2.0 * spread)
    less = fit_outcome_model(
        DecisionTreeRegressor(), TABLE, NUMBERS, {"y": "minimise"}, caution=2.0, n_members=5, seed=0
    )
    assert less.scores(TABLE)[:, 0] == pytest.approx(bold.scores(TABLE)[:, 0] + 2.0 * spread)


def test_samples_have_every_class() -> None:
    rare = {"z": np.array([1] + [0] * 79)}
    found = outcome_model(DecisionTreeClassifier(), rare, n_members=8)
    assert all(member["z"].classes_.tolist() == [0, 1] for member in found.members)


def test_a_fitted_forest_has_members_of_its_own() -> None:
    forest = RandomForestClassifier(7, random_state=0).fit(TABLE, LABELS["z"])
    found = outcome_model({"z": forest}, LABELS, caution=1.0)
    assert len(found.members) == 7
    means = np.mean([found.goals[0].score({"z": each.predict_proba(TABLE)}) for each in forest.estimators_], axis=0)
    assert (found.scores(TABLE)[:, 0] <= means + 1e-12).all()
    with pytest.raises(ValueError, match="no members that could disagree"):
        outcome_model({"y": LinearRegression().fit(TABLE, NUMBERS["y"])}, caution=1.0)


def test_the_judge_is_another_model_on_other_rows() -> None:
    found = outcome_model(LinearRegression())
    judge = refit_outcome_model(found, TABLE[:40], {"y": NUMBERS["y"][:40]}, 0)
    expected = LinearRegression().fit(TABLE[:40], NUMBERS["y"][:40]).predict(TABLE)
    assert judge.scores(TABLE)[:, 0] == pytest.approx(expected)
    labelled = outcome_model(DecisionTreeClassifier(), LABELS)
    with pytest.raises(ValueError, match="does not have all of the classes"):
        refit_outcome_model(labelled, TABLE[:5], {"z": np.zeros(5, int)}, 0)


def test_seeds_are_given_where_there_are_none() -> None:
    assert seeded(RandomForestClassifier(), 3).random_state == 3
    assert seeded(RandomForestClassifier(random_state=5), 3).random_state == 5


def test_what_makes_no_sense_is_refused() -> None:
    fitted = LinearRegression().fit(TABLE, NUMBERS["y"])
    both = {**NUMBERS, **LABELS}
    for predictor, outcomes, message in [
        (None, None, "pass a fitted predictor"),
        (LinearRegression(), None, "not fitted"),
        (fitted, both, "cannot tell 2 outcomes"),
        ({"y": fitted}, both, "give both"),
        ({"y": fitted, "z": DummyRegressor()}, both, "either all predictors are fitted or none"),
    ]:
        with pytest.raises(ValueError, match=message):
            outcome_model(predictor, outcomes)
