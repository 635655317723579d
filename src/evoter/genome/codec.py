"""Rule sets to arrays and back, without loss."""

from collections.abc import Sequence

import numpy as np

from evoter.genome.arrays import empty_antecedents, empty_population
from evoter.kernels.layout import ALL as ALL_MODE
from evoter.kernels.layout import (
    CONSTANT,
    DEFAULT,
    FIRST,
    HARDMAX,
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
    VOTE,
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

MODE_CODES = {Mode.FIRST: FIRST, Mode.HARDMAX: HARDMAX, Mode.VOTE: VOTE, Mode.ALL: ALL_MODE}


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
        population.header[i, N_RULES] = len(ruleset.rules)
        population.header[i, DEFAULT] = _action(ruleset.default, schema)
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


def write_offspring(rulesets: Sequence[RuleSet], schema: Schema, offspring: Offspring) -> None:
    """Write rule sets over the first children; refuse one that has more rules or conditions than there is room for."""
    max_rules, max_conditions = offspring.rules.shape[1], offspring.new_codes.shape[1]
    for number, ruleset in enumerate(rulesets):
        longest = max((len(rule.conditions) for rule in ruleset.rules), default=0)
        if len(ruleset.rules) > max_rules or longest > max_conditions:
            raise RuleError(
                f"warm-start rule set {number} has {len(ruleset.rules)} rules of up to {longest} conditions; the settings "
                f"allow {max_rules} rules of {max_conditions}: raise max_rules or max_conditions, or simplify it"
            )
    population = encode(rulesets, schema)
    pool = population.antecedents
    for i in range(population.size):
        n = population.n_rules[i]
        slots = population.rules[i, :n, SLOT]
        width = pool.codes.shape[1]
        first = i * max_rules
        offspring.header[i] = population.header[i]
        offspring.rules[i, :n] = population.rules[i, :n]
        offspring.rules[i, :n, SLOT] = -1 - np.arange(first, first + n)
        offspring.certainties[i, :n] = population.certainties[i, :n]
        offspring.default_certainties[i] = population.default_certainties[i]
        offspring.new_n_conditions[first : first + n] = pool.facts[slots, N_CONDITIONS]
        offspring.new_codes[first : first + n, :width] = pool.codes[slots]
        offspring.new_numbers[first : first + n, :width] = pool.numbers[slots]


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
