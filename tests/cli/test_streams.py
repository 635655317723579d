"""Tests of where commands write."""

import json
import math

import numpy as np
import pytest

from evoter.cli.headings import heading, plain_table
from evoter.cli.streams import Streams, json_ready


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
