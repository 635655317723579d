"""Whole generations: valid individuals, the best chosen as parents, and the same bytes on any number of threads."""

from collections import Counter

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.settings import DEFAULT, PAPER, Settings
from evoter.genome.arrays import compact
from evoter.genome.cuts import cuts_and_levels
from evoter.kernels import threads
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.layout import Ints
from evoter.kernels.random import seed_stream
from evoter.kernels.threads import Threads
from evoter.kernels.variation.breed import tournament
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules import logic
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.modes import Task, modes_for
from evoter.rules.schema import Kind, Schema
from tasks import MIXED, SMALL, decoded, mixed_problem, plain_problem

GRID = {number / 100 for number in range(1, 101)}
ORDERS = (Operator.LT, Operator.LE, Operator.GT, Operator.GE)
PRESETS = [SMALL, DEFAULT.replace(population_size=60), PAPER.replace(population_size=60)]


def check_condition(condition: Condition, problem: ClassificationProblem, settings: Settings) -> None:
    feature = problem.schema.feature(condition.left.feature)
    if isinstance(condition.right, Term):
        for term in condition.terms:
            assert term.coefficient in GRID
            assert term.power <= settings.max_power
    elif settings.constant_coefficients and condition.operator in ORDERS:
        assert condition.left.coefficient in GRID
        assert condition.left.power <= settings.max_power
    else:
        assert condition.left.is_plain
    if feature.kind is Kind.NUMERIC and isinstance(condition.right, float):
        cuts, levels = cuts_and_levels(problem.columns[problem.schema.position(feature.name)])
        table = levels if condition.operator in (Operator.EQ, Operator.NE) else cuts
        assert condition.right in table
        assert feature.bounds[0] <= condition.right <= feature.bounds[1]


def check_ruleset(ruleset: RuleSet, settings: Settings) -> None:
    """Decoding has checked it against its schema already."""
    assert 1 <= len(ruleset.rules) <= settings.max_rules
    assert len(set(ruleset.rules)) == len(ruleset.rules)
    certainties = GRID if ruleset.mode in (Mode.HARDMAX, Mode.VOTE) else {1.0}
    assert {ruleset.default_certainty, *(rule.certainty for rule in ruleset.rules)} <= certainties
    for rule in ruleset.rules:
        assert 1 <= len(rule.conditions) <= settings.max_conditions
        assert len(set(rule.conditions)) == len(rule.conditions)


@allocating_kernel
def winners(ranks: Ints, size: int, n: int) -> Ints:
    state = np.empty(1, np.uint64)
    seed_stream(state, 3, 0, 0)
    chosen = np.empty(n, np.int64)
    for k in range(n):
        chosen[k] = tournament(state, ranks, size)
    return chosen


@pytest.mark.parametrize("size", [1, 2, 4])
def test_a_tournament_is_won_by_the_best_of_as_many_as_it_says(size: int) -> None:
    """An individual that beats the share p of the others wins when all rivals are among those or itself."""
    n, ranks = 40_000, np.array([3, 0, 2, 1])
    chances = np.bincount(ranks[winners(ranks, size, n)], minlength=4) / n
    beaten = np.arange(4, -1, -1) / 4
    expected = beaten[:-1] ** size - beaten[1:] ** size
    assert np.abs(chances - expected).max() < 0.01, "four standard deviations"


@pytest.mark.parametrize("mode", modes_for(Task.CLASSIFICATION))
@pytest.mark.parametrize("settings", PRESETS, ids=["small", "default", "paper"])
def test_every_individual_is_valid(mode: Mode, settings: Settings) -> None:
    problem = mixed_problem(1, mode=mode)
    evolution = Evolution(problem, settings, seed=5)
    for _ in range(20):
        children = evolution.ask()
        for ruleset in decoded(evolution, children):
            check_ruleset(ruleset, settings)
        for condition in {
            c for ruleset in decoded(evolution, children) for rule in ruleset.rules for c in rule.conditions
        }:
            check_condition(condition, problem, settings)
        evolution.tell(children, problem.evaluate(children, evolution.threads))


def faults(rulesets: list[RuleSet], schema: Schema) -> Counter[str]:
    """Count the rules that the exact logic finds fault with."""
    counts: Counter[str] = Counter()
    for rule in {rule.conditions: rule for ruleset in rulesets for rule in ruleset.rules}.values():
        counts["all"] += 1
        counts["impossible"] += not logic.consistent(rule.conditions, schema)
        counts["redundant"] += bool(logic.redundant(rule.conditions, schema))
    return counts


def test_the_quick_tests_of_variation_leave_the_logic_little_to_find() -> None:
    """Nothing at all where constants are compared by order; some comparisons of features and of levels elsewhere."""
    plain = SMALL.replace(operators=(0, 0, 0, 1, 1, 0), comparison_rate=0.0, sum_rate=0.0)
    for settings, allowed in ((plain, 0.0), (SMALL, 0.05)):
        found: Counter[str] = Counter()
        for seed in range(3):
            evolution = Evolution(mixed_problem(seed), settings, seed=seed)
            for _ in range(15):
                evolution.step()
                found += faults(decoded(evolution, evolution.population), MIXED)
        assert found["all"] > 1_000
        assert found["impossible"] <= allowed * found["all"], found
        assert found["redundant"] <= allowed * found["all"], found


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.VOTE])
def test_the_same_seed_gives_the_same_bytes_on_any_number_of_threads(
    mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threads, "WORTH_SHARING", 0.0)
    warm_start = [
        RuleSet([Rule([Condition(Term("a"), ">", k / 10)], "yes") for k in range(1, 6)], "no", MIXED, mode=mode)
    ] * 7
    runs = []
    for n_threads in (1, 2, 3):
        pool = Threads(n_threads)
        evolution = Evolution(mixed_problem(2, mode=mode), SMALL, seed=9, threads=pool, warm_start=warm_start)
        for _ in range(12):
            evolution.step()
        pool.close()
        population = compact(evolution.population)
        runs.append([array.tobytes() for array in (*population.antecedents, *population[1:], *evolution.evaluation)])
    assert runs[0] == runs[1] == runs[2]


def test_seeds_and_generations_differ() -> None:
    def children(seed: int, n_steps: int) -> list[RuleSet]:
        evolution = Evolution(plain_problem(1), SMALL, seed=seed)
        for _ in range(n_steps):
            evolution.step()
        return decoded(evolution, evolution.ask())

    assert children(1, 0) == children(1, 0)
    assert children(1, 0) != children(2, 0)
    assert children(1, 1) != children(1, 2)


@pytest.mark.parametrize("size", [1, 2, 8])
def test_tournaments_choose_the_best_of_those_drawn(size: int) -> None:
    """The chance that none of the better half takes part is one in two to the power of the size."""
    settings = SMALL.replace(
        population_size=400,
        tournament_size=size,
        crossover_rate=0.0,
        mutation_rate=0.0,
        comparison_rate=0.0,
        sum_rate=0.0,
    )
    evolution = Evolution(plain_problem(3), settings, seed=1)
    evolution.step()
    children = evolution.ask()
    scores = evolution.problem.evaluate(children, evolution.threads, 0).scores[:, 0]
    median = np.median(evolution.evaluation.scores[:, 0])
    assert (scores < median).mean() <= 0.5**size + 0.06
    assert (scores >= median).mean() >= 1 - 0.5**size - 0.06
