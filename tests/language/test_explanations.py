"""Tests of explanations in plain words: all that decided and all that did not, with values that keep decisions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import RuleError, counterfactuals, explain, parse
from evoter.language import languages
from evoter.language.explanations import plain_changes
from evoter.language.names.glossary import Glossary
from evoter.language.statements.amounts import write_amount, write_prediction
from evoter.language.statements.conditions import write_condition
from evoter.rules.answers.explanations import Explanations
from evoter.rules.answers.track_record import RecordPart, TrackRecord
from evoter.rules.model import RuleSet
from evoter.rules.numbers.actions import read_action
from evoter.rules.numbers.residuals import Residuals
from language.statements.test_amounts import numeric_rulesets
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


NUMBERS = parse(
    """
    bmi > 30 AND claims >= 2 -> -52 EUR + 6.8*bmi
    claims > 0 -> 8 EUR
    Default -> 0 EUR + 0.1*claims
    where
      bmi: numeric [15..60] kg/m2
      claims: numeric [0..9]
      actions: numeric EUR, target cost
    """
).replace(residuals=[Residuals(40, 12.5, 1000.25, 7.125), Residuals(0, 3, 4, 0), Residuals(1203, 1, 1, 0.5, 0.975)])


def test_a_predicted_number_how_it_came_about_and_its_interval() -> None:
    row = {"bmi": 31.5, "claims": 3}
    assert explain(NUMBERS, row).to_text("plain").split("\n") == [
        "The predicted cost is 162.2 EUR.",
        "Rule 1 decided, because the claims are at least 2 (3) and the bmi is above 30 kg/m2 (31.5 kg/m2).",
        "It predicts 6.8 times the bmi minus 52 EUR: the bmi is 31.5 kg/m2, which gives 162.2 EUR.",
        "Rule 2 (8 EUR) applies as well, because the claims are above 0 (3), but it comes later.",
        "In training this rule decided 40 rows and was 7.125 EUR off on average.",
        "The interval from 149.7 EUR to 1162.45 EUR is meant to contain the true value in 90% of such cases.",
    ]
    german = explain(NUMBERS, row).to_text("plain", language="de", labels={"cost": "der Beitrag"}).split("\n")
    assert german[0] == "Laut Vorhersage beträgt der Beitrag 162,2 EUR."
    assert german[2] == "Sie sagt 6,8-mal bmi minus 52 EUR voraus: bmi beträgt 31,5 kg/m2, was 162,2 EUR ergibt."
    assert german[-2:] == [
        "Im Training hat diese Regel 40 Zeilen entschieden und lag im Mittel um 7,125 EUR daneben.",
        "Das Intervall von 149,7 EUR bis 1162,45 EUR soll in 90 % solcher Fälle den wahren Wert enthalten.",
    ]


def test_constants_and_defaults_that_predict_numbers() -> None:
    constant = explain(NUMBERS, {"bmi": 20, "claims": 1}).to_text("plain").split("\n")
    assert constant[0] == "The predicted cost is 8 EUR."
    assert not any(line.startswith("It predicts") for line in constant)
    assert constant[-2] == "In training this rule decided no rows."
    default = explain(NUMBERS, {"bmi": 20, "claims": 0}).to_text("plain").split("\n")
    assert default[:3] == [
        "The predicted cost is 0 EUR.",
        "No rule applies, so the last line decides.",
        "It predicts 0.1 times the claims (in EUR): the claims are 0, which gives 0 EUR.",
    ]
    assert default[-2:] == [
        "In training no rule applied to 1203 rows, and the last line was 0.5 EUR off on average.",
        "The interval from -1 EUR to 1 EUR is meant to contain the true value in 97.5% of such cases.",
    ]
    assert "The prediction is 3." in explain(parse("Default -> 3; where actions: numeric"), {}).to_text("plain")
    labelled = explain(NUMBERS, {"bmi": 20, "claims": 1}).to_text("plain", labels={"decision": "the premium"})
    assert labelled.startswith("The premium is 8 EUR.\n")


def test_a_number_that_cannot_be_predicted_is_unknown() -> None:
    text = explain(NUMBERS, {"bmi": 20, "claims": None}).to_text("plain").split("\n")
    assert text[0] == "The predicted cost is unknown."
    assert text[2] == "It predicts 0.1 times the claims (in EUR), but the claims are unknown."
    assert not any("interval" in line for line in text)


def test_what_would_change_a_number() -> None:
    rules = parse("x > 1 -> 2 + 3*x; Default -> 5; where x: numeric [0..9]; actions: numeric, target cost")
    found = counterfactuals(rules, {"x": 0.0})
    assert plain_changes(found, explain(rules, {"x": 0.0})).startswith(
        "The prediction would be 2 plus 3 times x if x were"
    )


@examples(300)
@given(data=st.data(), ruleset=numeric_rulesets())
def test_every_number_is_said_first(data: st.DataObject, ruleset: RuleSet) -> None:
    explanation = explain(ruleset, data.draw(rows(ruleset.schema)))
    assert explanation.number is not None
    for language in languages():
        glossary = Glossary(ruleset.schema, language)
        first, *others = explanation.to_text("plain", language=language).split("\n")
        assert write_prediction(explanation.number, glossary) in first
        if read_action(explanation.decision.action).feature:
            assert any(write_amount(explanation.decision.action, glossary) in line for line in others)


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
