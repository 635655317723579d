"""The runner of prescription returns the models that it is asked for."""

from evoter.experiments.prescription.data import Stays
from evoter.experiments.prescription.runner import run

SHORT = {"generations": 1, "population_size": 20, "networks": False}


def test_models_are_those_of_the_comparison(stays: Stays) -> None:
    found = run("all", ["rules", "predictor"], 0, data="diabetes", parameters=SHORT)
    assert list(found) == ["rules", "predictor"]
    assert found["predictor"].measures["readmission_accuracy"] > 0.4
