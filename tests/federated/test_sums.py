"""Tests of the sums that exact moves try."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.federated.sums import Sums, draw_sums, short_coefficient
from evoter.rules.parser import parse
from evoter.tables import encode, infer_schema
from federated_tables import make_table
from laws import examples

TABLE, LABELS = make_table(60, seed=5)
SCHEMA = infer_schema(TABLE, actions=["sick", "well"])
CUTS = (np.array([20.0, 50.0, 80.0]), np.array([1.0, 3.0, 12.0]))


def test_values_are_those_that_conditions_compare() -> None:
    sums = Sums(np.array([[0, 1]]), np.array([0.3]))
    (values,) = sums.values(encode(TABLE, SCHEMA))
    rules = parse("age + 0.3*dose > 50 -> sick; Default -> well", schema=SCHEMA)
    (condition,) = rules.rules[0].conditions
    holds = [age + 0.3 * dose > 50 for age, dose in zip(TABLE["age"], TABLE["dose"], strict=True)]
    assert (values > 50).tolist() == holds
    assert np.isnan(values).tolist() == TABLE["dose"].isna().tolist()
    assert condition.terms[1].coefficient == 0.3


def test_sums_are_drawn_of_different_numeric_features_and_have_grids_inside_their_range() -> None:
    sums, grids = draw_sums(SCHEMA, CUTS, 40, np.random.default_rng(1))
    assert len(sums) == len(grids) == 40
    assert {tuple(pair) for pair in sums.pairs.tolist()} == {(0, 1), (1, 0)}
    assert (sums.weights > 0).any()
    assert (sums.weights < 0).any()
    for (left, right), weight, grid in zip(sums.pairs.tolist(), sums.weights, grids, strict=True):
        ends = sorted(weight * CUTS[right][[0, -1]])
        assert 10 <= len(grid) <= 70
        assert grid[0] >= CUTS[left][0] + ends[0]
        assert grid[-1] <= CUTS[left][-1] + ends[1]


def test_there_are_no_sums_of_one_feature() -> None:
    sums, grids = draw_sums(SCHEMA, (CUTS[0], np.array([3.0])), 5, np.random.default_rng(1))
    assert len(sums) == 0
    assert grids == ()


@given(st.floats(1e-9, 1e9))
@examples(200)
def test_coefficients_are_short_and_near(ratio: float) -> None:
    coefficient = short_coefficient(ratio)
    assert coefficient == pytest.approx(ratio, rel=0.26)
    assert len(f"{coefficient:e}".split("e")[0].rstrip("0").replace(".", "")) <= 2
