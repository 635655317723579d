"""Tests of labels: what people call things is said, in full and without ambiguity, and read back."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import Feature, Kind, RuleError, Schema, SchemaError, parse
from evoter.language import Labels, languages, load_labels, parse_plain
from evoter.language.names.glossary import Glossary
from evoter.rules.model import RuleSet
from language.test_parser import normal
from laws import examples
from strategies import names, rulesets

RULES = parse(
    """
    sbp > 140 AND sex = f AND pregnant = true -> 1
    asian = 0 AND plt < 150 -> 1
    Default -> 0
    where
      sbp: numeric mmHg
      sex: one of f | m
      pregnant: yes/no
      asian: binary
      plt: numeric
      actions: 1 | 0
    """
)
GERMAN: dict[str, Any] = {
    "decision": "die Diagnose",
    "plurals": ["plt"],
    "features": {"sbp": "der systolische Blutdruck", "sex": "das Geschlecht", "plt": "die Thrombozyten"},
    "actions": {"1": "Präeklampsie", "0": "unauffällig"},
    "values": {"sex": {"f": "weiblich"}, "pregnant": {"true": "die Patientin schwanger ist"}},
    "units": {"mmHg": "mm Hg"},
}


def test_labels_are_said_in_english() -> None:
    labels = {"sbp": "systolic blood pressure", "sex=f": "female", "1": "pre-eclampsia", "0": "healthy"}
    labels |= {"pregnant=true": "the patient is pregnant", "asian=0": "the patient is not Asian", "plt": "platelets"}
    text = RULES.to_text("plain", labels=labels)
    assert text.split("\n") == [
        "1. If the systolic blood pressure is above 140 mmHg, the sex is female, and the patient is pregnant, the decision is pre-eclampsia.",
        "2. Otherwise, if the patient is not Asian and the platelets are below 150, the decision is pre-eclampsia.",
        "3. In all other cases, the decision is healthy.",
    ]
    assert normal(parse_plain(text, RULES.schema, labels=labels)) == normal(RULES)


def test_labels_are_said_in_german(tmp_path: Path) -> None:
    text = RULES.to_text("plain", language="de", labels=GERMAN)
    assert text.split("\n") == [
        "1. Wenn der systolische Blutdruck mehr als 140 mm Hg beträgt, das Geschlecht weiblich ist und die Patientin schwanger ist, ist die Diagnose Präeklampsie.",
        "2. Andernfalls, wenn asian nicht zutrifft und die Thrombozyten weniger als 150 betragen, ist die Diagnose Präeklampsie.",
        "3. In allen anderen Fällen ist die Diagnose unauffällig.",
    ]
    assert normal(parse_plain(text, RULES.schema, language="de", labels=GERMAN)) == normal(RULES)
    place = tmp_path / "labels.json"
    place.write_text(json.dumps(GERMAN), encoding="utf-8")
    assert RULES.to_text("plain", language="de", labels=load_labels(place)) == text
    assert RULES.to_text("plain", language="de", labels=Labels(**GERMAN)) == text


def test_labels_of_a_file_in_toml(tmp_path: Path) -> None:
    place = tmp_path / "labels.toml"
    place.write_text('decision = "the result"\n[features]\nsbp = "blood pressure"\n', encoding="utf-8")
    assert "If the blood pressure is above 140 mmHg" in RULES.to_text("plain", labels=load_labels(place))
    assert "the result is 1" in RULES.to_text("plain", labels=load_labels(place))


def test_a_shared_glossary_may_have_other_names() -> None:
    glossary = {"features": {"sbp": "blood pressure", "bmi": "body mass index"}, "actions": {"2": "two"}}
    with pytest.raises(SchemaError, match="labels: unknown feature 'bmi'"):
        RULES.to_text("plain", labels=glossary)
    assert "the blood pressure" in RULES.to_text("plain", labels={**glossary, "shared": True})


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ({"sbpp": "x"}, "no feature or action 'sbpp'; did you mean 'sbp'"),
        ({"sex=d": "x"}, "'sex' has no value 'd'"),
        ({"sbp": "plt"}, "two features, 'sbp' and 'plt', would both be called 'the plt'"),
        ({"0": "1"}, "two actions"),
        ({"sbp": ""}, "must not be empty"),
        ({"features": {"sbp": 3}}, "must be text"),
        ({"feature": {"sbp": "x"}}, "unknown section 'feature'; did you mean 'features'"),
        ({"features": ["sbp"]}, "must map names to labels"),
        ({"plurals": "plt", "features": {}}, "plurals must be a list"),
        ({"units": {"cm": "x"}}, "no feature has the unit 'cm'"),
        ({"pregnant=true": "she is pregnant, and well"}, "joins statements"),
        ({"pregnant=true": "the sbp is above 140 mmHg"}, "begins with the name of a feature"),
        ({"pregnant=true": "twice the joy"}, "begins like a sum or a product"),
        ({"pregnant=true": "she said “yes”"}, "has quotation marks"),
        ({"pregnant=true": "yes", "pregnant=false": "yes"}, "two statements"),
        (["sbp"], "labels must map names to labels, not list"),
    ],
)
def test_labels_that_make_no_sense_are_refused(labels: object, said: str) -> None:
    with pytest.raises(SchemaError, match=said):
        RULES.to_text("plain", labels=labels)


def test_a_name_of_two_things_needs_a_section() -> None:
    schema = Schema([Feature("x")], ["x", "y"])
    rules = RuleSet([], "x", schema)
    with pytest.raises(SchemaError, match="'x' is both a feature and an action; write"):
        rules.to_text("plain", labels={"x": "a"})
    assert rules.to_text("plain", labels={"actions": {"x": "a"}}) == "1. In every case, the decision is a."


def test_files_that_cannot_be_read_are_errors(tmp_path: Path) -> None:
    for name, content in (("a.toml", "= 3"), ("a.json", "[1]"), ("b.json", "{")):
        (tmp_path / name).write_text(content, encoding="utf-8")
        with pytest.raises(RuleError, match=name):
            load_labels(tmp_path / name)
    with pytest.raises(RuleError, match=r"cannot read the labels in 'none\.toml'"):
        load_labels(tmp_path / "none.toml")


@examples(400)
@given(data=st.data(), ruleset=rulesets())
def test_labelled_rules_are_read_back(data: st.DataObject, ruleset: RuleSet) -> None:
    schema = ruleset.schema
    said = st.one_of(names(), st.sampled_from(["the patient is", "half of it", "x and y", "der Wert", "is unknown"]))
    labels: dict[str, Any] = {
        "features": dict(zip(schema.names, data.draw(st.lists(said, max_size=3, unique=True)), strict=False)),
        "actions": dict(zip(schema.actions, data.draw(st.lists(said, max_size=2, unique=True)), strict=False)),
        "values": {
            feature.name: dict(
                zip(feature.categories, data.draw(st.lists(said, max_size=2, unique=True)), strict=False)
            )
            for feature in schema.features
            if feature.kind is Kind.CATEGORICAL
        },
    }
    for language in languages():
        if shares_a_name(ruleset, language, labels):
            continue
        text = ruleset.to_text("plain", language=language, labels=labels)
        read = parse_plain(text, schema, language=language, labels=labels, mode=ruleset.mode)
        assert normal(read) == normal(ruleset)


def shares_a_name(ruleset: RuleSet, language: str, labels: dict[str, Any]) -> bool:
    """Tell whether labels are refused because two things would have the same."""
    try:
        Glossary(ruleset.schema, language, labels)
    except SchemaError as error:
        return "would both be called" in str(error)
    return False
