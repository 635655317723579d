"""Terms in words, and read back: "0.11 times the cube of the velocity of cart two steps earlier"."""

import re
from collections.abc import Iterator

from evoter.language.names.glossary import Glossary
from evoter.language.statements.numerals import number_pattern, read_number, write_number
from evoter.language.statements.times import read_time, time_words
from evoter.language.templates import Template, fill
from evoter.rules.condition import Term

_POWERS = {2: "terms.square", 3: "terms.cube"}


def write_term(term: Term, glossary: Glossary, *, scaled: bool = False) -> str:
    """Say a term; `scaled` says that it is read relative to its range."""
    catalogue, subject = glossary.catalogue, glossary.subjects[term.feature]
    text = subject.phrase
    if term.lag:
        time = time_words(term.lag, glossary.time_step, catalogue)
        text = fill(catalogue["terms.lag"], {"term": text, "time": time})
    if scaled:
        text = fill(catalogue["terms.scaled"], {"term": text})
    if term.power != 1:
        text = fill(catalogue[_POWERS[term.power]], {"term": text})
    if term.coefficient == 1.0:
        return text
    words = catalogue.multiples.get(term.coefficient)
    if words is not None and not (catalogue.multiples_only_without_article and subject.has_article):
        return f"{words} {text}"
    return fill(catalogue["terms.times"], {"number": write_number(term.coefficient, catalogue), "term": text})


def read_term(text: str, glossary: Glossary) -> tuple[Term, bool] | None:
    """Return the term that words say, and whether it is read relative to its range; None if they say none."""
    return next(_products(text, glossary), None)


def _products(text: str, glossary: Glossary) -> Iterator[tuple[Term, bool]]:
    catalogue = glossary.catalogue
    for factor, words in catalogue.multiples.items():
        if text.startswith(f"{words} "):
            yield from _powers(text[len(words) + 1 :], factor, glossary)
    times = catalogue["terms.times"]
    for said in Template.of(times, {"term": ".+"}).readings(text):
        if number_matches(said["number"], glossary):
            yield from _powers(said["term"], read_number(said["number"], catalogue), glossary)
    yield from _powers(text, 1.0, glossary)


def _powers(text: str, factor: float, glossary: Glossary) -> Iterator[tuple[Term, bool]]:
    for power, key in _POWERS.items():
        for said in Template.of(glossary.catalogue[key], {}).readings(text):
            yield from _scaled(said["term"], factor, power, glossary)
    yield from _scaled(text, factor, 1, glossary)


def _scaled(text: str, factor: float, power: int, glossary: Glossary) -> Iterator[tuple[Term, bool]]:
    for said in Template.of(glossary.catalogue["terms.scaled"], {}).readings(text):
        yield from ((Term(name, factor, power, lag), True) for name, lag in _lagged(said["term"], glossary))
    yield from ((Term(name, factor, power, lag), False) for name, lag in _lagged(text, glossary))


def _lagged(text: str, glossary: Glossary) -> Iterator[tuple[str, int]]:
    if text in glossary.feature_of:
        yield glossary.feature_of[text], 0
        return
    for said in Template.of(glossary.catalogue["terms.lag"], {}).readings(text):
        name = glossary.feature_of.get(said["term"])
        if name is None:
            continue
        lag = read_time(said["time"], glossary.time_step, glossary.catalogue, glossary.schema.max_lag)
        if lag is not None:
            yield name, lag


def number_matches(text: str, glossary: Glossary) -> bool:
    """Tell whether a text is a number."""
    return re.fullmatch(number_pattern(glossary.catalogue), text) is not None
