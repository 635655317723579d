"""Numbers that rules predict, in words and read back: "12.5 EUR plus 0.3 times the age"."""

import math
import re
from collections.abc import Iterator

from evoter.language.names.glossary import Glossary
from evoter.language.statements.numerals import number_pattern, read_number, write_number
from evoter.language.statements.reading import MAX_TERM_LENGTH
from evoter.language.statements.terms import read_term
from evoter.language.templates import PLACEHOLDER, fill
from evoter.rules.errors import RuleError
from evoter.rules.numbers.actions import NumericAction, read_action

_SIGNS = {"amounts.plus": (1.0, 1.0), "amounts.minus": (1.0, -1.0), "amounts.less": (-1.0, 1.0)}
"""The templates of a constant and a linear term, with the signs of the two."""

DIGITS = 6
"""Predicted numbers are shown to this many digits, as in the compact explanation."""


def write_amount(action: str, glossary: Glossary) -> str:
    """Say a numeric action.

    >>> from evoter.rules.schema import Feature, Schema, Target
    >>> glossary = Glossary(Schema([Feature("age")], target=Target("cost", "EUR")))
    >>> [write_amount(action, glossary) for action in ("8", "12.5 + 0.3*age", "-52 + age", "0 - 2*age")]
    ['8 EUR', '12.5 EUR plus 0.3 times the age', 'the age minus 52 EUR', '-2 times the age (in EUR)']
    """
    number, catalogue = read_action(action), glossary.catalogue
    constant, coefficient = number.constant, number.coefficient
    if not number.feature:
        return _quantity(constant, glossary)
    if not constant:
        term = _product(coefficient, number.feature, glossary)
        unit = glossary.target_unit
        if not unit:
            return term
        return fill(catalogue["amounts.in"], {"term": term, "unit": glossary.unit_forms(unit)[1]})
    key = "amounts.minus" if coefficient < 0.0 else "amounts.less" if constant < 0.0 else "amounts.plus"
    signs = _SIGNS[key]
    parts = {
        "amount": _quantity(signs[0] * constant, glossary),
        "term": _product(signs[1] * coefficient, number.feature, glossary),
    }
    return fill(catalogue[key], parts)


def read_amount(text: str, glossary: Glossary) -> str | None:
    """Return the numeric action that words say; None if they say none, or not as `write_amount` does."""
    candidates = [_constant(text, glossary), _multiple(text, glossary), *_sums(text, glossary)]
    return next((each for each in candidates if each is not None and write_amount(each, glossary) == text), None)


def write_prediction(number: float, glossary: Glossary) -> str:
    """Say a number that was predicted, rounded, with its unit; that there is none where it is missing."""
    if not math.isfinite(number):
        return glossary.catalogue["explanation.no_value"]
    return _quantity(float(f"{number:.{DIGITS}g}"), glossary)


def _quantity(number: float, glossary: Glossary) -> str:
    return glossary.amount(write_number(number, glossary.catalogue), glossary.target_unit, is_one=number == 1.0)


def _product(coefficient: float, feature: str, glossary: Glossary) -> str:
    """Say a linear term; its factor is always a number, as that of a measured slope."""
    phrase = glossary.subjects[feature].phrase
    if coefficient == 1.0:
        return phrase
    number = write_number(coefficient, glossary.catalogue)
    return fill(glossary.catalogue["terms.times"], {"number": number, "term": phrase})


def _constant(text: str, glossary: Glossary) -> str | None:
    match = re.fullmatch(_pattern(glossary), text)
    return None if match is None else _made(read_number(_figure(match), glossary.catalogue), 0.0, "")


def _multiple(text: str, glossary: Glossary) -> str | None:
    if unit := glossary.target_unit:
        after = fill(glossary.catalogue["amounts.in"], {"term": "", "unit": glossary.unit_forms(unit)[1]})
        text = text.removesuffix(after)
    return _linear(0.0, text, 1.0, glossary)


def _sums(text: str, glossary: Glossary) -> Iterator[str | None]:
    """Yield what a constant and a linear term can mean; as the unit is known, each template can be read in one way."""
    catalogue = glossary.catalogue
    for key, signs in _SIGNS.items():
        pieces = {"amount": _pattern(glossary), "term": "(?P<term>.+)"}
        template = PLACEHOLDER.split(catalogue[key])
        pattern = "".join(pieces[each] if at % 2 else re.escape(each) for at, each in enumerate(template))
        match = re.fullmatch(pattern, text, re.DOTALL)
        if match is not None:
            constant = read_number(_figure(match), catalogue)
            yield _linear(signs[0] * constant, match["term"], signs[1], glossary)


def _pattern(glossary: Glossary) -> str:
    """Return the pattern of a number with the unit of the target, of which there may be a form for one."""
    figures = []
    for name, is_one in (("one", True), ("other", False)):
        before, after = glossary.amount("\0", glossary.target_unit, is_one=is_one).split("\0")
        figures.append(f"{re.escape(before)}(?P<{name}>{number_pattern(glossary.catalogue)}){re.escape(after)}")
    return f"(?:{'|'.join(figures)})"


def _figure(match: re.Match[str]) -> str:
    return match["one"] or match["other"]


def _linear(constant: float, text: str, sign: float, glossary: Glossary) -> str | None:
    read = read_term(text, glossary) if len(text) <= MAX_TERM_LENGTH else None
    return None if read is None else _made(constant, sign * read[0].coefficient, read[0].feature)


def _made(constant: float, coefficient: float, feature: str) -> str | None:
    try:
        return NumericAction(constant, coefficient, feature).text
    except RuleError:
        return None
