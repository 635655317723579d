"""Mean distances to the nearest behaviours are those of all pairs compared."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evoter.genome.arrays import bit_per_row
from evoter.kernels.evaluation.behaviour import nearest_distances
from evoter.kernels.layout import Ints, Words
from laws import examples


def packed(decisions: Ints, n_planes: int) -> Words:
    planes = [[bit_per_row((row >> p) & 1 == 1) for p in range(n_planes)] for row in decisions]
    return np.array(planes, np.uint64).reshape(len(decisions), n_planes, -1)


@examples(200)
@given(
    st.integers(0, 2**32), st.integers(1, 20), st.integers(0, 8), st.integers(1, 6), st.sampled_from([1, 63, 64, 130])
)
def test_by_comparing_all_pairs(seed: int, n: int, n_others: int, k: int, n_rows: int) -> None:
    rng = np.random.default_rng(seed)
    n_planes = int(rng.integers(1, 4))
    everyone = rng.integers(0, 2**n_planes, (n + n_others, n_rows))
    everyone[rng.integers(0, n, 3)] = everyone[0]
    planes = packed(everyone, n_planes)
    means = np.full(n, np.nan)
    nearest_distances(0, n, planes[:n], planes[n:], k, n_rows, means)
    for i in range(n):
        distances = sorted((everyone[i] != everyone[j]).mean() for j in range(n + n_others) if j != i)[:k]
        assert np.isclose(means[i], np.mean(distances) if distances else 0.0)


def test_only_the_range_asked_for_is_computed() -> None:
    planes = packed(np.array([[0, 1], [1, 1], [1, 0]]), 1)
    means = np.full(3, -1.0)
    nearest_distances(1, 2, planes, planes[:0], 2, 2, means)
    assert means.tolist() == [-1.0, 0.5, -1.0]
