"""Threads and seeds as scikit-learn's users give them."""

import os
from pathlib import Path

import numpy as np
import pytest

from evoter.estimators.search import count_threads, draw_seed
from patients import fitted


def test_threads_are_counted_as_jobs() -> None:
    cores = os.cpu_count() or 1
    assert [count_threads(n) for n in (None, 1, 5, -1, -cores, -cores - 9)] == [1, 1, 5, cores, 1, 1]
    with pytest.raises(ValueError, match="n_jobs must not be 0"):
        count_threads(0)


def test_seeds() -> None:
    assert draw_seed(3, None) == draw_seed(3, None) == draw_seed(np.random.RandomState(3), None)
    assert draw_seed(3, None) != draw_seed(4, None)
    state = np.random.RandomState(3)
    assert draw_seed(state, None) != draw_seed(state, None), "a generator moves on"


def test_a_fit_of_any_seed_takes_that_of_its_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    assert draw_seed(None, path) != draw_seed(None, path)
    fitted(checkpoint=path, random_state=3)
    assert draw_seed(None, path) == draw_seed(3, None)
    assert draw_seed(4, path) == draw_seed(4, None)
