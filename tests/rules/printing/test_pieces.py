"""Tests of the pieces of which printed rules are made: numbers, names, and colours that can be read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.printing.pieces import PALETTE, name_text, number_text, quoted, visible


@given(number=st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_printed_with_all_its_digits(number: float) -> None:
    text = number_text(number)
    assert float(text) == number
    assert not text.endswith(".0")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("petal length (cm)", "petal length (cm)"),
        ("Größe", "Größe"),
        ("Court/Law", "Court/Law"),
        ("AND gate", '"AND gate"'),
        ("Default", '"Default"'),
        ('say "hi"', r'"say \"hi\""'),
        ("back\\slash", r'"back\\slash"'),
        ("line\nbreak", r'"line\nbreak"'),
        ("x²", '"x²"'),
        ("x  y", '"x  y"'),
        ("\u202eabc", r'"\u202eabc"'),
        ("a\U000e0001", r'"a\udb40\udc01"'),
    ],
)
def test_a_name_is_quoted_where_it_could_be_misread(name: str, text: str) -> None:
    assert name_text(name) == text


@given(name=st.text())
def test_quoted_names_can_be_seen(name: str) -> None:
    assert quoted(name).isprintable()
    assert visible(name).isprintable()


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colour", sorted(set(PALETTE.values())))
@pytest.mark.parametrize("background", ["#ffffff", "#111111"])
def test_colours_stand_out_from_light_and_dark_pages(colour: str, background: str) -> None:
    darker, lighter = sorted([luminance(colour), luminance(background)])
    assert (lighter + 0.05) / (darker + 0.05) > 4
