"""Binary features are decided by logic: whatever a rule says of 0, 1 and missing, its simple form says as well."""

from itertools import product
from random import Random

import numpy as np
import pytest

from domains import COEFFICIENTS, COMPARISONS, compare
from evoter.problems import decide_columns
from evoter.rules.interpreter import decide_now, decide_table
from evoter.rules.logic import Truth, truth
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.reasoning.canonical import canonical
from evoter.rules.schema import Feature, Schema
from evoter.rules.simplify import simplify
from evoter.tables import encode
from laws import n_cases
from strategies import Row

CONSTANTS = [-1.0, 0.0, 0.3, 0.5, 0.99, 1.0, 1.5, 33.0]


def binary(*names: str, missing: str = "") -> Schema:
    features = [Feature(name, low=0, high=1, step=1, missing=name in missing) for name in names]
    return Schema(features, ["go", "stop", "wait"])


SURE = binary("x", "y")


def all_rows(schema: Schema) -> list[Row]:
    values = [[0.0, 1.0, None] if feature.missing else [0.0, 1.0] for feature in schema.features]
    return [dict(zip(schema.names, row, strict=True)) for row in product(*values)]


def random_condition(rng: Random, schema: Schema) -> Condition:
    def term() -> Term:
        coefficient = rng.choice(COEFFICIENTS) if rng.random() < 0.5 else rng.randint(1, 100) / 100
        return Term(rng.choice(schema.names), coefficient, rng.randint(1, 3))

    right = rng.choice(CONSTANTS) if rng.random() < 0.4 else term()
    return Condition(term(), rng.choice(COMPARISONS), right)


def random_binary_ruleset(rng: Random) -> RuleSet:
    schema = binary(*"wxyz"[: rng.randint(1, 4)], missing="".join(rng.sample("wxyz", rng.randint(0, 2))))
    if rng.random() < 0.3:
        schema = schema.with_feature("w", scaled=True)
    rules = tuple(
        Rule(
            tuple(random_condition(rng, schema) for _ in range(rng.randint(1, 4))),
            rng.choice(schema.actions),
            rng.choice([0.3, 0.7, 1.0]),
        )
        for _ in range(rng.randint(1, 5))
    )
    return RuleSet(rules, rng.choice(schema.actions), schema, 1.0, rng.choice(list(Mode)))


def test_simple_rules_decide_the_same_on_every_input_and_kernels_agree() -> None:
    for seed in range(n_cases(3_000)):
        ruleset = random_binary_ruleset(Random(seed))
        simple = simplify(ruleset)
        assert simple.n_conditions <= ruleset.n_conditions
        rows = all_rows(ruleset.schema)
        for row in rows:
            before, after = decide_now(ruleset, [row]), decide_now(simple, [row])
            assert (before.actions, before.certainty) == (after.actions, after.certainty), (seed, row)
        columns = encode([[row[name] for name in ruleset.schema.names] for row in rows], ruleset.schema)
        for each in (ruleset, simple):
            active = decide_columns(each, columns).active
            expected = [
                [index in decision.active for index in range(len(each.rules))]
                for decision in decide_table(each, rows).decisions
            ]
            assert np.array_equal(active, np.array(expected, dtype=np.bool_).reshape(active.shape)), seed


@pytest.mark.parametrize(
    ("condition", "plain"),
    [
        (compare("x", ">", 0.5), compare("x", "=", 1)),
        (compare("x", "<=", 0.5), compare("x", "=", 0)),
        (compare("x", "!=", 1), compare("x", "=", 0)),
        (compare("x", ">=", 1), compare("x", "=", 1)),
        (compare(Term("x", 0.4, power=3), "<", 0.4), compare("x", "=", 0)),
        (compare(Term("x", 0.4), "<", Term("y", 0.9)), compare("y", "=", 1)),
        (compare(Term("x", 0.18), ">=", Term("y", 0.38)), compare("y", "=", 0)),
        (compare(Term("x", 0.47), "<=", Term("y", 0.76)), compare("x", "<=", Term("y"))),
        (compare(Term("x", 2.0, power=2), "=", Term("y", 2.0)), compare("x", "=", Term("y"))),
        (compare(Term("x", 0.7), "!=", Term("x", 0.3)), compare("x", "=", 1)),
    ],
)
def test_a_condition_says_which_value_it_needs(condition: Condition, plain: Condition) -> None:
    assert canonical(condition, SURE) == plain


def test_conditions_that_no_value_or_every_value_satisfies_are_known() -> None:
    assert truth(compare("x", ">", 33), SURE) is Truth.NEVER
    assert truth(compare("x", "=", 0.5), SURE) is Truth.NEVER
    assert truth(compare("x", "!=", 0.5), SURE) is Truth.ALWAYS
    assert truth(compare(Term("x", 0.5), "<", Term("y", -0.5)), SURE) is Truth.NEVER
    assert truth(compare("x", "<=", Term("x", 2.0)), SURE) is Truth.ALWAYS


def test_a_value_that_may_be_missing_still_has_to_be_there() -> None:
    unsure = binary("x", "y", missing="x")
    condition = compare(Term("x", 0.4), "<", Term("y", 0.9))
    assert canonical(condition, unsure) == condition
    assert canonical(compare("x", ">", 0.5), unsure) == compare("x", "=", 1)
    assert canonical(compare("x", ">", -1), unsure) == Condition(Term("x"), Operator.IS_PRESENT)
