"""scikit-learn's own checks of the classifiers of series, which take an array of two dimensions for one channel."""

from collections.abc import Callable

from sklearn.utils.estimator_checks import parametrize_with_checks

from evoter import EvoterTimeSeriesClassifier, RuleSetTimeSeriesClassifier

_STEPS = "the columns of an array of two dimensions are steps of one channel, of which there may be more or fewer later"
_MESSAGES = "the reader of series refuses it in words of its own"

NOT_APPLICABLE = {
    "check_n_features_in": _STEPS,
    "check_n_features_in_after_fitting": _STEPS,
    "check_classifiers_train": _STEPS,
    "check_complex_data": _MESSAGES,
    "check_dtype_object": _MESSAGES,
    "check_estimators_empty_data_messages": _MESSAGES,
    "check_classifier_data_not_an_array": "a data frame is long: it needs the names of the columns of ids and times",
    "check_sample_weights_pandas_series": "a data frame is long: it needs the names of the columns of ids and times",
}


NOT_APPLICABLE_TO_GIVEN_RULES = NOT_APPLICABLE | {
    "check_classifiers_one_label": "the rules decide what they say, whatever the training series are",
    "check_classifiers_classes": "labels of the check, such as 'one', are no actions of the rules",
}
Estimator = EvoterTimeSeriesClassifier | RuleSetTimeSeriesClassifier


def expected(estimator: Estimator) -> dict[str, str]:
    """Return the checks that an estimator cannot pass, with the reasons."""
    is_given = isinstance(estimator, RuleSetTimeSeriesClassifier)
    return NOT_APPLICABLE_TO_GIVEN_RULES if is_given else NOT_APPLICABLE


@parametrize_with_checks(
    [
        EvoterTimeSeriesClassifier(population_size=20, generations=3, settings={"refinement_moves": 100}),
        RuleSetTimeSeriesClassifier("x0 > 0 -> 0; Default -> 1"),
    ],
    expected_failed_checks=expected,
    xfail_strict=True,
)  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(estimator: Estimator, check: Callable[[Estimator], None]) -> None:
    check(estimator)
