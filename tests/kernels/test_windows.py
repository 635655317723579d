"""Statistics of windows are those of numpy and scipy, for any values, missing ones and extremes included."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evoter.kernels.layout import Floats
from evoter.kernels.windows import STATISTICS, fill_windows
from laws import examples

NAN = float("nan")
ALL = np.arange(len(STATISTICS))


def describe(values: list[float] | Floats) -> dict[str, float]:
    out = np.empty((len(STATISTICS), 1))
    array = np.asarray(values, np.float64).reshape(1, -1)
    fill_windows(0, 1, array, np.array([0]), np.array([array.shape[1]]), ALL, out)
    return dict(zip(STATISTICS, out[:, 0].tolist(), strict=True))


def reference(values: list[float]) -> dict[str, float]:
    """The definitions, for values that are not all equal."""
    x = np.array(values)
    t = np.arange(len(x))[~np.isnan(x)]
    x = x[~np.isnan(x)]
    return {
        "mean": float(np.mean(x)),
        "std": float(np.std(x)),
        "min": float(np.min(x)),
        "max": float(np.max(x)),
        "slope": float(stats.linregress(t, x).slope),
        "skew": float(stats.skew(x)),
        "kurtosis": float(stats.kurtosis(x, fisher=False)),
        "energy": float(np.mean(x * x)),
    }


numbers = st.one_of(st.integers(-1000, 1000).map(float), st.floats(-1e6, 1e6), st.just(NAN))


@examples(500)
@given(st.lists(numbers, min_size=2, max_size=40))
def test_statistics_are_those_of_numpy_and_scipy(values: list[float]) -> None:
    x = np.array(values)
    present = x[~np.isnan(x)]
    # Spreads at the edge of rounding are left to the next test: there the references lose their digits.
    if len(present) < 2 or np.ptp(present) <= 1e-3 * max(1.0, float(np.abs(present).max())):
        return
    found, expected = describe(values), reference(values)
    tolerance = {"slope": 1e-9 * float(np.ptp(present)), "mean": 1e-9 * float(np.abs(present).max()), "skew": 1e-9}
    for name in STATISTICS:
        assert found[name] == pytest.approx(expected[name], rel=1e-9, abs=tolerance.get(name, 0.0)), name


@examples(300)
@given(
    st.lists(st.integers(-50, 50), min_size=2, max_size=30),
    st.sampled_from([2.0**-500, 2.0**-30, 1.0, 2.0**40, 2.0**200]),
    st.sampled_from([0.0, 2.0**10, -(2.0**30)]),
)
def test_moments_survive_tiny_and_huge_scales_and_offsets(values: list[int], scale: float, offset: float) -> None:
    if len(set(values)) == 1:
        return
    plain, moved = describe([float(v) for v in values]), describe([(v + offset) * scale for v in values])
    assert moved["std"] == pytest.approx(plain["std"] * scale, rel=1e-7)
    assert moved["skew"] == pytest.approx(plain["skew"], rel=1e-6, abs=1e-6)
    assert moved["kurtosis"] == pytest.approx(plain["kurtosis"], rel=1e-6)
    assert moved["slope"] == pytest.approx(plain["slope"] * scale, rel=1e-6, abs=1e-6 * scale)


@examples(300)
@given(st.lists(numbers, min_size=1, max_size=20))
def test_statistics_keep_their_bounds(values: list[float]) -> None:
    found = describe(values)
    if all(v != v for v in values):
        assert all(number != number for number in found.values())
        return
    assert found["min"] <= found["mean"] <= found["max"]
    assert 0.0 <= found["std"] <= (found["max"] - found["min"]) / 2 * (1 + 1e-9)
    assert not found["kurtosis"] < 1 - 1e-9
    assert found["energy"] >= 0


@given(st.floats(-1e100, 1e100), st.integers(2, 30), st.integers(0, 3))
def test_equal_values_have_no_spread_and_no_shape(value: float, n: int, n_missing: int) -> None:
    found = describe([value] * n + [NAN] * n_missing)
    assert found["mean"] == found["min"] == found["max"] == value
    assert found["std"] == found["slope"] == 0.0
    assert np.isnan([found["skew"], found["kurtosis"]]).all()


def test_a_single_value_has_no_slope() -> None:
    found = describe([NAN, 3.0, NAN])
    assert (found["mean"], found["std"], found["energy"]) == (3.0, 0.0, 9.0)
    assert np.isnan([found["slope"], found["skew"], found["kurtosis"]]).all()


def test_each_window_goes_to_its_place() -> None:
    values = np.array([[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 5.0, 5.0]])
    out = np.full((4, 3), -1.0)
    codes = np.array([STATISTICS.index("max"), STATISTICS.index("mean")])
    fill_windows(1, 3, values, np.array([0, 0, 2]), np.array([1, 2, 4]), codes, out)
    assert out.tolist() == [[-1, 2, 4], [-1, 1.5, 3.5], [-1, 0, 5], [-1, 0, 5]]


def test_a_window_depends_on_its_own_values_alone() -> None:
    rng = np.random.default_rng(0)
    values = rng.normal(1e3, 1.0, (1, 200))
    begins = np.arange(150)
    out = np.empty((len(STATISTICS), 150))
    fill_windows(0, 150, values, begins, begins + 40, ALL, out)
    for w in range(150):
        assert list(describe(values[0, w : w + 40]).values()) == out[:, w].tolist()
