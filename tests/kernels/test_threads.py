"""Threads: every item is done once however the work is cut, errors arrive, and nobody waits for a slow thread."""

import gc
import os
import threading
import time
from collections import Counter

import numpy as np
import pytest

from evoter.kernels import threads
from evoter.kernels.layout import Ints
from evoter.kernels.threads import SMALLEST_PIECE, WORTH_SHARING, Threads


def count(first: int, last: int, counts: Ints, pieces: list[tuple[int, int]]) -> None:
    pieces.append((first, last))
    counts[first:last] += 1


@pytest.mark.parametrize("n_threads", [1, 2, 3, 7])
@pytest.mark.parametrize("n_items", [0, 1, 2, 3, 10, 101])
@pytest.mark.parametrize("work", [0.0, WORTH_SHARING, 20 * SMALLEST_PIECE, np.inf])
def test_every_item_is_done_once(n_threads: int, n_items: int, work: float) -> None:
    counts = np.zeros(n_items, np.int64)
    pieces: list[tuple[int, int]] = []
    pool = Threads(n_threads)
    pool.run(count, n_items, work, counts, pieces)
    pool.close()
    assert (counts == 1).all()
    if work == 0.0 or n_threads == 1:
        assert pieces == [(0, n_items)]
    elif work == WORTH_SHARING:
        assert len(pieces) == max(1, min(n_threads, n_items)), "little work has a piece for each thread"
    elif work == np.inf and n_items == 10:
        assert len(pieces) > n_threads, "much work has more pieces than threads"


def test_a_slow_thread_does_less() -> None:
    done: Counter[bool] = Counter()
    caller = threading.get_ident()

    def work(first: int, last: int) -> None:
        is_helper = threading.get_ident() != caller
        time.sleep(0.05 if is_helper else 0.001)
        done[is_helper] += last - first

    pool = Threads(2)
    pool.run(work, 16, np.inf)
    pool.close()
    assert sum(done.values()) == 16
    assert done[False] > 8, "the faster thread takes what the other has left"


def test_the_number_of_threads_is_that_of_the_machine_unless_given() -> None:
    assert Threads(3).n_threads == 3
    assert Threads().n_threads == Threads(None).n_threads == Threads(-1).n_threads == (os.cpu_count() or 1)


def test_errors_arrive_and_closed_threads_start_again() -> None:
    def fail(first: int, last: int) -> None:
        raise ValueError(f"{first} to {last}")

    pool = Threads(2)
    for _ in range(2):
        with pytest.raises(ValueError, match="to"):
            pool.run(fail, 10, threads.WORTH_SHARING)
        pool.close()
    pool.close()


def test_an_interrupt_waits_for_the_helpers() -> None:
    ended: list[int] = []
    caller = threading.get_ident()
    begun = threading.Event()

    def work(first: int, last: int) -> None:
        if threading.get_ident() == caller:
            begun.wait(5.0)
            raise KeyboardInterrupt
        begun.set()
        time.sleep(0.05)
        ended.append(first)

    pool = Threads(2)
    with pytest.raises(KeyboardInterrupt):
        pool.run(work, 2, WORTH_SHARING)
    assert ended == [1]
    pool.close()


def test_what_would_only_end_a_helper_arrives_too() -> None:
    caller = threading.get_ident()
    begun = threading.Event()

    def leave(first: int, last: int) -> None:
        if threading.get_ident() == caller:
            begun.wait(5.0)
            return
        begun.set()
        raise SystemExit("the rest is not done")

    pool = Threads(2)
    for _ in range(2):
        begun.clear()
        with pytest.raises(SystemExit, match="the rest is not done"):
            pool.run(leave, 2, WORTH_SHARING)
    pool.close()


def test_helpers_end_with_their_owner() -> None:
    before = set(threading.enumerate())
    pool = Threads(3)
    pool.run(lambda first, last: None, 3, np.inf)
    helpers = set(threading.enumerate()) - before
    assert len(helpers) == 2
    del pool
    gc.collect()
    for helper in helpers:
        helper.join(timeout=10)
        assert not helper.is_alive()
