"""The runner of blood pressure measures alarms of both tasks."""

import numpy as np
import pytest

from evoter.experiments.hypotension import forecast, runner
from evoter.experiments.hypotension.patients import Patients
from evoter.tables.series import read_panel
from pressures import pressures


def test_alarms_within_the_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    train = Patients(*pressures(minutes=150))
    monkeypatch.setattr(runner, "_patients", lambda: (train, {"A and B": train}))
    found = runner.run("2009", ["evoter", "tree", "forest"], 0)
    assert all(outcome.measures["true_positive_rate"] > 0.9 for outcome in found.values())
    assert "mmHg" in found["evoter"].rules
    assert not found["tree"].rules


def test_the_class_of_the_coming_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    level = rng.choice([50.0, 70.0, 95.0], 30)
    panel = read_panel(level[:, None] + rng.normal(0, 2, (30, 30)), channels=["MAP"], units={"MAP": "mmHg"})
    monkeypatch.setattr(runner, "_examples", lambda: forecast.examples_of(panel))
    found = runner.run("2019", ["evoter", "tree"], 0, parameters={"generations": 2})
    assert all(outcome.measures["accuracy"] > 0.8 for outcome in found.values())
