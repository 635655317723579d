"""Empty arrays of the right shapes: rows of data, pools of antecedents, populations and offspring."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.kernels.layout import (
    LAST_USED,
    N_ANTECEDENT_FACTS,
    N_CONDITIONS,
    N_HEADER,
    N_OFFSPRING_HEADER,
    N_RULE_FACTS,
    SERIAL,
    SLOT,
    WORD,
    Antecedents,
    Floats,
    Ints,
    Offspring,
    Population,
    Rows,
    Words,
)
from evoter.rules.schema import Schema


def empty_antecedents(capacity: int, max_conditions: int) -> Antecedents:
    """Make a pool with `capacity` free slots."""
    return Antecedents(
        facts=np.zeros((capacity, N_ANTECEDENT_FACTS), np.int64),
        codes=np.zeros((capacity, max_conditions, N_CODES), np.int64),
        numbers=np.zeros((capacity, max_conditions, N_NUMBERS)),
    )


def empty_population(size: int, max_rules: int, antecedents: Antecedents) -> Population:
    """Make a population of rule sets without rules over a pool."""
    return Population(
        antecedents=antecedents,
        header=np.zeros((size, N_HEADER), np.int64),
        rules=np.zeros((size, max_rules, N_RULE_FACTS), np.int64),
        certainties=np.ones((size, max_rules)),
        default_certainties=np.ones(size),
    )


def empty_offspring(size: int, max_rules: int, max_conditions: int) -> Offspring:
    """Make room for the children of a generation, each with a new antecedent for every rule at the most."""
    return Offspring(
        header=np.zeros((size, N_OFFSPRING_HEADER), np.int64),
        rules=np.zeros((size, max_rules, N_RULE_FACTS), np.int64),
        certainties=np.ones((size, max_rules)),
        default_certainties=np.ones(size),
        new_n_conditions=np.zeros(size * max_rules, np.int64),
        new_codes=np.zeros((size * max_rules, max_conditions, N_CODES), np.int64),
        new_numbers=np.zeros((size * max_rules, max_conditions, N_NUMBERS)),
    )


def pick(population: Population, individuals: Ints) -> Population:
    """Return some individuals of a population, in the given order, over the same pool."""
    return population._replace(
        header=population.header[individuals],
        rules=population.rules[individuals],
        certainties=population.certainties[individuals],
        default_certainties=population.default_certainties[individuals],
    )


def join(first: Population, second: Population) -> Population:
    """Put two populations over the same pool one after the other."""
    arrays = (np.concatenate(pair) for pair in zip(first[1:], second[1:], strict=True))
    return Population(first.antecedents, *arrays)


def compact(population: Population) -> Population:
    """Return an equal population whose pool holds only the antecedents it uses, each once, in order of appearance.

    Equal populations become equal arrays, whatever slots their antecedents had and what lay there before.
    """
    slots, first_uses, positions = np.unique(population.used_slots, return_index=True, return_inverse=True)
    appearance = np.argsort(first_uses)
    slots, positions = slots[appearance], np.argsort(appearance)[positions]
    pool = population.antecedents
    facts, codes, numbers = pool.facts[slots], pool.codes[slots], pool.numbers[slots]
    facts[:, SERIAL] = np.arange(1, len(slots) + 1)
    facts[:, LAST_USED] = 0
    unused = np.arange(codes.shape[1]) >= facts[:, N_CONDITIONS, None]
    codes[unused] = 0
    numbers[unused] = 0.0
    used = np.arange(population.max_rules) < population.n_rules[:, None]
    rules = np.where(used[:, :, None], population.rules, 0)
    rules[used, SLOT] = positions
    certainties = np.where(used, population.certainties, 1.0)
    return population._replace(antecedents=Antecedents(facts, codes, numbers), rules=rules, certainties=certainties)


def unite(populations: Sequence[Population]) -> Population:
    """Return the individuals of populations over different pools, one after the other, over a pool of their own.

    The pool is compact, and equal antecedents of different populations become one.
    """
    parts = [compact(population) for population in populations]
    pools = [part.antecedents for part in parts]
    pool = Antecedents(*(np.concatenate(arrays) for arrays in zip(*pools, strict=True)))
    contents = (pool.facts[:, [N_CONDITIONS]], pool.codes, pool.numbers.view(np.int64))
    lines = [each.reshape(len(each), int(np.prod(each.shape[1:]))) for each in contents]
    rows = np.ascontiguousarray(np.concatenate(lines, axis=1))
    whole_rows = rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1])))[:, 0]
    _, first, same = np.unique(whole_rows, return_index=True, return_inverse=True)
    moved = first[same]
    starts = np.cumsum([0, *(len(each.facts) for each in pools[:-1])])
    for part, start in zip(parts, starts.tolist(), strict=True):
        used = np.arange(part.max_rules) < part.n_rules[:, None]
        part.rules[used, SLOT] = moved[part.rules[used, SLOT] + start]
    arrays = (np.concatenate(each) for each in zip(*(part[1:] for part in parts), strict=True))
    return compact(Population(pool, *arrays))


def bit_per_row(rows: NDArray[np.bool_]) -> Words:
    """Pack truth values into words, the first row in the lowest bit."""
    padded = np.zeros(-(-len(rows) // WORD) * WORD, np.bool_)
    padded[: len(rows)] = rows
    return np.packbits(padded, bitorder="little").view(np.uint64)


def table_rows(columns: Floats, schema: Schema, positions: Ints | None = None) -> Rows:
    """Lay out a table, given feature by feature, for the kernels.

    `positions` says which row of the table goes where, -1 for padding (its length a multiple of 64); without it
    the rows keep their order.
    """
    n_rows = columns.shape[1]
    if positions is None:
        positions = np.full(-(-max(n_rows, 1) // WORD) * WORD, -1)
        positions[:n_rows] = np.arange(n_rows)
    present = positions >= 0
    values = np.full((len(schema.features), len(positions)), np.nan)
    for row, column in zip(values, columns, strict=True):
        row[present] = column[positions[present]]
    lows, spans, scaled = scales(schema)
    return Rows(
        values=values.reshape(-1),
        starts=np.arange(len(schema.features), dtype=np.int64) * len(positions),
        lag_stride=0,
        valid=bit_per_row(present),
        history=np.empty(0, np.int64),
        steps=np.empty(0, np.int64),
        lows=lows,
        spans=spans,
        scaled=scaled,
    )


def scales(schema: Schema) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Return how comparisons between features read each of them: less its low, divided by its span, where scaled."""
    bounds = np.array([feature.bounds for feature in schema.features]).reshape(-1, 2)
    scaled = np.array([feature.scaled for feature in schema.features], dtype=np.bool_)
    lows, highs = np.where(scaled, bounds[:, 0], 0.0), np.where(scaled, bounds[:, 1], 1.0)
    with np.errstate(over="ignore"):  # a range may be wider than the largest number, for the interpreter too
        return lows, highs - lows, scaled
