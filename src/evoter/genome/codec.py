"""Rule sets to arrays and back, without loss."""

from collections.abc import Sequence

import numpy as np

from evoter.genome.arrays import empty_antecedents, empty_population
from evoter.kernels.layout import (
    CONSTANT,
    DEFAULT,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    N_CONDITIONS,
    N_RULES,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SERIAL,
    SLOT,
    Floats,
    Ints,
    Offspring,
    Population,
)
from evoter.rules.errors import RuleError
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.schema import Kind, Schema

OPERATORS = tuple(Operator)
"""Operators in the order of their codes."""


def write_condition(condition: Condition, schema: Schema, codes: Ints, numbers: Floats) -> None:
    """Write one condition as codes and numbers."""
    left, right = condition.left, condition.right
    codes[LEFT] = schema.position(left.feature)
    codes[OPERATOR] = OPERATORS.index(condition.operator)
    codes[LEFT_POWER] = left.power
    codes[LEFT_LAG] = left.lag
    codes[RIGHT_POWER] = 1
    codes[RIGHT_LAG] = 0
    numbers[LEFT_COEFFICIENT] = left.coefficient
    if isinstance(right, Term):
        codes[RIGHT] = schema.position(right.feature)
        codes[RIGHT_POWER] = right.power
        codes[RIGHT_LAG] = right.lag
        numbers[RIGHT_NUMBER] = right.coefficient
        return
    codes[RIGHT] = CONSTANT
    if isinstance(right, str):
        numbers[RIGHT_NUMBER] = schema.feature(left.feature).categories.index(right)
    else:
        numbers[RIGHT_NUMBER] = 0.0 if right is None else float(right)


def read_condition(codes: Ints, numbers: Floats, schema: Schema) -> Condition:
    """Return the condition that codes and numbers stand for."""
    feature = schema.features[codes[LEFT]]
    operator = OPERATORS[codes[OPERATOR]]
    left = Term(feature.name, float(numbers[LEFT_COEFFICIENT]), int(codes[LEFT_POWER]), int(codes[LEFT_LAG]))
    number = float(numbers[RIGHT_NUMBER])
    if codes[RIGHT] != CONSTANT:
        other = schema.features[codes[RIGHT]].name
        return Condition(left, operator, Term(other, number, int(codes[RIGHT_POWER]), int(codes[RIGHT_LAG])))
    if operator.tests_missing:
        return Condition(left, operator)
    if feature.kind is Kind.CATEGORICAL:
        return Condition(left, operator, feature.categories[int(number)])
    return Condition(left, operator, bool(number) if feature.kind is Kind.BOOLEAN else number)


def encode(rulesets: Sequence[RuleSet], schema: Schema) -> Population:
    """Return a population of the given rule sets, whose features and actions `schema` lists."""
    max_rules = max((len(ruleset.rules) for ruleset in rulesets), default=0)
    rules = [rule for ruleset in rulesets for rule in ruleset.rules]
    max_conditions = max((len(rule.conditions) for rule in rules), default=1)
    antecedents = empty_antecedents(max(len(rules), 1), max_conditions)
    population = empty_population(len(rulesets), max(max_rules, 1), antecedents)
    slot = 0
    for i, ruleset in enumerate(rulesets):
        population.header[i] = len(ruleset.rules), _action(ruleset.default, schema), ruleset.n_conditions
        population.default_certainties[i] = ruleset.default_certainty
        for r, rule in enumerate(ruleset.rules):
            antecedents.facts[slot, N_CONDITIONS] = len(rule.conditions)
            antecedents.facts[slot, SERIAL] = slot + 1
            for c, condition in enumerate(rule.conditions):
                write_condition(condition, schema, antecedents.codes[slot, c], antecedents.numbers[slot, c])
            population.rules[i, r] = slot, _action(rule.action, schema)
            population.certainties[i, r] = rule.certainty
            slot += 1
    return population


def write_offspring(rulesets: Sequence[RuleSet], schema: Schema, offspring: Offspring) -> Offspring:
    """Write rule sets, which must not be larger than children may be, over the first children.

    Their antecedents come after all others: where those of the other children lie, only variation knows.
    """
    population = encode(rulesets, schema)
    pool = population.antecedents
    n_children, width = population.size, population.max_rules
    for column in (N_RULES, DEFAULT):
        offspring.header[:n_children, column] = population.header[:, column]
    offspring.rules[:n_children, :width] = population.rules
    offspring.rules[:n_children, :width, SLOT] = -1 - len(offspring.new_n_conditions) - population.rules[:, :, SLOT]
    offspring.certainties[:n_children, :width] = population.certainties
    offspring.default_certainties[:n_children] = population.default_certainties
    spare = ((0, 0), (0, offspring.new_codes.shape[1] - pool.codes.shape[1]), (0, 0))
    return offspring._replace(
        new_n_conditions=np.append(offspring.new_n_conditions, pool.facts[:, N_CONDITIONS]),
        new_codes=np.concatenate([offspring.new_codes, np.pad(pool.codes, spare)]),
        new_numbers=np.concatenate([offspring.new_numbers, np.pad(pool.numbers, spare)]),
    )


def decode(population: Population, i: int, schema: Schema, mode: Mode = Mode.FIRST) -> RuleSet:
    """Return individual `i` of a population as a rule set."""
    pool = population.antecedents
    rules = []
    for r in range(population.n_rules[i]):
        slot, action = population.rules[i, r]
        conditions = tuple(
            read_condition(pool.codes[slot, c], pool.numbers[slot, c], schema)
            for c in range(pool.facts[slot, N_CONDITIONS])
        )
        rules.append(Rule(conditions, schema.actions[action], float(population.certainties[i, r])))
    default = schema.actions[population.header[i, DEFAULT]]
    return RuleSet(tuple(rules), default, schema, float(population.default_certainties[i]), mode)


def _action(action: str, schema: Schema) -> int:
    if action not in schema.actions:
        raise RuleError(f"the rule set's action {action!r} is not among the schema's: {', '.join(schema.actions)}")
    return schema.actions.index(action)
