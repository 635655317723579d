"""Hard episodes: the ones in which those who try them earn least, spread among the others."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evoter.problems.control.hard_episodes import insert_hardest


@given(
    st.integers(1, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    st.floats(0.0, 1.0),
    st.integers(1, 50),
    st.integers(0, 2**32),
)
def test_a_share_of_the_later_episodes_are_the_hardest_that_were_tried(
    sizes: tuple[int, int], share: float, n_tried: int, seed: int
) -> None:
    n, first = sizes
    returns = np.random.default_rng(seed).random((3, n_tried))
    tried = 1_000 + np.arange(n_tried)
    seeds = insert_hardest(np.arange(n), first, share, tried, returns)
    is_hard = seeds >= 1_000
    n_hard = int(is_hard.sum())
    assert n_hard == min(round(share * (n - first)), n_tried)
    np.testing.assert_array_equal(seeds[~is_hard], np.flatnonzero(~is_hard))
    assert not is_hard[:first].any()
    hardest = np.argsort(returns.mean(axis=0), kind="stable")[:n_hard]
    assert seeds[is_hard].tolist() == tried[hardest].tolist()


@given(st.integers(0, 20), st.integers(1, 6))
def test_every_round_has_its_share_of_hard_episodes(first: int, doublings: int) -> None:
    """A round of a race doubles what has been played since the first hard one."""
    later = 2**doublings
    seeds = insert_hardest(np.arange(first + later), first, 0.5, 1_000 + np.arange(later), np.zeros((1, later)))
    assert [int((seeds[first : first + n] >= 1_000).sum()) for n in (2, later // 2 * 2)] == [1, later // 2]
