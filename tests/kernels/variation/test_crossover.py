"""The three crossovers: each child is made of its parents' active rules in the way the paper describes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

import pytest

from evoter.evolution.engine import Evolution
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules import logic
from evoter.rules.model import Condition, Mode, RuleSet
from evoter.rules.schema import Schema
from tasks import SMALL, active_parents, decoded, mixed_problem, plain_problem

CROSSING = SMALL.replace(n_refined=0, crossover_rate=1.0, mutation_rate=0.0, tournament_size=1, n_elites=1)

Outline = tuple[frozenset[Condition], str, float]
"""A rule in which the order of the conditions does not count."""

Numbers = tuple[int, ...]
"""Rules by number: quick to compare."""


@dataclass
class Family:
    """The parents, as variation sees them, and their children, with the same number for the same rule."""

    schema: Schema
    outlines: dict[Outline, int] = field(default_factory=dict)
    parents: list[tuple[Numbers, str]] = field(default_factory=list)
    children: list[tuple[Numbers, str]] = field(default_factory=list)
    n_conditions: list[int] = field(default_factory=list)
    combinations: dict[tuple[int, int], int | None] = field(default_factory=dict)

    def number(self, outline: Outline) -> int:
        if outline not in self.outlines:
            self.outlines[outline] = len(self.outlines)
            self.n_conditions.append(len(outline[0]))
        return self.outlines[outline]

    def numbered(self, ruleset: RuleSet) -> tuple[Numbers, str]:
        outlines = [(frozenset(rule.conditions), rule.action, rule.certainty) for rule in ruleset.rules]
        return tuple(map(self.number, outlines)), f"{ruleset.default} {ruleset.default_certainty}"

    def made_by(self, crossover: "Crossover", *heirs: int) -> set[tuple[Numbers, str]]:
        """Return all children that a crossover can make; the default is either parent's, or that of parent 0 or 1."""
        return {
            (tuple(dict.fromkeys(rules[: CROSSING.max_rules])), default)
            for (mother, hers), (father, his) in product(self.parents, repeat=2)
            for rules in crossover(self, mother, father)
            for default in [(hers, his)[heir] for heir in heirs or (0, 1)]
        }

    def may_be_random(self, rules: Numbers) -> bool:
        """Tell whether rules may be the random ones that replace an empty child."""
        known = {rule for parent, _ in self.parents for rule in parent}
        short = all(self.n_conditions[rule] <= CROSSING.max_initial_conditions for rule in rules)
        return len(rules) <= CROSSING.max_initial_rules and short and not known.issuperset(rules)


Crossover = Callable[[Family, Numbers, Numbers], Iterator[Numbers]]


def family(problem: ClassificationProblem, seed: int, **changes: object) -> Family:
    evolution = Evolution(problem, CROSSING.replace(**changes), seed=seed)
    evolution.step()
    made = Family(problem.schema)
    made.parents = [made.numbered(ruleset) for ruleset in active_parents(evolution)]
    made.children = [made.numbered(ruleset) for ruleset in decoded(evolution, evolution.ask())]
    return made


def single_point(_: Family, mother: Numbers, father: Numbers) -> Iterator[Numbers]:
    for upper, lower in product(range(len(mother) + 1), range(len(father) + 1)):
        yield mother[:upper] + father[lower:]


def uniform(_: Family, mother: Numbers, father: Numbers) -> Iterator[Numbers]:
    longer = max(len(mother), len(father))
    yield from product(*({*mother[place : place + 1], *father[place : place + 1]} for place in range(longer)))


def combine_rules(made: Family, mother: Numbers, father: Numbers) -> Iterator[Numbers]:
    for chosen in mother:
        rules = [combined(made, rule, chosen) for rule in father]
        yield tuple(rule for rule in rules if rule is not None)


def combined(made: Family, number: int, chosen: int) -> int | None:
    """Return the rule with the conditions of another of its action, less the redundant ones; None if they contradict."""
    if (number, chosen) not in made.combinations:
        rules = list(made.outlines)
        (conditions, action, certainty), (more, other_action, _) = rules[number], rules[chosen]
        both = [*conditions, *more]
        result: int | None = number
        if action == other_action:
            gone = logic.redundant(both, made.schema)
            left = frozenset(condition for place, condition in enumerate(both) if place not in gone)
            result = made.number((left, action, certainty)) if logic.consistent(both, made.schema) else None
        made.combinations[number, chosen] = result
    return made.combinations[number, chosen]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.HARDMAX])
def test_single_point_joins_the_upper_rules_of_one_with_the_lower_rules_of_the_other(seed: int, mode: Mode) -> None:
    made = family(mixed_problem(seed, mode=mode), seed, crossovers=(1, 0, 0))
    possible = made.made_by(single_point)
    assert all(child in possible or made.may_be_random(child[0]) for child in made.children)
    assert sum(child in possible for child in made.children) > 0.6 * len(made.children)
    longest = max(len(rules) for rules, _ in made.parents)
    assert any(len(rules) > longest for rules, _ in made.children), "points are chosen separately in each parent"


@pytest.mark.parametrize("seed", range(3))
def test_uniform_takes_each_rule_from_either_parent(seed: int) -> None:
    made = family(mixed_problem(seed), seed, crossovers=(0, 1, 0))
    possible = made.made_by(uniform)
    assert all(child in possible or made.may_be_random(child[0]) for child in made.children)
    mixtures = [child for child in made.children if child in possible and child not in made.parents]
    assert len(mixtures) > 5, "children that equal no parent"


PLAIN = {
    "operators": (0, 0, 0, 1, 1, 0),
    "comparison_rate": 0.0,
    "sum_rate": 0.0,
    "population_size": 30,
    "max_conditions": 6,
}
"""Forms on which the quick tests and the exact logic agree completely."""


@pytest.mark.parametrize("seed", range(3))
def test_combine_rules_adds_the_conditions_of_one_rule_to_rules_of_its_action(seed: int) -> None:
    made = family(plain_problem(seed, mode=Mode.HARDMAX), seed, crossovers=(0, 0, 1), **PLAIN)
    longest = max(made.n_conditions[rule] for rules, _ in made.parents for rule in rules)
    possible = made.made_by(combine_rules)
    assert all(child in possible or made.may_be_random(child[0]) for child in made.children)
    assert any(made.n_conditions[rule] > longest for rules, _ in made.children for rule in rules)


def test_the_default_comes_from_either_parent() -> None:
    made = family(plain_problem(5, mode=Mode.HARDMAX), 5, crossovers=(0, 0, 1), **PLAIN | {"population_size": 60})
    hers, his = made.made_by(combine_rules, 0), made.made_by(combine_rules, 1)
    assert sum(child in hers - his for child in made.children) > 10
    assert sum(child in his - hers for child in made.children) > 10


def test_a_rule_that_would_outgrow_the_limit_stays_as_it_was() -> None:
    made = family(plain_problem(1), 1, crossovers=(0, 0, 1), max_conditions=3)
    known = {rule for rules, _ in made.parents for rule in rules}
    lengths = [(made.n_conditions[rule], rule in known) for rules, _ in made.children for rule in rules]
    assert max(lengths) == (3, True)


def test_without_crossover_children_are_parents_without_their_inactive_rules() -> None:
    made = family(mixed_problem(4), 4, crossover_rate=0.0)
    assert all(child in made.parents or made.may_be_random(child[0]) for child in made.children)
    assert sum(child in made.parents for child in made.children) > 20


def test_all_three_crossovers_take_part() -> None:
    """With equal frequencies, some children can only come from one of them."""
    made = family(plain_problem(7), 7, **PLAIN | {"population_size": 60})
    possible = [made.made_by(crossover) for crossover in (single_point, uniform, combine_rules)]
    ways = [tuple(child in way for way in possible) for child in made.children]
    assert {(True, False, False), (False, True, False), (False, False, True)} <= set(ways)
