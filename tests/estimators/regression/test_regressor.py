"""EvoterRegressor: rules for numbers that are found, printed, explained, weighted, guarded and chosen from fronts."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.exceptions import NotFittedError

from evoter import EvoterRegressor, RuleSetRegressor, parse
from evoter.rules.interpreter import estimate

BRIEF: dict[str, Any] = {
    "population_size": 60,
    "generations": 5,
    "settings": {"refinement_moves": 500},
    "random_state": 0,
}


def _table(n: int = 300, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    draw = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "age": draw.integers(18, 90, n).astype(float),
            "sex": draw.choice(["f", "m"], n),
            "dose": draw.normal(10.0, 2.0, n).round(2),
        }
    )
    number = np.where(table["age"] > 50, 30.0, 10.0) + 5.0 * (table["sex"] == "m") + draw.normal(0.0, 1.0, n)
    return table, pd.Series(number, name="weight")


@pytest.fixture(scope="module")
def fitted() -> EvoterRegressor:
    return EvoterRegressor(target_unit="kg", **BRIEF).fit(*_table())


def test_it_finds_plain_rules(fitted: EvoterRegressor) -> None:
    X, y = _table(400, seed=1)
    assert fitted.score(X, y) > 0.95
    assert set(fitted.ruleset_.features_used) == {"age", "sex"}
    target = fitted.ruleset_.schema.target
    assert target is not None
    assert (target.name, target.unit) == ("weight", "kg")
    assert "kg" in str(fitted.ruleset_)
    rows = X.to_dict("records")
    assert fitted.predict(X).tolist() == [estimate(fitted.ruleset_, row) for row in rows]
    assert fitted.times_decided_.sum() == fitted.n_rows_ == 300
    assert fitted.feature_importances_.argmax() == 0
    assert fitted.deciding_rules(X).max() <= len(fitted.ruleset_.rules)
    assert fitted.decision_path(X).shape == (400, len(fitted.ruleset_.rules))
    assert "-> " in repr(fitted)


def test_intervals_cover_unseen_rows(fitted: EvoterRegressor) -> None:
    X, y = _table(2_000, seed=2)
    ends = fitted.predict_interval(X)
    assert 0.85 < ((ends[:, 0] <= y) & (y <= ends[:, 1])).mean() < 0.97
    half = EvoterRegressor(level=0.5, **BRIEF).fit(*_table()).predict_interval(X)
    assert 0.4 < ((half[:, 0] <= y) & (y <= half[:, 1])).mean() < 0.65


def test_explanations_and_copies(fitted: EvoterRegressor) -> None:
    X, y = _table()
    assert "90% interval" in str(fitted.explain(X.iloc[[0]]))
    assert str(fitted.explain(X.iloc[:3])).count("\n") == 3
    again = EvoterRegressor(target_unit="kg", **BRIEF).fit(X, y)
    assert again.ruleset_ == fitted.ruleset_
    assert clone(fitted).fit(X, y, sample_weight=np.ones(len(y))).ruleset_.n_conditions > 0
    kept = pickle.loads(pickle.dumps(fitted))  # noqa: S301 - what was just dumped
    assert kept.predict(X).tolist() == fitted.predict(X).tolist()


def test_linear_terms_are_found_and_can_be_left_out() -> None:
    draw = np.random.default_rng(0)
    X = draw.uniform(0, 10, (300, 3))
    y = np.where(X[:, 0] > 5, 3.0 * X[:, 1], 40.0 - 2.0 * X[:, 2])
    linear = EvoterRegressor(**BRIEF).fit(X, y)
    constants = EvoterRegressor(linear=False, **BRIEF).fit(X, y)
    assert linear.training_score_ > 0.97
    assert "*x" in str(linear.ruleset_)
    assert linear.training_score_ > constants.training_score_
    assert all("*" not in action for action in constants.ruleset_.schema.actions)


@pytest.mark.parametrize(("metric", "share"), [("absolute", 0.5), ("quantile", 0.9), ("poisson", None)])
def test_other_metrics_predict_what_they_ask_for(metric: Any, share: float | None) -> None:
    draw = np.random.default_rng(0)
    X = draw.uniform(size=(600, 2))
    y = draw.poisson(np.where(X[:, 0] > 0.5, 20.0, 5.0)).astype(float)
    model = EvoterRegressor(metric=metric, quantile=0.9 if metric == "quantile" else 0.5, **BRIEF).fit(X, y)
    assert model.training_score_ > 0.3
    assert model.feature_importances_.argmax() == 0
    predicted = model.predict(X)
    assert (predicted > 0.0).all()
    if share is not None:
        assert (y <= predicted).mean() == pytest.approx(share, abs=0.1)


def test_missing_values_and_unknown_ones() -> None:
    X, y = _table()
    X.loc[::5, "age"] = np.nan
    model = EvoterRegressor(**BRIEF).fit(X, y)
    assert model.score(X, y) > 0.4
    draw = np.random.default_rng(0)
    complete = pd.DataFrame({"x": draw.uniform(size=200), "z": draw.uniform(size=200)})
    sloped = EvoterRegressor(**BRIEF).fit(complete, 3.0 * complete["x"])
    with pytest.raises(ValueError, match=r"row 1 of X has no 'x' .* fill it in, or fit with linear=False"):
        sloped.predict(pd.DataFrame({"x": [0.5, np.nan], "z": [0.1, 0.2]}))


def test_fronts_trade_error_for_size() -> None:
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    model = EvoterRegressor(objectives=["r2", "complexity"], **BRIEF).fit(X, y)
    sizes = [candidate.scores["complexity"] for candidate in model.front_]
    scores = [candidate.scores["r2"] for candidate in model.front_]
    assert sizes == sorted(sizes, reverse=True)
    assert scores == sorted(scores, reverse=True)
    for candidate in model.front_:
        assert candidate.ruleset.n_conditions == candidate.scores["complexity"]
        other = model.with_ruleset(candidate)
        assert other.score(X, y) == pytest.approx(candidate.scores["r2"])
    knee = EvoterRegressor(select="best", **BRIEF).fit(X, y)
    assert len(knee.finalists_) >= 1
    small = EvoterRegressor(constraints={"complexity": 3}, **BRIEF).fit(X, y)
    assert small.ruleset_.n_conditions <= 3


def test_guardrails_hold() -> None:
    X, y = _table()
    model = EvoterRegressor(pinned="age < 20 -> 99.5", forbidden_features=["sex"], **BRIEF).fit(X, y)
    assert model.ruleset_.rules[0].pinned
    assert "sex" not in model.ruleset_.features_used
    assert (model.predict(X[X["age"] < 20]) == 99.5).all()
    with pytest.raises(ValueError, match="pinned rules decide all training rows"):
        EvoterRegressor(pinned="age > 0 -> 1.5", **BRIEF).fit(X, y)


def test_it_can_start_from_rules() -> None:
    X, y = _table()
    given = parse("age > 50 AND sex = m -> 35.5; age > 50 -> 30; sex = m -> 15; Default -> 10")
    model = EvoterRegressor(initial_rulesets=[given], population_size=20, generations=1, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"quantile": 0.9}, "quantile=0.9 has no effect here, since it needs metric='quantile'"),
        ({"metric": "accuracy"}, "'metric' parameter of EvoterRegressor"),
        ({"objectives": ["accuracy", "complexity"]}, "objectives must be 'metric' or 'r2'"),
        ({"constraints": {"selection_rate_difference": 0.1}}, "is about classes"),
        ({"level": 1.5}, "'level' parameter"),
    ],
)
def test_what_has_no_meaning_is_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EvoterRegressor(**(BRIEF | parameters)).fit(*_table(50))


def test_targets_that_are_no_numbers_are_refused() -> None:
    X, y = _table(50)
    with pytest.raises(ValueError, match="fit a model for each column"):
        EvoterRegressor(**BRIEF).fit(X, np.column_stack([y, y]))
    with pytest.raises(ValueError, match="labels are for EvoterClassifier"):
        EvoterRegressor(**BRIEF).fit(X, ["a"] * 50)
    with pytest.raises(ValueError, match="y must not be negative"):
        EvoterRegressor(metric="poisson", **BRIEF).fit(X, -y)


def test_edited_rules_are_measured(fitted: EvoterRegressor) -> None:
    X, y = _table()
    edited = fitted.with_ruleset("age > 50 -> 32 kg; Default -> 12 kg; where age: numeric; actions: numeric kg", X, y)
    assert edited.ruleset_.residuals[0].cases == (X["age"] > 50).sum()
    assert edited.predict_interval(X).shape == (300, 2)
    unmeasured = fitted.with_ruleset("age > 50 -> 32.5; Default -> 12")
    assert unmeasured.predict(X).max() == 32.5
    with pytest.raises(NotFittedError, match="nothing is known of how far off"):
        unmeasured.predict_interval(X)
    with pytest.raises(ValueError, match="the rules read 'agee'"):
        fitted.with_ruleset("agee > 50 -> 32.5; Default -> 12")
    with pytest.raises(ValueError, match="are names, not numbers"):
        fitted.with_ruleset("age > 50 -> old; Default -> young")


def test_given_rules_are_a_regressor() -> None:
    X, y = _table()
    model = RuleSetRegressor("age > 50 -> 32.5; Default -> 12").fit(X, y)
    assert model.score(X, y) > 0.8
    assert model.feature_importances_.shape == (3,)
    assert EvoterRegressor.from_ruleset(model.ruleset_).predict_interval(X).shape == (300, 2)
    assert RuleSetRegressor.from_ruleset("age > 50 -> 32.5; Default -> 12").predict([[60.0]]).tolist() == [32.5]
    with pytest.raises(ValueError, match="use RuleSetClassifier"):
        RuleSetRegressor("age > 50 -> old; Default -> young").fit(X, y)
