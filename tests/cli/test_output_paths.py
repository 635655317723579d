"""Tests of where commands may write: a directory that is not there is one line, whatever is to be written."""

import os
from pathlib import Path

import pytest

from commands import fails
from evoter.cli.failure import Failure
from evoter.cli.output_paths import writable

RULES = "patients.rules.json"


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
