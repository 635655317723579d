"""Which conditions suit which actions: compiled and in Python the same, for all forms of condition."""

from random import Random

import numpy as np
import pytest

from domains import random_condition
from evoter.genome.codec import read_condition, write_condition
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.kernels.conditions.trends import is_permitted, make_permitted
from evoter.kernels.layout import Floats, Grammar, Ints
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.monotone import Direction, Monotone
from evoter.rules.model import Condition, Mode, Rule
from evoter.rules.schema import Kind, Schema
from laws import n_cases
from refining import grammar_of
from tasks import MIXED, mixed_columns


@allocating_kernel
def permitted(grammar: Grammar, action: int, codes: Ints, numbers: Floats) -> bool:
    return is_permitted(grammar, action, codes, numbers)


@allocating_kernel
def permitted_now(grammar: Grammar, action: int, codes: Ints, numbers: Floats) -> bool:
    return make_permitted(grammar, action, codes, numbers)


def coded(condition: Condition, schema: Schema) -> tuple[Ints, Floats]:
    codes, numbers = np.zeros(N_CODES, np.int64), np.zeros(N_NUMBERS)
    write_condition(condition, schema, codes, numbers)
    return codes, numbers


def monotone_rails(rng: Random, schema: Schema) -> Guardrails:
    ordered = [feature.name for feature in schema.features if feature.kind is not Kind.CATEGORICAL]
    monotone = [Monotone(name, rng.choice(list(Direction))) for name in rng.sample(ordered, 4)]
    order = rng.sample(schema.actions, len(schema.actions))
    return Guardrails(schema, Mode.FIRST, monotone=tuple(monotone), order=tuple(order))


def test_kernels_permit_what_the_guardrails_permit() -> None:
    schema = Schema(MIXED.features, MIXED.actions, max_lag=2)
    columns = mixed_columns(np.random.default_rng(0), 50)
    seen = set()
    for seed in range(n_cases(2000)):
        rng = Random(seed)
        rails = monotone_rails(rng, schema)
        grammar = grammar_of(schema, columns, guardrails=rails)
        for _ in range(5):
            condition, action = random_condition(rng, schema), rng.randrange(3)
            expected = rails.permits(Rule([condition], schema.actions[action]))
            codes, numbers = coded(condition, schema)
            assert permitted(grammar, action, codes, numbers) is expected
            now = permitted_now(grammar, action, codes, numbers)
            changed = read_condition(codes, numbers, schema)
            assert now is rails.permits(Rule([changed], schema.actions[action]))
            assert changed == condition or not expected, "what suits stays as it is"
            seen.add((expected, now))
    assert seen == {(True, True), (False, True), (False, False)}


@pytest.mark.parametrize("action", [0, 1, 2])
def test_without_guardrails_everything_is_permitted(action: int) -> None:
    grammar = grammar_of(MIXED, mixed_columns(np.random.default_rng(0), 50))
    rng = Random(action)
    for _ in range(20):
        assert permitted(grammar, action, *coded(random_condition(rng, MIXED), MIXED))
