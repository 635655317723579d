"""Amounts and combinations are scored as the model says, which is asked once about each decision on a row."""

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.stopping import Generations
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.threads import Threads
from evoter.problems.guarding import broken_rows
from evoter.problems.prescription import on_demand as module
from evoter.problems.prescription.on_demand import Answers, OnDemandPrescription
from evoter.rules.interpreter import decide
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Feature, Schema
from prescribing import GOALS, on_demand
from tasks import MIXED, SMALL, as_rows, decoded

MODES = [Mode.FIRST, Mode.HARDMAX, Mode.ALL]


def levels_by_interpreter(ruleset: RuleSet, columns: Floats) -> Floats:
    """How much of each action is prescribed on each row, by the reference."""
    levels = np.zeros((columns.shape[1], 3))
    for level, row in zip(levels, as_rows(columns, MIXED), strict=True):
        decision = decide(ruleset, row)
        for action in decision.actions:
            level[MIXED.actions.index(action)] = 1.0 if ruleset.mode is Mode.ALL else decision.certainty
    if ruleset.mode is Mode.ALL:
        levels[:, -1] = 0.0  # the last action is doing nothing
    return levels


@pytest.mark.parametrize("budget", [0, 2**20])
@pytest.mark.parametrize("mode", MODES)
def test_scores_are_those_of_the_guarded_rule_sets_by_the_reference(mode: Mode, budget: int) -> None:
    problem = on_demand(5, mode=mode, budget=budget)
    evolution = Evolution(problem, SMALL.replace(population_size=20), seed=1)
    evolution.step()
    evolution.step()
    evaluation = problem.evaluate(evolution.population, Threads(2))
    for i, ruleset in enumerate(decoded(evolution, evolution.population)):
        guarded = problem.guardrails.guard(ruleset)
        levels = levels_by_interpreter(guarded, problem.columns)
        assert np.array_equal(problem.prescribed(guarded, problem.columns), levels)
        assert evaluation.scores[i] == pytest.approx(problem.chosen_outcomes(levels).mean(axis=0), abs=1e-9)


@pytest.mark.parametrize("mode", MODES)
def test_no_evolved_policy_breaks_a_guardrail(mode: Mode) -> None:
    for seed in range(5):
        problem = on_demand(seed, mode=mode)
        front = Evolution(problem, SMALL, seed=seed).run(Generations(4)).front
        assert front is not None
        for candidate in front:
            levels = problem.prescribed(candidate.ruleset, problem.columns)
            assert not broken_rows(problem.guardrails, problem.decide, levels > 0.0).any()
            assert not problem.guardrails.violations(candidate.ruleset)
            assert problem.chosen_outcomes(levels).mean(axis=0) == pytest.approx([*candidate.scores.values()])


def test_evolution_finds_amounts() -> None:
    """The best dose is 0.3 below the threshold and 0.9 above it."""
    rng = np.random.default_rng(0)
    columns = rng.random((2, 200))
    wanted = np.where(columns[0] > 0.5, 0.9, 0.3)
    schema = Schema([Feature("x", low=0, high=1), Feature("y", low=0, high=1)], ["drug", "placebo"])

    def ask(rows: Ints, levels: Floats) -> Floats:
        return -((levels[:, 0] - wanted[rows]) ** 2)[:, None]

    for mode in (Mode.FIRST, Mode.HARDMAX):
        problem = OnDemandPrescription(schema, columns, ask, GOALS[:1], mode=mode)
        settings = SMALL.replace(population_size=100, parsimony=0.0)
        assert Evolution(problem, settings, seed=0).run(Generations(25)).score > -0.01


def test_the_model_is_asked_once_about_each_pair_and_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BATCH", 10)
    asked: list[tuple[int, float]] = []
    sizes: list[int] = []

    def ask(rows: Ints, levels: Floats) -> Floats:
        asked.extend(zip(rows.tolist(), levels[:, 0].tolist(), strict=True))
        sizes.append(len(rows))
        return levels + rows[:, None]

    answers = Answers(ask, lambda codes: codes[:, None] / 10.0, 50, 1)
    rng = np.random.default_rng(0)
    for _ in range(5):
        rows, codes = rng.integers(0, 50, (2, 4, 25))
        assert answers.look_up(rows, codes)[..., 0] == pytest.approx(codes / 10.0 + rows)
    assert len(set(asked)) == len(asked) == answers.n_asked
    assert max(sizes) == 10
    monkeypatch.setattr(module, "MOST_ANSWERS", 0)
    assert answers.look_up(np.array([1]), np.array([49]))[0, 0] == pytest.approx(5.9)
    assert answers.look_up(np.array([1, 2]), np.array([49, 49]))[1, 0] == pytest.approx(6.9)


def test_fingerprints_tell_models_apart() -> None:
    assert on_demand(1, mode=Mode.ALL).fingerprint() == on_demand(1, mode=Mode.ALL).fingerprint()
    prints = {on_demand(seed, mode=mode, guarded=False).fingerprint() for seed in (1, 2) for mode in MODES}
    assert len(prints) == 6


def test_what_cannot_be_prescribed_is_refused() -> None:
    schema = Schema(MIXED.features, [f"drug {n}" for n in range(41)])
    columns = on_demand(0, mode=Mode.ALL).columns
    with pytest.raises(ValueError, match="support the modes first, hardmax and all, not vote"):
        OnDemandPrescription(MIXED, columns, lambda rows, levels: levels, GOALS, mode=Mode.VOTE)
    with pytest.raises(ValueError, match="at most 39 actions"):
        OnDemandPrescription(schema, columns, lambda rows, levels: levels, GOALS, mode=Mode.ALL)
