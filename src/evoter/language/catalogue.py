"""Catalogues: everything that is said in one language, read from a small file and checked for completeness."""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from evoter.language.templates import PLACEHOLDER, placeholders
from evoter.rules.condition import Operator
from evoter.rules.errors import RuleError, did_you_mean

REFERENCE = "en"
"""The catalogue whose keys and placeholders all others must have."""

SENTENCES = (
    *("conditions", "terms", "lists", "rules", "outcomes", "amounts", "modes", "notes"),
    *("explanation", "recommendation"),
)
"""The sections that are templates or words with the same keys in every language."""

MAX_SIZE = 1_000_000
"""A larger file is no catalogue."""

_NAMES = (
    *("own_articles", "plural_endings", "singular_endings", "singular_words", "main_word_before"),
    *("harmless", "harmless_in_values"),
)
_NUMBERS = ("words", "units_before", "units_attached")


@dataclass(frozen=True, eq=False)
class Catalogue:
    """What rules are called in one language.

    `sentences` has the templates by section and key, such as `conditions.number`. `verbs` have four forms: now for one
    and for several, earlier for one and for several. `times` and `units` have a form for one and one for several.
    """

    code: str
    name: str
    decimal: str
    group: str
    quotes: tuple[str, str]
    article: str
    lists: Mapping[str, tuple[str, ...]]
    verbs: Mapping[str, tuple[str, str, str, str]]
    operators: Mapping[Operator, str]
    term_operators: Mapping[Operator, str]
    multiples: Mapping[float, str]
    multiples_only_without_article: bool
    times: Mapping[str, tuple[str, str]]
    units: Mapping[str, tuple[str, str]]
    sentences: Mapping[str, str]

    def __getitem__(self, key: str) -> str:
        return self.sentences[key]


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a catalogue.

    >>> languages()
    ('de', 'en')
    """
    names = [file.name for file in (files("evoter.language") / "catalogues").iterdir()]
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


@cache
def load_catalogue(language: str) -> Catalogue:
    """Return the catalogue of a language: by its code, or the path of a file that ends in .toml.

    >>> load_catalogue("de").name
    'Deutsch'
    """
    if language.endswith(".toml"):
        try:
            content = Path(language).expanduser().read_bytes()
        except OSError as error:
            raise RuleError(f"language: cannot read the catalogue {language!r}: {error.strerror}") from None
    elif language in languages():
        content = (files("evoter.language") / "catalogues" / f"{language}.toml").read_bytes()
    else:
        hint = did_you_mean(language, languages())
        raise RuleError(f"there is no catalogue for the language {language!r}{hint}")
    if len(content) > MAX_SIZE:
        raise RuleError(f"the catalogue {language!r} has {len(content):,} bytes; at most {MAX_SIZE:,} are read")
    try:
        document = tomllib.loads(content.decode("utf-8"))
    except ValueError as error:  # of TOML or of UTF-8
        raise RuleError(f"the catalogue {language!r} cannot be read: {error}") from None
    if language != REFERENCE:
        problems = list(incomplete(document, _reference()))
        if problems:
            raise RuleError(f"the catalogue {language!r} is incomplete: {'; '.join(problems[:5])}")
    return _catalogue(document)


def incomplete(document: Mapping[str, Any], reference: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """Yield what a catalogue lacks, has too much, or says with other placeholders than the reference.

    >>> list(incomplete({"a": "{x} ist"}, {"a": "{x} is {y}", "b": ""}))
    ["'a' must have the placeholders {x} {y}, not {x}", "'b' is missing"]
    """
    verbs = {*document.get("verbs", ()), *reference.get("verbs", ())} if not path else set[str]()
    for key, said in reference.items():
        place = f"{path}{key}"
        if place in ("verbs", "multiples.words"):  # a language has its own verbs, and its own words for fractions
            yield from _misshapen(document.get(key), place)
        elif key not in document:
            yield f"{place!r} is missing"
        elif type(document[key]) is not type(said):
            yield f"{place!r} must be a {type(said).__name__}"
        elif isinstance(said, Mapping):
            yield from incomplete(_without_verbs(document[key], verbs), _without_verbs(said, verbs), f"{place}.")
        elif isinstance(said, str) and sorted(placeholders(said)) != sorted(placeholders(document[key])):
            wanted, found = (" ".join(f"{{{each}}}" for each in placeholders(text)) for text in (said, document[key]))
            yield f"{place!r} must have the placeholders {wanted or '(none)'}, not {found or '(none)'}"
        elif isinstance(said, list) and path in ("times.", "units.") and len(document[key]) != len(said):
            yield f"{place!r} must have {len(said)} forms"
    for key in document:
        if key not in reference and path not in ("verbs.", "multiples.words."):
            yield f"{path}{key!r} is not known"


def _misshapen(section: object, place: str) -> Iterator[str]:
    if not isinstance(section, Mapping):
        yield f"{place!r} is missing"
        return
    for key, said in section.items():
        if place == "verbs" and not (isinstance(said, list) and len(said) == 4 and all(map(str, said))):
            yield f"'verbs.{key}' must have four forms"
        elif place != "verbs" and not (isinstance(said, str) and _is_number(key)):
            yield f"'{place}.{key}' must give words for a number"


def _is_number(text: str) -> bool:
    try:
        return float(text) > 0.0
    except ValueError:
        return False


def _without_verbs(section: Mapping[str, Any], verbs: set[str]) -> dict[str, Any]:
    """Return a section without placeholders that stand for verbs: which verbs there are depends on the language."""

    def bare(text: str) -> str:
        return PLACEHOLDER.sub(lambda match: "" if match[1] in verbs else match[0], text)

    return {key: bare(said) if isinstance(said, str) else said for key, said in section.items()}


@cache
def _reference() -> dict[str, Any]:
    content = (files("evoter.language") / "catalogues" / f"{REFERENCE}.toml").read_text(encoding="utf-8")
    return tomllib.loads(content)


def _catalogue(document: Mapping[str, Any]) -> Catalogue:
    numbers, names = document["numbers"], document["names"]
    lists = {key: tuple(names[key]) for key in _NAMES} | {key: tuple(numbers[key]) for key in _NUMBERS}
    lists["logic"] = tuple(document["rewriting"]["logic"])
    return Catalogue(
        code=document["code"],
        name=document["name"],
        decimal=numbers["decimal"],
        group=numbers["group"],
        quotes=(names["quotes"][0], names["quotes"][1]),
        article=names["article"],
        lists=lists,
        verbs={key: tuple(forms) for key, forms in document["verbs"].items()},
        operators={Operator(sign): words for sign, words in document["operators"].items()},
        term_operators={Operator(sign): words for sign, words in document["term_operators"].items()},
        multiples={float(number): words for number, words in document["multiples"]["words"].items()},
        multiples_only_without_article=document["multiples"]["only_without_article"],
        times={key: tuple(forms) for key, forms in document["times"].items()},
        units={key: tuple(forms) for key, forms in document["units"].items()},
        sentences={f"{section}.{key}": said for section in SENTENCES for key, said in document[section].items()},
    )
