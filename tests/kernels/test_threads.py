"""Threads: every item is done once however the work is cut, and errors arrive."""

import os

import numpy as np
import pytest

from evoter.kernels import threads
from evoter.kernels.layout import Ints
from evoter.kernels.threads import Threads


def count(first: int, last: int, counts: Ints, pieces: list[tuple[int, int]]) -> None:
    pieces.append((first, last))
    counts[first:last] += 1


@pytest.mark.parametrize("n_threads", [1, 2, 3, 7])
@pytest.mark.parametrize("n_items", [0, 1, 2, 3, 10, 101])
@pytest.mark.parametrize("work", [0.0, threads.WORTH_SHARING])
def test_every_item_is_done_once(n_threads: int, n_items: int, work: float) -> None:
    counts = np.zeros(n_items, np.int64)
    pieces: list[tuple[int, int]] = []
    pool = Threads(n_threads)
    pool.run(count, n_items, work, counts, pieces)
    pool.close()
    assert (counts == 1).all()
    assert len(pieces) == (max(1, min(n_threads, n_items)) if work else 1)


def test_the_number_of_threads_is_that_of_the_machine_unless_given() -> None:
    assert Threads(3).n_threads == 3
    assert Threads().n_threads == Threads(None).n_threads == Threads(-1).n_threads == (os.cpu_count() or 1)


def test_errors_arrive_and_closed_threads_start_again() -> None:
    def fail(first: int, last: int) -> None:
        raise ValueError(f"{first} to {last}")

    pool = Threads(2)
    for _ in range(2):
        with pytest.raises(ValueError, match="0 to 5"):
            pool.run(fail, 10, threads.WORTH_SHARING)
        pool.close()
    pool.close()
