"""Tests of explanations in plain words: all that decided and all that did not, with values that keep decisions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import RuleError, counterfactuals, explain, parse
from evoter.language import languages
from evoter.language.explanations import plain_changes
from evoter.language.names.glossary import Glossary
from evoter.language.statements.conditions import write_condition
from evoter.rules.answers.explanations import Explanations
from evoter.rules.answers.track_record import RecordPart, TrackRecord
from evoter.rules.model import RuleSet
from laws import examples
from strategies import rows, rulesets

RULES = parse(
    """
    "pulse pressure": sbp - dbp >= 60 -> high
    age > 60 AND sex in {f, m} AND smoker = true -> high
    0.5*sbp > 70 AND sbp > dbp -> medium
    Default -> low
    where
      sbp: numeric [80..220] mmHg
      dbp: numeric [40..120] mmHg
      age: numeric [18..95] years
      sex: one of f | m | other
      smoker: yes/no, may be missing
      actions: high | medium | low
      lags: 0..2
    """
)
ROW: dict[str, float | int | str | bool | None] = {
    "sbp": 150.123456789123,
    "dbp": 95.0,
    "age": 60.0,
    "sex": "other",
    "smoker": None,
}


def test_what_decided_and_what_did_not_in_english() -> None:
    assert explain(RULES, ROW).to_text("plain").split("\n") == [
        "The decision is medium.",
        "Rule 3 decided, because half of the sbp is above 70 mmHg (150.123 mmHg, which gives 75.0617) and the sbp is above the dbp (150.123 mmHg against 95 mmHg).",
        "Rule 1 “pulse pressure” (high) did not apply, because the sbp minus the dbp is below 60 (150.123 mmHg and 95 mmHg, which gives 55.1235).",
        "Rule 2 (high) did not apply, because the age is at most 60 years (60 years), the sex is neither f nor m (other), and smoker is unknown.",
    ]


def test_what_decided_and_what_did_not_in_german() -> None:
    labels = {"sbp": "der systolische Blutdruck", "dbp": "der diastolische Blutdruck", "medium": "mittel"}
    assert explain(RULES, ROW).to_text("plain", language="de", labels=labels).split("\n")[:3] == [
        "Die Entscheidung lautet mittel.",
        "Regel 3 hat entschieden, weil 0,5-mal der systolische Blutdruck mehr als 70 mmHg beträgt (150,123 mmHg, was 75,0617 ergibt) und der systolische Blutdruck größer als der diastolische Blutdruck ist (150,123 mmHg gegenüber 95 mmHg).",
        "Regel 1 „pulse pressure“ (high) trifft nicht zu, weil der systolische Blutdruck minus der diastolische Blutdruck weniger als 60 ergibt (150,123 mmHg und 95 mmHg, was 55,1235 ergibt).",
    ]


def test_values_are_never_rounded_across_a_threshold() -> None:
    rules = parse("x <= 0.3333333 -> a; Default -> b")
    text = explain(rules, {"x": 0.3333333456789123}).to_text("plain")
    assert "x is above 0.3333333 (0.3333333456789123)" in text
    assert "(0.456789)" in explain(rules, {"x": 0.45678912345678}).to_text("plain")


def test_too_little_history_and_times() -> None:
    rules = parse("MAP[2] <= 60 -> low; Default -> normal")
    assert "there is no value of the MAP one hour earlier" in explain(rules, {"MAP": 70}).to_text(
        "plain", time_step=(30, "min")
    )
    known = explain(rules, [{"MAP": 55}, {"MAP": 70}, {"MAP": 70}], time_step=(1800.0, "s"))
    assert "because the MAP one hour earlier was at most 60 (55)" in known.to_text("plain")
    assert "MAP[2] <= 60" in str(known)


@pytest.mark.parametrize(
    ("mode", "said"),
    [("first", "but it comes later"), ("hardmax", "but it is not more certain"), ("vote", "but it was outvoted")],
)
def test_rules_that_apply_beside_the_one_that_decided(mode: str, said: str) -> None:
    rules = parse("x > 1 -> 0.8*a; x > 2 -> 0.5*b; Default -> b").replace(mode=mode)
    text = explain(rules, {"x": 3}).to_text("plain")
    assert f"Rule 2 (b) applies as well, because x is above 2 (3), {said}." in text
    if mode == "vote":
        assert "The average certainties are 0.8 for a and 0.5 for b." in text
    assert ("Its certainty is 0.8." in text) is (mode == "hardmax")


def test_all_actions_are_said_in_mode_all() -> None:
    rules = parse("x > 1 -> a; x > 2 -> b; Default -> b").replace(mode="all")
    text = explain(rules, {"x": 3}).to_text("plain")
    assert text.startswith("The decision is made up of a and b.\nRule 1 (a) decided, because")


def test_the_default_and_its_reliability() -> None:
    records = [TrackRecord((9, 1), (0.9, 0.1)), TrackRecord((3, 1200), (0.0025, 0.9975))]
    rules = parse("x > 1 -> a; Default -> b").replace(records=records)
    assert explain(rules, {"x": 0}).to_text("plain").split("\n")[-3:] == [
        "Rule 1 (a) did not apply, because x is at most 1 (0).",
        "In training no rule applied to 1203 rows, of which 1200 were b.",
        "The probability of b is therefore estimated as above 0.99.",
    ]
    assert "auf über 0,99 geschätzt" in explain(rules, {"x": 0}).to_text("plain", language="de")


def test_parts_of_a_track_record() -> None:
    rules = parse("x > 1 -> a; Default -> b")
    part = RecordPart((4, 1), (0.8, 0.2), parse("x > 5 -> a; Default -> b").rules[0].conditions)
    record = TrackRecord((9, 3), (0.75, 0.25), (part, RecordPart((5, 2), (0.7, 0.3))))
    text = explain(rules.replace(records=[record, TrackRecord((0, 0), (0.5, 0.5))]), {"x": 9}).to_text("plain")
    assert "In training this rule decided 12 rows, of which 9 were a." in text
    assert "Of the 5 rows among them that are most like this case, 4 were a." in text


def test_tables_of_explanations_are_paragraphs() -> None:
    rules = parse("x > 1 -> a; Default -> b")
    table = Explanations((explain(rules, {"x": x}) for x in (0, 2)), ["p1", "p2"])
    assert (
        table.to_text("plain").split("\n\n")[1]
        == "Row p2:\nThe decision is a.\nRule 1 decided, because x is above 1 (2)."
    )
    with pytest.raises(RuleError, match="labels is for plain words"):
        table.to_text(labels={"x": "y"})
    with pytest.raises(RuleError, match="unknown form 'plian'; did you mean 'plain'"):
        explain(rules, {"x": 1}).to_text("plian")  # type: ignore[arg-type]


def test_what_would_change_the_decision() -> None:
    rules = parse("age < 25 AND income <= 30000 -> refuse; Default -> grant")
    row = {"age": 22, "income": 28500}
    found = counterfactuals(rules, row, n=2)
    assert plain_changes(found, explain(rules, row)).split("\n") == [
        "The decision would be grant if the income were 30,001 instead of 28,500.",
        "The decision would be grant if the age were 25 instead of 22.",
    ]
    german = plain_changes(found, explain(rules, row), language="de", labels={"income": "das Einkommen"})
    assert german.startswith("Die Entscheidung wäre grant, wenn das Einkommen 30.001 statt 28.500 wäre.")
    nothing = counterfactuals(rules, row, fixed=["age", "income"])
    assert plain_changes(nothing, explain(rules, row)).startswith("No change of the features")


@examples(300)
@given(data=st.data(), ruleset=rulesets(max_rules=4))
def test_every_condition_that_decided_is_said(data: st.DataObject, ruleset: RuleSet) -> None:
    """Also, nothing that a rule set or a row may contain makes an explanation fail."""
    row = data.draw(rows(ruleset.schema))
    explanation = explain(ruleset, [row] * data.draw(st.integers(1, 3)))
    for language in languages():
        text = explanation.to_text("plain", language=language)
        assert all(line.isprintable() for line in text.split("\n"))
        glossary = Glossary(ruleset.schema, language)
        for outcome in explanation.deciding:
            for condition in outcome.rule.conditions:
                assert write_condition(condition, glossary) in text
        for outcome in explanation.failed:
            assert f" {outcome.number}" in text
