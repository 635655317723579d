"""The black box that rules are set beside: networks of 16 hidden units whose weights evolve."""

import time
from typing import Any, NamedTuple

import numpy as np

from evoter import EvoterPrescriptor
from evoter.evolution.vectors import VectorEvolution, VectorResult
from evoter.experiments.prescription.network_policy import NetworkInputs, NetworkPrescription
from evoter.kernels.layout import Floats
from evoter.tables import encode


class EvolvedNetwork(NamedTuple):
    """An evolved network, the best score of every generation in each objective, the hypervolumes, and the seconds."""

    problem: NetworkPrescription
    inputs: NetworkInputs
    result: VectorResult
    best: Floats
    volumes: Floats
    seconds: float

    def decide(self, model: EvoterPrescriptor, table: Any) -> Any:
        """Return the number of the action for each row of a table."""
        return self.problem.decide(self.result.best, self.inputs.read(encode(table, model.schema_)))


def best_scores(scores: Floats, model: EvoterPrescriptor) -> list[float]:
    """Return the best score of some candidates in each of a prescriptor's objectives."""
    return [
        float(scores[:, place].max() if goal.maximise else scores[:, place].min())
        for place, goal in enumerate(model.goals_)
    ]


def evolve_network(
    model: EvoterPrescriptor, table: Any, outcomes: Floats, seed: int, n_generations: int, corner: Floats
) -> EvolvedNetwork:
    """Evolve networks on the contexts and outcomes of a prescriptor; hypervolumes count from the corner, if any."""
    begin = time.perf_counter()
    columns = encode(table, model.schema_)
    inputs = NetworkInputs.of(model.schema_, columns)
    task = NetworkPrescription(inputs.read(columns), outcomes, model.goals_)
    best: list[list[float]] = []
    volumes: list[float] = []

    def watch(evolution: VectorEvolution) -> None:
        best.append(best_scores(evolution.scores, model))
        volumes.append(evolution.hypervolume(corner) if len(corner) else np.nan)

    result = VectorEvolution(task, seed=seed).run(n_generations, [watch])
    return EvolvedNetwork(task, inputs, result, np.array(best), np.array(volumes), time.perf_counter() - begin)
