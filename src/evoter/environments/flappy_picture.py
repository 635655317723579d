"""Pictures of Flappy Bird as arrays of pixels: plain shapes, no files and no graphics library."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evoter.environments.flappy_course import BIRD_HEIGHT, BIRD_WIDTH, BIRD_X, GAP, GROUND, HEIGHT, PIPE_WIDTH, WIDTH

SKY = (112, 197, 206)
SAND = (222, 216, 149)
PIPE = (92, 168, 60)
EDGE = (58, 110, 38)
BIRD = (250, 200, 40)
BEAK = (230, 90, 40)
EYE = (30, 30, 30)


def draw(y: float, pipes: Sequence[float], gaps: Sequence[float]) -> NDArray[np.uint8]:
    """Draw the bird at height `y` and pipes given by their middles and the tops of their gaps."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:] = SKY
    for x, gap in zip(pipes, gaps, strict=True):
        _pipe(picture, round(x), round(gap))
    picture[int(GROUND) :] = SAND
    _bird(picture, round(y))
    return picture


def _pipe(picture: NDArray[np.uint8], x: int, gap: int) -> None:
    left, right = max(x - PIPE_WIDTH // 2, 0), max(x + PIPE_WIDTH // 2, 0)
    for part in (slice(0, gap), slice(gap + GAP, None)):
        picture[part, left:right] = EDGE
        picture[part, left + 2 : max(right - 2, 0)] = PIPE
    for lip in (slice(max(gap - 4, 0), gap), slice(gap + GAP, gap + GAP + 4)):
        picture[lip, left:right] = EDGE


def _bird(picture: NDArray[np.uint8], y: int) -> None:
    """Draw an ellipse with an eye and a beak; the position of the bird is the top left corner of its picture."""
    rows, columns = np.ogrid[0:HEIGHT, 0:WIDTH]
    across = (columns - BIRD_X - BIRD_WIDTH / 2) / (BIRD_WIDTH / 2)
    down = (rows - y - BIRD_HEIGHT / 2) / (BIRD_HEIGHT / 2)
    picture[across**2 + down**2 <= 1.0] = BIRD
    picture[(across - 0.4) ** 2 + (down + 0.3) ** 2 <= 0.02] = EYE
    picture[(np.abs(across - 0.95) < 0.25) & (np.abs(down - 0.1) < 0.18)] = BEAK
