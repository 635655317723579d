"""The class of the coming hours is forecast for patients whom no model has seen."""

import numpy as np

from evoter.experiments.hypotension.forecast import MODELS, LastValue, examples_of, forecast
from evoter.tables.series import read_panel


def test_the_naive_forecast_is_the_class_of_the_last_value() -> None:
    nan = np.nan
    panel = read_panel([[90.0, 55.0], [50.0, 85.0], [50.0, 85.1], [60.0, nan], [nan, nan]])
    model = LastValue().fit(panel, np.array(["High", "High", "Low"]))
    assert model.predict(panel).tolist() == ["Low", "Normal", "High", "Normal", "High"]


def test_no_patient_is_on_both_sides() -> None:
    rng = np.random.default_rng(0)
    level = rng.choice([50.0, 70.0, 95.0], 30)
    panel = read_panel(level[:, None] + rng.normal(0, 2, (30, 30)), channels=["MAP"], units={"MAP": "mmHg"})
    examples = examples_of(panel)
    assert examples.panel.shape[2] == 12
    for name in MODELS:
        trial = forecast(examples, name, 0, **({"generations": 2} if name == "EVOTER" else {}))
        assert trial.scores.accuracy > 0.8
