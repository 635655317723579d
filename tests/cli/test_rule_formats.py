"""Tests of formats: errors of the library become one line and a hint."""

import pytest

from evoter.cli.failure import Failure
from evoter.cli.rule_formats import find_form, formatting
from evoter.rules.errors import RuleError


def test_unknown_formats_come_with_near_ones_or_all() -> None:
    assert find_form("sql").title == "SQL"
    with pytest.raises(Failure, match="unknown format 'sqll'") as told:
        find_form("sqll")
    assert told.value.hint == "did you mean 'sql'?"
    with pytest.raises(Failure) as told:
        find_form("word")
    assert told.value.hint.startswith("known: text, json")


@pytest.mark.parametrize(
    ("error", "message", "hint"),
    [
        (RuleError("it looks back; add columns"), "m as SQL: it looks back", "add columns"),
        (TypeError("no option 'tabel'"), "m as SQL: no option 'tabel'", "see the manual"),
        (ImportError("to_onnx needs onnx: pip install it"), "m as SQL: to_onnx needs onnx", "pip install it"),
    ],
)
def test_errors_are_failures_with_hints(error: Exception, message: str, hint: str) -> None:
    with pytest.raises(Failure) as told, formatting("m as SQL", "see the manual"):
        raise error
    assert (told.value.message, told.value.hint) == (message, hint)
