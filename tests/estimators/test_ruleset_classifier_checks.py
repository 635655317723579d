"""scikit-learn's own checks of a classifier whose rules are given."""

from collections.abc import Callable

from sklearn.utils.estimator_checks import parametrize_with_checks

from evoter import RuleSetClassifier

_RULES_STAY = "the rules decide what they say, whatever the training rows are"

NOT_APPLICABLE = {
    "check_classifiers_one_label": _RULES_STAY,
    "check_classifiers_train": f"{_RULES_STAY}, so that the most probable class may be another one",
    "check_classifiers_classes": "labels of the check, such as 'one', are no actions of the rules",
}


@parametrize_with_checks(
    [RuleSetClassifier("x0 > 0 -> 0; Default -> 1", class_weight="balanced")],
    expected_failed_checks=lambda estimator: NOT_APPLICABLE,
    xfail_strict=True,
)  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(estimator: RuleSetClassifier, check: Callable[[RuleSetClassifier], None]) -> None:
    check(estimator)
