"""Tallies add up in the order of the shards, and shards are divided evenly."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evoter.evolution.sharding import Tally, add_up, shard_bounds

LINES = st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=12)


@given(LINES, st.data())
def test_sums_do_not_depend_on_how_shards_are_grouped(lines: list[float], data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, len(lines) - 1)) if len(lines) > 1 else st.just(set())))
    edges = [0, *cuts, len(lines)]
    array = np.array(lines)[:, None]
    tallies = [Tally((np.array([last - first]),), (array[first:last],)) for first, last in itertools.pairwise(edges)]
    expected = lines[0]
    for line in lines[1:]:
        expected += line
    total = add_up(tallies)
    assert total.counts[0].tolist() == [len(lines)]
    assert total.sums[0].tolist() == [[expected]]
    assert array[0, 0] == lines[0], "what is added up stays as it is"


@given(st.integers(1, 100), st.integers(1, 20))
def test_runs_of_shards_are_nearly_equal_and_cover_all(n_shards: int, n_parts: int) -> None:
    bounds = shard_bounds(n_shards, n_parts)
    assert [number for first, last in bounds for number in range(first, last)] == list(range(n_shards))
    assert len(bounds) == min(n_shards, n_parts)
    sizes = [last - first for first, last in bounds]
    assert max(sizes) - min(sizes) <= 1
