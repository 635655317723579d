"""Tests of options that are pairs."""

import pytest

from evoter.cli.failure import Failure
from evoter.cli.pairs import named_numbers, named_values


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
