"""Tests of what commands write: results and messages, errors with hints, and the files they may write."""

import json
import math
import os
from pathlib import Path

import numpy as np
import pytest

from commands import fails
from evoter.cli.output import Failure, Streams, heading, json_ready, plain_table, split_hint, writable

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
