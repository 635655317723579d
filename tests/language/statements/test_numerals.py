"""Tests of numbers as languages write them: exact, and read back to the same double."""

import re

from hypothesis import given
from hypothesis import strategies as st

from evoter.language import languages
from evoter.language.catalogue import load_catalogue
from evoter.language.statements.numerals import number_pattern, read_number, write_number
from laws import examples


@examples(2000)
@given(number=st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_is_read_back(number: float) -> None:
    for language in languages():
        catalogue = load_catalogue(language)
        text = write_number(number, catalogue)
        assert re.fullmatch(number_pattern(catalogue), text)
        assert read_number(text, catalogue) == number


def test_thousands_are_grouped_from_five_digits_on() -> None:
    written = [
        write_number(number, load_catalogue("de")) for number in (1999.0, 20000.0, -1234567.25, 1e15, 1e16, 1e-16)
    ]
    assert written == ["1999", "20.000", "-1.234.567,25", "1.000.000.000.000.000", "1e+16", "1e-16"]
