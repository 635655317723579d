"""scikit-learn's own checks of a classifier, all of them."""

from collections.abc import Callable

from sklearn.utils.estimator_checks import parametrize_with_checks

from evoter import EvoterClassifier

BRIEF = {"refinement_moves": 100}
MODELS = [
    EvoterClassifier(population_size=20, generations=4, settings=BRIEF),
    EvoterClassifier(population_size=20, generations=4, settings=BRIEF, class_weight="balanced"),
]


@parametrize_with_checks(MODELS)  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(estimator: EvoterClassifier, check: Callable[[EvoterClassifier], None]) -> None:
    check(estimator)
