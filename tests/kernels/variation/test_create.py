"""Random rule sets: what the grammar allows, all of it, and nothing else."""

from collections import Counter

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.settings import Settings
from evoter.evolution.stopping import Generations
from evoter.genome.cuts import cuts_and_levels
from evoter.kernels.layout import Floats
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules import logic
from evoter.rules.condition import COMPARISONS, SET_OPERATORS, Sum
from evoter.rules.model import Condition, Mode, Operator, RuleSet, Term
from evoter.rules.schema import Feature, Kind, Schema
from tasks import MIXED, SMALL, decoded, mixed_problem, plain_problem

LARGE = SMALL.replace(population_size=2_000)


def first_generation(problem: ClassificationProblem, settings: Settings, seed: int = 1) -> list[RuleSet]:
    evolution = Evolution(problem, settings, seed=seed)
    return decoded(evolution, evolution.ask())


def all_conditions(rulesets: list[RuleSet]) -> list[Condition]:
    return [condition for ruleset in rulesets for rule in ruleset.rules for condition in rule.conditions]


def check_constant(condition: Condition, schema: Schema, columns: Floats) -> None:
    """Constants of numeric features come from their tables: levels for = and !=, cuts between values for the others."""
    feature = schema.feature(condition.left.feature)
    cuts, levels = cuts_and_levels(columns[schema.position(feature.name)])
    assert condition.left.is_plain
    assert isinstance(condition.right, float)
    assert condition.right in (levels if condition.operator in (Operator.EQ, Operator.NE) else cuts)
    assert feature.bounds[0] <= condition.right <= feature.bounds[1]


@pytest.mark.parametrize("seed", range(3))
def test_random_rule_sets_are_what_the_grammar_allows(seed: int) -> None:
    problem = mixed_problem(seed)
    rulesets = first_generation(problem, LARGE, seed)
    assert {len(ruleset.rules) for ruleset in rulesets} == set(range(1, LARGE.max_initial_rules + 1))
    lengths = {len(rule.conditions) for ruleset in rulesets for rule in ruleset.rules}
    assert lengths == set(range(1, LARGE.max_initial_conditions + 1))
    assert {ruleset.default for ruleset in rulesets} == set(MIXED.actions)
    assert {rule.action for ruleset in rulesets for rule in ruleset.rules} == set(MIXED.actions)
    assert {rule.certainty for ruleset in rulesets for rule in ruleset.rules} == {1.0}
    for condition in all_conditions(rulesets):
        if isinstance(condition.right, Term):
            left, right = (MIXED.feature(term.feature) for term in condition.terms)
            assert left.name != right.name
            assert (left.scaled, left.unit) == (right.scaled, right.unit)
            for term in condition.terms:
                assert 1 <= term.power <= LARGE.max_power
                assert term.coefficient == round(term.coefficient, 2)
                assert 0.01 <= term.coefficient <= 1.0
        elif isinstance(condition.right, float):
            check_constant(condition, MIXED, problem.columns)


def test_every_form_of_the_grammar_occurs() -> None:
    conditions = all_conditions(first_generation(mixed_problem(1), LARGE))
    numeric = [condition for condition in conditions if isinstance(condition.right, float)]
    assert {condition.operator for condition in numeric} == set(COMPARISONS)
    tested = {condition.left.feature for condition in conditions if condition.operator is Operator.IS_MISSING}
    assert tested == {feature.name for feature in MIXED.features if feature.missing}
    assert {c.right for c in conditions if c.left.feature == "colour" and c.right} == {"red", "green", "blue"}
    assert {c.right for c in conditions if c.left.feature == "wild"} == {True, False}
    compared = [condition for condition in conditions if isinstance(condition.right, Term)]
    assert {term.power for condition in compared for term in condition.terms} == {1, 2, 3}
    pairs = {tuple(term.feature for term in condition.terms) for condition in compared}
    assert pairs == {("a", "b"), ("c", "d")}, "the earlier feature stands on the left"


def test_features_of_one_value_are_only_tested_for_missing() -> None:
    by_feature: dict[str, set[Operator]] = {feature.name: set() for feature in MIXED.features}
    for condition in all_conditions(first_generation(mixed_problem(2), LARGE)):
        by_feature[condition.left.feature].add(condition.operator)
    assert by_feature["same"] == set()
    for name in ("only", "same or missing", "gone"):
        assert by_feature[name] == {Operator.IS_MISSING, Operator.IS_PRESENT}
    untested = all_conditions(first_generation(mixed_problem(2), LARGE.replace(missing_rate=0.0)))
    assert not {"only", "same", "same or missing", "gone"} & {condition.left.feature for condition in untested}
    assert not any(condition.operator.tests_missing for condition in untested)


def test_where_nothing_varies_rule_sets_are_still_valid() -> None:
    schema = Schema(
        [Feature("x"), Feature("y", low=3, high=3), Feature("z", Kind.CATEGORICAL, categories=("one",))], ["no", "yes"]
    )
    columns = np.array([[7.0] * 5, [3.0] * 5, [0.0] * 5])
    problem = ClassificationProblem(schema, columns, np.zeros(5, np.int64))
    assert all(ruleset.rules for ruleset in first_generation(problem, SMALL))


def test_frequencies_are_those_of_the_settings() -> None:
    settings = LARGE.replace(comparison_rate=0.25, operators=(0, 0, 1, 1, 1, 1), max_initial_conditions=1)
    conditions = all_conditions(first_generation(plain_problem(1), settings))
    n = len(conditions)
    assert sum(isinstance(condition.right, Sum) for condition in conditions) / n == pytest.approx(0.2, abs=0.03)
    others = [condition for condition in conditions if not isinstance(condition.right, Sum)]
    compared = sum(isinstance(condition.right, Term) for condition in others)
    assert compared / len(others) == pytest.approx(0.25, abs=0.03)
    operators = Counter(condition.operator for condition in conditions)
    assert [operators[o] / n for o in Operator][:6] == pytest.approx([0, 0, 0.25, 0.25, 0.25, 0.25], abs=0.03)


@pytest.mark.parametrize("bounds", [(0, 1), (None, None), (-1000, 1000)])
def test_uniform_constants_are_even_between_the_ends_of_the_data(bounds: tuple[float | None, float | None]) -> None:
    """Also where the schema says little or nothing about the range."""
    values = np.concatenate([np.linspace(0, 0.1, 90), np.linspace(0.1, 1, 10)])
    problem = ClassificationProblem(
        Schema([Feature("x", low=bounds[0], high=bounds[1])], ["no", "yes"]), values[None], np.zeros(100, np.int64)
    )
    medians = []
    for uniform in (False, True):
        settings = LARGE.replace(uniform_constants=uniform, operators=(0, 0, 1, 1, 1, 1))
        constants = [condition.right for condition in all_conditions(first_generation(problem, settings))]
        medians.append(float(np.median(np.array(constants, dtype=np.float64))))
    assert medians[0] < 0.1
    assert medians[1] == pytest.approx(0.5, abs=0.1)


def test_certainties_lie_on_their_grid_where_the_mode_uses_them() -> None:
    rulesets = first_generation(plain_problem(1, mode=Mode.HARDMAX), LARGE)
    certainties = {rule.certainty for ruleset in rulesets for rule in ruleset.rules}
    assert certainties == {number / 100 for number in range(1, 101)}
    assert {ruleset.default_certainty for ruleset in rulesets} <= certainties


def test_lags_reach_as_far_as_the_schema_allows() -> None:
    conditions = all_conditions(first_generation(plain_problem(1, max_lag=2), LARGE))
    assert {term.lag for condition in conditions for term in condition.terms} == {0, 1, 2}
    compared = [condition for condition in conditions if isinstance(condition.right, Term)]
    assert any(condition.left.feature == term.feature for condition in compared for term in condition.terms[1:])


def test_rules_of_the_plainest_form_are_free_of_contradictions_and_redundancies() -> None:
    settings = LARGE.replace(operators=(0, 0, 0, 1, 1, 0), comparison_rate=0.0, sum_rate=0.0, population_size=500)
    for ruleset in first_generation(plain_problem(3), settings):
        for rule in ruleset.rules:
            assert logic.consistent(rule.conditions, ruleset.schema)
            assert logic.redundant(rule.conditions, ruleset.schema) == ()


def test_sets_of_categories_are_drawn_changed_and_found() -> None:
    """Sets are of two categories or more and leave out two or more; where a set decides, it is found."""
    names = tuple("abcdefg")
    schema = Schema([Feature("sort", Kind.CATEGORICAL, categories=names), Feature("x", low=0, high=1)], ["no", "yes"])
    rng = np.random.default_rng(3)
    columns = np.array([rng.integers(0, 7, 300).astype(float), rng.random(300)])
    classes = np.isin(columns[0], [1, 3, 6]).astype(np.int64)
    evolution = Evolution(ClassificationProblem(schema, columns, classes), SMALL.replace(set_rate=0.5), seed=1)
    sizes: Counter[int] = Counter()
    operators: set[Operator] = set()
    for _ in range(4):
        for condition in all_conditions(decoded(evolution, evolution.ask())):
            if isinstance(condition.right, tuple):
                sizes[len(condition.right)] += 1
                operators.add(condition.operator)
        evolution.step()
    assert set(sizes) == set(range(2, len(names) - 1))
    assert operators == set(SET_OPERATORS)
    (rule,) = evolution.run(Generations(20)).best.rules
    assert str(rule.conditions[0].right) in ("('b', 'd', 'g')", "('a', 'c', 'e', 'f')")
