"""Scores of populations are those of the best numbers for the rows that each rule decides, and exact moves find rules."""

from random import Random

import numpy as np
import pytest

from domains import random_schema
from evoter.evolution.engine import Evolution
from evoter.evolution.settings import DEFAULT
from evoter.evolution.stopping import Generations
from evoter.genome.codec import encode
from evoter.kernels.layout import Ints
from evoter.kernels.threads import Threads
from evoter.problems.regression.losses import Metric, best_number, row_losses
from evoter.problems.regression.problem import RegressionProblem
from evoter.rules.model import Mode
from evoter.rules.schema import Feature, Schema, Target
from tasks import random_columns, random_ruleset

N_ROWS = 200


def _loss(problem: RegressionProblem, deciders: Ints, linear: list[int]) -> float:
    """The loss by the book: rule by rule, with least squares where an action has a linear term."""
    total = 0.0
    for place in np.unique(deciders):
        own = np.flatnonzero(deciders == place)
        y, w = problem.targets[own], problem.sample_weight[own]
        number = best_number(problem.metric, problem.quantile, y, w)
        predicted = np.full(len(own), number)
        if linear[int(place)] >= 0:
            x = problem.candidates.terms[linear[int(place)], own]
            design = np.column_stack([np.ones(len(own)), x]) * np.sqrt(w)[:, None]
            if np.linalg.matrix_rank(design, tol=1e-6) == 2:
                weights = np.linalg.lstsq(design, y * np.sqrt(w), rcond=None)[0]
                predicted = weights[0] + weights[1] * x
        total += float(w @ row_losses(problem.metric, problem.quantile, y, predicted))
    return total


@pytest.mark.parametrize("metric", ["squared", "absolute", "poisson", "quantile"])
@pytest.mark.parametrize("seed", range(8))
def test_scores_are_those_of_the_best_numbers(metric: Metric, seed: int) -> None:
    rng, draw = Random(seed), np.random.default_rng(seed)
    features = random_schema(rng).features
    columns = random_columns(rng, Schema(features, ["any"]), N_ROWS)
    numbers = draw.poisson(3.0, N_ROWS).astype(float) if metric == "poisson" else draw.normal(size=N_ROWS).round(2)
    weights = draw.integers(1, 4, N_ROWS).astype(float)
    schema = Schema(features, (), 0, Target("y"))
    problem = RegressionProblem(schema, columns, numbers, metric=metric, quantile=0.8, sample_weight=weights)
    rulesets = [random_ruleset(rng, problem.schema, Mode.FIRST) for _ in range(12)]
    evaluation = problem.evaluate(encode(rulesets, problem.schema), Threads(2))
    single = best_number(metric, problem.quantile, numbers, weights)
    most = float(weights @ row_losses(metric, problem.quantile, numbers, np.array(single)))
    for ruleset, score, decided in zip(rulesets, evaluation.scores[:, 0], evaluation.times_decided, strict=True):
        deciders = problem.decide(ruleset).deciders
        actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
        linear = [int(problem.candidates.term_of[int(action)]) for action in actions]
        assert score == pytest.approx(1.0 - _loss(problem, deciders, linear) / most, abs=1e-6)
        counts = np.bincount(deciders, minlength=len(ruleset.rules) + 1)[: len(ruleset.rules)]
        assert decided[: len(ruleset.rules)].tolist() == counts.tolist()


def test_the_price_of_linear_terms_is_taken_off() -> None:
    x = np.linspace(0.0, 1.0, 50)
    schema = Schema([Feature("x")], target=Target())
    free = RegressionProblem(schema, x[None], 2.0 * x)
    priced = free.changed(linear_price=0.1)
    term = int(np.flatnonzero(free.candidates.term_of >= 0)[0])
    rules = random_ruleset(Random(0), free.schema, Mode.FIRST).replace(rules=(), default=str(term))
    scores = [each.evaluate(encode([rules], free.schema), Threads(1)).scores[0, 0] for each in (free, priced)]
    assert scores == pytest.approx([1.0, 0.9])
    assert free.fingerprint() != priced.fingerprint()


def test_evolution_finds_a_step() -> None:
    draw = np.random.default_rng(0)
    columns = draw.uniform(size=(3, 300))
    numbers = np.where(columns[1] > 0.4, 5.0, 1.0)
    schema = Schema([Feature(name) for name in "abc"], target=Target())
    problem = RegressionProblem(schema, columns, numbers, linear=False)
    settings = DEFAULT.replace(population_size=50, refinement_moves=200, parsimony=0.01)
    result = Evolution(problem, settings, seed=1).run(Generations(4))
    assert result.score == pytest.approx(1.0)
    assert problem.final_form(result.best, result.times_decided).features_used == ("b",)


def test_numbers_that_are_all_the_same_need_no_rules() -> None:
    schema = Schema([Feature("x")], target=Target())
    problem = RegressionProblem(schema, np.arange(30.0)[None], np.full(30, 3.0))
    result = Evolution(problem, DEFAULT.replace(population_size=10, parsimony=0.01), seed=1).run(Generations(2))
    assert problem.final_form(result.best, result.times_decided).n_conditions <= 1
    assert problem.refinement(problem.grammar(DEFAULT), DEFAULT) is None
