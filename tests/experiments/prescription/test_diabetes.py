"""Fronts of rules and of networks are compared, and a policy is valued on other patients."""

import numpy as np

from evoter.experiments.prescription.data import Stays
from evoter.experiments.prescription.diabetes import compare, patients_apart


def test_fronts_are_compared(stays: Stays) -> None:
    found = compare(0, rows=100, generations=2, population_size=20)
    rules = found.outcomes["rules"].measures
    assert {"readmission", "discharge", "no_readmission", "home", "hypervolume", "overlap"} <= set(rules)
    assert all(0 <= rules[name] <= 1 for name in ("no_readmission", "home", "overlap"))
    assert rules["readmission"] <= found.outcomes["possible"].measures["readmission"] + 1e-9
    assert 0 <= rules["first_no_readmission"] <= 1
    assert {"last_no_readmission", "rules"} <= set(found.outcomes["rules-paper"].measures)
    predictor = found.outcomes["predictor"].measures
    assert predictor["discharge_majority"] <= 1
    assert predictor["readmission_boosting"] > 0
    history = found.outcomes["history"].measures
    assert history["home"] == np.mean(stays.outcomes["discharge"] == "home")
    assert len(found.outcomes["rules"].curves["discharge"]) == 3
    assert found.report.n_rows > 100


def test_rules_alone(stays: Stays) -> None:
    found = compare(0, generations=1, population_size=20, networks=False, with_paper=False)
    assert "rules-paper" not in found.outcomes
    assert "network" not in found.outcomes
    assert "hypervolume" not in found.outcomes["rules"].measures


def test_no_patient_is_in_both(stays: Stays) -> None:
    train, test = patients_apart(stays, 0)
    assert not set(train.patients) & set(test.patients)
    assert len(train.context) + len(test.context) == len(stays.context)
