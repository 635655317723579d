"""Tests of what commands write: results and messages, errors with hints, and the files they may write."""

import io
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from commands import ENVIRONMENT, QUICK, Terminal, fails, patients, process, run
from evoter.cli.output import Failure, Streams, heading, json_ready, plain_table, say, split_hint, writable
from evoter.evolution.progress import ProgressDisplay

RULES = "patients.rules.json"


def test_everything_becomes_json() -> None:
    value = {"a": np.float64(1.5), "b": np.array([1, 2]), 3: (math.inf, None, True), "c": {"x"}, "d": object}
    ready = json_ready(value)
    assert json.loads(json.dumps(ready, allow_nan=False)) == ready
    assert isinstance(ready, dict)
    assert ready["a"] == 1.5
    assert ready["b"] == [1, 2]
    assert ready["3"] == [None, None, True]


def test_results_and_remarks_have_their_streams(capsys: pytest.CaptureFixture[str]) -> None:
    streams = Streams()
    streams.show("[bold]result[/bold]")
    streams.remark("on the [side]")
    streams.warn("look")
    out, err = capsys.readouterr()
    assert out == "result\n"
    assert err == "on the [side]\nwarning: look\n"


def test_what_stands_in_a_table_does_nothing_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    streams = Streams()
    heading(streams.console(), "title \x1b]0;evil\x07")
    table = plain_table("column \x1b[2J")
    streams.show(table)
    streams.remark("aside \x1b[31m")
    streams.warn("look \x9b31m")
    out, err = capsys.readouterr()
    for character in ("\x1b", "\x07", "\x9b"):
        assert character not in out + err
    assert r"\u001b[2J" in out
    assert err == "aside \\u001b[31m\nwarning: look \\u009b31m\n"


def test_json_leaves_no_room_for_text_and_quiet_none_for_remarks(capsys: pytest.CaptureFixture[str]) -> None:
    streams = Streams(as_json=True, quiet=True)
    streams.show("result")
    streams.remark("aside")
    streams.warn("look")
    streams.write_json([1])
    out, err = capsys.readouterr()
    assert json.loads(out) == [1]
    assert err == ""


def test_a_hint_is_what_follows_the_last_semicolon_of_the_first_line() -> None:
    assert split_hint("a: b; c; did you mean 'd'?") == ("a: b; c", "did you mean 'd'?")
    assert split_hint("first\nsecond; third") == ("first", "")
    assert split_hint("") == ("", "")


def test_a_directory_must_be_there(tmp_path: Path) -> None:
    assert writable(str(tmp_path / "new.json")) == tmp_path / "new.json"
    with pytest.raises(Failure, match="there is no directory") as told:
        writable(tmp_path / "nowhere" / "new.json")
    assert told.value.hint == f"mkdir -p {tmp_path / 'nowhere'}"


def test_a_directory_must_be_open_to_us_and_the_place_no_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Failure, match="is a directory"):
        writable(tmp_path)
    monkeypatch.setattr(os, "access", lambda path, mode: not (path == tmp_path and mode == os.W_OK))
    with pytest.raises(Failure, match="you may not write to the directory"):
        writable(tmp_path / "new.json")


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", RULES, "--output", "nowhere/rules.txt"],
        ["simplify", RULES, "--output", "nowhere/rules.json"],
        ["predict", RULES, "patients.csv", "--output", "nowhere/decided.csv"],
        ["demo", "--output", "nowhere/page.html"],
        ["demo", "--svg", "nowhere/demo.svg"],
    ],
)
def test_every_command_says_so_before_it_works(arguments: list[str], fitted: Path) -> None:
    assert fails(*arguments) == ("there is no directory 'nowhere' to write to", "mkdir -p nowhere")


HOSTILE = "\x1b[2J\x1b]0;evil\x07\r\nFAKE\u202egpj\u2066\x9b31m\x7f"
"""Clears the screen, sets the title, begins a line, turns the direction of text, colours."""


TABLE, HOSTILE_RULES, TARGET = f"table{HOSTILE}.parquet", f"table{HOSTILE}.rules.json", f"risk{HOSTILE}"


def is_harmless(text: str) -> bool:
    """Tell whether a terminal shows a text and does nothing else, and no line of it was made up."""
    return text.replace("\n", "").isprintable() and not any(line.startswith("FAKE") for line in text.splitlines())


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with a table in which all names are hostile, and the rules of a fit of it."""
    folder = tmp_path_factory.mktemp("hostile")
    rows = [{f"{name}{HOSTILE}": row[name] for name in ("age", "region", "risk")} for row in patients(120)]
    for row in rows:
        row |= {f"{name}{HOSTILE}": f"{row[f'{name}{HOSTILE}']}{HOSTILE}" for name in ("region", "risk")}
    pl.DataFrame(rows).write_parquet(folder / TABLE)
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such file names")
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_hostile_names_do_nothing_to_the_terminal(
    form: tuple[str, ...], hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hostile)
    (hostile / f"{HOSTILE_RULES}.log").unlink(missing_ok=True)
    commands: list[tuple[int, tuple[str, ...]]] = [
        (0, ("fit", TABLE, "--target", TARGET, "--test", "0.4", *QUICK)),
        (0, ("fit", TABLE, "--target", TARGET, "--metric", "balanced_accuracy", *QUICK)),
        (2, ("fit", TABLE, "--target", f"nothing{HOSTILE}")),
        (2, ("fit", f"nowhere{HOSTILE}.csv", "--target", TARGET)),
        (2, ("fit", TABLE, "--target", TARGET, "--output", f"nowhere{HOSTILE}/rules.json")),
        (2, ("fit", TABLE, "--target", TARGET, f"--nothing{HOSTILE}")),
        (0, ("predict", HOSTILE_RULES, TABLE, "--output", f"decided{HOSTILE}.csv")),
        (0, ("explain", HOSTILE_RULES, TABLE, "--row", "1")),
        (2, ("explain", HOSTILE_RULES, TABLE, "--row", f"age{HOSTILE}={HOSTILE}")),
        (2, ("explain", HOSTILE_RULES, f"nothing{HOSTILE}=1")),
        (0, ("show", HOSTILE_RULES)),
        (0, ("show", HOSTILE_RULES, TABLE)),
        (0, ("show", HOSTILE_RULES, "--output", f"shown{HOSTILE}.txt")),
        (2, ("show", TABLE)),
        (0, ("simplify", HOSTILE_RULES, TABLE)),
        (0, ("simplify", HOSTILE_RULES, "--output", f"simple{HOSTILE}.txt")),
        (0, ("check", HOSTILE_RULES, TABLE)),
        (0, ("edit", HOSTILE_RULES, TABLE, "--rename", f"1: name{HOSTILE}", "--reason", f"why{HOSTILE}")),
        (0, ("verify", HOSTILE_RULES, "--entries")),
        (1, ("check", HOSTILE_RULES, TABLE, "--min-accuracy", "1")),
        (0, ("compare", HOSTILE_RULES, TABLE, "--model", "tree")),
        (2, ("datasets", "show", f"nothing{HOSTILE}")),
        (2, ("reproduce", f"nothing{HOSTILE}")),
    ]
    for code, command in commands:
        result = run(*command, *form)
        assert result.exit_code == code, result.output
        if command != ("show", HOSTILE_RULES) or not form:  # a rule file, which a pipe or a file gets unchanged
            assert is_harmless(result.stdout), (command, result.stdout)
        assert is_harmless(result.stderr), (command, result.stderr)
        if form and code < 2:
            json.loads(result.stdout)


def test_a_document_is_unchanged_in_a_pipe_and_safe_in_a_terminal(hostile: Path) -> None:
    text = f'"x{HOSTILE}" > 1 -> up; Default -> down'.replace("\r\n", "")
    (hostile / "rules.txt").write_text(text, encoding="utf-8")
    command = ("show", "rules.txt", "--as", "json")
    terminal = Terminal(*command, folder=hostile)
    assert terminal.end() == 0
    assert is_harmless(terminal.said)
    assert "\u202e" in process(*command, folder=hostile).stdout
    assert json.loads(terminal.said) == json.loads(process(*command, folder=hostile).stdout)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("show", RULES, "--json"),
        ("show", RULES),
        ("datasets",),
        ("--version",),
        ("show", "nowhere.json", "--json"),
    ],
)
def test_a_full_standard_output_is_one_line(arguments: tuple[str, ...], unbuffered: str, fitted: Path) -> None:
    done = write_to_full("stdout", *arguments, PYTHONUNBUFFERED=unbuffered)
    said = done.stderr.splitlines()
    assert done.returncode == 2
    assert len(said) == 2
    if "nowhere.json" in arguments:
        assert said[0] == "evoter: there is no file 'nowhere.json'"
    else:
        assert said[0] == "evoter: standard output cannot be written: No space left on device"
        assert said[1] == "  hint: the result is incomplete"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_messages_that_cannot_be_written_do_not_stop_a_command(fitted: Path) -> None:
    done = write_to_full("stderr", "simplify", RULES)
    assert (done.returncode, done.stdout[:3]) == (0, "1. ")
    assert write_to_full("stderr", "show", "nowhere.json").returncode == 2


def write_to_full(stream: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command one of whose streams is a full device."""
    command = [sys.executable, "-m", "evoter", *arguments]
    with Path("/dev/full").open("wb") as full:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
        settings = {**ENVIRONMENT, **environment}
        return subprocess.run(command, check=False, text=True, env=settings, **streams)  # type: ignore[call-overload, no-any-return]


def test_closed_standard_streams_are_no_bug(fitted: Path) -> None:
    code = "import os\nfor each in (0, 1, 2): os.close(each)\nos.execv({0!r}, [{0!r}, '-m', 'evoter', 'show', '{1}'])"
    for name, expected in ((RULES, 0), ("nowhere.json", 2)):
        command = [sys.executable, "-c", code.format(sys.executable, name)]
        assert subprocess.run(command, check=False, env=ENVIRONMENT).returncode == expected


class Screen(io.StringIO):
    """A terminal that keeps what is written to it."""

    def isatty(self) -> bool:
        return True


def test_messages_are_shown_above_a_live_line(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm-256color")
    with ProgressDisplay() as display:
        display._progress.refresh()
        say("warning: look", "yellow")
        display._progress.refresh()
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue().replace("\r", "\n")).splitlines()
    assert "warning: look" in lines, lines
