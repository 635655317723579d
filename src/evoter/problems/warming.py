"""Kernels compiled, or loaded from the cache on disk, before any clock runs."""

from collections.abc import Callable

import numpy as np

from evoter.evolution.engine import Evolution
from evoter.evolution.settings import DEFAULT
from evoter.kernels.behaviour import decide_planes, nearest_distances
from evoter.kernels.breed import breed
from evoter.kernels.compilation import compiled_before, compiling, is_loaded
from evoter.kernels.decide import tally_first, tally_vote
from evoter.kernels.hypervolume import hypervolume
from evoter.kernels.pareto import rank_fronts
from evoter.kernels.prices import price_features
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification import ClassificationProblem
from evoter.problems.deciding import decide_columns
from evoter.problems.secondary import COMPLEXITY, Secondary, novelty, number_of_features
from evoter.rules.model import Mode
from evoter.rules.schema import Feature, Schema


def kernels_are_cold() -> bool:
    """Tell whether the next fit will have to compile."""
    return not compiled_before(breed)


def warm_up(mode: Mode, *, several_objectives: bool = False) -> None:
    """Evolve a few tiny rule sets, so that no later run has to wait for the compiler."""
    needed: list[Callable[..., object]] = [breed, tally_vote if mode is Mode.VOTE else tally_first]
    if several_objectives:
        needed += [rank_fronts, hypervolume, price_features, decide_planes, nearest_distances]
    if all(is_loaded(entry) for entry in needed):
        return
    schema = Schema([Feature("x", low=0, high=1), Feature("y", low=0, high=1)], ["a", "b"])
    columns = np.array([[0.0, 1.0], [1.0, 0.0]])
    secondary: list[Secondary] = []
    if several_objectives:
        secondary = [COMPLEXITY, number_of_features(schema), novelty(sample_behaviours(schema, columns, mode))]
    problem = ClassificationProblem(schema, columns, np.array([0, 1]), mode=mode, secondary=secondary)
    settings = DEFAULT.replace(population_size=4, n_elites=1)
    with compiling():
        evolution = Evolution(problem, settings)
        evolution.step()
        evolution.step()
        decide_columns(evolution.result().best, columns)
