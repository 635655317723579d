"""The front of a population as rule sets: pruned, simplified, and scored again as they will be used."""

from collections.abc import Sequence

import numpy as np

from evoter.evolution.executor import Executor
from evoter.evolution.fronts.front import Front, make_front
from evoter.evolution.mechanisms.constraints import violations
from evoter.evolution.mechanisms.nsga2 import as_costs, stand
from evoter.evolution.problem import Comparing, Constraint, Evaluation, Finishing, Problem
from evoter.genome.codec import decode, encode
from evoter.kernels.layout import Population
from evoter.rules.model import RuleSet
from evoter.rules.modes import mode_of
from evoter.rules.simplify import prune_inactive, simplify


def extract_front(
    population: Population,
    evaluation: Evaluation,
    problem: Problem,
    constraints: Sequence[Constraint],
    executor: Executor,
    seed: int,
) -> Front:
    """Return the front of an evaluated population; of candidates with equal scores the smallest.

    Individuals that break a constraint are left out, unless all do.
    Scores that depend on the rest of the population, such as novelty, are kept: decisions are the same as before.
    """
    n = len(problem.objectives)
    excesses = violations(evaluation.scores[:, n:], constraints)
    standing = stand(as_costs(evaluation.scores[:, :n], problem.objectives), excesses)
    members = np.flatnonzero((standing.ranks == 0) & (standing.copies == 0))
    rulesets = [_final_form(population, evaluation, int(i), problem) for i in members]
    scores = executor.evaluate(problem, encode(rulesets, problem.schema), seed).scores[:, :n].copy()
    if isinstance(problem, Comparing):
        for column in problem.relative:
            scores[:, column] = evaluation.scores[members, column]
    return make_front(rulesets, scores, problem.objectives)


def _final_form(population: Population, evaluation: Evaluation, i: int, problem: Problem) -> RuleSet:
    ruleset = decode(population, i, problem.schema, problem.mode)
    counts = mode_of(problem.mode).use_counts(evaluation.times_applied, evaluation.times_decided)
    counted = counts[i, : len(ruleset.rules)].tolist()
    if isinstance(problem, Finishing):
        return problem.final_form(ruleset, counted)
    return simplify(prune_inactive(ruleset, counted))
