"""After warming up, a run finds every kernel compiled."""

from typing import Any

import numpy as np
import pytest

from evoter.environments.cart_pole import BatchCartPole, advance
from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Objective
from evoter.evolution.stopping import Generations
from evoter.genome.codec import encode
from evoter.kernels.compilation import is_loaded
from evoter.kernels.evaluation.behaviour import decide_planes, nearest_distances
from evoter.kernels.evaluation.decide import decide_rows, tally_in_order, tally_rows
from evoter.kernels.evaluation.policies import decide_each
from evoter.kernels.evaluation.prescribe import tally_outcomes
from evoter.kernels.evaluation.sharing import combine, fill_conditions, find_conditions
from evoter.kernels.fronts.hypervolume import hypervolume
from evoter.kernels.fronts.pareto import crowding_distances, rank_fronts, survival_order
from evoter.kernels.pool import claim_mask_rows, resolve
from evoter.kernels.prices import price_features
from evoter.kernels.refinement.refine import refine
from evoter.kernels.threads import Threads
from evoter.kernels.variation.breed import breed
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.control.problem import ControlProblem
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.problems.secondary import COMPLEXITY, novelty, number_of_features
from evoter.problems.warming import kernels_are_cold, warm_up, warm_up_moves, warm_up_policies, warm_up_prescriptions
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Feature, Schema
from tasks import SMALL, mixed_problem


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.HARDMAX, Mode.VOTE])
def test_a_run_after_warming_up_compiles_nothing(mode: Mode) -> None:
    warm_up(mode)
    assert not kernels_are_cold()
    entries: list[Any] = [
        breed,
        decide_rows,
        tally_rows if mode is Mode.VOTE else tally_in_order,
        find_conditions,
        fill_conditions,
        combine,
        claim_mask_rows,
        resolve,
    ]
    assert all(is_loaded(entry) for entry in entries)
    before = [len(entry.signatures) for entry in entries]
    Evolution(mixed_problem(1, mode=mode), SMALL).run(Generations(3))
    assert [len(entry.signatures) for entry in entries] == before


def test_moves_without_sums_load_the_kernel_of_all_moves() -> None:
    warm_up_moves()
    kernel: Any = refine
    before = len(kernel.signatures)
    assert before > 0
    Evolution(mixed_problem(1), SMALL.replace(n_refined=2, refinement_moves=5, sum_rate=0.5)).run(Generations(2))
    assert len(kernel.signatures) == before


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.VOTE])
def test_a_run_with_several_objectives_compiles_nothing_either(mode: Mode) -> None:
    warm_up(mode, several_objectives=True)
    entries: list[Any] = [
        rank_fronts,
        crowding_distances,
        survival_order,
        hypervolume,
        price_features,
        decide_planes,
        nearest_distances,
    ]
    assert all(is_loaded(entry) for entry in entries)
    before = [len(entry.signatures) for entry in entries]
    plain = mixed_problem(1, mode=mode)
    behaviours = sample_behaviours(plain.schema, plain.columns, mode)
    secondary = [COMPLEXITY, number_of_features(plain.schema), novelty(behaviours)]
    problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, mode=mode, secondary=secondary)
    Evolution(problem, SMALL).run(Generations(3))
    assert [len(entry.signatures) for entry in entries] == before


def test_policies_and_prescriptions_are_warmed_up_too() -> None:
    warm_up_policies()
    warm_up_prescriptions(Mode.FIRST)
    entries: list[Any] = [decide_each, advance, tally_outcomes]
    assert all(is_loaded(entry) for entry in entries)
    before = [len(entry.signatures) for entry in entries]
    schema = Schema([Feature(name) for name in "abcd"], ["left", "right"])
    ControlProblem(schema, BatchCartPole(9), np.zeros((2, 4))).try_out([RuleSet([], "left", schema)], np.arange(3))
    outcomes = np.random.default_rng(0).random((5, 2, 3))
    goals = [Objective(name) for name in "abc"]
    problem = PrescriptionProblem(schema, np.zeros((4, 5)), outcomes, goals)
    problem.evaluate(encode([RuleSet([], "left", schema)], schema), Threads(1))
    assert [len(entry.signatures) for entry in entries] == before
