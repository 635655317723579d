"""The comparison of training and unseen accuracy: alarms where rules overfit, and hardly ever where they do not."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.problems.classification.overfitting import LEAST_DIFFERENCE, LEVEL, AccuracyComparison, OverfittingWarning


@pytest.mark.parametrize(("n_train", "n_unseen"), [(60, 20), (300, 100), (3000, 1000)])
@pytest.mark.parametrize("accuracy", [0.6, 0.9, 0.99])
def test_chance_alone_raises_the_alarm_less_often_than_the_level(n_train: int, n_unseen: int, accuracy: float) -> None:
    rng = np.random.default_rng([n_train, round(100 * accuracy)])
    n_trials = 2000
    counts = zip(rng.binomial(n_train, accuracy, n_trials), rng.binomial(n_unseen, accuracy, n_trials), strict=True)
    alarms = sum(AccuracyComparison(int(seen), n_train, int(unseen), n_unseen).overfitted for seen, unseen in counts)
    # The rate is at most the level, 1 %; three standard deviations of 2,000 trials are 0.7 %.
    assert alarms / n_trials <= LEVEL + 3 * np.sqrt(LEVEL * (1 - LEVEL) / n_trials)


def test_rows_of_a_case_are_no_evidence_of_their_own() -> None:
    rng = np.random.default_rng(5)
    n_trials, rows = 1000, 8
    seen, unseen = rng.binomial(60, 0.8, n_trials), rng.binomial(20, 0.8, n_trials)
    counts = [(int(a) * rows, 60 * rows, int(b) * rows, 20 * rows) for a, b in zip(seen, unseen, strict=True)]
    naive = sum(AccuracyComparison(*each).overfitted for each in counts)
    fair = sum(AccuracyComparison(*each, rows_per_case=rows).overfitted for each in counts)
    assert fair / n_trials <= 0.02
    assert naive / n_trials > 0.1, "what counting rows would say"


def test_a_real_difference_is_found_and_explained() -> None:
    comparison = AccuracyComparison(829, 1000, 712, 1000, parsimony=0.0012)
    assert comparison.overfitted
    assert comparison.sentence == (
        "the rules are right for 82.9% (829 of 1,000) of the training rows and for 71.2% (712 of 1,000) of the unseen "
        "rows; the probability that chance alone makes such a difference is below 0.0001, so they are overfitted: try "
        "a higher parsimony (it was 0.0012), fewer features, or more rows"
    )
    told = comparison.to_dict()
    assert told["found"] is True
    assert told["train"] == {"right": 829, "rows": 1000}
    assert told["test"] == {"right": 712, "rows": 1000}
    assert told["level"] == LEVEL
    warning = pickle.loads(pickle.dumps(OverfittingWarning(comparison)))  # noqa: S301
    assert warning.comparison == comparison
    assert str(warning) == comparison.sentence


def test_differences_that_do_not_matter_raise_no_alarm() -> None:
    comparison = AccuracyComparison(905_000, 1_000_000, 900_000, 1_000_000)
    assert comparison.p_value < LEVEL
    assert comparison.difference < LEAST_DIFFERENCE
    assert not comparison.overfitted
    assert comparison.sentence.endswith("no overfitting is found")


@given(st.data())
def test_more_right_unseen_rows_never_make_it_worse(data: st.DataObject) -> None:
    n_train, n_unseen = data.draw(st.integers(1, 500)), data.draw(st.integers(1, 300))
    seen = data.draw(st.integers(0, n_train))
    few = data.draw(st.integers(0, n_unseen))
    many = data.draw(st.integers(few, n_unseen))
    worse, better = (AccuracyComparison(seen, n_train, unseen, n_unseen) for unseen in (few, many))
    assert better.p_value >= worse.p_value - 1e-9
    assert worse.overfitted or not better.overfitted
    if better.difference <= 0:
        assert not better.overfitted


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="unseen row is needed"):
        AccuracyComparison(1, 1, 0, 0)
    with pytest.raises(ValueError, match="5 of 4"):
        AccuracyComparison(5, 4, 1, 1)
    with pytest.raises(ValueError, match="rows_per_case must be 1 or more"):
        AccuracyComparison(3, 4, 1, 1, rows_per_case=0.5)
