"""Batches draw what gymnasium draws."""

import numpy as np
import pytest

from evoter.environments.batch import generator


@pytest.mark.parametrize("seed", [0, 1, 2**31 - 1])
def test_the_generator_is_gymnasiums(seed: int) -> None:
    seeding = pytest.importorskip("gymnasium.utils.seeding")
    np.testing.assert_array_equal(generator(seed).random(10), seeding.np_random(seed)[0].random(10))
