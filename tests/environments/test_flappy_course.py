"""The numbers of Flappy Bird agree with each other and with the published state of the game."""

import numpy as np

from evoter.environments.flappy_course import FIRST_PIPES, HIGHEST_GAP, LOWEST_GAP, NEXT_PIPE, count_pipes, draw_gaps


def test_gaps_lie_in_the_papers_range() -> None:
    gaps = draw_gaps(np.random.default_rng(0), 5_000)
    assert (gaps.min(), gaps.max()) == (HIGHEST_GAP, LOWEST_GAP) == (25, 192)


def test_pipes_come_from_the_right() -> None:
    assert FIRST_PIPES == (340, 484, 628)
    assert NEXT_PIPE == 397.6


def test_a_course_never_runs_out_of_pipes() -> None:
    """A pipe is needed for every 452 pixels that one of three has moved."""
    for n_steps in (1, 98, 99, 100, 3_600, 10_000):
        assert count_pipes(n_steps) >= 3 + 3 * n_steps * 4 // 452
