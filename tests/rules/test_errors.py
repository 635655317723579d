"""Errors: they point at the place, suggest near names, and travel between processes."""

import copy
import pickle

import pytest

from evoter.rules.errors import MAX_COMPARED, RuleError, RuleFileError, RuleSyntaxError, SchemaError, did_you_mean

ERRORS = [
    RuleError("a rule needs a condition"),
    SchemaError("unknown feature 'x'"),
    RuleSyntaxError("expected a number", line=3, column=7, source="x <  -> go"),
    RuleFileError("not a number", path="$.rules[0].certainty"),
    RuleFileError("empty file"),
]


@pytest.mark.parametrize("error", ERRORS, ids=repr)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_errors_survive_pickling(error: RuleError, protocol: int) -> None:
    error.add_note("while reading the evening's rules")
    same = pickle.loads(pickle.dumps(error, protocol))  # noqa: S301 (our own bytes)
    assert type(same) is type(error)
    assert str(same) == str(error)
    assert vars(same) == vars(error)
    assert str(copy.copy(error)) == str(error)


def test_all_errors_are_rule_errors_and_value_errors() -> None:
    assert all(isinstance(error, RuleError) and isinstance(error, ValueError) for error in ERRORS)


def test_a_syntax_error_shows_the_line_and_points_at_the_column() -> None:
    error = RuleSyntaxError("expected a number", line=3, column=6, source="x <  -> go")
    assert str(error) == "line 3, column 6: expected a number\n  x <  -> go\n       ^"
    assert (error.message, error.line, error.column, error.source) == ("expected a number", 3, 6, "x <  -> go")


@pytest.mark.parametrize("column", [1, 500, 10_000])
def test_the_caret_stays_near_in_a_long_line(column: int) -> None:
    source = "".join(chr(ord("a") + place % 26) for place in range(10_000))
    _, excerpt, pointer = str(RuleSyntaxError("here", line=1, column=column, source=source)).split("\n")
    assert len(excerpt) <= 162
    assert excerpt[pointer.index("^")] == source[column - 1]


def test_unprintable_characters_do_not_move_the_caret() -> None:
    text = str(RuleSyntaxError("here", line=1, column=3, source="\t\x1bx"))
    assert text.endswith("\n    x\n    ^")


def test_a_file_error_names_the_place_if_it_knows_one() -> None:
    assert str(RuleFileError("not a number", path="$.rules[0]")) == "$.rules[0]: not a number"
    assert str(RuleFileError("empty file")) == "empty file"


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("glucos", ["glucose", "age"], "; did you mean 'glucose'?"),
        ("GLUCOSE", ["glucose", "age"], "; did you mean 'glucose'?"),
        ("ages", ["age", "aged"], "; did you mean 'age' or 'aged'?"),
        ("weight", ["glucose", "age"], "; known: 'glucose', 'age'"),
        ("weight", [], ""),
        ("weight", [f"feature {n}" for n in range(9)], ""),
    ],
)
def test_hints(name: str, known: list[str], hint: str) -> None:
    assert did_you_mean(name, known) == hint


def test_among_too_many_names_no_near_one_is_looked_for() -> None:
    assert did_you_mean("name 1", (f"name {n}" for n in range(MAX_COMPARED + 1))) == ""
