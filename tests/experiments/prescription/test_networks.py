"""Networks evolve on what a prescriptor saw."""

from typing import Any

import numpy as np

from evoter import EvoterPrescriptor
from evoter.experiments.prescription.data import INTERVENTIONS, forest
from evoter.experiments.prescription.networks import best_scores, evolve_network


def test_the_best_of_each_generation_is_kept(patients: Any) -> None:
    died = (patients["ejection_fraction"] < 40).astype(int)
    model = EvoterPrescriptor(
        forest(0).fit(patients, died),
        objectives={"death": "minimise"},
        actions=INTERVENTIONS,
        generations=1,
        population_size=20,
        random_state=0,
    ).fit(patients, outcomes={"death": died})
    outcomes = model.predicted_outcomes(patients)
    made = evolve_network(model, patients, outcomes, 0, 3, np.empty(0))
    assert made.best.shape == (4, 1)
    assert (np.diff(made.best[:, 0]) <= 1e-12).all(), "deaths are minimised, and the best are kept"
    assert set(np.unique(made.decide(model, patients))) <= {0, 1}
    assert best_scores(np.array([[3.0], [1.0]]), model) == [1.0]
