"""The progress display shows everything worth knowing on a terminal, and nothing anywhere else."""

import io
import os
import re
import sys

import pytest
from rich.console import Console

from evoter.evolution.engine import Evolution
from evoter.evolution.progress import (
    ProgressDisplay,
    ReadingProgress,
    announce_compilation,
    part_of_whole,
    short_number,
)
from evoter.evolution.stopping import Generations, Stagnation, Stopping, TargetScore
from evoter.kernels.machine_code import FOLDER_VARIABLE, cache_folder
from tasks import SMALL, plain_problem


def watched(console: Console | None) -> None:
    evolution = Evolution(plain_problem(0), SMALL)
    with ProgressDisplay(console) as display:
        evolution.run(Generations(20) & Generations(10), [display])


@pytest.mark.parametrize("width", [80, 140])
def test_a_terminal_shows_all_fields_in_one_line(width: int) -> None:
    file = io.StringIO()
    watched(Console(file=file, force_terminal=True, width=width, color_system=None, legacy_windows=False))
    lines = [line for line in re.split(r"\r|\n|\x1b\[\S", file.getvalue()) if "gen 20" in line]
    assert lines
    fields = r"━+ 100% gen 20  best [01]\.\d{4}  mean [01]\.\d{4}  \d+ conditions  \d[\d.]*[kM]?/s +\d+:\d\d left"
    assert re.search(fields, lines[-1])
    assert len(lines[-1].rstrip()) <= width


class _Recording(ProgressDisplay):
    """A display that also keeps what its bar shows, from 0 to 1."""

    def __init__(self, console: Console, until: Stopping) -> None:
        super().__init__(console, until)
        self.shown: list[float] = []

    def __call__(self, evolution: Evolution, progress: float) -> None:
        super().__call__(evolution, progress)
        self.shown.append(self._progress.tasks[0].completed)


@pytest.mark.parametrize(
    "until",
    [
        Generations(30) | Stagnation(4),
        Stagnation(3),
        Generations(10) | TargetScore(2.0),
        Generations(5) & Stagnation(2),
    ],
    ids=repr,
)
def test_the_bar_never_goes_back_and_ends_full(until: Stopping) -> None:
    """It showed 45, 26, 95 and 60 per cent one after the other, because each improvement ends a stagnation."""
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    told: list[float] = []
    evolution = Evolution(plain_problem(0), SMALL)
    with _Recording(console, until) as display:
        evolution.run(until, [lambda _, progress: told.append(progress), display])
    assert display.shown == sorted(display.shown)
    assert display.shown[-1] == 1.0
    assert len(told) == len(display.shown)


def test_stagnation_alone_does_not_move_a_bar_that_generations_move() -> None:
    until = Generations(1_000) | Stagnation(4)
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    evolution = Evolution(plain_problem(0), SMALL)
    with _Recording(console, until) as display:
        evolution.run(until, [display])
    assert max(display.shown[:-1]) < 0.1, "patience is nearly used up, but it may be renewed at any time"


def test_several_runs_share_one_bar() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=80)
    shown: list[float] = []
    for number in range(3):
        until = Generations(4)
        with part_of_whole(number, 3), _Recording(console, until) as display:
            Evolution(plain_problem(0), SMALL).run(until, [display])
        shown += display.shown
    assert shown == sorted(shown)
    assert shown[-1] == 1.0
    assert len(set(shown)) > 12 - 3


def test_the_line_vanishes_at_the_end() -> None:
    file = io.StringIO()
    watched(Console(file=file, force_terminal=True, width=80, color_system=None, legacy_windows=False))
    assert file.getvalue().endswith("\x1b[1A\x1b[2K"), "up one line and clear it"


def test_a_pipe_stays_silent(capfd: pytest.CaptureFixture[str]) -> None:
    file = io.StringIO()
    watched(Console(file=file))
    assert file.getvalue() == ""
    watched(None)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("verbose", "terminal", "speaks"), [(0, 0, False), (1, 0, True), (0, 1, True), (1, 1, True)])
def test_compiling_is_announced_where_somebody_reads_along(
    verbose: bool, terminal: bool, speaks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = io.StringIO()
    monkeypatch.setattr(file, "isatty", lambda: bool(terminal), raising=False)
    monkeypatch.setattr(sys, "stderr", file)
    announce_compilation(bool(verbose))
    assert ("compiling kernels for this machine (once, about half a minute)" in file.getvalue()) is speaks


@pytest.mark.parametrize("exponent", range(12))
def test_speeds_are_short(exponent: int) -> None:
    for digits in (1, 9.99, 9.9951, 9.5):
        assert len(short_number(digits * 10**exponent)) <= 5


def test_without_a_folder_for_kernels_the_message_names_the_variable(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(FOLDER_VARIABLE, os.devnull)
    cache_folder.cache_clear()
    try:
        announce_compilation(verbose=True)
    finally:
        monkeypatch.undo()
        cache_folder.cache_clear()
    assert "set NUMBA_CACHE_DIR to keep them" in capsys.readouterr().err


def test_reading_is_shown_on_a_terminal_only() -> None:
    for is_terminal in (True, False):
        file = io.StringIO()
        console = Console(file=file, force_terminal=is_terminal, width=100, color_system=None, legacy_windows=False)
        with ReadingProgress(console=console) as display:
            display(131_072, 20_000_000)
            display(262_144, None)
        assert ("reading the table" in file.getvalue() and "262,144 rows" in file.getvalue()) is is_terminal
