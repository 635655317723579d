"""Twins answer as their originals do, and what is said about how well is true."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

from boxes import QUICK, Soft, by_rules, correlated
from evoter import EvoterClassifier, distil
from evoter.analysis.group_statistics import Share
from evoter.distillation.distilling import split_rows
from evoter.distillation.twin import Twin

TABLE = correlated()


@pytest.fixture(scope="module")
def twin() -> Twin:
    return distil(Soft(), TABLE, np.where(TABLE["size"] > 0.1, "yes", "no"), **QUICK)


def test_the_twin_of_a_rule_set_is_the_rule_set() -> None:
    """A law: what can be said by few rules is said exactly."""
    found = distil(by_rules, TABLE, front=False, **QUICK)
    assert found.fidelity.value == 1.0
    assert found.ruleset.n_conditions <= 3
    assert not found.soft
    assert not found.disagreement.rows
    assert found.predict(TABLE).tolist() == by_rules(TABLE).tolist()


def test_figures_are_those_of_unseen_rows(twin: Twin) -> None:
    unseen, said = twin.evidence.unseen, twin.evidence.answers_unseen
    own = twin.predict(unseen)
    assert len(unseen) == 60
    assert isinstance(twin.fidelity, Share)
    assert twin.fidelity.n_hits == (own == said.labels).sum()
    assert twin.fidelity.low <= twin.fidelity.value <= twin.fidelity.high
    assert isinstance(twin.accuracy, Share)
    assert isinstance(twin.original_accuracy, Share)
    right = np.where(unseen["size"] > 0.1, "yes", "no")
    assert twin.accuracy.n_hits == (own == right).sum()
    assert twin.original_accuracy.n_hits == (said.labels == right).sum()
    assert (twin.n_rows, twin.n_queries, twin.query_share) == (180, 540, 0.75)
    learnt = set(twin.evidence.learnt.fillna(-9.0).itertuples(index=False, name=None))
    assert not learnt & set(unseen.fillna(-9.0).itertuples(index=False, name=None)), "unseen rows are not learnt from"


def test_probabilities_estimate_those_of_the_original(twin: Twin) -> None:
    gap = np.abs(twin.predict_proba(twin.evidence.unseen) - Soft().predict_proba(twin.evidence.unseen)).sum(axis=1) / 2
    assert twin.probability_gap == pytest.approx(float(gap.mean()))
    assert gap.mean() < 0.2


def test_the_front_has_smaller_twins_that_can_be_chosen(twin: Twin) -> None:
    sizes = [each.n_conditions for each in twin.front]
    assert sizes == sorted(sizes, reverse=True)
    assert twin.front.chosen is not None
    assert twin.front[twin.front.chosen].scores["fidelity"] == pytest.approx(twin.fidelity.value)
    for number, candidate in enumerate(twin.front):
        chosen = twin.choose(number)
        assert chosen.ruleset == candidate.ruleset
        assert chosen.fidelity.value == pytest.approx(candidate.scores["fidelity"])


def test_rows_of_disagreement_are_rows_of_the_table() -> None:
    def fuzzy(X: pd.DataFrame) -> Any:
        return np.where(np.sin(9 * X["size"]) + X["age"] > 0.6, "a", "b")

    found = distil(fuzzy, TABLE, max_rules=1, front=False, **QUICK)
    rows = list(found.disagreement.rows)
    assert rows
    assert list(found.disagreement.original) == fuzzy(TABLE.iloc[rows]).tolist()
    assert list(found.disagreement.twin) == found.predict(TABLE.iloc[rows]).tolist()
    assert all(a != b for a, b in zip(found.disagreement.twin, found.disagreement.original, strict=True))


def test_permuted_columns_of_probabilities_give_the_same_twin(twin: Twin) -> None:
    turned = distil(Soft(("yes", "no")), TABLE, front=False, **QUICK)
    straight = distil(Soft(), TABLE, front=False, **QUICK)
    assert turned.ruleset == straight.ruleset
    assert turned.fidelity == straight.fidelity


def test_a_seed_decides_everything() -> None:
    first, second = (distil(Soft(), TABLE, front=False, **QUICK) for _ in range(2))
    assert first.to_json() == second.to_json()
    assert str(first) == str(second)


def test_an_ensemble_of_evoter_classifiers() -> None:
    labels = by_rules(TABLE)
    models = [EvoterClassifier(**{**QUICK, "random_state": seed}).fit(TABLE, labels) for seed in range(3)]
    found = distil(models, TABLE, labels, front=False, **QUICK)
    assert found.name == "3 x EvoterClassifier"
    assert found.fidelity.value > 0.95


def test_recorded_answers_need_no_model() -> None:
    found = distil(by_rules(TABLE), TABLE, front=False, **QUICK)
    assert found.n_queries == 0
    assert found.fidelity.value == 1.0
    soft = distil(Soft().predict_proba(TABLE), TABLE, classes=["no", "yes"], front=False, **QUICK)
    assert soft.soft
    for refused in ({"query_share": 0.5}, {"local": 0}, {"X_test": TABLE}):
        with pytest.raises(ValueError, match="needs a black box that can be asked"):
            distil(by_rules(TABLE), TABLE, **refused, **QUICK)


def test_given_test_rows_are_used_and_arrays_are_read() -> None:
    numbers = TABLE[["size", "age"]].to_numpy()

    def positive(X: Any) -> Any:
        return X[:, 0] > 0

    found = distil(positive, numbers[:160], X_test=numbers[160:], y_test=numbers[160:, 0] > 0, front=False, **QUICK)
    assert found.fidelity.n_rows == 80
    assert found.original_accuracy is not None
    assert found.original_accuracy.value == 1.0
    assert str(found.ruleset.default) in {"false", "true"}


def test_a_local_twin_says_where_it_holds() -> None:
    place = distil(Soft(), TABLE, local=5, front=False, **QUICK).neighbourhood
    assert place is not None
    assert place.agrees
    assert 100 <= place.n_rows <= place.n_of == 240
    low, high = place.ranges["size"]
    assert low <= TABLE["size"][5] <= high
    named = distil(Soft(), TABLE, local=dict(TABLE.iloc[5]), n_neighbours=60, front=False, **QUICK)
    assert named.neighbourhood is not None
    assert named.neighbourhood.n_rows == 60
    assert "in the neighbourhood of one case: the nearest 60 of 240 rows" in str(named)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"query_share": 1.0}, "query_share must be from 0 to 0.99"),
        ({"softness": -0.1}, "softness must be from 0 to 1"),
        ({"test_size": 0.0}, "test_size must be a share"),
        ({"n_neighbours": 10}, "n_neighbours has no effect without local"),
        ({"objectives": ["accuracy", "complexity"]}, "objectives is not a parameter of distil"),
        ({"y_test": [1]}, "y_test has no effect without X_test"),
        ({"test_size": 0.2, "X_test": TABLE}, "test_size has no effect beside X_test"),
        ({"local": 1, "X_test": TABLE}, "leave out X_test"),
        ({"local": 999}, "there is none at 999"),
        ({"y": ["a"]}, "y has 1 labels for 240 rows"),
    ],
)
def test_what_has_no_effect_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        distil(Soft(), TABLE, **given, **QUICK)


def test_softness_without_probabilities_and_one_answer_are_refused() -> None:
    with pytest.raises(ValueError, match=r"softness=0\.5 has no effect, since by_rules gives no probabilities"):
        distil(by_rules, TABLE, softness=0.5, **QUICK)
    with pytest.raises(ValueError, match="there is nothing to imitate"):
        distil(lambda X: np.repeat("a", len(X)), TABLE, **QUICK)


def test_small_classes_are_split_all_the_same() -> None:
    kept, tested = split_rows(np.array([0, 0, 0, 1]), 0.5, np.random.default_rng(0))
    assert sorted([*kept, *tested]) == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="too few to hold out"):
        split_rows(np.array([0]), 0.5, np.random.default_rng(0))


def test_a_twin_can_be_pickled_and_shown(twin: Twin) -> None:
    again = pickle.loads(pickle.dumps(twin.model))  # noqa: S301 - our own bytes
    assert again.ruleset_ == twin.ruleset
    assert "<table" in twin._repr_html_()
    assert "fidelity" in repr(twin)
    assert str(twin.explain(TABLE.iloc[[0]])).startswith(("rule", "the default"))
