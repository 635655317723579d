"""Twins of models that predict numbers."""

import numpy as np
from sklearn.ensemble import RandomForestRegressor

from boxes import QUICK, correlated
from evoter import EvoterRegressor, distil
from evoter.distillation.agreement import Explained

TABLE = correlated()[["size", "age"]]
TARGET = np.where(TABLE["size"] > 0.2, 30.0, 10.0) + TABLE["age"]


def test_a_regressor_has_a_twin_that_explains_its_answers() -> None:
    forest = RandomForestRegressor(30, random_state=0).fit(TABLE, TARGET)
    twin = distil(forest, TABLE, TARGET, front=False, **QUICK)
    assert isinstance(twin.model, EvoterRegressor)
    assert isinstance(twin.fidelity, Explained)
    assert twin.fidelity.value > 0.9
    assert twin.accuracy is not None
    assert twin.mean_difference is not None
    answers = forest.predict(twin.evidence.unseen)
    assert np.allclose(np.abs(twin.predict(twin.evidence.unseen) - answers).mean(), twin.mean_difference)
    differs = np.abs(twin.predict(TABLE) - forest.predict(TABLE))[list(twin.disagreement.rows)]
    assert twin.disagreement.limit is not None
    assert (differs > twin.disagreement.limit).all()
    assert "of the variance explained" in str(twin)
    assert '"mean_difference"' in twin.to_json()


def test_a_function_of_numbers_and_a_case() -> None:
    twin = distil(lambda X: 2.5 * X["size"], TABLE, local=3, front=False, **QUICK)
    assert twin.neighbourhood is not None
    assert twin.neighbourhood.confidence is None
    assert twin.fidelity.value > 0.8
