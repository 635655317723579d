"""Arrays: populations picked, joined and compacted, bits packed, tables laid out."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.genome.arrays import bit_per_row, compact, empty_population, join, pick, table_rows, unite
from evoter.genome.codec import decode, encode
from evoter.kernels.layout import SERIAL, WORD, Population
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Feature, Schema
from laws import examples
from tasks import MIXED, random_columns, random_ruleset


def all_decoded(population: Population) -> list[RuleSet]:
    return [decode(population, i, MIXED) for i in range(population.size)]


def random_population(rng: Random) -> tuple[Population, list[RuleSet]]:
    rulesets = [random_ruleset(rng, MIXED, Mode.FIRST) for _ in range(rng.randint(0, 8))]
    return encode(rulesets, MIXED), rulesets


@examples(100)
@given(st.integers(0, 2**32))
def test_individuals_are_picked_and_joined_in_order(seed: int) -> None:
    rng = Random(seed)
    population, rulesets = random_population(rng)
    one, other = ([rng.randrange(len(rulesets)) for _ in range(rng.randint(0, 5) if rulesets else 0)] for _ in "ab")
    joined = join(*(pick(population, np.array(places, dtype=np.int64)) for places in (one, other)))
    assert all_decoded(joined) == [rulesets[place] for place in one + other]


@examples(100)
@given(st.integers(0, 2**32))
def test_populations_over_different_pools_are_united(seed: int) -> None:
    rng = Random(seed)
    population, rulesets = random_population(rng)
    parts = [[rng.randrange(len(rulesets)) for _ in range(rng.randint(0, 5) if rulesets else 0)] for _ in "abc"]
    united = unite([compact(pick(population, np.array(part, dtype=np.int64))) for part in parts])
    assert all_decoded(united) == [rulesets[place] for part in parts for place in part]
    twice = unite([united, united])
    assert len(twice.antecedents.facts) == len(united.antecedents.facts), "equal antecedents are there once"


@examples(100)
@given(st.integers(0, 2**32))
def test_a_compact_population_is_equal_and_has_nothing_to_spare(seed: int) -> None:
    rng = Random(seed)
    population, rulesets = random_population(rng)
    places = [rng.randrange(len(rulesets)) for _ in range(rng.randint(0, 9) if rulesets else 0)]
    small = compact(pick(population, np.array(places, dtype=np.int64)))
    assert all_decoded(small) == [rulesets[place] for place in places]
    n_slots = len(small.antecedents.facts)
    assert sorted(set(small.used_slots.tolist())) == list(range(n_slots))
    assert small.antecedents.facts[:, SERIAL].tolist() == list(range(1, n_slots + 1))
    again = compact(small)
    arrays = [*small.antecedents, *small[1:]]
    assert all((x == y).all() for x, y in zip(arrays, [*again.antecedents, *again[1:]], strict=True))


def test_a_compact_population_does_not_depend_on_the_slots() -> None:
    rng = Random(3)
    rulesets = [random_ruleset(rng, MIXED, Mode.FIRST) for _ in range(6)]
    forwards = compact(pick(encode(rulesets, MIXED), np.array([4, 2, 0])))
    backwards = compact(pick(encode(rulesets[::-1], MIXED), np.array([1, 3, 5])))
    width = min(forwards.max_rules, backwards.max_rules)
    assert (forwards.rules[:, :width] == backwards.rules[:, :width]).all()
    assert (forwards.antecedents.codes == backwards.antecedents.codes).all()
    assert (forwards.antecedents.numbers == backwards.antecedents.numbers).all()


def test_a_new_population_has_no_rules() -> None:
    population = empty_population(3, 5, encode([], MIXED).antecedents)
    assert population.n_rules.tolist() == [0, 0, 0]
    assert population.max_rules == 5
    assert all(ruleset.rules == () and ruleset.default == "no" for ruleset in all_decoded(population))


@given(st.lists(st.booleans(), max_size=200))
def test_bits_are_packed_lowest_first(rows: list[bool]) -> None:
    words = bit_per_row(np.array(rows, dtype=np.bool_))
    assert len(words) == -(-len(rows) // WORD)
    assert [bool(int(words[row // WORD]) >> row % WORD & 1) for row in range(len(words) * WORD)][: len(rows)] == rows
    assert sum(int(word).bit_count() for word in words) == sum(rows)


@pytest.mark.parametrize("n_rows", [0, 1, 63, 64, 65, 130])
def test_tables_are_laid_out_feature_by_feature(n_rows: int) -> None:
    columns = random_columns(Random(n_rows), MIXED, n_rows)
    rows = table_rows(columns, MIXED)
    length = len(rows.valid) * WORD
    assert length == max(1, -(-n_rows // WORD)) * WORD
    for start, column in zip(rows.starts, columns, strict=True):
        np.testing.assert_array_equal(rows.values[start : start + n_rows], column)
        assert np.isnan(rows.values[start + n_rows : start + length]).all()
    assert sum(int(word).bit_count() for word in rows.valid) == n_rows
    assert rows.scaled.tolist() == [feature.scaled for feature in MIXED.features]
    assert (rows.lows[:2].tolist(), rows.spans[:2].tolist()) == ([0.0, -5.0], [1.0, 10.0])


def test_rows_stand_where_they_are_told() -> None:
    schema = Schema([Feature("x"), Feature("y")], ["go"])
    positions = np.full(128, -1)
    positions[[0, 1, 64]] = [2, 0, 1]
    rows = table_rows(np.array([[10.0, 11.0, 12.0], [20.0, 21.0, 22.0]]), schema, positions)
    assert rows.valid.tolist() == [0b11, 0b1]
    for start, values in zip(rows.starts, ([12.0, 10.0, 11.0], [22.0, 20.0, 21.0]), strict=True):
        assert rows.values[start + np.array([0, 1, 64])].tolist() == values
    assert np.isnan(rows.values).sum() == 2 * 125
