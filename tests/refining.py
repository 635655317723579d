"""What exact moves work on, for tests: refinements of random rows, empty drafts, and the rewards of decisions."""

from collections.abc import Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from antecedents import pool_of
from evoter.genome.arrays import empty_antecedents, empty_population
from evoter.genome.grammar import build_grammar
from evoter.genome.refinement import build_refinement
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.kernels.evaluation.masks import BLOCK, fill_masks
from evoter.kernels.layout import N_HEADER, WORD, Floats, Grammar, Ints, Offspring, Population, Refinement, Rows, Words
from evoter.kernels.pool import N_CLOCK, resolve
from evoter.kernels.refinement.draft import N_DRAFT_FACTS, Draft
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.interpreter import decide_table
from evoter.rules.model import Condition, RuleSet
from evoter.rules.schema import Schema
from tasks import as_rows

PLAIN_OPERATORS = (0.0, 0.0, 0.0, 1.0, 1.0, 0.0)
STRICT_OPERATORS = (0.0, 0.0, 1.0, 0.0, 0.0, 1.0)


def grammar_of(
    schema: Schema,
    columns: Floats,
    *,
    operators: Sequence[float] = PLAIN_OPERATORS,
    comparison_rate: float = 0.0,
    set_rate: float = 0.0,
    missing_rate: float = 0.5,
    guardrails: Guardrails | None = None,
) -> Grammar:
    """A grammar whose cuts lie between the values of the columns."""
    return build_grammar(
        schema,
        columns,
        operators=operators,
        max_power=3,
        comparison_rate=comparison_rate,
        set_rate=set_rate,
        missing_rate=missing_rate,
        uniform_constants=False,
        evolve_certainty=False,
        guardrails=guardrails,
    )


def refinement_of(
    rows: Rows, grammar: Grammar, rewards: Floats, *, price: float = 0.0, n_moves: int = 1, n_tries: int = 1
) -> Refinement:
    """A refinement with few moves."""
    return build_refinement(rows, grammar, rewards, price=price, temperature=price, n_moves=n_moves, n_tries=n_tries)


def random_rewards(rng: Random, n_rows: int, n_actions: int) -> Floats:
    """Whole numbers, so that sums are exact: also negative ones, with many equal ones, and none for padding."""
    rewards = np.zeros((-(-n_rows // WORD) * WORD, n_actions))
    rewards[:n_rows] = [[rng.randint(-2, 3) for _ in range(n_actions)] for _ in range(n_rows)]
    return rewards


def empty_draft(max_rules: int, max_conditions: int, n_words: int) -> Draft:
    """A draft with no rules."""
    return Draft(
        header=np.zeros(N_HEADER, np.int64),
        rules=np.zeros((max_rules + 1, N_DRAFT_FACTS), np.int64),
        codes=np.zeros((max_rules + 1, max_conditions, N_CODES), np.int64),
        numbers=np.zeros((max_rules + 1, max_conditions, N_NUMBERS)),
        masks=np.zeros((max_rules + 1, n_words), np.uint64),
        mask=np.zeros(n_words, np.uint64),
        members=np.zeros(n_words * WORD, np.int64),
        fallbacks=np.zeros(n_words * WORD, np.int64),
        gains=np.zeros(n_words * WORD),
        left=np.zeros(BLOCK * WORD),
        right=np.zeros(BLOCK * WORD),
    )


def children_of(offspring: Offspring) -> Population:
    """The individuals that offspring, whose antecedents are all new, stand for."""
    max_rules, max_conditions = offspring.rules.shape[1], offspring.new_codes.shape[1]
    size = len(offspring.header)
    pool = empty_antecedents(size * max_rules, max_conditions)
    children = empty_population(size, max_rules, pool)
    table = np.zeros(1 << (4 * size * max_rules).bit_length(), np.int64)
    resolve(empty_population(0, max_rules, pool), offspring, children, table, np.zeros(N_CLOCK, np.int64))
    return children


def bits_of(masks: Words) -> NDArray[np.bool_]:
    """The rows of masks, one truth value per row."""
    bits: NDArray[np.bool_] = np.unpackbits(masks.view(np.uint8), axis=-1, bitorder="little").astype(np.bool_)
    return bits


def held(conditions: Sequence[Condition], schema: Schema, rows: Rows) -> NDArray[np.bool_]:
    """Where each of some conditions holds."""
    slots = np.arange(len(conditions))
    masks = np.zeros((len(conditions), len(rows.valid)), np.uint64)
    pool = pool_of([[condition] for condition in conditions], schema)
    fill_masks(0, len(conditions), rows, pool, slots, slots, masks, np.zeros(len(conditions), np.int64))
    return bits_of(masks)


def actions_of(ruleset: RuleSet, columns: Floats) -> Ints:
    """What the interpreter decides on each row, as places in the schema's actions."""
    decisions = decide_table(ruleset, as_rows(columns, ruleset.schema))
    return np.array([ruleset.schema.actions.index(action) for action in decisions.actions], np.int64)


def reward_of(ruleset: RuleSet, columns: Floats, rewards: Floats) -> float:
    """The sum of the rewards for what the interpreter decides."""
    actions = actions_of(ruleset, columns)
    return float(rewards[np.arange(len(actions)), actions].sum())
