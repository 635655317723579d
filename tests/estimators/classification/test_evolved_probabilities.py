"""Rules for examples whose classes are known by their probabilities."""

from typing import Any

import numpy as np
import pytest

from evoter import EvoterClassifier

QUICK: dict[str, Any] = {
    "generations": 8,
    "population_size": 60,
    "settings": {"refinement_moves": 200},
    "random_state": 0,
}
X = np.random.default_rng(0).normal(size=(200, 2))
SURE = 1.0 / (1.0 + np.exp(-3.0 * X[:, 0]))
SHARES = np.column_stack([1.0 - SURE, SURE])


def test_certain_probabilities_are_labels() -> None:
    certain = np.eye(2)[(SURE > 0.5).astype(int)]
    told = EvoterClassifier(**QUICK).fit_probabilities(X, certain, ["low", "high"])
    assert told.classes_.tolist() == ["high", "low"]
    assert (told.predict(X) == np.where(SURE > 0.5, "high", "low")).mean() > 0.97


def test_probabilities_of_the_model_estimate_the_given_ones_whatever_the_softness() -> None:
    for softness in (0.0, 1.0):
        model = EvoterClassifier(**QUICK).fit_probabilities(X, SHARES, softness=softness)
        assert abs(model.predict_proba(X)[:, 1].mean() - SURE.mean()) < 0.03
        assert np.abs(model.predict_proba(X)[:, 1] - SURE).mean() < 0.2


def test_a_class_that_is_never_most_probable_is_known() -> None:
    shares = np.column_stack([0.8 * SHARES, np.full(200, 0.2)])
    model = EvoterClassifier(**QUICK).fit_probabilities(X, shares, ["a", "b", "c"])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert model.predict_proba(X).shape == (200, 3)
    assert "c" not in model.predict(X)


def test_rows_of_weight_zero_count_as_absent_and_a_higher_price_gives_fewer_conditions() -> None:
    weights = np.repeat([1.0, 0.0], 100)
    half = EvoterClassifier(**QUICK).fit_probabilities(X[:100], SHARES[:100])
    same = EvoterClassifier(**QUICK).fit_probabilities(X, SHARES, sample_weight=weights)
    assert half.ruleset_ == same.ruleset_
    dear = EvoterClassifier(**QUICK).fit_probabilities(X, SHARES, price=50.0)
    usual = EvoterClassifier(**QUICK).fit_probabilities(X, SHARES)
    assert dear.parsimony_ == pytest.approx(50.0 * usual.parsimony_)
    assert dear.ruleset_.n_conditions <= usual.ruleset_.n_conditions


def test_what_cannot_be_is_refused() -> None:
    model = EvoterClassifier(**QUICK)
    with pytest.raises(ValueError, match="row 0 has"):
        model.fit_probabilities(X, 2 * SHARES)
    with pytest.raises(ValueError, match="two or more classes"):
        model.fit_probabilities(X, SURE)
    with pytest.raises(ValueError, match="each of the 2 columns once"):
        model.fit_probabilities(X, SHARES, ["a", "a"])
    with pytest.raises(ValueError, match="softness must be a share"):
        model.fit_probabilities(X, SHARES, softness=2.0)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit_probabilities(X[:10], SHARES)
    with pytest.raises(ValueError, match="has no effect beside parsimony"):
        EvoterClassifier(**QUICK, parsimony=0.01).fit_probabilities(X, SHARES, price=2.0)
