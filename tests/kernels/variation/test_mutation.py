"""Mutations: with only one kind active, a child differs from a parent in just that."""

from collections.abc import Callable

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.settings import Settings
from evoter.genome.cuts import cuts_and_levels
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules import logic
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.schema import Kind
from evoter.tables.panel import infer_panel_schema
from evoter.tables.series import read_panel
from tasks import SMALL, active_parents, decoded, mixed_problem, plain_problem

MUTATING = SMALL.replace(
    n_refined=0, crossover_rate=0.0, mutation_rate=1.0, tournament_size=1, n_elites=1, population_size=80
)
RULESETS = {"mutation_levels": (1, 0)}
RULES = {"mutation_levels": (0, 1)}
CONDITIONS = {**RULES, "rule_mutations": (0, 0, 1)}
IN_PLACE = {**CONDITIONS, "condition_strategies": (1, 0, 0)}

Relation = Callable[[RuleSet, RuleSet], bool]


def check_children(
    problem: ClassificationProblem, settings: Settings, is_child: Relation, seed: int = 1
) -> tuple[int, list[tuple[RuleSet, RuleSet]]]:
    """Check that each child is a parent or a permitted change of one; return how many changed, and the pairs."""
    evolution = Evolution(problem, settings, seed=seed)
    evolution.step()
    parents = [parent for parent in active_parents(evolution) if parent.rules]
    children = decoded(evolution, evolution.ask())
    pairs = []
    unexplained = 0
    for child in children:
        if child in parents:
            continue
        parent = next((parent for parent in parents if is_child(parent, child)), None)
        if parent is None:
            unexplained += 1
        else:
            pairs.append((parent, child))
    # Parents without active rules are replaced by random rule sets, which are then mutated.
    n_empty = evolution.population.size - len(parents)
    assert unexplained <= 3 * n_empty + 2
    return len(pairs), pairs


def same_default(parent: RuleSet, child: RuleSet) -> bool:
    return (parent.default, parent.default_certainty) == (child.default, child.default_certainty)


def one_rule_changed(parent: RuleSet, child: RuleSet, is_change: Callable[[Rule, Rule], bool]) -> bool:
    """Tell whether just one rule differs; a rule that has become equal to an earlier one is dropped."""
    if not same_default(parent, child):
        return False
    if len(parent.rules) == len(child.rules) + 1:
        return any(
            child.rules == parent.rules[:place] + parent.rules[place + 1 :] for place in range(len(parent.rules))
        )
    if len(parent.rules) != len(child.rules):
        return False
    changed = [(old, new) for old, new in zip(parent.rules, child.rules, strict=True) if old != new]
    return len(changed) == 1 and is_change(*changed[0])


def test_adding_a_rule() -> None:
    def added(parent: RuleSet, child: RuleSet) -> bool:
        return child.rules[:-1] == parent.rules and same_default(parent, child)

    n, pairs = check_children(mixed_problem(1), MUTATING.replace(**RULESETS, ruleset_mutations=(1, 0, 0, 0)), added)
    assert n > 40
    assert all(len(child.rules[-1].conditions) <= MUTATING.max_initial_conditions for _, child in pairs)


def test_removing_a_rule() -> None:
    def removed(parent: RuleSet, child: RuleSet) -> bool:
        return same_default(parent, child) and any(
            child.rules == parent.rules[:place] + parent.rules[place + 1 :] for place in range(len(parent.rules))
        )

    n, pairs = check_children(mixed_problem(2), MUTATING.replace(**RULESETS, ruleset_mutations=(0, 1, 0, 0)), removed)
    assert n > 20
    assert all(child.rules for _, child in pairs), "the last rule stays"


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.VOTE])
def test_changing_the_default(mode: Mode) -> None:
    def changed(parent: RuleSet, child: RuleSet) -> bool:
        return child.rules == parent.rules

    settings = MUTATING.replace(**RULESETS, ruleset_mutations=(0, 0, 1, 0))
    n, pairs = check_children(mixed_problem(3, mode=mode), settings, changed)
    assert n > 20
    certainties = {child.default_certainty for _, child in pairs}
    assert certainties == {1.0} if mode is Mode.FIRST else len(certainties) > 10


def test_reordering_the_rules() -> None:
    def reordered(parent: RuleSet, child: RuleSet) -> bool:
        same = len(child.rules) == len(parent.rules) and set(child.rules) == set(parent.rules)
        return same and same_default(parent, child)

    n, _ = check_children(mixed_problem(4), MUTATING.replace(**RULESETS, ruleset_mutations=(0, 0, 0, 1)), reordered)
    assert n > 15


def test_changing_an_action() -> None:
    def acts(parent: RuleSet, child: RuleSet) -> bool:
        return one_rule_changed(
            parent, child, lambda old, new: (old.conditions, old.certainty) == (new.conditions, new.certainty)
        )

    n, _ = check_children(mixed_problem(5), MUTATING.replace(**RULES, rule_mutations=(1, 0, 0)), acts)
    assert n > 20


def test_changing_a_certainty() -> None:
    def surer(parent: RuleSet, child: RuleSet) -> bool:
        return one_rule_changed(
            parent, child, lambda old, new: (old.conditions, old.action) == (new.conditions, new.action)
        )

    settings = MUTATING.replace(**RULES, rule_mutations=(0, 1, 0))
    n, pairs = check_children(mixed_problem(6, mode=Mode.HARDMAX), settings, surer)
    assert n > 40
    assert all(round(rule.certainty * 100) / 100 == rule.certainty for _, child in pairs for rule in child.rules)


def test_where_certainties_do_not_count_conditions_change_instead() -> None:
    def conditional(parent: RuleSet, child: RuleSet) -> bool:
        return one_rule_changed(parent, child, lambda old, new: old.action == new.action and new.certainty == 1.0)

    n, _ = check_children(mixed_problem(7), MUTATING.replace(**RULES, rule_mutations=(0, 1, 0)), conditional)
    assert n > 20


def test_removing_a_condition() -> None:
    """Where a rule has only one, another is added instead, as in the paper."""

    def fewer(old: Rule, new: Rule) -> bool:
        before, after = set(old.conditions), set(new.conditions)
        if len(before) == 1:
            return before < after and len(after) == 2
        return after < before and len(after) == len(before) - 1

    settings = MUTATING.replace(**CONDITIONS, condition_strategies=(0, 1, 0))
    n, _ = check_children(mixed_problem(8), settings, lambda p, c: one_rule_changed(p, c, fewer))
    assert n > 40


def test_adding_a_condition() -> None:
    def more(old: Rule, new: Rule) -> bool:
        return set(old.conditions) < set(new.conditions) and len(new.conditions) == len(old.conditions) + 1

    settings = MUTATING.replace(**CONDITIONS, condition_strategies=(0, 0, 1))
    n, pairs = check_children(mixed_problem(9), settings, lambda p, c: one_rule_changed(p, c, more))
    assert n > 40
    assert max(len(rule.conditions) for _, child in pairs for rule in child.rules) <= MUTATING.max_conditions


def one_condition_changed(is_change: Callable[[Condition, Condition], bool]) -> Relation:
    def in_rule(old: Rule, new: Rule) -> bool:
        gone, come = set(old.conditions) - set(new.conditions), set(new.conditions) - set(old.conditions)
        return len(gone) == len(come) == 1 and is_change(*gone, *come)

    return lambda parent, child: one_rule_changed(parent, child, in_rule)


def test_perturbing_a_condition() -> None:
    problem = mixed_problem(10)

    def moved(old: Condition, new: Condition) -> bool:
        if old.operator.tests_missing:
            return new.operator.tests_missing and new.operator != old.operator and new.left == old.left
        if (old.operator, old.left.feature) != (new.operator, new.left.feature):
            return False
        if isinstance(old.right, Term):
            assert isinstance(new.right, Term)
            before = [(term.coefficient, term.power) for term in old.terms]
            after = [(term.coefficient, term.power) for term in new.terms]
            changes = [(x, y) for old, new in zip(before, after, strict=True) for x, y in zip(old, new, strict=True)]
            return sum(x != y for x, y in changes) == 1 and all(
                abs(x - y) < 0.1 + 1e-9 or {x, y} <= {1, 2, 3} for x, y in changes
            )
        if not isinstance(old.right, float):
            return old.right != new.right
        cuts, levels = cuts_and_levels(problem.columns[problem.schema.position(old.left.feature)])
        table = list(levels if old.operator in (Operator.EQ, Operator.NE) else cuts)
        assert isinstance(new.right, float)
        return abs(table.index(old.right) - table.index(new.right)) <= max(1, 0.1 * len(table))

    settings = MUTATING.replace(**IN_PLACE, condition_mutations=(1, 0, 0, 0))
    n, _ = check_children(problem, settings, one_condition_changed(moved))
    assert n > 25


def test_changing_an_operator() -> None:
    def other(old: Condition, new: Condition) -> bool:
        equality = {Operator.EQ, Operator.NE}
        if isinstance(old.right, float) and (old.operator in equality) != (new.operator in equality):
            return old.left == new.left
        return (old.left, old.right) == (new.left, new.right) and old.operator != new.operator

    settings = MUTATING.replace(**IN_PLACE, condition_mutations=(0, 1, 0, 0))
    n, _ = check_children(mixed_problem(11), settings, one_condition_changed(other))
    assert n > 25


def test_changing_a_lag() -> None:
    def unlagged(condition: Condition) -> set[Term]:
        return {Term(term.feature, term.coefficient, term.power) for term in condition.terms}

    def later(old: Condition, new: Condition) -> bool:
        before, after = (sorted(term.lag for term in condition.terms) for condition in (old, new))
        return unlagged(old) == unlagged(new) and before != after

    settings = MUTATING.replace(**IN_PLACE, condition_mutations=(0, 0, 1, 0), population_size=200)
    n, pairs = check_children(plain_problem(12, max_lag=2), settings, one_condition_changed(later))
    assert n > 10
    lags = {term.lag for _, child in pairs for rule in child.rules for c in rule.conditions for term in c.terms}
    assert lags == {0, 1, 2}


def test_lags_move_by_small_steps_and_by_leaps() -> None:
    def moved(old: Condition, new: Condition) -> bool:
        kept = (old.left.feature, old.operator, old.right) == (new.left.feature, new.operator, new.right)
        return kept and old.left.lag != new.left.lag

    settings = MUTATING.replace(
        **IN_PLACE,
        condition_mutations=(0, 0, 1, 0),
        comparison_rate=0.0,
        sum_rate=0.0,
        max_initial_rules=1,
        population_size=400,
    )
    rng = np.random.default_rng(15)
    panel = read_panel(np.round(rng.random((100, 3, 100)), 3))
    schema = infer_panel_schema(panel, actions=["no", "yes"])
    problem = ClassificationProblem(schema, panel, rng.integers(0, 2, 100))
    _, pairs = check_children(problem, settings, one_condition_changed(moved))
    moves = []
    for parent, child in pairs:
        before, after = ([c.left.lag for c in each.rules[0].conditions] for each in (parent, child))
        moves += [abs(a - b) for a, b in zip(sorted(before), sorted(after), strict=True) if a != b]
        assert all(0 <= lag <= 99 for lag in after)
    assert len(moves) > 100
    assert 0.4 < np.mean(np.array(moves) <= 10) < 0.8, "half are steps, and a leap may be short"
    assert max(moves) > 50


def test_changing_a_feature() -> None:
    def read_another(old: Condition, new: Condition) -> bool:
        return True

    settings = MUTATING.replace(**IN_PLACE, condition_mutations=(0, 0, 0, 1))
    n, pairs = check_children(mixed_problem(13), settings, one_condition_changed(read_another))
    assert n > 25
    features = [
        ({term.feature for rule in parent.rules for c in rule.conditions for term in c.terms}, child)
        for parent, child in pairs
    ]
    fresh = sum(bool(set(child.features_used) - used) for used, child in features)
    assert fresh > 15


@pytest.mark.parametrize("seed", range(3))
def test_mutations_that_contradict_or_repeat_are_rejected(seed: int) -> None:
    settings = MUTATING.replace(**CONDITIONS, operators=(0, 0, 0, 1, 1, 0), comparison_rate=0.0, sum_rate=0.0)
    evolution = Evolution(plain_problem(seed), settings, seed=seed)
    for _ in range(10):
        evolution.step()
    for ruleset in decoded(evolution, evolution.population):
        for rule in ruleset.rules:
            assert logic.consistent(rule.conditions, ruleset.schema)
            assert logic.redundant(rule.conditions, ruleset.schema) == ()


def test_categories_and_truth_values_change_too() -> None:
    kinds = {feature.name: feature.kind for feature in mixed_problem(14).schema.features}
    for mutation in ((1, 0, 0, 0), (0, 1, 0, 0)):
        settings = MUTATING.replace(**IN_PLACE, condition_mutations=mutation)
        changed = one_condition_changed(
            lambda old, new: kinds[old.left.feature] is not Kind.NUMERIC and old.left.feature == new.left.feature
        )
        evolution = Evolution(mixed_problem(14), settings, seed=14)
        evolution.step()
        parents = active_parents(evolution)
        children = decoded(evolution, evolution.ask())
        assert sum(any(changed(parent, child) for parent in parents) for child in children) > 3
