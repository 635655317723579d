"""scikit-learn's own checks of a classifier, all of them."""

from collections.abc import Callable

from sklearn.utils.estimator_checks import parametrize_with_checks

from evoter import EvoterClassifier

MODELS = [
    EvoterClassifier(population_size=20, generations=4),
    EvoterClassifier(population_size=20, generations=4, class_weight="balanced"),
]


@parametrize_with_checks(MODELS)  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(estimator: EvoterClassifier, check: Callable[[EvoterClassifier], None]) -> None:
    check(estimator)
