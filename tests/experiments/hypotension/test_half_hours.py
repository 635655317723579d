"""Half hours of blood pressure: patients of the published sets, three classes."""

import os

import numpy as np
import pytest

from evoter.experiments.hypotension import half_hours, runner
from evoter.experiments.hypotension.forecast import BORDERS, CLASSES
from evoter.tables.forecast import forecast_examples
from evoter.tables.series import read_panel


def test_three_classes_are_foreseen(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    level = rng.choice([50.0, 70.0, 95.0], 40)
    values = (level[:, None] + rng.normal(0, 2, (40, 200)))[:, None, :]
    panel = read_panel(values, channels=["MAP"], units={"MAP": "mmHg"})
    examples = forecast_examples(
        panel, ahead=1, over=29, borders=BORDERS, labels=CLASSES, stride=40, min_history=120, max_history=120
    )
    monkeypatch.setattr(runner, "_half_hours", lambda ahead: (examples, examples.groups >= 25))
    given = {"generations": 3, "population_size": 50}
    found = runner.run("next", ["evoter", "evoter-paper", "tree"], 0, parameters=given, paper_parameters=given)
    for outcome in found.values():
        measures = outcome.measures
        assert measures["risk_weighted_accuracy"] == pytest.approx(1 - measures["risk_weighted_error"])
        assert measures["risk_weighted_accuracy"] > 0.6


@pytest.mark.skipif("EVOTER_DATA" not in os.environ, reason="reads published data: set EVOTER_DATA to where they are")
def test_no_patient_is_on_both_sides() -> None:
    examples, is_test = half_hours.load(30)
    assert set(examples.classes) == set(CLASSES)
    assert not set(examples.groups[is_test]) & set(examples.groups[~is_test])
    assert len(set(examples.groups[is_test])) == 50
