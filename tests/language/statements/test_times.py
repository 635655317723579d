"""Tests of lags in words: every lag is read back from them, and common times are said as people say them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.language import languages
from evoter.language.catalogue import load_catalogue
from evoter.language.statements.times import read_time, time_words
from evoter.rules.errors import RuleError
from laws import examples

UNITS = ["ms", "s", "min", "minutes", "h", "hours", "d", "weeks", "months", "y", "ticks", "odd, unit", "earlier"]


@pytest.mark.parametrize(
    ("lag", "step", "english", "german"),
    [
        (1, None, "one step", "einen Schritt"),
        (13, None, "13 steps", "13 Schritte"),
        (2, (1, "h"), "two hours", "zwei Stunden"),
        (4, (15, "min"), "one hour", "eine Stunde"),
        (3, (15, "min"), "45 minutes", "45 Minuten"),
        (1, (90, "min"), "90 minutes", "90 Minuten"),
        (3, (0.1, "s"), "0.3 seconds", "0,3 Sekunden"),
        (24, (1, "h"), "one day", "einen Tag"),
        (7, (1, "d"), "seven days", "sieben Tage"),
        (14, (1, "d"), "two weeks", "zwei Wochen"),
        (1, (1, "month"), "one month", "einen Monat"),
        (2, (8, "shifts"), "16 shifts", "16 shifts"),
    ],
)
def test_common_times(lag: int, step: tuple[float, str] | None, english: str, german: str) -> None:
    assert time_words(lag, step, load_catalogue("en")) == english
    assert time_words(lag, step, load_catalogue("de")) == german


@examples(1000)
@given(
    lag=st.integers(1, 10**6),
    step=st.none() | st.tuples(st.one_of(st.integers(1, 100), st.floats(1e-3, 1e4)), st.sampled_from(UNITS)),
    language=st.sampled_from(languages()),
)
def test_every_lag_is_read_back(lag: int, step: tuple[float, str] | None, language: str) -> None:
    catalogue = load_catalogue(language)
    assert read_time(time_words(lag, step, catalogue), step, catalogue, 10**6) == lag


def test_what_is_no_time_is_not_read() -> None:
    catalogue = load_catalogue("en")
    for text in ("", "two", "two hours", "zero steps", "-1 steps", "1.5 steps", "5 steps"):
        assert read_time(text, None, catalogue, 4) is None
    with pytest.raises(RuleError, match="a step takes a positive, finite time"):
        time_words(1, (0, "h"), catalogue)
