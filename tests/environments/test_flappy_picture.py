"""Pictures of Flappy Bird show the bird, the pipes and the ground where they are."""

import numpy as np

from evoter.environments.flappy_picture import BIRD, EDGE, PIPE, SAND, SKY, draw


def test_things_are_where_they_are() -> None:
    picture = draw(200.0, [150.0, 400.0, -60.0], [100.0, 50.0, 50.0])
    assert picture.shape == (512, 288, 3)
    assert picture.dtype == np.uint8
    assert tuple(picture[210, 70]) == BIRD
    assert tuple(picture[150, 150]) == SKY
    assert tuple(picture[50, 150]) == tuple(picture[300, 150]) == PIPE
    assert tuple(picture[99, 150]) == EDGE
    assert tuple(picture[500, 150]) == SAND
    assert tuple(picture[50, 250]) == SKY


def test_pipes_and_birds_may_be_half_outside() -> None:
    for x in (-30.0, 0.0, 10.0, 280.0, 310.0):
        assert draw(-10.0, [x], [30.0]).shape == (512, 288, 3)
