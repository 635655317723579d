"""Tests of what options share: flags in help texts, and options that are NAME=VALUE pairs."""

import pytest

from commands import run
from evoter.cli.options import named_numbers, named_values
from evoter.cli.output import Failure


@pytest.mark.parametrize("command", ["fit", "predict", "reproduce", "datasets", "datasets fetch"])
def test_flags_have_no_type(command: str) -> None:
    shown = run(*command.split(), "--help").stdout
    assert "--json" in shown
    assert "<bool>" not in shown


def test_values_are_json_or_else_text() -> None:
    given = ["smoothing=0", "operators=[1,2]", "dialect=postgres", " name = a=b"]
    assert named_values(given, "--setting") == {
        "smoothing": 0,
        "operators": [1, 2],
        "dialect": "postgres",
        "name": "a=b",
    }


@pytest.mark.parametrize("pair", ["complexity", "=8", "complexity=true", "complexity=many"])
def test_what_is_no_pair_or_no_number_is_refused_with_a_remedy(pair: str) -> None:
    with pytest.raises(Failure) as told:
        named_numbers([pair], "--limit")
    assert told.value.hint.startswith("write --limit")
