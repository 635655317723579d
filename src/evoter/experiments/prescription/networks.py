"""Networks as policies: the black box that rule sets are compared with, whose weights evolve."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter import EvoterPrescriptor
from evoter.evolution.problem import Objective
from evoter.experiments.prescription.vector_evolution import VectorEvolution, VectorResult
from evoter.kernels.layout import Floats, Ints
from evoter.rules.schema import Kind, Schema
from evoter.tables import encode

N_HIDDEN: Final = 16

_BLOCK: Final = 4_096
"""Number of rows that all networks decide on at a time."""


@dataclass(frozen=True)
class NetworkInputs:
    """Turns contexts into inputs of networks: standardised numbers, and a 0 or 1 for each category."""

    schema: Schema
    means: Floats
    deviations: Floats

    @staticmethod
    def of(schema: Schema, columns: Floats) -> "NetworkInputs":
        """Compute the means and standard deviations of the features of a table [feature, row]."""
        known = ~np.isnan(columns)
        counts = np.maximum(known.sum(axis=1), 1)
        means = np.where(known, columns, 0.0).sum(axis=1) / counts
        squares = np.where(known, columns - means[:, None], 0.0) ** 2
        deviations = np.sqrt(squares.sum(axis=1) / counts)
        return NetworkInputs(schema, means, np.where(deviations > 0.0, deviations, 1.0))

    def read(self, columns: Floats) -> Floats:
        """Return the inputs [row, input], the first of which is 1 for the bias; missing values are 0."""
        parts = [np.ones(columns.shape[1])]
        for index, feature in enumerate(self.schema.features):
            column = columns[index]
            if feature.kind is Kind.CATEGORICAL:
                parts += [(column == code).astype(np.float64) for code in range(len(feature.categories))]
            else:
                parts.append(np.nan_to_num((column - self.means[index]) / self.deviations[index]))
        return np.column_stack(parts)


class NetworkPrescription:
    """The problem of choosing one of several actions for each row, namely the one with the largest output of a network.

    `outcomes[row, action, goal]` are the scores of every action, as for `PrescriptionProblem`. A vector holds the
    weights from the inputs to `n_hidden` units with tanh, and from these and a bias to the actions.
    """

    def __init__(
        self, inputs: Floats, outcomes: Floats, objectives: Sequence[Objective], *, n_hidden: int = N_HIDDEN
    ) -> None:
        self._inputs = inputs.astype(np.float32)
        self._outcomes = outcomes
        self.objectives = tuple(objectives)
        self._n_hidden = n_hidden
        self._n_inputs, self._n_actions = int(inputs.shape[1]), int(outcomes.shape[1])

    @property
    def n_numbers(self) -> int:
        """The number of weights."""
        return self._n_inputs * self._n_hidden + (self._n_hidden + 1) * self._n_actions

    def score(self, vectors: Floats) -> Floats:
        """Return the mean outcomes [network, goal] of the actions that networks choose."""
        n_rows = len(self._inputs)
        totals = np.zeros((len(vectors), self._outcomes.shape[2]))
        for start in range(0, n_rows, _BLOCK):
            rows = slice(start, start + _BLOCK)
            chosen = self._decide(vectors, self._inputs[rows])
            outcomes = self._outcomes[rows]
            totals += outcomes[np.arange(len(outcomes)), chosen].sum(axis=1)
        return totals / n_rows

    def decide(self, vector: Floats, inputs: Floats) -> Ints:
        """Return the action that one network chooses on each row of inputs."""
        chosen: Ints = self._decide(vector[None], inputs.astype(np.float32))[0]
        return chosen

    def _decide(self, vectors: Floats, inputs: NDArray[np.float32]) -> Ints:
        n, n_hidden = len(vectors), self._n_hidden
        first, second = np.split(vectors.astype(np.float32), [inputs.shape[1] * n_hidden], axis=1)
        # All networks' hidden layers in one product; weights are scaled so that units start in their middle range.
        weights = first.reshape(n, inputs.shape[1], n_hidden) / np.float32(np.sqrt(inputs.shape[1]))
        hidden = np.tanh(inputs @ weights.transpose(1, 0, 2).reshape(inputs.shape[1], -1))
        layers = hidden.reshape(len(inputs), n, n_hidden).transpose(1, 0, 2)
        outputs = second.reshape(n, n_hidden + 1, self._n_actions)
        scores = layers @ outputs[:, 1:] + outputs[:, :1]
        chosen: Ints = scores.argmax(axis=2)
        return chosen


class EvolvedNetwork(NamedTuple):
    """An evolved network, the best scores and the hypervolume of every generation, and the seconds taken."""

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
        float(scores[:, index].max() if goal.maximise else scores[:, index].min())
        for index, goal in enumerate(model.goals_)
    ]


def evolve_network(
    model: EvoterPrescriptor, table: Any, outcomes: Floats, seed: int, n_generations: int, corner: Floats
) -> EvolvedNetwork:
    """Evolve networks on the contexts and outcomes of a prescriptor; hypervolumes are relative to `corner`, if any."""
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
