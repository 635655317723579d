"""Compiles kernels, or loads them from the cache on disk, before a run is timed."""

from collections.abc import Callable

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Objective
from evoter.evolution.settings import DEFAULT
from evoter.genome.codec import encode
from evoter.genome.deciding import row_decider
from evoter.kernels.compilation import compiled_before, compiling, is_loaded
from evoter.kernels.evaluation.behaviour import decide_planes, nearest_distances
from evoter.kernels.evaluation.policies import decide_each
from evoter.kernels.evaluation.prescribe import tally_outcomes
from evoter.kernels.fronts.hypervolume import hypervolume
from evoter.kernels.fronts.pareto import rank_fronts
from evoter.kernels.prices import price_features
from evoter.kernels.threads import Threads
from evoter.kernels.variation.breed import breed
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.control.rollout import roll_out
from evoter.problems.deciding import decide_columns
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.problems.secondary import COMPLEXITY, Secondary, novelty, number_of_features
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Feature, Schema

_SCHEMA = Schema([Feature("x", low=0, high=1), Feature("y", low=0, high=1)], ["a", "b"])
_COLUMNS = np.array([[0.0, 1.0], [1.0, 0.0]])


def kernels_are_cold() -> bool:
    """Tell whether the next fit will have to compile."""
    return not compiled_before(breed)


def warm_up(mode: Mode, *, several_objectives: bool = False) -> None:
    """Evolve a few tiny rule sets, so that later runs do not wait for the compiler."""
    needed: list[Callable[..., object]] = [breed, row_decider(mode).tally]
    if several_objectives:
        needed += [rank_fronts, hypervolume, price_features, decide_planes, nearest_distances]
    if all(is_loaded(entry) for entry in needed):
        return
    secondary: list[Secondary] = []
    if several_objectives:
        secondary = [COMPLEXITY, number_of_features(_SCHEMA), novelty(sample_behaviours(_SCHEMA, _COLUMNS, mode))]
    problem = ClassificationProblem(_SCHEMA, _COLUMNS, np.array([0, 1]), mode=mode, secondary=secondary)
    settings = DEFAULT.replace(population_size=4, n_elites=1)
    with compiling():
        evolution = Evolution(problem, settings)
        evolution.step()
        evolution.step()
        decide_columns(evolution.result().best, _COLUMNS)


def warm_up_prescriptions(mode: Mode) -> None:
    """Evaluate a tiny rule set on a tiny prescription problem."""
    if is_loaded(tally_outcomes):
        return
    goal = Objective("outcome")
    problem = PrescriptionProblem(_SCHEMA, _COLUMNS, np.eye(2)[:, :, None], [goal], mode=mode)
    with compiling():
        problem.evaluate(encode([RuleSet([], "a", _SCHEMA, mode=mode)], _SCHEMA), Threads(1))


def warm_up_policies() -> None:
    """Play one step of cart-pole, which compiles the kernel that all policies use."""
    if is_loaded(decide_each):
        return
    schema = Schema([Feature(name) for name in "abcd"], ["left", "right"])
    with compiling():
        roll_out(encode([RuleSet([], "left", schema)], schema), schema, BatchCartPole(1), np.zeros(1, int), Threads(1))
