"""EvoterClassifier with several objectives: a front, one of its candidates, and switching between them."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

from evoter import EvoterClassifier
from evoter.analysis.displays.pareto_display import ParetoDisplay
from patients import diagnoses, fitted, patients, quick

IRIS = load_iris(as_frame=True)


def several(**parameters: Any) -> EvoterClassifier:
    return fitted(**{"objectives": ["accuracy", "complexity"], **parameters})


@pytest.fixture(scope="module")
def model() -> EvoterClassifier:
    return several()


def test_the_front_trades_accuracy_for_size(model: EvoterClassifier) -> None:
    assert [objective.name for objective in model.front_.objectives] == ["accuracy", "complexity"]
    assert len(model.front_) >= 2
    accuracies, sizes = model.front_.scores.T
    assert (np.diff(accuracies) < 0).all()
    assert (np.diff(sizes) < 0).all()
    assert model.score(patients(), diagnoses()) > 0.9
    assert model.front_.chosen is not None
    assert model.front_[model.front_.chosen].ruleset == model.ruleset_
    assert not np.isnan(model.history_["hypervolume"]).any()


def test_switching_needs_no_refitting(model: EvoterClassifier) -> None:
    chosen, rules = model.front_.chosen, model.ruleset_
    assert chosen is not None
    for number, candidate in enumerate(model.front_):
        for other in (model.with_ruleset(number), model.with_ruleset(candidate), model.with_ruleset(np.int64(number))):
            assert other.ruleset_ == candidate.ruleset
            assert other.front_.chosen == number
        assert other.classes_[candidate.behaviour].tolist() == other.predict(patients()).tolist()
        assert np.array_equal(
            other.predict_proba(patients()).argmax(axis=1), np.searchsorted(other.classes_, other.predict(patients()))
        )
        assert [record.cases for record in other.ruleset_.records] == other.times_decided_.tolist()
        assert len(other.times_applied_) == len(other.times_decided_) == candidate.n_rules + 1
        assert other.times_decided_.sum() == len(patients())
        assert other.with_ruleset(chosen).ruleset_ == rules, "and back"
    assert model.front_.chosen == chosen
    assert model.ruleset_ == rules, "the model itself stays what it was"


def test_scores_by_labels_are_those_of_the_training_rows() -> None:
    model = several(settings={"soft_targets": 0.0})
    for number, candidate in enumerate(model.front_):
        assert model.with_ruleset(number).score(patients(), diagnoses()) == pytest.approx(candidate.scores["accuracy"])


def test_selecting_from_the_front(model: EvoterClassifier) -> None:
    wishes: list[Any] = ["knee", {"at_most": {"conditions": 2}}, lambda front: front[-1]]
    for select in wishes:
        other = several(select=select)
        assert repr(other.front_.scores) == repr(model.front_.scores), "the same front, another choice"
        arguments = {"by": select} if isinstance(select, str) else select
        expected = select(model.front_) if callable(select) else model.front_.select(**arguments)
        assert other.ruleset_ == expected.ruleset
    assert model.with_ruleset(model.front_.select("neighbours")).ruleset_ is not None


def test_every_secondary_objective() -> None:
    names = ["accuracy", "rules", "features", "feature_cost", "rare_rules", "novelty"]
    model = several(objectives=names, feature_prices={"age": 1.0, "pressure": 20.0}, generations=8)
    assert [objective.name for objective in model.front_.objectives] == names
    for candidate in model.front_:
        used = candidate.ruleset.features_used
        assert candidate.scores["features"] == len(used)
        assert candidate.scores["feature_cost"] == ("age" in used) + 20.0 * ("pressure" in used)


@pytest.mark.parametrize("objectives", [None, ["accuracy", "rules"]])
def test_constraints_are_kept(objectives: list[str] | None) -> None:
    prices = dict.fromkeys(patients().columns, 10.0)
    limits = {"complexity": 3, "feature_cost": 20}
    model = several(objectives=objectives, constraints=limits, feature_prices=prices, generations=15)
    assert model.ruleset_.n_conditions <= 3
    assert len(model.ruleset_.features_used) <= 2
    assert model.score(patients(), diagnoses()) > 0.7
    if objectives is not None:
        assert all(candidate.n_conditions <= 3 and candidate.n_features <= 2 for candidate in model.front_)


@pytest.mark.parametrize("mode", ["hardmax", "vote"])
def test_modes(mode: str) -> None:
    model = several(mode=mode)
    assert model.score(patients(), diagnoses()) > 0.8
    assert len(model.front_) > 1


def test_other_measures() -> None:
    model = several(objectives=["log_loss", "complexity"])
    losses = model.front_.scores[:, 0]
    assert (np.diff(losses) > 0).all(), "the best first, whatever the direction"
    costs = {("ill", "well"): 5.0, ("well", "ill"): 1.0}
    model = several(objectives=["metric", "complexity"], metric=costs)
    assert model.front_.objectives[0].name == "cost"


def test_threads_do_not_matter(model: EvoterClassifier) -> None:
    assert repr(several(n_jobs=2).front_) == repr(model.front_)


def test_a_checkpoint_is_gone_on_from(tmp_path: Path, model: EvoterClassifier) -> None:
    path = tmp_path / "run.npz"
    several(checkpoint=path, generations=5)
    assert repr(several(checkpoint=path).front_) == repr(model.front_)


def test_without_several_objectives_there_is_no_front() -> None:
    model = several(generations=5)
    model.set_params(objectives=None).fit(patients(), diagnoses())
    assert not hasattr(model, "front_")
    with pytest.raises(ValueError, match=r"no candidates to switch between: fit it with several objectives"):
        model.with_ruleset(0)
    with pytest.raises(NotFittedError):
        quick(objectives=["accuracy", "complexity"]).with_ruleset(0)


def test_unknown_candidates_are_refused(model: EvoterClassifier) -> None:
    with pytest.raises(ValueError, match="chosen must be from 0 to"):
        model.with_ruleset(999)


def test_pickling_and_cloning(model: EvoterClassifier) -> None:
    copy = pickle.loads(pickle.dumps(model))  # noqa: S301 (our own bytes)
    assert repr(copy.front_) == repr(model.front_)
    assert copy.with_ruleset(0).ruleset_ == model.with_ruleset(0).ruleset_
    assert not hasattr(clone(model), "front_")


def test_the_front_can_be_drawn(model: EvoterClassifier) -> None:
    pytest.importorskip("matplotlib").use("agg")
    display = ParetoDisplay.from_estimator(model)
    assert len(display.points()) == len(model.front_)
    __import__("matplotlib.pyplot").pyplot.close("all")


def test_iris_has_a_front_of_short_rule_sets() -> None:
    model = EvoterClassifier(objectives=["accuracy", "complexity"], random_state=0, generations=40)
    model.fit(IRIS.data, IRIS.target_names[IRIS.target])
    assert model.score(IRIS.data, IRIS.target_names[IRIS.target]) >= 0.95
    two = model.with_ruleset(model.front_.select(at_most={"conditions": 2}))
    assert two.ruleset_.n_conditions == 2
    assert two.score(IRIS.data, IRIS.target_names[IRIS.target]) >= 0.94
