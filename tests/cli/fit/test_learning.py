"""Tests of Ctrl-C while rules evolve."""

import signal
from typing import Any, cast

import pytest

from evoter.cli.fit.learning import Interruption

EVOLUTION = cast("Any", None)


def test_before_the_first_generation_there_is_nothing_to_keep() -> None:
    with Interruption(), pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_afterwards_it_ends_evolution_and_a_second_time_everything() -> None:
    with Interruption() as interruption:
        assert not interruption(EVOLUTION, 0.1)
        signal.raise_signal(signal.SIGINT)
        assert interruption(EVOLUTION, 0.2)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_it_leaves_things_as_they_were() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interruption():
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) == before
