"""How long exact moves take is found by trying some, also where later moves take longer."""

import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from evoter.evolution import move_times
from evoter.evolution.executor import ExactMoves
from evoter.evolution.move_times import TRIAL_SHARE, seconds_per_move


class Clock:
    """A clock that only exact moves advance, by `cost` of their number."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, cost: Any) -> None:
        self.now = 0.0
        self.tried: list[int] = []

        def refine(first: int, last: int, n_moves: int) -> None:
            self.tried.append(n_moves)
            self.now += cost(n_moves)

        monkeypatch.setattr(move_times, "refine", refine)
        monkeypatch.setattr(time, "perf_counter", lambda: self.now)


def moves_of(n_moves: int) -> ExactMoves:
    """Return moves that hold their number and nothing else."""

    def with_refinement(refinement: SimpleNamespace) -> tuple[int]:
        return (refinement.n_moves,)

    refinement = SimpleNamespace(n_moves=n_moves, _replace=lambda n_moves: SimpleNamespace(n_moves=n_moves))
    return cast("ExactMoves", SimpleNamespace(refinement=refinement, _replace=with_refinement))


def test_equal_moves_are_told_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, lambda n: 0.5 + 0.001 * n)
    assert seconds_per_move(moves_of(8_000), 100.0) * 8_000 == pytest.approx(0.5 + 8.0)
    assert clock.tried == [0, 3, 12, 48, 192, 768, 3_072]


def test_few_are_tried_where_each_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(monkeypatch, lambda n: 1.0 * n)
    assert seconds_per_move(moves_of(8_000), 100.0) == pytest.approx(1.0)
    assert clock.tried == [0, 3], f"these take more than {TRIAL_SHARE:.0%} of the time"


def test_moves_that_take_longer_and_longer_are_not_underestimated(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch, lambda n: 1e-4 * n * n)
    assert seconds_per_move(moves_of(8_000), 10.0) * 8_000 >= 0.9 * 1e-4 * 8_000**2


def test_no_moves_take_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    Clock(monkeypatch, lambda n: 0.001 * n)
    assert seconds_per_move(moves_of(0), 1.0) >= 0.0
