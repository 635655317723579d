"""Tests of classifiers whose rules are given: rules stay, statistics are measured, and all answers are there."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

import evoter
from evoter import CoverageDisplay, EvoterClassifier, RuleSetClassifier
from evoter.export.python import to_python
from evoter.rules.answers.track_record import RecordPart, TrackRecord
from evoter.rules.interpreter import decide_table

TEXT = """
1. age > 60 -> high
2. region = north AND bmi > 30 -> high
3. Default -> low

where
  age: numeric [18..95]
  bmi: numeric, may be missing
  region: one of north | south
  actions: high | low
"""


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Return patients, with a column that no rule can read."""
    rng = np.random.default_rng(0)
    n = 200
    return pd.DataFrame(
        {
            "when": pd.Timestamp("2026-01-01"),
            "age": rng.integers(18, 95, n).astype(float),
            "region": rng.choice(["north", "south"], n),
            "bmi": np.where(rng.random(n) < 0.1, np.nan, rng.normal(27, 5, n)),
            "sugar": rng.normal(6, 1, n),
        }
    )


@pytest.fixture(scope="module")
def risk(frame: pd.DataFrame) -> list[str]:
    """Return a label for each patient."""
    return ["high" if age > 55 else "low" for age in frame["age"]]


@pytest.fixture(scope="module")
def model(frame: pd.DataFrame, risk: list[str]) -> RuleSetClassifier:
    """Return the rules, measured."""
    return RuleSetClassifier(TEXT).fit(frame, risk)


def test_the_rules_decide_as_they_say(model: RuleSetClassifier, frame: pd.DataFrame, risk: list[str]) -> None:
    rules = evoter.parse(TEXT)
    rows = frame[["age", "bmi", "region"]].astype(object).where(frame[["age", "bmi", "region"]].notna(), None)
    expected = [each.action for each in decide_table(rules, rows.to_dict("records")).decisions]
    assert model.predict(frame).tolist() == expected
    assert model.ruleset_.rules == rules.rules
    assert model.score(frame, risk) == np.mean(np.array(expected) == risk)
    assert model.n_right_ == sum(a == b for a, b in zip(expected, risk, strict=True))


def test_statistics_are_those_of_the_training_rows(
    model: RuleSetClassifier, frame: pd.DataFrame, risk: list[str]
) -> None:
    deciding = model.deciding_rules(frame)
    assert model.times_decided_.tolist() == np.bincount(deciding, minlength=3).tolist()
    assert model.times_applied_[0] == (frame["age"] > 60).sum()
    assert model.rule_probabilities_.shape == (3, 2)
    share = np.mean([label == "high" for label, rule in zip(risk, deciding, strict=True) if rule == 2])
    assert abs(model.rule_probabilities_[2, 0] - share) < 0.01
    assert not model.ruleset_.records[0].parts
    assert (model.predict_proba(frame)[deciding == 0] == model.rule_probabilities_[0]).all()
    assert model.feature_importances_[0] == 0.0
    assert model.feature_importances_[1] > 0.3
    assert model.ruleset_.records[0].cases == model.times_decided_[0]


def test_weights_change_probabilities_and_no_decision(
    model: RuleSetClassifier, frame: pd.DataFrame, risk: list[str]
) -> None:
    weights = np.where(np.array(risk) == "high", 3.0, 1.0)
    weighted = RuleSetClassifier(TEXT).fit(frame, risk, sample_weight=weights)
    balanced = RuleSetClassifier(TEXT, class_weight="balanced").fit(frame, risk)
    for other in (weighted, balanced):
        assert (other.predict(frame) == model.predict(frame)).all()
        assert not np.allclose(other.rule_probabilities_, model.rule_probabilities_)
    some = np.arange(len(risk)) % 2 == 0
    half = RuleSetClassifier(TEXT).fit(frame, risk, sample_weight=some.astype(float))
    alone = RuleSetClassifier(TEXT).fit(frame[some], list(np.array(risk)[some]))
    assert np.allclose(half.rule_probabilities_, alone.rule_probabilities_)


def test_all_answers_are_there(model: RuleSetClassifier, frame: pd.DataFrame, risk: list[str], tmp_path: Path) -> None:
    assert "decided" in str(model.explain(frame.iloc[[0]]))
    assert len(model.explain(frame.iloc[:3])) == 3  # type: ignore[arg-type]
    assert model.counterfactuals(frame.iloc[0], fixed=["age"]) is not None
    assert model.decision_path(frame).shape == (200, 2)
    assert model.training_share(frame) == 1.0
    assert model.check_overfitting(frame, risk).train_rows == 200
    assert "age" in repr(model)
    assert "<" in model._repr_mimebundle_()["text/html"]
    report = evoter.write_report(tmp_path / "report.html", model, frame.drop(columns="when"), risk)
    assert "Probabilities" in report.read_text(encoding="utf-8")
    display = CoverageDisplay.from_estimator(model, frame.drop(columns="when"), risk)
    assert display.figure_ is not None
    assert "def " in to_python(model.ruleset_)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301 - our own
    assert (again.predict_proba(frame) == model.predict_proba(frame)).all()


def test_rules_come_as_objects_text_and_files(frame: pd.DataFrame, risk: list[str], tmp_path: Path) -> None:
    rules = evoter.parse(TEXT)
    evoter.save(rules, tmp_path / "rules.json")
    (tmp_path / "rules.txt").write_text(TEXT, encoding="utf-8")
    for given in (rules, TEXT, tmp_path / "rules.json", str(tmp_path / "rules.txt")):
        estimator = clone(RuleSetClassifier(given))
        assert estimator.fit(frame, risk).ruleset_.rules == rules.rules
        assert estimator.get_params()["ruleset"] == given


def test_cross_validation_keeps_the_rules(frame: pd.DataFrame, risk: list[str]) -> None:
    scores = cross_val_score(RuleSetClassifier(TEXT), frame, risk, cv=4)
    model = RuleSetClassifier.from_ruleset(TEXT)
    assert np.isclose(scores.mean(), model.score(frame, risk))


def test_frames_of_polars_and_arrays(model: RuleSetClassifier, frame: pd.DataFrame, risk: list[str]) -> None:
    polars = pl.DataFrame({name: frame[name].to_list() for name in frame if name != "when"})
    same = RuleSetClassifier(TEXT).fit(polars, risk)
    assert (same.predict(polars) == model.predict(frame)).all()
    assert np.allclose(same.rule_probabilities_, model.rule_probabilities_)
    by_position = frame[["age", "bmi", "region"]].to_numpy(object)
    assert (RuleSetClassifier(TEXT).fit(by_position, risk).predict(by_position) == model.predict(frame)).all()
    numbers = frame[["sugar", "bmi", "age"]].to_numpy()
    numbered = RuleSetClassifier("x2 > 60 -> high; Default -> low").fit(numbers, risk)
    assert numbered.predict(numbers).tolist() == np.where(frame["age"] > 60, "high", "low").tolist()


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([0, 1] * 5, [0, 1]),
        ([1, 2] * 5, [0, 1, 2]),
        ([0.0, 1.0] * 5, [0.0, 1.0]),
        (["1", "one more"] * 5, ["0", "1", "one more"]),
        (np.array(["1", "one more"] * 5, object), ["0", "1", "one more"]),
    ],
)
def test_classes_are_those_of_labels_and_rules(labels: Any, classes: list[Any]) -> None:
    X = np.arange(10.0)[:, None]
    model = RuleSetClassifier("x0 > 4 -> 1; Default -> 0").fit(X, labels)
    assert model.classes_.tolist() == classes
    assert model.predict(X).tolist() == [classes[0]] * 5 + [classes[1]] * 5
    assert model.predict_proba(X).shape == (10, len(classes))
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1.0)


def test_truth_values_are_classes() -> None:
    X = np.arange(10.0)[:, None]
    model = RuleSetClassifier("x0 > 4 -> true; Default -> false").fit(X, [True] * 10)
    assert model.classes_.tolist() == [False, True]
    assert model.predict(X).tolist() == [False] * 5 + [True] * 5


@pytest.mark.parametrize(
    ("rules", "labels", "message"),
    [
        (
            "age > 1 -> yes; Default -> no",
            ["a", "b"],
            "the rules decide 'yes', 'no', and none of these is a class of y",
        ),
        ("age > 1 -> yes; Default -> 0", [0, 1], "the rules decide 'yes', which cannot be a class of y"),
        ("agee > 1 -> a; Default -> b", ["a", "b"], "did you mean 'age'"),
        ("age > 1 -> a; Default -> b; where age: numeric; actions: a | b; decide: all", ["a", "b"], "not all"),
        ("rules.json", ["a", "b"], "there is no file 'rules.json'"),
    ],
)
def test_rules_that_do_not_fit_are_refused(rules: str, labels: list[Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        RuleSetClassifier(rules).fit(pd.DataFrame({"age": [1.0, 2.0]}), labels)


def test_rules_predict_without_being_fitted(frame: pd.DataFrame, model: RuleSetClassifier) -> None:
    with pytest.raises(NotFittedError):
        RuleSetClassifier(TEXT).predict(frame)
    ready = EvoterClassifier.from_ruleset(TEXT)
    assert isinstance(ready, RuleSetClassifier)
    assert (ready.predict(frame) == model.predict(frame)).all()
    assert (ready.predict(frame[["bmi", "region", "age"]]) == model.predict(frame)).all()
    assert (ready.predict(frame[["age", "bmi", "region"]].to_numpy()) == model.predict(frame)).all()
    assert "decided" in str(ready.explain({"age": 3, "bmi": None, "region": "north"}))
    assert np.isnan(ready.training_share(frame))
    with pytest.raises(NotFittedError, match="nothing is known of what these rules did in training"):
        ready.predict_proba(frame)
    recorded = EvoterClassifier.from_ruleset(model.ruleset_)
    assert (recorded.predict_proba(frame) == model.predict_proba(frame)).all()
    turned = model.ruleset_.to_text().replace("high | low", "low | high")
    other = evoter.parse(turned)
    records = [
        TrackRecord(
            each.labels[::-1],
            each.probabilities[::-1],
            tuple(RecordPart(part.labels[::-1], part.probabilities[::-1], part.conditions) for part in each.parts),
        )
        for each in model.ruleset_.records
    ]
    assert any(record.parts for record in records)
    reordered = EvoterClassifier.from_ruleset(other.replace(records=records))
    assert (reordered.predict_proba(frame) == model.predict_proba(frame)).all()
    numbers = EvoterClassifier.from_ruleset("x0 > 4 -> 1; Default -> 0", classes=[0, 1, 2])
    assert numbers.predict([[3.0, 0.0], [5.0, 0.0]]).tolist() == [0, 1]


def test_edited_rules_replace_those_of_a_model(model: RuleSetClassifier, frame: pd.DataFrame, risk: list[str]) -> None:
    edited = evoter.edit(model).replace(1, "age > 55 -> high").insert(1, "sugar > 99 -> low").done()
    other = model.with_ruleset(edited, frame, risk)
    assert other.score(frame, risk) > model.score(frame, risk)
    again = RuleSetClassifier(edited).fit(frame, risk)
    assert np.allclose(other.rule_probabilities_, again.rule_probabilities_)
    assert other.get_params()["ruleset"] is edited
    assert model.ruleset_.rules == evoter.parse(TEXT).rules
    unmeasured = model.with_ruleset(edited)
    assert (unmeasured.predict(frame) == other.predict(frame)).all()
    assert not hasattr(unmeasured, "times_applied_")
    with pytest.raises(NotFittedError):
        unmeasured.predict_proba(frame)
    for wrong, message in (("size > 1 -> high; Default -> low", "'size'"), ("age > 1 -> low; Default -> no", "'no'")):
        with pytest.raises(ValueError, match=message):
            model.with_ruleset(wrong)
    with pytest.raises(ValueError, match="pass both X and y"):
        model.with_ruleset(edited, frame)
    with pytest.raises(ValueError, match="y has the class 'medium'"):
        model.with_ruleset(edited, frame, ["medium"] * len(frame))


def test_an_evolved_model_takes_edited_rules(frame: pd.DataFrame, risk: list[str]) -> None:
    X = frame.drop(columns="when")
    brief = {"refinement_moves": 100}
    evolved = EvoterClassifier(
        population_size=20, generations=3, settings=brief, objectives=["accuracy", "complexity"], random_state=0
    ).fit(X, risk)
    edited = evoter.edit(evolved).add("sugar > 99 -> low").done()
    other = evolved.with_ruleset(edited, X, risk)
    assert other.ruleset_.rules == edited.rules
    assert other.front_.chosen is None
    assert evolved.front_.chosen is not None
    assert (other.predict(X) == RuleSetClassifier(edited).fit(X, risk).predict(X)).all()
    assert other.with_ruleset(0).ruleset_ == evolved.with_ruleset(0).ruleset_
    with pytest.raises(ValueError, match="X and y are for edited rules"):
        evolved.with_ruleset(0, X, risk)


def test_a_default_alone_is_a_model(frame: pd.DataFrame, risk: list[str]) -> None:
    measured, ready = (
        RuleSetClassifier("Default -> low").fit(frame, risk),
        RuleSetClassifier.from_ruleset("Default -> low"),
    )
    assert measured.score(frame, risk) == ready.score(frame, risk) == risk.count("low") / len(risk)
    assert measured.rule_probabilities_.shape == (1, 2)
    assert ready.predict(frame[["age"]].to_numpy()).tolist() == ["low"] * len(frame)
