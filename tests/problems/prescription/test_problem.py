"""Scores of prescriptions are means of the outcomes that the guarded rule sets' own decisions bring about."""

import numpy as np
import pytest

from evoter.evolution.engine import Evolution, Result
from evoter.evolution.fronts.front import Front
from evoter.evolution.problem import Objective
from evoter.evolution.stopping import Generations
from evoter.genome.codec import encode
from evoter.kernels.layout import Floats
from evoter.kernels.threads import Threads
from evoter.problems.guarding import broken_rows
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.problems.secondary import COMPLEXITY
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Feature, Schema
from prescribing import GOALS, prescription
from tasks import MIXED, SMALL, decoded

MODES = [Mode.FIRST, Mode.HARDMAX]


def mean_outcomes(problem: PrescriptionProblem, ruleset: RuleSet) -> Floats:
    """What a rule set brings about, decision by decision."""
    decisions = problem.decide(problem.guardrails.guard(ruleset))
    means: Floats = problem.chosen_outcomes(decisions.actions).mean(axis=0)
    return means


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("budget", [0, 3_000, 2**20])
@pytest.mark.parametrize("mode", MODES)
def test_scores_are_means_of_what_the_guarded_rule_sets_bring_about(mode: Mode, budget: int, n_threads: int) -> None:
    problem = prescription(5, mode=mode, n_goals=2, budget=budget)
    evolution = Evolution(problem, SMALL, seed=1)
    evolution.step()
    evolution.step()
    evaluation = problem.evaluate(evolution.population, Threads(n_threads))
    for i, ruleset in enumerate(decoded(evolution, evolution.population)):
        assert evaluation.scores[i] == pytest.approx(mean_outcomes(problem, ruleset), abs=1e-6)
        free = ~problem.decide(problem.guardrails.guard(RuleSet((), "no", MIXED, mode=mode))).active.any(axis=1)
        n = len(ruleset.rules)
        decided = evaluation.times_decided[i, :n].sum() + evaluation.default_applied[i]
        assert decided == free.sum(), "each row that no pinned rule decides is decided once"
        applied = problem.decide(ruleset).active[free].sum(axis=0)
        assert evaluation.times_applied[i, :n].tolist() == applied.tolist()


def test_guarded_rule_sets_have_the_scores_of_the_unguarded_ones() -> None:
    problem = prescription(3, n_goals=2)
    evolution = Evolution(problem, SMALL, seed=1)
    evolution.step()
    rulesets = decoded(evolution, evolution.population)
    guarded = [problem.guardrails.guard(ruleset) for ruleset in rulesets]
    scores = problem.evaluate(encode(guarded, MIXED), Threads(1)).scores
    assert np.array_equal(scores, evolution.evaluation.scores), "exact sums do not depend on the order of rules"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n_goals", [1, 2])
def test_no_evolved_policy_breaks_a_guardrail_and_its_score_is_true(mode: Mode, n_goals: int) -> None:
    for seed in range(8):
        problem = prescription(seed, mode=mode, n_goals=n_goals)
        result = Evolution(problem, SMALL, seed=seed).run(Generations(6))
        candidates = [(problem.final_form(result.best, result.times_decided), [result.score])]
        if n_goals > 1:
            assert result.front is not None
            candidates = [(each.ruleset, list(each.scores.values())) for each in result.front]
        for ruleset, scores in candidates:
            actions = problem.decide(ruleset).actions
            assert not broken_rows(problem.guardrails, problem.decide, np.eye(3, dtype=bool)[actions]).any()
            assert not problem.guardrails.violations(ruleset)
            assert problem.chosen_outcomes(actions).mean(axis=0) == pytest.approx(scores, abs=1e-6)


def stepwise(n_rows: int = 400) -> PrescriptionProblem:
    """The best treatment depends on two thresholds; the second goal wants the opposite of the first."""
    rng = np.random.default_rng(0)
    columns = rng.random((3, n_rows))
    better = (columns[0] > 0.6) | (columns[1] > 0.8)
    outcomes = np.zeros((n_rows, 2, 2))
    outcomes[:, 1, 0], outcomes[:, 0, 0] = better, ~better
    outcomes[:, :, 1] = outcomes[:, ::-1, 0] * rng.random((n_rows, 1))
    schema = Schema([Feature(name, low=0, high=1) for name in "xyz"], ["wait", "treat"])
    return PrescriptionProblem(schema, columns, outcomes[:, :, :1], GOALS[:1])


def test_evolution_finds_the_best_policy() -> None:
    result = Evolution(stepwise(), SMALL, seed=0).run(Generations(12))
    assert result.score > 0.99
    assert result.front is None


def test_refined_children_of_several_goals_widen_the_front() -> None:
    def front(n_refined: int) -> Front:
        settings = SMALL.replace(n_refined=n_refined, refinement_moves=100)
        found = Evolution(prescription(1, n_goals=2, guarded=False), settings, seed=2).run(Generations(6)).front
        assert found is not None
        return found

    corner = {"health": 0.0, "price": 1.0}
    assert front(8).hypervolume(corner) > front(0).hypervolume(corner)


def test_weights_of_goals_change_with_the_generation_and_not_otherwise() -> None:
    problem = prescription(1, n_goals=2)
    refinement = problem.refinement(problem.grammar(SMALL), SMALL)
    assert refinement is not None
    first, again = problem.reweighted(refinement, 1, 3), problem.reweighted(refinement, 1, 3)
    assert np.array_equal(first.rewards, again.rewards)
    assert not np.array_equal(first.rewards, problem.reweighted(refinement, 1, 4).rewards)
    assert np.array_equal(first.rewards, np.rint(first.rewards)), "whole numbers add up exactly"


def test_the_same_seed_gives_the_same_result_on_any_number_of_threads() -> None:
    def run(n_threads: int) -> Result:
        threads = Threads(n_threads)
        result = Evolution(prescription(4, n_goals=2), SMALL, seed=3, threads=threads).run(Generations(5))
        threads.close()
        return result

    assert run(1).front == run(4).front


def test_secondary_objectives_and_limits_stand_behind_the_goals() -> None:
    rng = np.random.default_rng(0)
    problem = PrescriptionProblem(
        MIXED,
        prescription(0).columns,
        rng.random((150, 3, 1)),
        GOALS[:1],
        secondary=[COMPLEXITY],
        limits=[(COMPLEXITY, 3.0)],
    )
    assert [each.name for each in problem.objectives] == ["health", "complexity"]
    front = Evolution(problem, SMALL, seed=0).run(Generations(4)).front
    assert front is not None
    assert all(candidate.n_conditions <= 3 for candidate in front)


def test_every_part_of_the_task_is_in_the_fingerprint() -> None:
    plain = prescription(0, guarded=False)
    others = [
        prescription(1, guarded=False),
        prescription(0),
        prescription(0, mode=Mode.HARDMAX, guarded=False),
        PrescriptionProblem(MIXED, plain.columns, plain.outcomes + 1.0, GOALS[:1]),
        PrescriptionProblem(MIXED, plain.columns, plain.outcomes, [Objective("health", maximise=False)]),
        PrescriptionProblem(MIXED, plain.columns, plain.outcomes, GOALS[:1], secondary=[COMPLEXITY]),
        PrescriptionProblem(MIXED, plain.columns, plain.outcomes, GOALS[:1], limits=[(COMPLEXITY, 3.0)]),
    ]
    assert len({plain.fingerprint(), *(each.fingerprint() for each in others)}) == 1 + len(others)
    assert plain.fingerprint() == prescription(0, guarded=False).fingerprint()


def test_what_makes_no_sense_is_refused() -> None:
    columns = prescription(0).columns
    with pytest.raises(ValueError, match="prescription of one action supports the modes first and hardmax, not vote"):
        PrescriptionProblem(MIXED, columns, np.zeros((150, 3, 1)), GOALS[:1], mode=Mode.VOTE)
    for wrong in (np.zeros((150, 2, 1)), np.full((150, 3, 1), np.nan)):
        with pytest.raises(ValueError, match="finite numbers"):
            PrescriptionProblem(MIXED, columns, wrong, GOALS[:1])
    with pytest.raises(ValueError, match="different names"):
        PrescriptionProblem(MIXED, columns, np.zeros((150, 3, 2)), GOALS[:1] * 2)
