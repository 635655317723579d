"""Worker processes play as one process does."""

from random import Random

import numpy as np
import pytest

from evoter.environments.cart_pole import BatchCartPole
from evoter.execution import ProcessExecutor, processes
from evoter.execution.conformance import check_executor
from evoter.genome.codec import encode
from evoter.kernels.threads import Threads
from evoter.problems.control.player import Player, argument_of, rollout_of
from evoter.problems.control.rollout import roll_out
from evoter.rules.model import Mode
from evoter.rules.schema import Feature, Schema
from tasks import random_ruleset

SCHEMA = Schema([Feature(name) for name in ("x", "v", "angle", "rotation")], ["Left", "Right"], max_lag=1)


@pytest.mark.parametrize("n_processes", [2, 5])
def test_any_number_of_processes_plays_alike(n_processes: int) -> None:
    rng = Random(0)
    population = encode([random_ruleset(rng, SCHEMA, Mode.FIRST) for _ in range(4)], SCHEMA)
    seeds = np.array([1, 2])
    alone = roll_out(population, SCHEMA, BatchCartPole(), seeds, Threads(1))
    executor, player = ProcessExecutor(n_processes), Player(SCHEMA, BatchCartPole())
    for _ in range(2):
        apart = rollout_of(executor.work_on(player, population, argument_of(seeds, None)))
        for one, other in zip(alone, apart, strict=True):
            np.testing.assert_array_equal(one, other)


def test_processes_conform() -> None:
    check_executor(ProcessExecutor(2), ["control", "scorer", "quantile", "islands on few rows", "islands of policies"])


def test_a_process_keeps_what_it_worked_on_last_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "_KEPT", {})
    first = object()
    for number in range(20):
        assert processes._kept((1, 0), first if number == 0 else object()) is first
        processes._kept((1, number + 1), object())
    assert len(processes._KEPT) == processes._MOST_KEPT
