"""Tests that plain words are read back: what is said is the rule set, in every language and every form."""

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evoter.language import languages, parse_plain
from evoter.language.catalogue import load_catalogue
from evoter.language.names.quoting import words_of
from evoter.rules.condition import Condition, Operator, Sum, Term
from evoter.rules.errors import RuleSyntaxError
from evoter.rules.interpreter import decide
from evoter.rules.model import Rule, RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from samples import RULESET
from strategies import features, rows, rulesets

TIME_STEPS = [None, (30, "min"), (1, "h"), (0.1, "s"), (45, "minutes"), (1, "d"), (2.5, "earlier, and"), (12, "shifts")]


def normal(ruleset: RuleSet) -> RuleSet:
    """Return a rule set in which the order of conditions, and two ways to say yes or no, make no difference."""
    rules = [
        Rule(sorted(map(plainest, rule.conditions), key=repr), rule.action, rule.certainty, rule.name, rule.pinned)
        for rule in ruleset.rules
    ]
    return RuleSet(rules, ruleset.default, ruleset.schema, ruleset.default_certainty, ruleset.mode)


def plainest(condition: Condition) -> Condition:
    """Return `x = true` for `x != false`, and 0 for -0."""
    right = condition.right
    if isinstance(right, bool) and condition.operator is Operator.NE:
        return Condition(condition.left, Operator.EQ, not right)
    if isinstance(right, float):
        right += 0.0
    elif isinstance(right, Sum):
        right = Sum(right.added, right.constant + 0.0)
    elif isinstance(right, Term):
        right = positive_zero(right)
    return Condition(positive_zero(condition.left), condition.operator, right)


def positive_zero(term: Term) -> Term:
    return Term(term.feature, term.coefficient + 0.0, term.power, term.lag)


@st.composite
def tricky_schemas(draw: st.DrawFn, code: str) -> Schema:
    """Schemas whose names are made of the words that sentences in a language are made of."""
    catalogue = load_catalogue(code)
    said = [*catalogue.sentences.values(), *catalogue.operators.values(), *catalogue.multiples.values()]
    said += [form for forms in (*catalogue.verbs.values(), *catalogue.times.values()) for form in forms]
    words = sorted({word for text in said for word in words_of(text) if "{" not in word} | {"x", "a", "b", "3", "0.5"})
    phrases = [text for text in said if "{" not in text and text.strip() == text and text]
    few = st.lists(
        st.sampled_from(["x", "a", "b", "x", *draw(st.lists(st.sampled_from(words), max_size=3))]),
        min_size=1,
        max_size=3,
    )
    names = st.one_of(few.map(" ".join), st.sampled_from(phrases))
    feature_names = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    made = []
    for name in feature_names:
        feature = draw(features(name))
        if feature.kind is Kind.CATEGORICAL:
            feature = Feature(
                name, Kind.CATEGORICAL, categories=tuple(draw(st.lists(names, min_size=1, max_size=4, unique=True)))
            )
        made.append(feature)
    return Schema(made, draw(st.lists(names, min_size=1, max_size=3, unique=True)), draw(st.integers(0, 3)))


@examples(2000)
@given(ruleset=rulesets(), time_step=st.sampled_from(TIME_STEPS))
@example(RULESET, None)
def test_what_is_said_is_the_rule_set(ruleset: RuleSet, time_step: tuple[float, str] | None) -> None:
    for language in languages():
        text = ruleset.to_text("plain", language=language, time_step=time_step)
        read = parse_plain(text, ruleset.schema, language=language, time_step=time_step, mode=ruleset.mode)
        assert normal(read) == normal(ruleset)


@examples(2000)
@given(data=st.data(), language=st.sampled_from(languages()))
def test_names_made_of_the_words_of_sentences_are_not_misread(data: st.DataObject, language: str) -> None:
    ruleset = data.draw(rulesets(data.draw(tricky_schemas(language))))
    text = ruleset.to_text("plain", language=language)
    assert normal(parse_plain(text, ruleset.schema, language=language, mode=ruleset.mode)) == normal(ruleset)


@examples(300)
@given(data=st.data(), ruleset=rulesets(max_rules=3))
def test_what_is_read_decides_alike(data: st.DataObject, ruleset: RuleSet) -> None:
    row = data.draw(rows(ruleset.schema))
    expected = decide(ruleset, row)
    for language in languages():
        text = ruleset.to_text("plain", language=language, declarations=False)
        read = parse_plain(text, ruleset.schema, language=language, mode=ruleset.mode)
        assert decide(read, row) == expected


@examples(300)
@given(ruleset=rulesets())
def test_every_character_can_be_seen_and_no_line_ends_with_a_blank(ruleset: RuleSet) -> None:
    for language in languages():
        for line in ruleset.to_text("plain", language=language).split("\n"):
            assert line == line.rstrip()
            assert line.isprintable()


@pytest.mark.parametrize(
    "statements", ["x and " * 3000, "x " * 20_000, "the sum of " * 5000, "“" * 20_000, "x is above 3 and " * 3000]
)
def test_long_nonsense_is_refused_in_a_moment(statements: str) -> None:
    ruleset = parse("y > 1 -> a; Default -> b")
    text = f"1. If {statements}y is above 1, the decision is a.\n2. In all other cases, the decision is b."
    began = time.process_time()
    with pytest.raises(RuleSyntaxError):
        parse_plain(text, ruleset.schema)
    assert time.process_time() - began < 5.0


TEXT = "1. If y is above 1 cm, the decision is a.\n2. In all other cases, the decision is b."


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("1. If", "If", "sentence 2 stands where sentence 1 is expected"),
        (TEXT, "", "there is no sentence with a number"),
        ("above 1 cm", "above 1 km", "these conditions cannot be read: 'y is above 1 km'"),
        ("above 1 cm", "over 1 cm", "these conditions cannot be read"),
        ("y is", "z is", "these conditions cannot be read"),
        ("decision is a", "decision is c", "the sentence leads to no known action"),
        ("decision is b", "decision is c", "the last sentence leads to no known action"),
        ("1. If", "1. Unless", "the sentence does not begin with 'If'"),
        ("In all other", "In some", "the last sentence does not begin with 'In all other cases,'"),
        ("1. If", "Rules:\n\n1. If", "this does not say how the rules decide"),
        ("is b.", "is b.\n\nExcept on Sundays.", "what follows the rules is not what belongs to them"),
    ],
)
def test_what_is_not_a_rule_is_refused_with_its_place(before: str, after: str, said: str) -> None:
    schema = parse("y > 1 cm -> a; Default -> b").schema
    assert parse_plain(TEXT, schema).n_conditions == 1
    with pytest.raises(RuleSyntaxError, match=re.escape(said)) as caught:
        parse_plain(TEXT.replace(before, after, 1), schema)
    assert caught.value.line >= 1


def test_the_mode_is_that_of_the_text() -> None:
    ruleset = parse("x > 1 -> 0.5*a; Default -> b").replace(mode="vote")
    text = ruleset.to_text("plain")
    assert parse_plain(text, ruleset.schema) == ruleset
    with pytest.raises(RuleSyntaxError, match="the text says mode vote, not first"):
        parse_plain(text, ruleset.schema, mode="first")
    with pytest.raises(RuleSyntaxError, match="at most 1,000,000 are read"):
        parse_plain("1. " + "x" * 10**6, ruleset.schema)
