"""scikit-learn's own checks of the classifier of series, which takes an array of two dimensions for one channel."""

from collections.abc import Callable

from sklearn.utils.estimator_checks import parametrize_with_checks

from evoter import EvoterTimeSeriesClassifier

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


@parametrize_with_checks(
    [EvoterTimeSeriesClassifier(population_size=20, generations=3, settings={"refinement_moves": 100})],
    expected_failed_checks=lambda estimator: NOT_APPLICABLE,
    xfail_strict=True,
)  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(
    estimator: EvoterTimeSeriesClassifier, check: Callable[[EvoterTimeSeriesClassifier], None]
) -> None:
    check(estimator)
