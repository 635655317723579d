"""Tests that errors of the library divide into what is wrong and what to do."""

from evoter.cli.failure import split_hint


def test_a_hint_is_what_follows_the_last_semicolon_of_the_first_line() -> None:
    assert split_hint("a: b; c; did you mean 'd'?") == ("a: b; c", "did you mean 'd'?")
    assert split_hint("first\nsecond; third") == ("first", "")
    assert split_hint("") == ("", "")
