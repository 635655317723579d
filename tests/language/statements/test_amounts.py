"""Tests of numbers that rules predict, in words: what is said for each sign, unit and label, and that it is read back."""

import re
import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import Target, parse
from evoter.language import languages, parse_plain
from evoter.rules.errors import RuleSyntaxError, SchemaError
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Schema
from language.test_parser import normal, tricky_schemas
from laws import examples
from numeric_rules import with_numbers
from strategies import rulesets, schemas

SCHEMA = """
where
  bmi: numeric
  age: numeric years
  "years of care": numeric
  actions: numeric EUR, target cost
"""

SAID = [
    ("8 EUR", "8 EUR", "8 EUR"),
    ("-1234567.5 EUR", "-1,234,567.5 EUR", "-1.234.567,5 EUR"),
    ("12.5 EUR + 0.3*age", "12.5 EUR plus 0.3 times the age", "12,5 EUR plus 0,3-mal age"),
    ("12.5 EUR - age", "12.5 EUR minus the age", "12,5 EUR minus age"),
    ("-52 EUR + 6.8*bmi", "6.8 times the bmi minus 52 EUR", "6,8-mal bmi minus 52 EUR"),
    ("-52 EUR - 0.5*bmi", "-52 EUR minus 0.5 times the bmi", "-52 EUR minus 0,5-mal bmi"),
    ("0 EUR + 2*bmi", "2 times the bmi (in EUR)", "2-mal bmi (in EUR)"),
    ("0 EUR - bmi", "-1 times the bmi (in EUR)", "-1-mal bmi (in EUR)"),
    ('1 EUR + 3*"years of care"', "1 EUR plus 3 times the years of care", "1 EUR plus 3-mal years of care"),
]


@st.composite
def numeric_rulesets(draw: st.DrawFn, schema: Schema | None = None, targets: list[str] | None = None) -> RuleSet:
    """Rule sets with numbers, over any schema without lags, and with any target."""
    drawn = draw(schemas()) if schema is None else schema
    plain = Schema(drawn.features, drawn.actions)
    named = draw(rulesets(plain)).replace(mode=Mode.FIRST)
    rules = with_numbers(named, Random(draw(st.integers(0, 2**32))))
    words = st.sampled_from(targets or ["", "y", "cost", "the costs", "a, b", "years", "$", "%", "2 plus x", "is 3"])
    return rules.replace(schema=Schema(plain.features, rules.schema.actions, 0, Target(draw(words), draw(words))))


@pytest.mark.parametrize(("action", "english", "german"), SAID, ids=[each[0] for each in SAID])
def test_each_number_has_its_words(action: str, english: str, german: str) -> None:
    ruleset = parse(f"bmi > 30 -> {action}; Default -> {action}{SCHEMA}")
    assert ruleset.to_text("plain").split("\n") == [
        f"1. If the bmi is above 30, the predicted cost is {english}.",
        f"2. In all other cases, the predicted cost is {english}.",
    ]
    assert ruleset.to_text("plain", language="de").split("\n") == [
        f"1. Wenn bmi mehr als 30 beträgt, beträgt cost laut Vorhersage {german}.",
        f"2. In allen anderen Fällen beträgt cost laut Vorhersage {german}.",
    ]
    for language in languages():
        assert parse_plain(ruleset.to_text("plain", language=language), ruleset.schema, language=language) == ruleset


@pytest.mark.parametrize(
    ("target", "unit", "english", "german"),
    [
        ("", "", "the prediction is 1.", "beträgt die Vorhersage 1."),
        ("", "$", "the prediction is $1.", "beträgt die Vorhersage 1 $."),
        ("claims", "", "the predicted claims are 1.", "beträgt claims laut Vorhersage 1."),
        ("number_of_claims", "", "the predicted number of claims is 1.", "beträgt number of claims laut Vorhersage 1."),
        ("stay", "days", "the predicted stay is 1 day.", "beträgt stay laut Vorhersage 1 Tag."),
        ("risk", "%", "the predicted risk is 1%.", "beträgt risk laut Vorhersage 1 %."),
        ("this, or that", "", "the predicted “this, or that” is 1.", "beträgt „this, or that“ laut Vorhersage 1."),
    ],
)
def test_what_is_predicted_and_its_unit(target: str, unit: str, english: str, german: str) -> None:
    ruleset = RuleSet([], "1", Schema([], target=Target(target, unit)))
    for language, said in (("en", f"1. In every case, {english}"), ("de", f"1. In jedem Fall {german}")):
        assert ruleset.to_text("plain", language=language) == said
        assert parse_plain(said, ruleset.schema, language=language) == ruleset


LABELLED = parse("bmi > 30 -> 12.5 EUR + 0.3*age; Default -> 8 EUR" + SCHEMA)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"cost": "the annual cost", "age": "entry age"}, "the predicted annual cost is 12.5 EUR plus 0.3 times the entry age."),
        ({"target": "annual costs"}, "the predicted annual costs are 12.5 EUR plus 0.3 times the age."),
        ({"units": {"EUR": "euros"}, "features": {}}, "the predicted cost is 12.5 euros plus 0.3 times the age."),
        ({"decision": "the premium"}, "the premium is 12.5 EUR plus 0.3 times the age."),
        ({"plurals": ["cost"], "features": {}}, "the predicted cost are 12.5 EUR plus 0.3 times the age."),
    ],
)  # fmt: skip
def test_labels_apply_to_the_target_its_unit_and_the_feature(labels: dict[str, object], said: str) -> None:
    text = LABELLED.to_text("plain", labels=labels)
    assert text.split("\n")[0] == f"1. If the bmi is above 30, {said}"
    assert parse_plain(text, LABELLED.schema, labels=labels) == LABELLED


def test_german_labels_keep_the_nominative() -> None:
    labels = {"cost": "der Jahresbeitrag", "age": "das Alter", "bmi": "der Körpermasseindex"}
    text = LABELLED.to_text("plain", language="de", labels=labels)
    said = "beträgt der Jahresbeitrag laut Vorhersage 12,5 EUR plus 0,3-mal das Alter."
    assert text.split("\n")[0] == f"1. Wenn der Körpermasseindex mehr als 30 beträgt, {said}"
    assert parse_plain(text, LABELLED.schema, language="de", labels=labels) == LABELLED


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"8": "low"}, "numbers have no labels"),
        ({"costs": "x"}, "there is no feature or target 'costs'; did you mean 'cost'"),
        ({"target": "x", "decision": "the y"}, "both say what is predicted"),
        ({"units": {"USD": "x"}}, "no feature has the unit 'USD'"),
    ],
)
def test_labels_that_numbers_would_ignore_are_refused(labels: dict[str, object], said: str) -> None:
    with pytest.raises(SchemaError, match=re.escape(said)):
        LABELLED.to_text("plain", labels=labels)
    with pytest.raises(SchemaError, match="predict no number that could be called 'x'"):
        parse("y > 1 -> a; Default -> b").to_text("plain", labels={"target": "x"})


@pytest.mark.parametrize(
    "wrong",
    [
        *("8", "8 USD", "8 EUR plus 2", "8 EUR plus the cost", "plus the age", "1e999 EUR", "08 EUR", "8 EUR plus the age (in EUR)"),
        *("8 EUR plus twice the age", "8 EUR plus the square of the age", "8 EUR plus 0 times the age", "eight EUR", "-8 EUR plus the age"),
    ],
)  # fmt: skip
def test_words_that_are_no_number_are_refused(wrong: str) -> None:
    text = LABELLED.to_text("plain").replace("cost is 8 EUR", f"cost is {wrong}")
    with pytest.raises(RuleSyntaxError, match="the last sentence leads to no known action"):
        parse_plain(text, LABELLED.schema)


@pytest.mark.parametrize(
    "nonsense",
    ["1 EUR plus " * 5000, "the age minus " * 5000, ", the predicted cost is 1 EUR plus " * 2000, "1" * 50_000],
    ids=["plus", "minus", "outcomes", "digits"],
)
def test_long_nonsense_is_refused_in_a_moment(nonsense: str) -> None:
    text = LABELLED.to_text("plain").replace("12.5 EUR", f"12.5 EUR{nonsense}")
    began = time.process_time()
    with pytest.raises(RuleSyntaxError):
        parse_plain(text, LABELLED.schema)
    assert time.process_time() - began < 5.0


@examples(2000)
@given(ruleset=numeric_rulesets())
def test_what_is_said_is_the_rule_set(ruleset: RuleSet) -> None:
    for language in languages():
        text = ruleset.to_text("plain", language=language)
        assert normal(parse_plain(text, ruleset.schema, language=language)) == normal(ruleset)


@examples(2000)
@given(data=st.data(), language=st.sampled_from(languages()))
def test_names_made_of_the_words_of_sentences_are_not_misread(data: st.DataObject, language: str) -> None:
    schema = data.draw(tricky_schemas(language))
    ruleset = data.draw(numeric_rulesets(schema, ["", *schema.names, *schema.actions]))
    text = ruleset.to_text("plain", language=language)
    assert normal(parse_plain(text, ruleset.schema, language=language)) == normal(ruleset)
