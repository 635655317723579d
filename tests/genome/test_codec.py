"""Rule sets as arrays: nothing is lost on the way there and back."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.genome.arrays import empty_antecedents, empty_offspring, empty_population
from evoter.genome.codec import decode, encode, read_condition, write_condition, write_offspring
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.kernels.layout import FIRST_NEW, N_NEW, N_RULES, SERIAL
from evoter.kernels.pool import N_CLOCK, NEXT_SERIAL, resolve
from evoter.rules.errors import RuleError
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Schema
from laws import examples
from strategies import conditions, rulesets, schemas
from tasks import MIXED, random_ruleset


def evolvable(ruleset: RuleSet) -> RuleSet:
    """Drop what evolution does not know: names and pins."""
    rules = [Rule(rule.conditions, rule.action, rule.certainty) for rule in ruleset.rules]
    return ruleset.replace(rules=tuple(rules))


@examples(300)
@given(st.data())
def test_conditions_survive(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    condition = data.draw(conditions(schema))
    codes, numbers = np.full(N_CODES, -9), np.full(N_NUMBERS, -9.0)
    write_condition(condition, schema, codes, numbers)
    assert read_condition(codes, numbers, schema) == condition


@examples(150)
@given(st.data())
def test_rule_sets_survive(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    population = data.draw(st.lists(rulesets(schema), max_size=3))
    encoded = encode(population, schema)
    decoded = [decode(encoded, i, schema, ruleset.mode) for i, ruleset in enumerate(population)]
    assert decoded == [evolvable(ruleset) for ruleset in population]
    assert encoded.complexity.tolist() == [ruleset.n_conditions for ruleset in population]


def test_features_actions_and_categories_are_found_by_name() -> None:
    ruleset = random_ruleset(Random(5), MIXED, Mode.FIRST)
    backwards = Schema(MIXED.features[::-1], MIXED.actions[::-1])
    assert decode(encode([ruleset], backwards), 0, backwards) == ruleset.replace(schema=backwards)


def test_unknown_actions_and_features_are_refused() -> None:
    schema = Schema([Feature("x")], ["go", "stay"])
    ruleset = RuleSet([Rule([Condition(Term("x"), ">", 0)], "go")], "stay", schema)
    with pytest.raises(RuleError, match="'stay' is not among the schema's: go"):
        encode([ruleset], Schema([Feature("x")], ["go"]))
    with pytest.raises(RuleError, match="unknown feature 'x'"):
        encode([ruleset], Schema([Feature("y")], ["go", "stay"]))


@examples(100)
@given(st.integers(0, 2**32))
def test_rule_sets_take_the_place_of_the_first_children_and_leave_the_others_alone(seed: int) -> None:
    rng = Random(seed)
    others = [random_ruleset(rng, MIXED, Mode.FIRST) for _ in range(6)]
    first = [random_ruleset(rng, MIXED, Mode.FIRST) for _ in range(rng.randint(1, 6))]
    offspring = empty_offspring(6, max_rules=6, max_conditions=3)
    offspring.header[:, [FIRST_NEW, N_NEW]] = 7
    offspring = write_offspring(first, MIXED, write_offspring(others, MIXED, offspring))
    assert (offspring.header[:, [FIRST_NEW, N_NEW]] == 7).all()
    pool = empty_antecedents(100, 3)
    children = empty_population(6, 6, pool)
    clock = np.zeros(N_CLOCK, np.int64)
    clock[NEXT_SERIAL] = 1
    resolve(empty_population(0, 6, pool), offspring, children, np.zeros(256, np.int64), clock)

    def distinct(ruleset: RuleSet) -> RuleSet:
        return ruleset.replace(rules=tuple(dict.fromkeys(ruleset.rules)))

    expected = [distinct(ruleset) for ruleset in [*first, *others[len(first) :]]]
    assert [decode(children, i, MIXED) for i in range(6)] == expected
    assert children.header[:, N_RULES].tolist() == [len(ruleset.rules) for ruleset in expected]
    serials = pool.facts[:, SERIAL]
    assert len(np.unique(serials[serials > 0])) == clock[NEXT_SERIAL] - 1
