"""Flappy Bird in numbers: the sizes and speeds of the PyGame Learning Environment's game, and its random courses.

Lengths are pixels, times are frames at 30 frames per second, and y grows downwards.
"""

from typing import Final

import numpy as np

from evoter.kernels.layout import Ints

WIDTH: Final = 288
HEIGHT: Final = 512
GROUND: Final = 0.79 * HEIGHT

BIRD_WIDTH: Final = 34
BIRD_HEIGHT: Final = 24
BIRD_X: Final = 57.0
BIRD_START: Final = 256.0
LOWEST: Final = GROUND - BIRD_HEIGHT
"""A bird as low as this has fallen on the ground."""

GRAVITY: Final = 1.0
FASTEST_FALL: Final = 10.0
FLAP: Final = 9.0

N_PIPES: Final = 3
PIPE_WIDTH: Final = 52
PIPE_SPEED: Final = 4.0
GAP: Final = 100
HIGHEST_GAP: Final = GAP // 4
LOWEST_GAP: Final = int(HEIGHT * 0.79 * 0.6 - GAP / 2)
"""The top of a gap is between these two."""
FIRST_PIPES: Final = (WIDTH + PIPE_WIDTH, WIDTH * 1.5 + PIPE_WIDTH, WIDTH * 2.0 + PIPE_WIDTH)
NEXT_PIPE: Final = WIDTH + PIPE_WIDTH + WIDTH * 0.2
"""Where a pipe that has left the screen reappears, with another gap."""

REACH: Final = 100.0 - BIRD_X
"""A pipe whose middle is nearer than this, ahead of the bird, can be hit."""
PASSED: Final = 26.0
"""A pipe whose middle is this far behind the bird is passed."""
ROOM: Final = GAP - BIRD_HEIGHT
"""How far below the top of a gap a bird may be."""

MAX_STEPS: Final = 3_600
"""Two minutes."""


def draw_gaps(rng: np.random.Generator, n: int) -> Ints:
    """Draw the tops of the next `n` gaps of a course."""
    return rng.integers(HIGHEST_GAP, LOWEST_GAP + 1, size=n)


def count_pipes(n_steps: int) -> int:
    """Return a number of pipes that is enough for `n_steps` steps."""
    return N_PIPES + int(n_steps * PIPE_SPEED / (NEXT_PIPE + PIPE_WIDTH)) * N_PIPES + N_PIPES
