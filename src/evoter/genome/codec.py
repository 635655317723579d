"""Rule sets to arrays and back, without loss."""

from collections.abc import Sequence

import numpy as np

from evoter.genome.arrays import empty_antecedents, empty_population
from evoter.kernels.conditions.codes import (
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SUM_CONSTANT,
)
from evoter.kernels.layout import (
    DEFAULT,
    N_CONDITIONS,
    N_RULES,
    SERIAL,
    SIZE,
    SLOT,
    Floats,
    Ints,
    Offspring,
    Population,
)
from evoter.rules.errors import RuleError
from evoter.rules.forms.form import Codes
from evoter.rules.forms.registry import FORMS, form_of
from evoter.rules.model import Condition, Mode, Rule, RuleSet
from evoter.rules.schema import Schema


def write_condition(condition: Condition, schema: Schema, codes: Ints, numbers: Floats) -> None:
    """Write one condition as codes and numbers."""
    plain = form_of(condition).codes(condition, schema)
    codes[LEFT] = plain.left
    codes[OPERATOR] = plain.operator
    codes[LEFT_POWER] = plain.left_power
    codes[LEFT_LAG] = plain.left_lag
    codes[RIGHT] = plain.right
    codes[RIGHT_POWER] = plain.right_power
    codes[RIGHT_LAG] = plain.right_lag
    numbers[LEFT_COEFFICIENT] = plain.left_coefficient
    numbers[RIGHT_NUMBER] = plain.right_number
    numbers[SUM_CONSTANT] = plain.sum_constant


def read_condition(codes: Ints, numbers: Floats, schema: Schema) -> Condition:
    """Return the condition that codes and numbers stand for."""
    plain = Codes(
        left=int(codes[LEFT]),
        operator=int(codes[OPERATOR]),
        left_power=int(codes[LEFT_POWER]),
        left_lag=int(codes[LEFT_LAG]),
        right=int(codes[RIGHT]),
        right_power=int(codes[RIGHT_POWER]),
        right_lag=int(codes[RIGHT_LAG]),
        left_coefficient=float(numbers[LEFT_COEFFICIENT]),
        right_number=float(numbers[RIGHT_NUMBER]),
        sum_constant=float(numbers[SUM_CONSTANT]),
    )
    for form in FORMS:
        condition = form.from_codes(plain, schema)
        if condition is not None:
            return condition
    raise ValueError(f"no form of condition has the codes {plain}")


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
            antecedents.facts[slot, SIZE] = rule.n_conditions
            for c, condition in enumerate(rule.conditions):
                write_condition(condition, schema, antecedents.codes[slot, c], antecedents.numbers[slot, c])
            population.rules[i, r] = slot, _action(rule.action, schema)
            population.certainties[i, r] = rule.certainty
            slot += 1
    return population


def write_offspring(rulesets: Sequence[RuleSet], schema: Schema, offspring: Offspring, first: int = 0) -> Offspring:
    """Write rule sets, which must not be larger than children may be, over the children from number `first` on.

    Their antecedents come after all others: where those of the other children lie, only variation knows.
    """
    population = encode(rulesets, schema)
    pool = population.antecedents
    children, width = slice(first, first + population.size), population.max_rules
    for column in (N_RULES, DEFAULT):
        offspring.header[children, column] = population.header[:, column]
    offspring.rules[children, :width] = population.rules
    offspring.rules[children, :width, SLOT] = -1 - len(offspring.new_n_conditions) - population.rules[:, :, SLOT]
    offspring.certainties[children, :width] = population.certainties
    offspring.default_certainties[children] = population.default_certainties
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
