"""Survival and ranks: an elite with one objective; with several what NSGA-II says, in a run, by pymoo's own ranks."""

from itertools import pairwise

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.mechanisms.constraints import violations
from evoter.evolution.mechanisms.nsga2 import as_costs, stand
from evoter.evolution.mechanisms.replacement import DEAREST, Elitism, ParetoSurvival, RelaxedElitism, replacement_for
from evoter.evolution.problem import Evaluation, Objective
from evoter.genome.codec import encode
from evoter.kernels.layout import Floats
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification.group_counts import GroupMeasure
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY, RULES, novelty
from evoter.rules.model import Mode
from tasks import SMALL, decoded, mixed_problem

OBJECTIVES = (Objective("accuracy"), Objective("complexity", maximise=False))


def front_problem(n_objectives: int = 2) -> ClassificationProblem:
    plain = mixed_problem(1)
    secondary = (COMPLEXITY, RULES)[: n_objectives - 1]
    return ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=secondary)


def novel_problem() -> ClassificationProblem:
    plain = mixed_problem(1)
    behaviours = sample_behaviours(plain.schema, plain.columns, Mode.FIRST, n_rows=60)
    secondary = [novelty(behaviours, n_neighbours=3)]
    return ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=secondary)


def evaluation_of(scores: Floats) -> Evaluation:
    counts = np.zeros((len(scores), SMALL.max_rules), np.int64)
    return Evaluation(scores, counts, counts, counts[:, 0])


def test_the_number_of_objectives_decides() -> None:
    assert isinstance(replacement_for(mixed_problem(1), SMALL), Elitism)
    assert isinstance(replacement_for(front_problem(), SMALL), ParetoSurvival)
    assert replacement_for(mixed_problem(1), SMALL).n_children == SMALL.population_size - SMALL.n_elites
    assert replacement_for(front_problem(), SMALL).n_children == SMALL.population_size


@pytest.mark.parametrize("n_objectives", [2, 3])
def test_ranks_and_survivors_in_a_run_are_pymoos(n_objectives: int) -> None:
    """Among individuals with different scores; where pymoo would keep copies of the front, they stand last here."""
    sorting = pytest.importorskip("pymoo.util.nds.non_dominated_sorting", exc_type=ImportError).NonDominatedSorting()
    problem = front_problem(n_objectives)
    evolution = Evolution(problem, SMALL, seed=4)
    evolution.step()
    for _ in range(12):
        parents = as_costs(evolution.evaluation.scores, problem.objectives)
        children = evolution.ask()
        evaluation = problem.evaluate(children, evolution.threads, 0)
        evolution.tell(children, evaluation)
        merged = np.unique(np.concatenate([parents, as_costs(evaluation.scores, problem.objectives)]), axis=0)
        fronts = sorting.do(merged)
        ranks = {tuple(merged[i]): rank for rank, front in enumerate(fronts) for i in front}
        kept = as_costs(evolution.evaluation.scores, problem.objectives)
        standing = stand(kept, copies_last=True)
        firsts = standing.copies == 0
        assert standing.ranks[firsts].tolist() == [ranks[tuple(costs)] for costs in kept[firsts]]
        survivors = {tuple(costs) for costs in kept}
        size = 0
        for front in fronts:
            size += len(front)
            if size > SMALL.population_size:
                break
            assert survivors >= {tuple(merged[i]) for i in front}, "whole fronts survive as far as they fit"
        members = {tuple(merged[i]) for i in fronts[0]}
        assert evolution.history.last.front_size == len(members)


def test_a_tournament_prefers_the_better_front_and_then_the_less_crowded() -> None:
    evolution = Evolution(front_problem(), SMALL, seed=4)
    for _ in range(6):
        evolution.step()
    replacement = ParetoSurvival(front_problem(), SMALL)
    reference = evolution.state().reference
    ranking = replacement.rank(evolution.population, evolution.evaluation, reference)
    standing = stand(as_costs(evolution.evaluation.scores, OBJECTIVES), copies_last=True)
    order = np.argsort(ranking.ranks, kind="stable")
    for a, b in pairwise(order):
        mine, other = (standing.ranks[a], -standing.crowding[a]), (standing.ranks[b], -standing.crowding[b])
        assert mine <= other
        assert (mine == other) is bool(ranking.ranks[a] == ranking.ranks[b]), "equals have equal chances"


def test_the_best_is_the_best_in_the_first_objective() -> None:
    evolution = Evolution(front_problem(), SMALL, seed=4)
    evolution.step()
    scores = evolution.evaluation.scores
    best = scores[:, 0] == scores[:, 0].max()
    assert evolution.result().score == scores[:, 0].max()
    assert evolution.history.last.n_conditions >= scores[best, 1].min()


def test_the_reference_is_worse_than_the_first_generation() -> None:
    replacement = ParetoSurvival(front_problem(), SMALL)
    scores = np.array([[0.2, 3.0], [0.9, 5.0], [-np.inf, 4.0]])
    assert replacement.reference(evaluation_of(scores)) == pytest.approx([-0.2, 23.0])
    same = np.full((3, 2), 2.0)
    assert replacement.reference(evaluation_of(same)) == pytest.approx([-1.0, 3.0])
    nothing = np.array([[-np.inf, np.inf]])
    assert np.isfinite(replacement.reference(evaluation_of(nothing))).all()
    assert Elitism(mixed_problem(1), SMALL).reference(evaluation_of(scores[:, :1])).size == 0


def test_nan_is_the_worst_in_either_direction() -> None:
    replacement = ParetoSurvival(front_problem(), SMALL)
    assert replacement.clean(np.full((1, 2), np.nan)).tolist() == [[-np.inf, np.inf]]


def test_refined_children_of_a_front_have_prices_of_their_own() -> None:
    one, several = Elitism(mixed_problem(1), SMALL), ParetoSurvival(front_problem(), SMALL)
    assert one.prices(0.5, 3, 1, 2).tolist() == [0.5, 0.5, 0.5]
    prices = several.prices(0.5, 1_000, 1, 2)
    assert ((prices >= 0.0) & (prices < 0.5 * DEAREST)).all()
    assert np.quantile(prices, [0.25, 0.75]) == pytest.approx([0.125 * DEAREST, 0.375 * DEAREST], rel=0.15)
    assert several.prices(0.5, 1_000, 1, 2).tolist() == prices.tolist() != several.prices(0.5, 1_000, 1, 3).tolist()


def test_novelty_is_measured_among_parents_and_children() -> None:
    problem = novel_problem()
    evolution = Evolution(problem, SMALL, seed=4)
    evolution.step()
    children = evolution.ask()
    everybody = [*decoded(evolution, evolution.population), *decoded(evolution, children)]
    evaluation = problem.evaluate(children, evolution.threads, 0)
    evolution.tell(children, evaluation)
    survivors = decoded(evolution, evolution.population)
    behaviours = sample_behaviours(problem.schema, problem.columns, Mode.FIRST, n_rows=60)
    planes = behaviours.planes(encode(everybody, problem.schema), Threads(1))
    decisions = behaviours.decisions(planes)[:, :60]
    distances = (decisions[:, None] != decisions[None]).mean(axis=2)
    np.fill_diagonal(distances, np.inf)
    expected = np.sort(distances, axis=1)[:, :3].mean(axis=1)
    for ruleset, score in zip(survivors, evolution.evaluation.scores[:, 1], strict=True):
        same = [expected[i] for i, other in enumerate(everybody) if other == ruleset]
        assert any(score == pytest.approx(value) for value in same)


def test_constraints_in_the_way_are_traded_off_and_the_winner_keeps_them() -> None:
    """What violates constraints least is never lost, and among those what costs least."""
    plain = mixed_problem(1)
    recalls = [GroupMeasure(f"recall({code})", ("true_positive_rate",), code, "value") for code in (0, 1)]
    limits = [(each, 0.75) for each in recalls]
    problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, limits=limits)
    replacement = replacement_for(problem, SMALL)
    assert isinstance(replacement, RelaxedElitism)
    assert type(replacement_for(problem, SMALL.replace(sample_rounds=2))) is Elitism
    complexity = ClassificationProblem(plain.schema, plain.columns, plain.classes, limits=[(COMPLEXITY, 3)])
    assert type(replacement_for(complexity, SMALL)) is Elitism
    evolution = Evolution(problem, SMALL, seed=3)
    least = (np.inf, np.inf)
    for _ in range(12):
        children = evolution.ask()
        evaluation = problem.evaluate(children, evolution.threads, 0)
        excess = violations(evaluation.scores[:, 1:], problem.constraints)
        costs = SMALL.parsimony * children.complexity - evaluation.scores[:, 0]
        least = min([least, *zip(excess.tolist(), costs.tolist(), strict=True)])
        evolution.tell(children, evaluation)
        assert evolution.population.size == SMALL.population_size
        best = violations(evolution.evaluation.scores[:, 1:], problem.constraints)[evolution._ranking.best]
        assert (best, -evolution._ranking.merit[1]) == least
    survived = violations(evolution.evaluation.scores[:, 1:], problem.constraints)
    assert len(set(survived.tolist())) > 1, "others survive if they are better otherwise"
