"""Numbers as a language writes them: exact, with its decimal mark and groups of thousands."""

import re
from decimal import Decimal

from evoter.language.catalogue import Catalogue
from evoter.rules.printing.pieces import number_text

GROUPED_FROM = 5
"""Whole parts of fewer digits have no groups: 1980 is also a year."""

_MOST_ZEROS = 15
"""Longer numbers are written with an exponent."""


def write_number(number: float, catalogue: Catalogue) -> str:
    """Write a number with as few digits as identify it.

    >>> from evoter.language.catalogue import load_catalogue
    >>> [write_number(number, load_catalogue("en")) for number in (1980.0, 12500.5, -0.05, 1e-7, 1e300)]
    ['1980', '12,500.5', '-0.05', '0.0000001', '1e+300']
    >>> [write_number(number, load_catalogue("de")) for number in (12500.5, -0.05)]
    ['12.500,5', '-0,05']
    """
    text = number_text(number)
    exact = Decimal(text)
    if exact and not -_MOST_ZEROS < exact.adjusted() <= _MOST_ZEROS:
        return text.replace(".", catalogue.decimal)
    sign, digits = ("-", f"{-exact:f}") if text.startswith("-") else ("", f"{exact:f}")
    whole, _, rest = digits.partition(".")
    if len(whole) >= GROUPED_FROM:
        whole = re.sub(r"(?<=[0-9])(?=(?:[0-9]{3})+$)", lambda _: catalogue.group, whole)
    return f"{sign}{whole}{catalogue.decimal}{rest}" if rest else f"{sign}{whole}"


def read_number(text: str, catalogue: Catalogue) -> float:
    """Read a number that `write_number` has written."""
    return float(text.replace(catalogue.group, "").replace(catalogue.decimal, "."))


def number_pattern(catalogue: Catalogue) -> str:
    """Return the pattern of a number."""
    decimal, group = re.escape(catalogue.decimal), re.escape(catalogue.group)
    whole = rf"[0-9]{{1,3}}(?:{group}[0-9]{{3}})+|[0-9]+"
    return rf"-?(?:{whole})(?:{decimal}[0-9]+)?(?:e[+-]?[0-9]+)?"
