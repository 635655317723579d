"""Tests of where commands may write: a directory that is not there is one line, whatever is to be written."""

from pathlib import Path

import pytest

from commands import fails
from evoter.cli.failure import Failure
from evoter.cli.places import writable

RULES = "patients.rules.json"


def test_a_directory_must_be_there(tmp_path: Path) -> None:
    assert writable(str(tmp_path / "new.json")) == tmp_path / "new.json"
    with pytest.raises(Failure, match="there is no directory") as told:
        writable(tmp_path / "nowhere" / "new.json")
    assert told.value.hint == f"mkdir -p {tmp_path / 'nowhere'}"


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
