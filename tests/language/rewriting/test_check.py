"""Laws of the check of rewritten texts: what is unchanged is accepted, and nothing that is meant can be left out."""

import re
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evoter import parse
from evoter.language.names.glossary import Glossary
from evoter.language.rewriting.check import Original, refusal
from evoter.language.rewriting.items import Vocabulary
from evoter.language.rewriting.rewrite import originals_of
from evoter.rules.model import RuleSet
from language.statements.test_amounts import numeric_rulesets
from strategies import rulesets

LANGUAGES = ("en", "de")


def text_of(originals: list[Original]) -> str:
    return "\n".join(each.sentence for each in originals)


@settings(max_examples=60, deadline=None)
@given(st.one_of(rulesets(), numeric_rulesets()), st.sampled_from(LANGUAGES))
def test_the_text_itself_is_accepted(ruleset: RuleSet, language: str) -> None:
    glossary = Glossary(ruleset.schema, language)
    originals = originals_of(ruleset, glossary, None)
    assert refusal(text_of(originals), originals, glossary) == ""


@settings(max_examples=20, deadline=None)
@given(st.one_of(rulesets(), numeric_rulesets()), st.sampled_from(LANGUAGES), st.data())
def test_nothing_that_is_meant_can_be_left_out_or_said_twice(
    ruleset: RuleSet, language: str, data: st.DataObject
) -> None:
    """Words that also join statements, as the one between two conditions, are left to those who write."""
    glossary = Glossary(ruleset.schema, language)
    originals = originals_of(ruleset, glossary, None)
    vocabulary = Vocabulary(glossary)
    number = data.draw(st.integers(0, len(originals) - 1))
    original = originals[number]
    meant = Counter(name for piece in original.content for name in vocabulary.items(piece).named)
    begin = original.sentence.index(" ") + 1
    written = Counter(vocabulary.items(original.sentence[begin:]).named)
    spans = [
        (begin + match.start(), begin + match.end())
        for match in vocabulary.pattern.finditer(original.sentence[begin:])
        if 0 < meant[match.group()] == written[match.group()]
    ]
    assume(spans)
    start, end = data.draw(st.sampled_from(spans))
    name = original.sentence[start:end]
    for altered in ("", f"{name} {name}"):
        sentence = original.sentence[:start] + altered + original.sentence[end:]
        changed = [*originals[:number], original._replace(sentence=sentence), *originals[number + 1 :]]
        said = vocabulary.items(sentence[begin:]).named
        if Counter(said)[name] != written[name]:
            assert refusal(text_of(changed), originals, glossary) != ""


JOINING = parse(
    """
    "and" > 3 AND "is" = "one" -> "one"
    "or" is missing -> two
    Default -> decision
    where
      "and": numeric
      "or": numeric missing
      "is": one of "one" | ","
      actions: "one" | two | decision
    """,
    mode="all",
)


def reason(sentence: str, number: int = 0) -> str:
    """Return why the text is refused in which one sentence is written otherwise."""
    glossary = Glossary(JOINING.schema)
    originals = originals_of(JOINING, glossary, None)
    lines = [each.sentence for each in originals]
    lines[number] = f"{number + 1}. {sentence}"
    return refusal("\n".join(lines), originals, glossary)


def test_names_that_are_words_of_sentences() -> None:
    originals = originals_of(JOINING, Glossary(JOINING.schema), None)
    assert [each.sentence for each in originals] == [
        "1. If “and” is above 3 and “is” is “one”, “one” is one of the actions.",
        "2. If “or” is unknown, two is one of the actions.",
        "3. If none of these rules applies, decision is one of the actions.",
    ]
    assert reason("If “and” is above 3 and “is” is “one”, “one” is one of the actions.") == ""
    assert reason("Whenever “and” lies above 3 while “is” is “one”, “one” belongs to the actions.") == ""


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("If and is above 3 and “is” is “one”, “one” is one of the actions.", "lacks '“and”'"),
        ("If “is” is “one”, “one” is one of the actions.", "lacks '“and”'"),
        ("If “or” is above 3 and “is” is “one”, “one” is one of the actions.", "lacks '“and”'"),
        ("If “and” is above 3 and “is” is “one”, this is one of the actions.", "lacks '“one”'"),
        ("If “and” is above 3 and “is” is “,”, “one” is one of the actions.", "lacks '“one”'"),
        ("If “and” is above 3 or “is” is “one”, “one” is one of the actions.", "adds 'or'"),
        ("If “and” is above 3 and “is” is “one”, “one” is two of the actions.", "adds 'two'"),
        ("If “and” is at most 3 and “is” is “one”, “one” is one of the actions.", "lacks 'above 3'"),
        ("If “is” is “one” and “and” is above 3, “one” is one of the actions.", "in another order"),
        ("If “and” is above 3 and “is” is “one”, “one” is not one of the actions.", "the word 'not' 1 times"),
    ],
)
def test_hostile_texts_cannot_hide_behind_such_names(sentence: str, said: str) -> None:
    assert said in reason(sentence)


def test_words_that_turn_a_meaning_count_even_if_something_has_their_name() -> None:
    rules = parse('"none of these" > 3 AND "or" > 2 -> yes; Default -> no', mode="vote")
    glossary = Glossary(rules.schema)
    originals = originals_of(rules, glossary, None)
    first, last = (each.sentence for each in originals)
    assert last == "2. If none of these rules applies, this is a vote for no, with certainty 1."
    for altered in (last.replace("none", "any"), last.replace("none of these rules applies", "it applies")):
        assert "the word 'none' 0 times instead of 1" in refusal(f"{first}\n{altered}", originals, glossary)
    altered = first.replace("3 and", "3 or")
    assert "adds 'or'" in refusal(f"{altered}\n{last}", originals, glossary)
    assert refusal(f"{first}\n{last.replace('this is', 'count')}", originals, glossary) == ""


def test_an_action_cannot_be_replaced_by_a_word_of_the_sentence() -> None:
    """“all” is an action here, and stands in the sentence of the default besides."""
    rules = parse("x > 1 -> some; Default -> all")
    glossary = Glossary(rules.schema)
    originals = originals_of(rules, glossary, None)
    assert originals[1].sentence == "2. In all other cases, the decision is all."
    first = originals[0].sentence
    assert refusal(f"{first}\n2. In all remaining cases, the decision is all.", originals, glossary) == ""
    assert "names things in another order" in refusal(f"{first}\n2. That is all.", originals, glossary)
    assert re.search("adds 'some'", refusal(f"{first}\n2. In all and some cases it is all.", originals, glossary))


def test_a_rule_set_without_rules_says_no_certainty() -> None:
    for mode in ("first", "hardmax", "vote", "all"):
        rules = parse("Default -> approve\nwhere\n  actions: approve | refuse", mode=mode)
        glossary = Glossary(rules.schema)
        originals = originals_of(rules, glossary, None)
        assert refusal("1. In every case, the decision is approve.", originals, glossary) == ""
        assert refusal("1. It is always approve.", originals, glossary) == ""
        assert "lacks 'approve'" in refusal("1. It is always refuse.", originals, glossary)
