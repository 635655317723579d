"""Networks choose the action of their largest output, and evolve on what a prescriptor saw."""

from typing import Any

import numpy as np

from evoter import EvoterPrescriptor
from evoter.evolution.problem import Objective
from evoter.experiments.prescription.data import INTERVENTIONS, forest
from evoter.experiments.prescription.networks import NetworkInputs, NetworkPrescription, best_scores, evolve_network
from evoter.experiments.prescription.vector_evolution import VectorEvolution
from evoter.rules.schema import Feature, Kind, Schema

SCHEMA = Schema(
    [Feature("x"), Feature("colour", Kind.CATEGORICAL, categories=("red", "blue")), Feature("on", Kind.BOOLEAN)],
    ["go", "stay", "wait"],
)
COLUMNS = np.array([[1.0, 3.0, np.nan], [0.0, 1.0, np.nan], [0.0, 1.0, 1.0]])


def test_inputs_are_standardised_numbers_and_a_column_per_category() -> None:
    inputs = NetworkInputs.of(SCHEMA, COLUMNS).read(COLUMNS)
    assert inputs.round(3).tolist() == [
        [1.0, -1.0, 1.0, 0.0, -1.414],
        [1.0, 1.0, 0.0, 1.0, 0.707],
        [1.0, 0.0, 0.0, 0.0, 0.707],
    ]


def test_scores_are_means_of_what_the_largest_output_brings() -> None:
    rng = np.random.default_rng(0)
    inputs, outcomes = rng.normal(size=(5_000, 4)), rng.random((5_000, 3, 2))
    problem = NetworkPrescription(inputs, outcomes, [Objective("a"), Objective("b")], n_hidden=5)
    assert problem.n_numbers == 4 * 5 + 6 * 3
    vectors = rng.normal(size=(3, problem.n_numbers))
    scores = problem.score(vectors)
    for vector, score in zip(vectors, scores, strict=True):
        hidden = np.tanh(inputs @ vector[:20].reshape(4, 5) / 2.0)
        outputs = np.column_stack([np.ones(5_000), hidden]) @ vector[20:].reshape(6, 3)
        chosen = problem.decide(vector, inputs)
        assert (chosen == outputs.argmax(axis=1)).mean() > 0.999, "but for rounding"
        assert np.allclose(score, outcomes[np.arange(5_000), chosen].mean(axis=0))


def test_a_network_learns_what_to_do() -> None:
    rng = np.random.default_rng(0)
    inputs = np.column_stack([np.ones(300), rng.normal(size=(300, 2))])
    good = (inputs[:, 1] > 0.3).astype(int)
    outcomes = np.eye(2)[good][:, :, None]
    problem = NetworkPrescription(inputs, outcomes, [Objective("a")])
    assert VectorEvolution(problem, seed=0).run(20).scores[0] > 0.95


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
