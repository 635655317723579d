"""Smoothing: originals first and unchanged, copies near them and within their ranges, the same every time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.smoothing import ENOUGH_ROWS, MAX_COPIES, count_copies, number_rows, smoothed
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from tasks import MIXED, mixed_columns

NUMERIC = [place for place, feature in enumerate(MIXED.features) if feature.kind is Kind.NUMERIC]
OTHERS = [place for place, feature in enumerate(MIXED.features) if feature.kind is not Kind.NUMERIC]


def smoothed_rows(columns: Floats, classes: Ints, amount: float) -> tuple[Floats, Ints]:
    return smoothed(MIXED, columns, number_rows(columns, classes)[0], amount)


@examples(60)
@given(st.integers(0, 2**32), st.integers(1, 900), st.sampled_from([0.0, 0.01, 0.2, 5.0]))
def test_copies_stay_near_their_rows(seed: int, n_rows: int, amount: float) -> None:
    rng = np.random.default_rng(seed)
    columns, classes = mixed_columns(rng, n_rows), rng.integers(0, 3, n_rows)
    before = columns.copy()
    judged, origins = smoothed_rows(columns, classes, amount)
    assert np.array_equal(columns, before, equal_nan=True), "the table itself is left alone"
    n_copies = count_copies(number_rows(columns, classes)[1]) if amount > 0 else 1
    assert judged.shape == (len(columns), n_copies * n_rows)
    assert origins.tolist() == [*range(n_rows)] * n_copies
    assert np.array_equal(judged[:, :n_rows], columns, equal_nan=True), "the rows themselves come first"
    assert np.array_equal(judged[OTHERS], columns[OTHERS][:, origins], equal_nan=True)
    assert np.array_equal(np.isnan(judged), np.isnan(columns[:, origins]))
    for place in NUMERIC:
        present = columns[place][~np.isnan(columns[place])]
        copies = judged[place][~np.isnan(judged[place])]
        if len(present):
            assert present.min() <= copies.min() <= copies.max() <= present.max()
            away = np.abs(judged[place] - columns[place][origins])
            assert np.nanmax(away) <= 6.5 * amount * present.std() + 1e-12


def test_noise_has_the_spread_that_was_asked_for() -> None:
    columns = np.array([np.linspace(0.0, 1.0, 450), np.linspace(0.0, 1000.0, 450)])
    schema = Schema([Feature("x"), Feature("y")], ["go"])
    judged, origins = smoothed(schema, columns, np.arange(450), 0.05)
    moves = (judged - columns[:, origins])[:, 450:] / columns.std(axis=1, keepdims=True)
    inner = (columns[:, origins][:, 450:] > 0.2 * columns.max(axis=1, keepdims=True)).all(axis=0)
    inner &= (columns[:, origins][:, 450:] < 0.8 * columns.max(axis=1, keepdims=True)).all(axis=0)
    assert moves[:, inner].std(axis=1) == pytest.approx([0.05, 0.05], rel=0.1)
    assert moves[:, inner].mean(axis=1) == pytest.approx([0.0, 0.0], abs=0.005)
    assert abs(np.corrcoef(moves[:, inner])[0, 1]) < 0.1, "each feature moves on its own"


def test_the_same_rows_are_smoothed_in_the_same_way() -> None:
    rng = np.random.default_rng(1)
    columns, classes = mixed_columns(rng, 200), rng.integers(0, 3, 200)
    first, second = (smoothed_rows(columns, classes, 0.2)[0] for _ in range(2))
    assert first.tobytes() == second.tobytes()


def in_order(columns: Floats) -> list[list[float]]:
    """The rows of a table, in an order that does not depend on theirs."""
    return sorted(np.nan_to_num(columns, nan=-99.0).T.tolist())


def test_the_order_of_rows_does_not_matter() -> None:
    rng = np.random.default_rng(2)
    columns, classes = mixed_columns(rng, 200), rng.integers(0, 3, 200)
    order = rng.permutation(200)
    one, other = (smoothed_rows(columns[:, rows], classes[rows], 0.2)[0] for rows in (np.arange(200), order))
    assert in_order(one) == in_order(other)


def test_equal_rows_move_alike() -> None:
    """So that rows which are there twice count like rows of weight 2."""
    rng = np.random.default_rng(3)
    columns, classes = mixed_columns(rng, 100), rng.integers(0, 3, 100)
    once, origins = smoothed_rows(columns, classes, 0.2)
    twice, doubled = smoothed_rows(np.tile(columns, 2), np.tile(classes, 2), 0.2)
    assert len(doubled) == 2 * len(origins)
    assert in_order(twice) == in_order(np.tile(once, 2))


@examples(100)
@given(
    st.lists(st.tuples(st.sampled_from([0.0, -0.0, 1.0, 2.0, np.nan, -np.nan, np.inf]), st.integers(0, 2)), min_size=1)
)
def test_rows_have_equal_numbers_where_they_are_equal(rows: list[tuple[float, int]]) -> None:
    """All missing values are one, and so are 0 and -0."""
    columns, classes = np.array([[value for value, _ in rows]]), np.array([label for _, label in rows])
    numbers, n_distinct = number_rows(columns, classes)
    keys = [("missing" if value != value else value, label) for value, label in rows]
    assert n_distinct == len(set(keys)) == len(set(zip(keys, numbers.tolist(), strict=True)))
    assert sorted(set(numbers.tolist())) == [*range(n_distinct)]


def test_large_tables_are_left_as_they_are() -> None:
    assert [count_copies(n) for n in (1, 500, 501, 2_500, ENOUGH_ROWS - 1, ENOUGH_ROWS, 10**6)] == [
        10,
        10,
        10,
        2,
        2,
        1,
        1,
    ]
    assert count_copies(1) == MAX_COPIES
    rng = np.random.default_rng(4)
    columns, classes = mixed_columns(rng, ENOUGH_ROWS), rng.integers(0, 3, ENOUGH_ROWS)
    judged, origins = smoothed_rows(columns, classes, 0.2)
    assert judged is columns
    assert origins.tolist() == [*range(ENOUGH_ROWS)]


def test_infinite_and_huge_values_stay() -> None:
    schema = Schema([Feature("x"), Feature("y"), Feature("z")], ["go"])
    columns = np.array([[np.inf, -np.inf, np.nan, 1.0, 2.0], [1e200, -1e200, 3.0, 4.0, np.nan], [7.0] * 5])
    judged, origins = smoothed(schema, columns, np.arange(5), 0.2)
    unchanged = columns[:, origins]
    assert np.array_equal(judged[1:], unchanged[1:], equal_nan=True), "no spread, no noise; nor where it is infinite"
    assert np.array_equal(judged[0, origins < 3], unchanged[0, origins < 3], equal_nan=True)
    assert not np.array_equal(judged[0], unchanged[0], equal_nan=True)
