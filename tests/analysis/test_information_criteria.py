"""AIC and BIC as the paper's appendix B computes them."""

import numpy as np
import pytest

from evoter.analysis.information_criteria import information_criteria


def test_they_are_the_papers() -> None:
    assert information_criteria(0, 5, 45) == pytest.approx((10, 5 * np.log(45)))
    assert information_criteria(2, 0, 45) == pytest.approx((60 * np.log(10), 60 * np.log(10)))


def test_the_papers_figures_for_naive_bayes_on_iris_follow_from_all_rows() -> None:
    """Its n is the whole table: 7 wrong of 150 rows, 24 parameters (Table 1)."""
    aic, bic = information_criteria(7, 24, 150)
    assert (round(aic), round(bic)) == (532, 604)


@pytest.mark.parametrize(("n_wrong", "n_points"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_numbers_are_refused(n_wrong: int, n_points: int) -> None:
    with pytest.raises(ValueError, match="n_wrong must be between 0 and n_points"):
        information_criteria(n_wrong, 3, n_points)
