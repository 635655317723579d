"""Tests of the tokens: which names stand bare, and how the stream walks and points."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import RuleSyntaxError
from evoter.rules.parsing.tokens import MAX_TEXT_LENGTH, TokenStream, is_bare_name, is_bare_unit


def kinds(text: str, *, by_line: bool = False) -> list[str]:
    stream = TokenStream(text)
    found = []
    while stream.kind != "END":
        found.append(stream.kind)
        stream.advance(by_line=by_line)
    return found


@pytest.mark.parametrize(
    "name",
    ["age", "petal length (cm)", "mean radius", "next.pipe.top.y", "hours-per-week", "Court/Law", "Größe", "_x1", "x.",
     "android", "true positives", "default rate", "island", "is-here", "or.else", "年龄", "nothing here"],
)  # fmt: skip
def test_ordinary_names_stand_bare(name: str) -> None:
    assert is_bare_name(name)
    assert kinds(name) == ["NAME"]


@pytest.mark.parametrize(
    "name",
    ["", "3", "1. x", "-x", "x-", "x--y", "a->b", "x(y)", "(x)", "x (y", "x (y) z", "x  y", "x\ty", " x", "x²", "x^2", "a | b",
     "and", "And", "this AND that", "if x", "x is", "x (or y)", "where", "Default", "default action", "TRUE", "actions", "lags"],
)  # fmt: skip
def test_other_names_need_quotes(name: str) -> None:
    assert not is_bare_name(name)


@pytest.mark.parametrize(
    ("unit", "bare"), [("cm", True), ("mg/dL", True), ("%", True), ("°C", True), ("°", True), ("m/s²", False)]
)
def test_units(unit: str, bare: bool) -> None:
    assert is_bare_unit(unit) is bare


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1. 0.5*x", ["ORDINAL", "COEFFICIENT", "NAME"]),
        ("1.5 * x", ["COEFFICIENT", "NAME"]),
        ("5.", ["ORDINAL"]),
        ("0..2", ["NUMBER", "DOTS", "NUMBER"]),
        ("[0..192.0][ -8.0 .. 10 ][..][0..][..1]", ["RANGE"] * 5),
        ("[2][ 12 ]", ["LAG"] * 2),
        ("x^2[3]³", ["NAME", "POWER", "LAG", "POWER"]),
        ("72.75mmHg", ["NUMBER", "NAME"]),
        ("-1e-5 +.5 −3", ["NUMBER"] * 3),
        ("= == != <> ≠ < <= ≤ > >= ≥", ["OPERATOR"] * 11),
        ("-> --> → ⟶ then", ["ARROW"] * 5),
        ("& && ∧ AND and", ["AND"] * 5),
        ("OR IF ELSE is WHERE", ["OR", "IF", "ELSE", "IS", "WHERE"]),
        (r'"a \" b" "x"', ["STRING"] * 2),
        ("5% 5 °C", ["NUMBER", "SYMBOL", "NUMBER", "SYMBOL"]),
        ("x->y", ["NAME", "ARROW", "NAME"]),
        ("x # all ] of ( this\ny", ["NAME", "NAME"]),
    ],
)
def test_kinds(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_newlines_are_tokens_when_asked_for() -> None:
    assert kinds("x # comment\n\r\n y\r z", by_line=True) == ["NAME", "NEWLINE", "NEWLINE", "NAME", "NEWLINE", "NAME"]


def test_a_byte_order_mark_is_skipped() -> None:
    assert kinds("\ufeffx") == ["NAME"]


@given(text=st.text())
def test_every_text_comes_to_an_end(text: str) -> None:
    assert len(kinds(text)) <= len(text)


def test_an_error_points_at_its_place() -> None:
    stream = TokenStream("first\n  second third")
    stream.advance()
    error = stream.error("wrong")
    assert (error.line, error.column, error.source) == (2, 3, "  second third")
    assert str(error) == "line 2, column 3: wrong\n    second third\n    ^"


def test_an_error_in_a_long_line_shows_its_surroundings_without_control_characters() -> None:
    stream = TokenStream("x " * 10_000 + "\x1b[31m # " + "y" * 10_000)
    stream.advance()
    excerpt, caret = str(stream.error("wrong")).splitlines()[1:]
    assert len(excerpt) < 200
    assert "\x1b" not in excerpt
    assert excerpt[caret.index("^") + 1 :].startswith("[31m")


def test_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(RuleSyntaxError, match="the text has 50,000,001 characters; at most 50,000,000 are read"):
        TokenStream("x" * (MAX_TEXT_LENGTH + 1))
