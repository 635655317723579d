"""Losses agree with scikit-learn's, and the best number has the least of them."""

import numpy as np
import pytest
from sklearn.metrics import mean_pinball_loss, mean_poisson_deviance

from evoter.problems.regression.losses import Metric, best_number, check_numbers, row_losses

NUMBERS = np.random.default_rng(0).poisson(3.0, 50).astype(float)
WEIGHTS = np.random.default_rng(1).integers(1, 5, 50).astype(float)


@pytest.mark.parametrize("metric", ["squared", "absolute", "poisson", "quantile"])
def test_no_other_number_is_better(metric: Metric) -> None:
    quantile = 0.5 if metric == "absolute" else 0.7
    best = best_number(metric, quantile, NUMBERS, WEIGHTS)
    least = WEIGHTS @ row_losses(metric, quantile, NUMBERS, np.array(best))
    for other in (best - 0.3, best + 0.3, *NUMBERS[:5]):
        assert WEIGHTS @ row_losses(metric, quantile, NUMBERS, np.array(other)) >= least - 1e-9


def test_losses_are_the_usual_ones() -> None:
    predicted = NUMBERS * 0.5 + 1.0
    pinball = row_losses("quantile", 0.8, NUMBERS, predicted).mean()
    assert pinball == pytest.approx(mean_pinball_loss(NUMBERS, predicted, alpha=0.8))
    deviance = 2.0 * row_losses("poisson", 0.5, NUMBERS, predicted).mean()
    assert deviance == pytest.approx(mean_poisson_deviance(NUMBERS, predicted))


def test_what_has_no_loss_is_refused() -> None:
    with pytest.raises(ValueError, match="for counts and rates: y must not be negative"):
        check_numbers("poisson", np.array([1.0, -1.0]))
    with pytest.raises(ValueError, match="row 1 is nan"):
        check_numbers("squared", np.array([1.0, np.nan]))
