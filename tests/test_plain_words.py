"""The page of rule sets before and after is up to date, and every sentence on it can be read back to the rules."""

import sys
from typing import Any

import pytest

from evoter.language import parse_plain
from language.test_parser import normal
from project import ROOT

sys.path.append(str(ROOT / "benchmarks"))  # where its scripts find their modules

import plain_words
from plain_words import EXAMPLES, LANGUAGES, PAGE, Example


def test_the_page_is_what_the_command_writes() -> None:
    assert PAGE.read_text(encoding="utf-8") == plain_words.page()


@pytest.mark.parametrize("example", EXAMPLES, ids=[example.name for example in EXAMPLES])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_set_on_the_page_is_read_back(example: Example, language: str) -> None:
    ruleset, labels = plain_words.load(example), plain_words.labels(example, language)
    text = plain_words.words(example, language)
    options: dict[str, Any] = {"language": language, "labels": labels, "time_step": example.time_step}
    assert normal(parse_plain(text, ruleset.schema, **options)) == normal(ruleset)
