"""Rules and networks are compared against the same forest."""

from typing import Any

import pytest

from evoter.experiments.prescription.heart_failure import PRESETS, compare


def test_everybody_is_measured_by_the_same_predictor(patients: Any) -> None:
    found = compare(0, generations=2, population_size=20)
    assert set(found) == {*PRESETS, "printed", "network", "one", "possible", "history", "predictor"}
    possible = found["possible"].measures["training"]
    for name in (*PRESETS, "network", "one"):
        assert found[name].measures["training"] >= possible - 1e-9
    gap = found["rules"].measures["training"] - found["network"].measures["training"]
    assert found["rules"].measures["gap"] == pytest.approx(gap)
    assert len(found["rules"].curves["death"]) == len(found["network"].curves["death"]) == 3
    assert found["rules"].rules.endswith(("ejection fraction", "serum creatinine"))
    assert -1 <= found["predictor"].measures["matthews"] <= 1
