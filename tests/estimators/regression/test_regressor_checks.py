"""scikit-learn's own checks of regressors, all of them."""

from collections.abc import Callable
from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from evoter import EvoterRegressor, RuleSetRegressor

BRIEF = {"refinement_moves": 100}
MODELS = [
    EvoterRegressor(population_size=20, generations=4, settings=BRIEF),
    EvoterRegressor(population_size=20, generations=4, settings=BRIEF, metric="absolute"),
    RuleSetRegressor("Default -> 0.5"),
]


@parametrize_with_checks(MODELS)  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)
