"""Conditions as the codes and numbers that kernels see, and their quick logic as tests can call it."""

from collections.abc import Sequence

import numpy as np

from evoter.genome.codec import write_condition
from evoter.genome.grammar import build_grammar
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.kernels.conditions.logic import relation, truth
from evoter.kernels.layout import Floats, Grammar, Ints
from evoter.rules.model import Condition
from evoter.rules.schema import Schema


def written(conditions: Sequence[Condition], schema: Schema) -> tuple[Ints, Floats]:
    """Conditions as rows of codes and numbers."""
    codes = np.zeros((len(conditions), N_CODES), np.int64)
    numbers = np.zeros((len(conditions), N_NUMBERS))
    for k, condition in enumerate(conditions):
        write_condition(condition, schema, codes[k], numbers[k])
    return codes, numbers


def grammar_of(schema: Schema, columns: Floats | None = None) -> Grammar:
    """A grammar with every form of condition, for some data or for none."""
    return build_grammar(
        schema,
        np.zeros((len(schema.features), 1)) if columns is None else columns,
        operators=[1.0] * 6,
        max_power=3,
        comparison_rate=0.5,
        sum_rate=0.5,
        set_rate=0.5,
        missing_rate=0.1,
        uniform_constants=False,
        evolve_certainty=False,
    )


@allocating_kernel
def truth_of(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    """What the quick logic says about the first condition."""
    return truth(grammar, codes[0], numbers[0])


@allocating_kernel
def relation_of(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    """What the quick logic says about the first two conditions."""
    return relation(grammar, codes[0], numbers[0], codes[1], numbers[1])
