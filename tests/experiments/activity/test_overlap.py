"""What runs have in common is compared with chance."""

from itertools import combinations
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.experiments.activity.overlap import NEAR, chance_of_a_hit, expected_union_share, overlap, signal_and_lag
from evoter.experiments.activity.signals import COLUMNS

SMALL = [f"{signal}[{lag}]" for signal in "xy" for lag in range(4)]

sizes = st.integers(1, 6)


@given(sizes, sizes)
def test_what_chance_gives_is_the_mean_over_all_sets(n_first: int, n_second: int) -> None:
    """Counted out: one set is fixed, the other takes every place."""
    n = 7
    first = set(range(n_first))
    seconds = [set(second) for second in combinations(range(n), n_second)]
    union = fmean(len(first & second) / len(first | second) for second in seconds)
    assert expected_union_share(n_first, n_second, n) == pytest.approx(union)
    hits = fmean(bool(first & second) for second in seconds)
    assert chance_of_a_hit(n_first, n_second, n) == pytest.approx(hits)


@given(st.lists(st.sets(st.sampled_from(SMALL), min_size=1), min_size=2, max_size=4))
def test_runs_have_in_common_what_they_have(runs: list[set[str]]) -> None:
    found = overlap(runs, SMALL)
    assert found is not None
    assert found.near is not None
    assert found.union.found <= found.shared.found + 1e-12 <= found.elsewhere.found + 2e-12
    assert found.shared.found <= found.near.found + 1e-12
    assert found.n_used == pytest.approx(fmean(map(len, runs)))
    for share in (found.union, found.shared, found.elsewhere, found.near):
        assert 0 <= share.found <= 1
        assert 0 <= share.by_chance <= 1 + 1e-12


def test_random_runs_have_in_common_what_chance_gives() -> None:
    rng = np.random.default_rng(0)
    runs = [[COLUMNS[place] for place in rng.choice(len(COLUMNS), 100, replace=False)] for _ in range(16)]
    found = overlap(runs, COLUMNS)
    assert found is not None
    assert found.near is not None
    for share in (found.union, found.shared, found.elsewhere, found.near):
        assert share.found == pytest.approx(share.by_chance, rel=0.1)


def test_equal_runs_and_disjoint_runs() -> None:
    same, apart = overlap([["x[0]"]] * 3, SMALL), overlap([["x[0]"], ["x[1]"], ["y[0]"]], SMALL)
    assert same is not None
    assert apart is not None
    assert (same.union.found, same.shared.found, same.elsewhere.found) == (1, 1, 1)
    assert (apart.union.found, apart.shared.found, apart.elsewhere.found) == (0, 0, 0)
    assert apart.shared.by_chance == pytest.approx(1 / 8)
    assert apart.elsewhere.by_chance == pytest.approx(1 - (7 / 8) ** 2)
    assert apart.near is not None
    assert apart.near.found == pytest.approx(2 / 6), "x[0] and x[1] find each other, y[0] nobody"


def test_near_stops_at_its_distance() -> None:
    features = [f"x[{lag}]" for lag in range(2 * NEAR + 3)]
    within, beyond = overlap([["x[0]"], [f"x[{NEAR}]"]], features), overlap([["x[0]"], [f"x[{NEAR + 1}]"]], features)
    assert within is not None
    assert beyond is not None
    assert within.near is not None
    assert beyond.near is not None
    assert (within.near.found, beyond.near.found) == (1, 0)


def test_one_run_has_nothing_to_be_compared_with() -> None:
    assert overlap([["x[0]"], []], SMALL) is None


def test_statistics_have_no_lags() -> None:
    found = overlap([["x.mean"], ["x.mean"]], ["x.mean", "x.std"])
    assert found is not None
    assert found.near is None
    assert signal_and_lag("x.mean") is None
