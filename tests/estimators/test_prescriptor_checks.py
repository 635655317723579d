"""scikit-learn's own checks of an estimator, whose labels are actions, with a predictor that needs no outcomes."""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.estimator_checks import parametrize_with_checks

from evoter import EvoterPrescriptor


class LastAction(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts that the last action, in the last column, brings 1 and all others 0; knows it without being fitted."""

    def fit(self, X: object, y: object) -> Self:
        return self

    def predict(self, X: Any) -> Any:
        return np.asarray(X, np.float64)[:, -1]

    def __sklearn_is_fitted__(self) -> bool:
        return True


NOT_APPLICABLE = {
    "check_fit_score_takes_y": "fit takes actions and outcomes instead of y",
    "check_fit2d_1sample": "the error about one row says that there is one action only, which is the reason",
}


@parametrize_with_checks(
    [EvoterPrescriptor(LastAction(), population_size=20, generations=3)],
    expected_failed_checks=lambda estimator: NOT_APPLICABLE,
    xfail_strict=True,
)  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(estimator: EvoterPrescriptor, check: Callable[[EvoterPrescriptor], None]) -> None:
    check(estimator)
