"""Rules that were found on a sample are counted on all rows, as if all of them had been in memory at once."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from evoter import EvoterClassifier
from evoter.estimators.classification import every_row
from stored import mixed_frame

QUICK: dict[str, Any] = {"generations": 6, "population_size": 40, "random_state": 0}
SAMPLED = {**QUICK, "settings": {"evaluation_rows": 300, "refinement_rows": 100}}
FRAME = mixed_frame(1_000)
X, Y = FRAME.drop(columns="y"), FRAME["y"]
WEIGHTS = np.random.default_rng(0).integers(0, 3, len(X))


@pytest.fixture(autouse=True)
def _chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(every_row, "CHUNK", 170)


def assert_counted_on_all_rows(
    model: EvoterClassifier, rows: pd.DataFrame, labels: "pd.Series[str]", **given: Any
) -> None:
    """Compare with the same rules, measured in one piece."""
    measured = model.with_ruleset(model.ruleset_, rows, labels, **given)
    assert model.n_rows_ == measured.n_rows_
    assert model.n_right_ == measured.n_right_
    assert model.times_applied_.tolist() == measured.times_applied_.tolist()
    assert model.times_decided_.tolist() == measured.times_decided_.tolist()
    assert np.allclose(model.rule_probabilities_, measured.rule_probabilities_)
    assert np.allclose(model.feature_importances_, measured.feature_importances_)
    assert [each.labels for each in model.ruleset_.records] == [each.labels for each in measured.ruleset_.records]
    assert model.ruleset_.counts == measured.ruleset_.counts
    for record in model.ruleset_.records:
        if record.parts:
            assert record.labels == tuple(np.sum([part.labels for part in record.parts], axis=0))
    assert model.training_share(rows) == 1.0


def test_counts_are_those_of_all_rows() -> None:
    model = EvoterClassifier(**SAMPLED).fit(X, Y)
    assert tuple(model.row_samples_) == (1_000, 300, 100)
    assert any(record.parts for record in model.ruleset_.records)
    assert_counted_on_all_rows(model, X, Y)


def test_weights_count() -> None:
    model = EvoterClassifier(**SAMPLED, class_weight="balanced").fit(X, Y, WEIGHTS)
    kept = WEIGHTS > 0
    assert model.row_samples_.n_rows == kept.sum()
    assert_counted_on_all_rows(model, X[kept], Y[kept], sample_weight=WEIGHTS[kept])


def test_in_mode_vote_all_winners_count() -> None:
    assert_counted_on_all_rows(
        EvoterClassifier(**SAMPLED | {"settings": {"evaluation_rows": 300}}, mode="vote").fit(X, Y), X, Y
    )


def test_all_candidates_of_a_front_are_counted() -> None:
    settings = {"evaluation_rows": 300}
    model = EvoterClassifier(**QUICK, settings=settings, objectives=["accuracy", "complexity"]).fit(X, Y)
    for number in range(len(model.front_)):
        assert_counted_on_all_rows(model.with_ruleset(number), X, Y)


def test_told_probabilities_are_those_of_all_rows() -> None:
    shares = np.column_stack([np.where(Y == "ill", 0.8, 0.3), np.where(Y == "ill", 0.2, 0.7)])
    model = EvoterClassifier(**SAMPLED).fit_probabilities(X, shares, ["ill", "well"])
    assert model.n_rows_ == 1_000
    assert model.times_decided_.sum() == 1_000
    decided = model.deciding_rules(X)
    for number, said in enumerate(model.rule_probabilities_):
        if (decided == number).sum() > 50:
            assert np.allclose(said, shares[decided == number].mean(axis=0), atol=0.03)


def test_a_limit_above_the_number_of_rows_changes_nothing() -> None:
    plain = EvoterClassifier(**QUICK).fit(X, Y)
    assert EvoterClassifier(**QUICK, settings={"evaluation_rows": 1_000}).fit(X, Y).ruleset_ == plain.ruleset_
    assert not plain.row_samples_.is_partial


def test_measures_of_groups_look_at_all_rows() -> None:
    with pytest.raises(
        ValueError, match="evaluation_rows has no effect on this run, since it needs a classifier of tables"
    ):
        EvoterClassifier(**SAMPLED, constraints={"recall(ill)": 0.5}).fit(X, Y)
