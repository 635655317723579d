"""Tests of grids from counts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.federated.grids import choose_cuts, first_edges, sketch_cuts
from evoter.kernels.layout import Floats, Ints
from evoter.rules.schema import Feature, Schema
from laws import examples


def counter(values: Floats) -> object:
    def count(edges: tuple[Floats, ...]) -> list[Ints]:
        bins = np.searchsorted(edges[0], values, side="left")
        return [np.append(np.bincount(bins, minlength=len(edges[0]) + 1), 0)]

    return count


@pytest.mark.parametrize("kind", ["even", "tailed", "integers", "tiny", "negative"])
def test_about_as_many_rows_lie_between_cuts(kind: str) -> None:
    rng = np.random.default_rng(0)
    values = {
        "even": rng.uniform(0, 1, 5_000),
        "tailed": rng.lognormal(0, 3, 5_000),
        "integers": rng.integers(0, 1_000, 5_000).astype(float),
        "tiny": rng.normal(1e-9, 1e-10, 5_000),
        "negative": rng.normal(-1e6, 10, 5_000),
    }[kind]
    schema = Schema([Feature("x", low=values.min(), high=values.max())], ["a", "b"])
    (cuts,) = sketch_cuts(schema, counter(values), n_cuts=20)  # type: ignore[arg-type]
    rows = np.bincount(np.searchsorted(cuts, values), minlength=len(cuts) + 1)
    assert len(cuts) >= 15
    assert rows.max() <= 3 * len(values) / 20
    assert (rows > 0).all()
    assert max(len(f"{cut:.6g}".lstrip("-").replace(".", "")) for cut in cuts) <= 10


def test_constants_are_short() -> None:
    schema = Schema([Feature("x", low=0.1234567, high=0.9876543)], ["a", "b"])
    values = np.random.default_rng(0).uniform(0.1234567, 0.9876543, 500)
    (cuts,) = sketch_cuts(schema, counter(values), n_cuts=16)  # type: ignore[arg-type]
    assert all(len(repr(cut)) <= 7 for cut in cuts.tolist())


@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e12))
@examples(300)
def test_edges_lie_inside_the_range(low: float, width: float) -> None:
    high = low + width
    if not low < high:
        return
    edges = first_edges(Feature("x", low=low, high=high))
    assert len(edges) <= 400
    assert ((edges >= low) & (edges < high)).all()
    assert (np.diff(edges) > 0).all()


def test_degenerate_counts_give_no_cuts() -> None:
    assert len(first_edges(Feature("x", low=1.0, high=1.0))) == 0
    assert len(choose_cuts(np.array([1.0, 2.0]), np.array([0, 0, 0]), 5)) == 0
    assert len(choose_cuts(np.array([1.0, 2.0]), np.array([9, 0, 0]), 5)) == 0
    assert len(choose_cuts(np.empty(0), np.array([9]), 5)) == 0
    assert choose_cuts(np.array([1.0, 2.0]), np.array([-3, 4, 5]), 5).tolist() == [2.0]
