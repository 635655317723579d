"""Leave-one-out predictions in closed form are those of models fitted without the row."""

import numpy as np
import pytest

from evoter.problems.classification.targets import kernel_ridge
from evoter.problems.classification.targets.kernel_ridge import _as_probabilities, _features, _ridge, leave_one_out


@pytest.mark.parametrize("weighted", [False, True])
def test_the_closed_form_is_a_fit_without_the_row(weighted: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_ridge, "PENALTIES", (0.5,))
    rng = np.random.default_rng(0)
    scores, classes = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    weights = rng.uniform(0.5, 2.0, 40) if weighted else np.ones(40)
    features, indicators = _features(scores, scores[:10], 0.3), np.eye(3)[classes]
    (predicted,) = _ridge(features, indicators, weights)
    probabilities = _as_probabilities(predicted)
    relative = weights / weights.mean()
    for row in range(40):
        others = np.arange(40) != row
        weighted_rows = features[others] * relative[others, None]
        left = weighted_rows.T @ features[others] + 0.5 * np.eye(features.shape[1])
        coefficients = np.linalg.solve(left, weighted_rows.T @ indicators[others])
        expected = np.clip(features[row] @ coefficients, 1e-3, 1.0)
        assert probabilities[row] == pytest.approx(expected / expected.sum(), abs=1e-6)


def test_a_curved_boundary_is_found_and_noise_is_not() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(400, 2))
    inside = ((scores**2).sum(axis=1) < 1.4).astype(int)
    found = leave_one_out(scores, np.eye(2)[inside], np.ones(400)).argmax(axis=1)
    assert (found == inside).mean() > 0.95
    noise = rng.integers(0, 2, 400)
    guessed = leave_one_out(scores, np.eye(2)[noise], np.ones(400))
    assert (guessed.argmax(axis=1) == noise).mean() < 0.6
    assert np.allclose(guessed.sum(axis=1), 1.0)


def test_rows_that_are_all_equal_get_the_frequencies_of_the_others() -> None:
    probabilities = leave_one_out(np.zeros((30, 2)), np.eye(2)[np.arange(30) % 3 // 2], np.ones(30))
    assert probabilities[:, 0] == pytest.approx(np.full(30, 2 / 3), abs=0.05)
