"""scikit-learn's own checks of an estimator, as far as they do not fit it to data: a policy learns from episodes."""

from collections.abc import Callable

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

pytest.importorskip("gymnasium")

from evoter import EvoterPolicy

NOT_APPLICABLE = dict.fromkeys(
    [
        "check_complex_data",
        "check_dict_unchanged",
        "check_dont_overwrite_parameters",
        "check_dtype_object",
        "check_estimator_sparse_array",
        "check_estimator_sparse_matrix",
        "check_estimator_sparse_tag",
        "check_estimators_dtypes",
        "check_estimators_empty_data_messages",
        "check_estimators_fit_returns_self",
        "check_estimators_nan_inf",
        "check_estimators_overwrite_params",
        "check_estimators_pickle",
        "check_f_contiguous_array_estimator",
        "check_fit1d",
        "check_fit2d_1feature",
        "check_fit2d_1sample",
        "check_fit2d_predict1d",
        "check_fit_check_is_fitted",
        "check_fit_idempotent",
        "check_fit_score_takes_y",
        "check_methods_sample_order_invariance",
        "check_methods_subset_invariance",
        "check_n_features_in",
        "check_n_features_in_after_fitting",
        "check_pipeline_consistency",
        "check_positive_only_tag_during_fit",
        "check_readonly_memmap_input",
    ],
    "fit takes no data: a policy learns from the episodes of its environment",
)


@parametrize_with_checks(
    [EvoterPolicy("CartPole-v1")], expected_failed_checks=lambda estimator: NOT_APPLICABLE, xfail_strict=True
)  # type: ignore[untyped-decorator]
def test_scikit_learns_checks(estimator: EvoterPolicy, check: Callable[[EvoterPolicy], None]) -> None:
    check(estimator)
