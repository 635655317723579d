"""Random guardrails, and tasks of prescription on random tables."""

from random import Random

import numpy as np

from domains import random_condition
from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats, Ints
from evoter.problems.prescription.on_demand import OnDemandPrescription
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.rules.errors import RuleError
from evoter.rules.guardrails.forbidden import Forbidden
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Mode, Rule
from tasks import MIXED, mixed_columns

GOALS = (Objective("health"), Objective("price", maximise=False))


def random_guardrails(rng: Random, mode: Mode) -> Guardrails:
    """Pinned rules and forbidden actions that do not contradict each other; the last action is always allowed."""
    while True:
        pinned = [
            Rule([random_condition(rng, MIXED) for _ in range(rng.randint(1, 2))], rng.choice(MIXED.actions))
            for _ in range(rng.randint(0, 2))
        ]
        forbidden = [
            Forbidden([random_condition(rng, MIXED) for _ in range(rng.randint(1, 2))], rng.choice(MIXED.actions[:-1]))
            for _ in range(rng.randint(1, 3))
        ]
        try:
            return Guardrails(MIXED, mode, tuple(pinned), tuple(forbidden))
        except RuleError:
            continue


def random_outcomes(rng: np.random.Generator, n_rows: int, n_goals: int) -> Floats:
    """Scores of every action on every row."""
    return rng.random((n_rows, len(MIXED.actions), n_goals))


def prescription(
    seed: int,
    *,
    mode: Mode = Mode.FIRST,
    n_goals: int = 1,
    guarded: bool = True,
    n_rows: int = 150,
    budget: int = 2**20,
) -> PrescriptionProblem:
    """One of three actions for each row."""
    rng = np.random.default_rng(seed)
    columns = mixed_columns(rng, n_rows)
    outcomes = random_outcomes(rng, n_rows, n_goals)
    rails = random_guardrails(Random(seed), mode) if guarded else None
    return PrescriptionProblem(
        MIXED, columns, outcomes, GOALS[:n_goals], mode=mode, guardrails=rails, mask_budget=budget
    )


def on_demand(
    seed: int, *, mode: Mode, guarded: bool = True, n_rows: int = 150, budget: int = 2**20
) -> OnDemandPrescription:
    """Amounts of three actions, or in mode all combinations of two of them, with two goals."""
    rng = np.random.default_rng(seed)
    columns = mixed_columns(rng, n_rows)
    effects = rng.normal(size=(n_rows, len(MIXED.actions), 2))

    def ask(rows: Ints, levels: Floats) -> Floats:
        scores: Floats = (levels[:, :, None] * effects[rows]).sum(axis=1) - levels.sum(axis=1, keepdims=True) ** 2
        return scores

    rails = random_guardrails(Random(seed), mode) if guarded else None
    return OnDemandPrescription(MIXED, columns, ask, GOALS, mode=mode, guardrails=rails, mask_budget=budget)
