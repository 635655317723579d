"""The random generator: its published finaliser, streams that depend on their key alone, and even draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.layout import Floats, Words
from evoter.kernels.random import below, choose, mix, search, seed_stream, uniform

WORD_MASK = 2**64 - 1
STEP = 0x9E3779B97F4A7C15


@allocating_kernel
def mixed(word: np.uint64) -> np.uint64:
    return mix(word)


@allocating_kernel
def draw(seed: int, generation: int, individual: int, n: int) -> Floats:
    state = np.empty(1, np.uint64)
    seed_stream(state, seed, generation, individual)
    numbers = np.empty(n)
    for k in range(n):
        numbers[k] = uniform(state)
    return numbers


@allocating_kernel
def draw_below(seed: int, most: int, n: int) -> Floats:
    state = np.empty(1, np.uint64)
    seed_stream(state, seed, 0, 0)
    numbers = np.empty(n)
    for k in range(n):
        numbers[k] = below(state, most)
    return numbers


@allocating_kernel
def next_uniform(state: Words) -> float:
    return uniform(state)


@allocating_kernel
def next_below(state: Words, most: int) -> int:
    return below(state, most)


@allocating_kernel
def draw_choices(seed: int, cdf: Floats, n: int) -> Floats:
    state = np.empty(1, np.uint64)
    seed_stream(state, seed, 0, 0)
    numbers = np.empty(n)
    for k in range(n):
        numbers[k] = choose(state, cdf)
    return numbers


@allocating_kernel
def place(table: Floats, value: float) -> int:
    return search(table, value)


@given(st.integers(0, WORD_MASK))
def test_words_are_mixed_as_in_splitmix64(word: int) -> None:
    expected = word
    expected = ((expected ^ (expected >> 30)) * 0xBF58476D1CE4E5B9) & WORD_MASK
    expected = ((expected ^ (expected >> 27)) * 0x94D049BB133111EB) & WORD_MASK
    expected ^= expected >> 31
    assert int(mixed(np.uint64(word))) == expected


def test_streams_depend_on_their_key_alone_and_differ() -> None:
    keys = [(seed, generation, i) for seed in (0, 1, 2**40) for generation in range(5) for i in range(20)]
    streams = {key: draw(*key, 4).tobytes() for key in keys}
    assert len(set(streams.values())) == len(keys)
    assert all(draw(*key, 4).tobytes() == stream for key, stream in streams.items())


def test_numbers_are_even() -> None:
    first = np.array([draw(7, 3, i, 1)[0] for i in range(20_000)])
    for numbers in (draw(7, 3, 1, 100_000), first):
        assert numbers.min() >= 0.0
        assert numbers.max() < 1.0
        counts, _ = np.histogram(numbers, bins=20, range=(0, 1))
        expected = len(numbers) / 20
        assert ((counts - expected) ** 2 / expected).sum() < 50, "chi-square of 19 degrees of freedom"


@pytest.mark.parametrize("most", [1, 2, 3, 7, 100])
def test_whole_numbers_stay_below(most: int) -> None:
    assert set(draw_below(5, most, 5_000)) == set(range(most))


@given(st.integers(1, 2**40))
def test_the_largest_draw_stays_below(most: int) -> None:
    """The state before the draw is chosen such that all bits of the draw are set."""
    before = np.array([(unmixed(WORD_MASK) - STEP) & WORD_MASK], np.uint64)
    assert next_uniform(before.copy()) == 1.0 - 2.0**-53
    assert next_below(before.copy(), most) == most - 1


def unmixed(word: int) -> int:
    """Undo the mixing of SplitMix64."""
    word ^= (word >> 31) ^ (word >> 62)
    word = word * pow(0x94D049BB133111EB, -1, 2**64) & WORD_MASK
    word ^= (word >> 27) ^ (word >> 54)
    word = word * pow(0xBF58476D1CE4E5B9, -1, 2**64) & WORD_MASK
    return word ^ (word >> 30) ^ (word >> 60)


def test_choices_have_their_frequencies() -> None:
    counts = np.bincount(draw_choices(3, np.array([0.0, 0.25, 0.25, 1.0]), 40_000).astype(int), minlength=4)
    assert counts[[0, 2]].tolist() == [0, 0]
    assert counts[1] == pytest.approx(10_000, abs=500)


@given(st.lists(st.floats(allow_nan=False), max_size=9).map(sorted), st.floats(allow_nan=False))
def test_search_finds_the_first_entry_above(table: list[float], value: float) -> None:
    assert place(np.array(table, dtype=np.float64), value) == np.searchsorted(table, value, side="right")
