"""The clinical tables become contexts, actions and outcomes."""

import os

import numpy as np
import pandas as pd
import pytest

from evoter.experiments.prescription.data import INTERVENTIONS, SCORES, Stays, diabetes, forest, heart_failure, network

needs_data = pytest.mark.skipif(
    "EVOTER_DATA" not in os.environ, reason="reads published data: set EVOTER_DATA to where they are"
)


def test_interventions_bring_values_about() -> None:
    raised = INTERVENTIONS["ejection fraction"]["ejection_fraction"](np.array([20.0, 70.0]))
    lowered = INTERVENTIONS["serum creatinine"]["serum_creatinine"](np.array([0.5, 3.0]))
    assert (raised.tolist(), lowered.tolist()) == ([60, 70], [0.5, 0.9])


def test_rows_of_stays_stay_together(stays: Stays) -> None:
    some = stays.rows(np.array([3, 5]))
    assert some.context.index.tolist() == some.outcomes.index.tolist() == [3, 5]
    assert some.patients.tolist() == [1, 2]


@pytest.mark.parametrize("make", [forest, network])
def test_predictors_read_categories_and_gaps(make: type) -> None:
    table = pd.DataFrame({"x": [1.0, np.nan, 3.0] * 20, "kind": ["a", "b", None] * 20})
    labels = np.array([0, 1, 1] * 20)
    assert make(0).fit(table, labels).predict(table).shape == (60,)


@needs_data
def test_the_published_tables() -> None:
    table, died = heart_failure()
    assert (len(table), int(died.sum())) == (299, 96)
    assert "time" not in table
    stays = diabetes()
    assert len(stays.context) == 97_086
    assert stays.medications.shape[1] == 21
    assert {name: set(points) for name, points in SCORES.items()} == {
        name: set(stays.outcomes[name]) for name in SCORES
    }
