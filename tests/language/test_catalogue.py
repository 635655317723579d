"""Tests of the catalogues: each is complete, and an incomplete one says what it lacks."""

import re
import tomllib
from pathlib import Path

import pytest

from evoter import parse
from evoter.language import languages, parse_plain
from evoter.language.catalogue import incomplete, load_catalogue
from evoter.language.statements.conditions import WRITERS
from evoter.rules.errors import RuleError
from evoter.rules.forms.registry import FORMS
from evoter.rules.model import Mode
from project import PACKAGE

FOLDER = PACKAGE / "language" / "catalogues"
ENGLISH = (FOLDER / "en.toml").read_text(encoding="utf-8")
RULES = parse("2 < x <= 3 AND 0.5*y > 1 -> A; z in {r, g} -> B; Default -> A")


@pytest.mark.parametrize("code", languages())
def test_every_catalogue_is_complete(code: str) -> None:
    document = tomllib.loads((FOLDER / f"{code}.toml").read_text(encoding="utf-8"))
    assert not list(incomplete(document, tomllib.loads(ENGLISH)))
    assert load_catalogue(code).code == code


@pytest.mark.parametrize("code", languages())
def test_every_catalogue_tells_operators_and_verbs_apart(code: str) -> None:
    catalogue = load_catalogue(code)
    for words in (catalogue.operators, catalogue.term_operators, catalogue.multiples):
        assert len(set(words.values())) == len(words)
    said = [catalogue[f"modes.{mode.value}"] for mode in Mode]
    assert len(set(said)) == len(said)


def test_every_form_of_condition_has_words() -> None:
    assert {form.name for form in FORMS} == set(WRITERS)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('sum = "the sum of {left} and {right} is', 'sum = "the sum of {left} is', "'conditions.sum' must have the placeholders"),
        ("[lists]\ncomma", "[lists]\nkomma", "'lists.comma' is missing"),
        ('"<=" = "at most"\n">"', '">"', "'operators.<=' is missing"),
        ('is = ["is", "are", "was", "were"]', 'is = ["is", "are"]', "'verbs.is' must have four forms"),
        ('"0.5" = "half of"', '"half" = "half of"', "'multiples.words.half' must give words for a number"),
        ('hour = ["one hour", "hours"]', 'hour = ["one hour"]', "'times.hour' must have 2 forms"),
    ],
)  # fmt: skip
def test_an_incomplete_catalogue_says_what_it_lacks(before: str, after: str, said: str, tmp_path: Path) -> None:
    assert before in ENGLISH
    place = tmp_path / "xx.toml"
    place.write_text(ENGLISH.replace(before, after, 1), encoding="utf-8")
    with pytest.raises(RuleError, match=re.escape(said)):
        load_catalogue(str(place))


def test_a_language_of_ones_own_is_a_file(tmp_path: Path) -> None:
    place = tmp_path / "nl.toml"
    dutch = ENGLISH.replace('first = "If {conditions}, {outcome}."', 'first = "Als {conditions}, dan {outcome}."')
    place.write_text(dutch, encoding="utf-8")
    text = RULES.to_text("plain", language=str(place))
    assert text.startswith("1. Als x is above 2 and at most 3")
    assert parse_plain(text, RULES.schema, language=str(place)) == RULES


def test_a_catalogue_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("[", encoding="utf-8")
    for language, said in ((str(broken), "cannot be read"), ("none.toml", "cannot read"), ("xx", "no catalogue for")):
        with pytest.raises(RuleError, match=said):
            RULES.to_text("plain", language=language)
