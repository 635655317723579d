"""Sums drawn and changed at random: short numbers on the grid, both signs and all orders, and constants in the data."""

from collections import Counter
from itertools import pairwise

import numpy as np

from coded import grammar_of, written
from domains import compare
from evoter.evolution.engine import Evolution
from evoter.evolution.settings import Settings
from evoter.evolution.stopping import Generations
from evoter.genome.codec import read_condition
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.conditions.codes import SUM_CONSTANT
from evoter.kernels.layout import Floats, Grammar, Ints, Rates
from evoter.kernels.random import seed_stream
from evoter.kernels.variation.single_conditions import mutate_condition
from evoter.kernels.variation.sums import (
    N_COEFFICIENTS,
    PER_DECADE,
    coefficient_at,
    make_sum,
    nearest_coefficient,
    perturb_sum,
    rounded_sum,
)
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.condition import Sum
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, Operator, RuleSet, Term, check_condition
from evoter.rules.printing.pieces import number_text
from evoter.rules.schema import Feature, Schema
from laws import n_cases
from tasks import SMALL, decoded

SCHEMA = Schema([Feature("texture", unit="um"), Feature("area"), Feature("sign")], ["no", "yes"], max_lag=1)
RNG = np.random.default_rng(5)
COLUMNS = np.array([RNG.normal(25.0, 6.0, 400), RNG.normal(800.0, 250.0, 400), RNG.integers(0, 2, 400).astype(float)])


@allocating_kernel
def coefficient(position: int) -> float:
    return coefficient_at(position)


@allocating_kernel
def nearest(value: float) -> int:
    return nearest_coefficient(value)


@allocating_kernel
def drawn(seed: int, grammar: Grammar, codes: Ints, numbers: Floats) -> bool:
    state = np.zeros(1, np.uint64)
    seed_stream(state, seed, 0, 0)
    return make_sum(state, grammar, codes, numbers)


@allocating_kernel
def moved(seed: int, grammar: Grammar, codes: Ints, numbers: Floats) -> None:
    state = np.zeros(1, np.uint64)
    seed_stream(state, seed, 0, 0)
    perturb_sum(state, grammar, codes, numbers)


@allocating_kernel
def mutated(seed: int, grammar: Grammar, rates: Rates, codes: Ints, numbers: Floats) -> None:
    state = np.zeros(1, np.uint64)
    seed_stream(state, seed, 0, 1)
    mutate_condition(state, grammar, rates, codes, numbers)


@allocating_kernel
def constant_of(grammar: Grammar, codes: Ints, numbers: Floats, value: float) -> float:
    return rounded_sum(grammar, codes, numbers, value)


def random_sums(n: int) -> list[Condition]:
    grammar = grammar_of(SCHEMA, COLUMNS)
    sums = []
    for seed in range(n):
        codes, numbers = written([compare("texture", "<=", 1.0)], SCHEMA)
        assert drawn(seed, grammar, codes[0], numbers[0])
        sums.append(read_condition(codes[0], numbers[0], SCHEMA))
    return sums


def n_digits(number: float) -> int:
    """How many digits identify a number, zeros at either end left out."""
    return len(number_text(abs(number)).partition("e")[0].replace(".", "").strip("0"))


def parts(condition: Condition) -> Sum:
    assert isinstance(condition.right, Sum)
    return condition.right


def test_coefficients_are_short_and_rise_evenly() -> None:
    grid = [coefficient(position) for position in range(N_COEFFICIENTS)]
    assert grid[0] == 1e-12
    assert coefficient(12 * PER_DECADE) == 1.0
    assert all(n_digits(number) <= 2 for number in grid)
    assert all(1.0 < after / before <= 1.5 for before, after in pairwise(grid))
    assert [nearest(number) for number in grid] == list(range(N_COEFFICIENTS))
    assert coefficient(nearest(0.0321)) == 0.03
    assert (nearest(1e-300), nearest(1e300)) == (0, N_COEFFICIENTS - 1)


def test_random_sums_have_short_numbers_that_suit_the_data() -> None:
    sums = random_sums(n_cases(1_000))
    ratios = [abs(parts(each).added.coefficient) for each in sums if parts(each).added.feature == "area"]
    # The interquartile ranges are about 8 and 340: the ratio is about 0.024, give or take ten times.
    assert 0.001 <= min(ratios) < np.median(ratios) < 0.1 < max(ratios) <= 0.5
    signs = Counter(parts(each).added.coefficient > 0 for each in sums)
    assert 0.7 < signs[True] / signs[False] < 1.4
    assert {parts(each).added.feature for each in sums} == set(SCHEMA.names)
    values = dict(zip(SCHEMA.names, COLUMNS, strict=True))
    for each in sums:
        check_condition(each, SCHEMA)
        right = parts(each)
        total = values["texture"] + right.added.coefficient * values[right.added.feature]
        reach = abs(right.added.coefficient) * np.ptp(values[right.added.feature])
        assert total.min() - reach - 10 <= right.constant <= total.max() + reach + 10
        assert n_digits(right.added.coefficient) <= 2
        assert n_digits(right.constant) <= 4, right


def test_constants_are_rounded_to_what_suits_the_spread() -> None:
    grammar = grammar_of(SCHEMA, COLUMNS)
    cases = {0.05: (71.234, 71.0), -5.0: (-3_912.3, -3_910.0), 0.0001: (25.1234, 25.1)}
    for weight, (value, expected) in cases.items():
        codes, numbers = written([compare("texture", "<=", Sum(Term("area", weight), 0.0))], SCHEMA)
        assert constant_of(grammar, codes[0], numbers[0], value) == expected, weight
        for odd in (np.inf, -np.inf, np.nan):
            assert constant_of(grammar, codes[0], numbers[0], odd) == 0.0
        assert not np.signbit(constant_of(grammar, codes[0], numbers[0], -1e-9))


def test_a_change_of_a_sum_keeps_it_short_and_keeps_its_features() -> None:
    grammar = grammar_of(SCHEMA, COLUMNS)
    changed: Counter[str] = Counter()
    for seed, before in enumerate(random_sums(n_cases(1_000))):
        codes, numbers = written([before], SCHEMA)
        moved(seed, grammar, codes[0], numbers[0])
        after = read_condition(codes[0], numbers[0], SCHEMA)
        old, new = parts(before), parts(after)
        assert [(term.feature, term.lag) for term in after.terms] == [(term.feature, term.lag) for term in before.terms]
        assert n_digits(new.added.coefficient) <= 2
        assert n_digits(new.constant) <= 5
        changed["constant"] += old.added == new.added and old.constant != new.constant
        changed["sign"] += old.added.coefficient == -new.added.coefficient
        changed["coefficient"] += abs(old.added.coefficient) != abs(new.added.coefficient)
    n = n_cases(1_000)
    assert changed["constant"] > 0.3 * n
    assert changed["coefficient"] > 0.2 * n
    assert changed["sign"] > 0.03 * n


def test_no_sum_is_drawn_where_there_is_nothing_to_add() -> None:
    schema = Schema([Feature("x"), Feature("constant")], ["go"])
    grammar = grammar_of(schema, np.array([np.arange(9.0), np.ones(9)]))
    codes, numbers = written([compare("x", "<=", 1.0)], schema)
    before = codes.copy(), numbers.copy()
    assert not drawn(1, grammar, codes[0], numbers[0])
    assert (codes == before[0]).all()
    assert (numbers == before[1]).all()


def test_degenerate_data_give_finite_sums() -> None:
    """Values near the ends of doubles, neighbouring doubles, and features with a single cut."""
    schema = Schema([Feature(name) for name in "abcd"], ["go"])
    columns = np.array(
        [
            [-1e308, 0.0, 1e308, 5.0],
            [1e-300, 2e-300, 3e-300, 5e-300],
            [1e9, 1e9 + 1e-6, 1e9 + 1, 1e9],
            [0.0, 1.0, 0.0, 1.0],
        ]
    )
    grammar = grammar_of(schema, columns)
    for seed in range(n_cases(2_000)):
        codes, numbers = written([compare("abcd"[seed % 4], "<=", 1.0)], schema)
        assert drawn(seed, grammar, codes[0], numbers[0])
        for step in range(3):
            moved(seed + step, grammar, codes[0], numbers[0])
            assert np.isfinite(numbers).all()
            check_condition(read_condition(codes[0], numbers[0], schema), schema)


def sums_in(rulesets: list[RuleSet]) -> list[Condition]:
    conditions = [each for ruleset in rulesets for rule in ruleset.rules for each in rule.conditions]
    return [each for each in conditions if isinstance(each.right, Sum)]


def test_evolution_draws_and_changes_sums_and_counts_them_as_two() -> None:
    schema = Schema([Feature("x", low=0, high=10), Feature("y", low=0, high=100)], ["no", "yes"])
    rng = np.random.default_rng(3)
    columns = np.array([rng.random(400) * 10, rng.random(400) * 100])
    classes = (columns[0] + 0.1 * columns[1] > 9.0).astype(np.int64)
    problem = ClassificationProblem(schema, columns, classes)
    settings = SMALL.replace(sum_rate=0.7, n_refined=0, population_size=200)
    evolution = Evolution(problem, settings, seed=2)
    operators: set[Operator] = set()
    for _ in range(4):
        children = evolution.ask()
        rulesets = decoded(evolution, children)
        operators |= {each.operator for each in sums_in(rulesets)}
        assert children.complexity.tolist() == [ruleset.n_conditions for ruleset in rulesets]
        evolution.step()
    assert operators == {Operator.LT, Operator.LE, Operator.GT, Operator.GE}
    best = evolution.run(Generations(40)).best
    assert sums_in([best]), "one sum says what takes many conditions on single features"
    held = [rule for rule in best.rules if any(isinstance(each.right, Sum) for each in rule.conditions)]
    assert all(form_of(each).n_conditions(each) == 2 for each in sums_in([best]))
    assert held[0].n_conditions > len(held[0].conditions)


def test_without_a_rate_no_sum_is_drawn_and_nothing_else_changes() -> None:
    schema = Schema([Feature("x", low=0, high=10), Feature("y", low=0, high=100)], ["no", "yes"])
    columns = np.array([np.arange(60.0) % 10, np.arange(60.0)])
    problem = ClassificationProblem(schema, columns, np.arange(60) % 2)
    evolution = Evolution(problem, Settings(population_size=50, n_refined=0, sum_rate=0.0), seed=1)
    evolution.run(Generations(5))
    assert not sums_in(decoded(evolution, evolution.ask()))


def test_lags_of_one_feature_stay_apart() -> None:
    schema = Schema([Feature("x", low=0, high=9)], ["no", "yes"], max_lag=2)
    grammar = grammar_of(schema, np.arange(9.0)[None])
    rates = SMALL.replace(condition_mutations=(0, 0, 1, 0)).rates()
    pairs = set()
    for seed in range(n_cases(500)):
        codes, numbers = written([compare(Term("x", lag=seed % 3), "<=", 1.0)], schema)
        assert drawn(seed, grammar, codes[0], numbers[0])
        mutated(seed, grammar, rates, codes[0], numbers[0])
        made = read_condition(codes[0], numbers[0], schema)
        pairs.add(tuple(term.lag for term in made.terms))
        assert numbers[0, SUM_CONSTANT] == parts(made).constant
    assert len(pairs) == 6
