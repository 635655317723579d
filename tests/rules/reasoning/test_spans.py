"""Doubles as whole numbers in order, and sets of them."""

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.reasoning.spans import Spans, double, first_where, intersection, is_subset, joined, ordinal

FLOATS = st.floats(allow_nan=False)


@st.composite
def spans(draw: st.DrawFn) -> Spans:
    members = draw(st.sets(st.integers(-12, 12)))
    return joined([(member, member) for member in sorted(members)])


def members(some: Spans) -> set[int]:
    return {member for first, last in some for member in range(first, last + 1)}


@given(FLOATS)
def test_ordinals_are_exact(x: float) -> None:
    assert double(ordinal(x)) == x


@given(FLOATS, FLOATS)
def test_ordinals_keep_the_order(x: float, y: float) -> None:
    assert (ordinal(x) < ordinal(y)) == (x < y)
    assert (ordinal(x) == ordinal(y)) == (x == y)


@given(st.floats(allow_nan=False, max_value=1e308))
def test_ordinals_of_neighbours_differ_by_one(x: float) -> None:
    assert ordinal(math.nextafter(x, math.inf)) == ordinal(x) + 1


@given(spans(), spans())
def test_sets_meet_as_sets_do(some: Spans, others: Spans) -> None:
    assert members(intersection(some, others)) == members(some) & members(others)
    assert is_subset(some, others) == (members(some) <= members(others))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 3)), max_size=5))
def test_joined_spans_hold_the_same_and_never_touch(steps: list[tuple[int, int]]) -> None:
    parts = []
    start = 0
    for gap, length in steps:
        parts.append((start + gap, start + gap + length))
        start = max(start + gap, start + gap + length) + 1
    result = joined(parts)
    assert members(result) == members(tuple(parts))
    assert all(before[1] + 1 < after[0] for before, after in pairwise(result))


@given(st.integers(-50, 50), st.integers(-1, 60), st.integers(-60, 120), st.integers(-200, 200))
def test_the_first_place_is_found_from_anywhere(first: int, length: int, threshold: int, near: int) -> None:
    last = first + length
    expected = next((place for place in range(first, last + 1) if place >= threshold), last + 1)
    assert first_where(lambda x: ordinal(x) >= threshold, first, last, near) == expected
