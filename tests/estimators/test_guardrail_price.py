"""The price of guardrails: the same model with and without them, on the same rows."""

from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestRegressor

from evoter import EvoterClassifier, EvoterPolicy, EvoterPrescriptor, guardrail_price

QUICK: dict[str, Any] = {"generations": 6, "population_size": 60, "random_state": 0}
CANCER = load_breast_cancer(as_frame=True)
X, Y = CANCER.data.iloc[:, :6], CANCER.target_names[CANCER.target]
UP: dict[str, Any] = {"monotone": {"mean radius": "increasing"}, "monotone_order": ["benign", "malignant"]}


def test_groups_are_handed_on() -> None:
    rng = np.random.default_rng(0)
    X, group = rng.normal(size=(200, 2)), rng.choice(["f", "m"], 200)
    y = np.where(X[:, 0] > 0, "yes", "no")
    model = EvoterClassifier(
        pinned="x1 > 2 -> no", constraints={"selection_rate_difference": 0.5}, generations=3, random_state=0
    )
    assert guardrail_price(model, X, y, protected={"sex": group}).metric == "accuracy"
    with pytest.raises(ValueError, match="only classifiers compare groups: leave protected out"):
        guardrail_price(EvoterPolicy("CartPole-v1", monotone={"angle.of.pole": "increasing"}), protected=group)


def test_both_models_are_measured_on_the_same_rows() -> None:
    train, test = (X[:400], Y[:400]), (X[400:], Y[400:])
    model = EvoterClassifier(**QUICK, **UP)
    price = guardrail_price(model, *train, test=test)
    fitted = clone(model).fit(*train)
    assert guardrail_price(fitted, *train, test=test) == price
    assert price.where == "on 169 unseen rows"
    assert price.guarded == fitted.score(*test)
    assert price.price == pytest.approx(price.unguarded - price.guarded)
    assert str(price).startswith("accuracy ")
    assert price.to_dict()["price"] == price.price
    assert price.unguarded_ruleset == EvoterClassifier(**QUICK).fit(*train).ruleset_


def test_a_loss_that_rises_is_a_price() -> None:
    model = EvoterClassifier(**QUICK, metric="log_loss", forbidden_features=list(X)[1:])
    price = guardrail_price(model, X, Y)
    assert price.metric == "log_loss"
    assert price.price == price.guarded - price.unguarded > 0


def test_prescriptions_and_policies_have_a_price() -> None:
    rng = np.random.default_rng(0)
    cases, drug = rng.random((300, 2)), rng.choice(["diet", "drug"], 300)
    health = np.where((drug == "drug") == (cases[:, 0] > 0.5), 1.0, 0.0)
    forest = RandomForestRegressor(20, random_state=0)
    costly = EvoterPrescriptor(forest, objectives={"health": "maximise"}, forbidden_features=[0], **QUICK)
    price = guardrail_price(costly, cases, drug, health)
    assert price.price > 0.2
    assert price.where == "as predicted on the training cases"
    with pytest.raises(ValueError, match="only classifiers"):
        guardrail_price(costly, cases, drug, health, test=(X, Y))
    few = {"generations": 2, "population_size": 20, "n_validation": 5, "n_confirmation": 5, "random_state": 0}
    policy = EvoterPolicy("CartPole-v1", forbidden_features=["angle.of.pole", "rotation.rate.of.pole"], **few)  # type: ignore[arg-type]
    assert guardrail_price(policy).price > 50


def test_without_guardrails_there_is_no_price() -> None:
    with pytest.raises(ValueError, match="the model has no guardrails"):
        guardrail_price(EvoterClassifier(**QUICK), X, Y)
