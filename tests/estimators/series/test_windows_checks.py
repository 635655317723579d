"""scikit-learn's own checks of a transformer, which takes an array of two dimensions for one channel."""

from collections.abc import Callable

from sklearn.utils.estimator_checks import parametrize_with_checks

from evoter.estimators.series.windows import WindowStatistics

_STEPS = "the columns of an array of two dimensions are steps of one channel, of which there may be more or fewer later"
_MESSAGES = "the reader of series refuses it in words of its own"

NOT_APPLICABLE = {
    "check_n_features_in": _STEPS,
    "check_n_features_in_after_fitting": _STEPS,
    "check_transformer_general": _STEPS,
    "check_complex_data": _MESSAGES,
    "check_dtype_object": _MESSAGES,
    "check_estimators_empty_data_messages": _MESSAGES,
    "check_estimators_nan_inf": "missing values are left out; infinite ones are refused by transform, which reads values",
    "check_transformer_preserve_dtypes": "what comes out is a panel, not an array",
}


@parametrize_with_checks(
    [WindowStatistics(window=2)], expected_failed_checks=lambda estimator: NOT_APPLICABLE, xfail_strict=True
)  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(estimator: WindowStatistics, check: Callable[[WindowStatistics], None]) -> None:
    check(estimator)
