"""ROC curves and calibration are those of scikit-learn, and their intervals cover."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import brier_score_loss, roc_auc_score
from sklearn.metrics import roc_curve as reference_curve

from evoter.analysis.probability_quality import MAX_BINS, brier_score, calibration_bins, roc_curve

SCORED = st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.5, 0.7, 0.9]), st.booleans()), min_size=2, max_size=40).filter(
    lambda rows: len({hit for _, hit in rows}) == 2
)


@given(SCORED)
def test_curve_area_and_score_are_those_of_scikit_learn(rows: list[tuple[float, bool]]) -> None:
    scores, hits = np.array([score for score, _ in rows]), np.array([hit for _, hit in rows])
    curve = roc_curve(scores, hits)
    assert curve.area == pytest.approx(roc_auc_score(hits, scores))
    wrong, found, _ = reference_curve(hits, scores, drop_intermediate=False)
    assert np.allclose(curve.points, np.column_stack([wrong, found]))
    assert brier_score(scores, hits) == pytest.approx(brier_score_loss(hits, scores))
    if curve.interval is not None:
        assert 0 <= curve.interval[0] <= curve.area <= curve.interval[1] <= 1


def test_the_interval_of_the_area_covers_it_as_often_as_it_says() -> None:
    rng = np.random.default_rng(0)
    truth = 0.7602499389065233  # of two normal distributions, one deviation apart
    covered = 0
    for _ in range(300):
        hits = np.arange(120) < 50
        interval = roc_curve(rng.normal(size=120) + hits, hits).interval
        assert interval is not None
        covered += interval[0] <= truth <= interval[1]
    assert 0.9 <= covered / 300 <= 0.99


def test_a_curve_needs_both_labels() -> None:
    with pytest.raises(ValueError, match="rows of both labels"):
        roc_curve(np.array([0.1, 0.2]), np.array([True, True]))
    assert roc_curve(np.array([0.1, 0.9, 0.2]), np.array([False, True, False])).interval is None


@given(SCORED)
def test_bins_hold_every_row_once(rows: list[tuple[float, bool]]) -> None:
    scores, hits = np.array([score for score, _ in rows]), np.array([hit for _, hit in rows])
    bins = calibration_bins(scores, hits)
    assert sum(each.n_rows for each in bins) == len(rows)
    assert sum(each.n_hits for each in bins) == hits.sum()
    assert all(each.low <= each.share <= each.high for each in bins)


def test_many_probabilities_share_bins() -> None:
    scores = np.linspace(0, 1, 1000)
    bins = calibration_bins(scores, scores > 0.5)
    assert len(bins) == MAX_BINS
    assert {each.n_rows for each in bins} == {100}
