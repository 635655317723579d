"""What the classifiers share is the same in all of them: parameters, defaults and, on equal data, the rules."""

import inspect
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from evoter import EvoterClassifier, EvoterTimeSeriesClassifier
from evoter.estimators.classification.evolved import EvolvedClassifier

SHARED = set(inspect.signature(EvolvedClassifier.__init__).parameters) - {"self"}


@pytest.mark.parametrize("own", [EvoterClassifier, EvoterTimeSeriesClassifier])
def test_shared_parameters_have_the_same_defaults(own: type[EvoterClassifier | EvoterTimeSeriesClassifier]) -> None:
    parameters, documented = own().get_params(deep=False), EvoterClassifier().get_params()
    assert set(parameters) >= SHARED
    assert {name: parameters[name] for name in SHARED} == {name: documented[name] for name in SHARED}
    assert set(own._parameter_constraints) == set(parameters), "every parameter is checked"


def test_series_of_one_step_are_rows_of_a_table() -> None:
    """Tables scale what they compare and series do not, and exact moves draw lags for series only: both are off."""
    X, y = load_iris(return_X_y=True)
    parameters: dict[str, Any] = {
        "generations": 15,
        "population_size": 100,
        "random_state": 0,
        "forms": "constants",
        "settings": {"n_refined": 0},
    }
    rows = EvoterClassifier(**parameters).fit(X, y)
    steps = EvoterTimeSeriesClassifier(**parameters).fit(X[:, :, None], y)
    assert rows.ruleset_.rules == steps.ruleset_.rules
    assert np.array_equal(rows.predict_proba(X), steps.predict_proba(X[:, :, None]))
    assert rows.times_decided_.tolist() == steps.times_decided_.tolist()


def test_it_is_no_classifier_itself() -> None:
    with pytest.raises(TypeError, match="abstract"):
        EvolvedClassifier()  # type: ignore[call-arg]
