"""Tests of rule sets in plain words: what is said for each form of condition and each mode, in both languages."""

import pytest

from evoter import Feature, Rule, RuleError, RuleSet, Schema, parse
from evoter.rules.answers.rule_counts import RuleCounts
from evoter.rules.model import Condition, Mode

SCHEMA = """
where
  age: numeric [18..95] years
  sbp: numeric mmHg
  dbp: numeric mmHg
  platelets: numeric
  income: numeric $
  share: numeric %
  sex: one of f | m | other
  smoker: yes/no
  asian: binary
  MAP: numeric mmHg, may be missing
  a: numeric [0..10] years, scaled
  b: numeric [0..4], scaled
  actions: high | low
  lags: 0..4
"""

SAID = [
    ("age <= 40", "the age is at most 40 years", "age höchstens 40 Jahre beträgt"),
    ("age = 1", "the age is equal to 1 year", "age genau 1 Jahr beträgt"),
    ("age != 2.5", "the age is not equal to 2.5 years", "age nicht genau 2,5 Jahre beträgt"),
    ("30 < age <= 40", "the age is above 30 and at most 40 years", "age mehr als 30 und höchstens 40 Jahre beträgt"),
    ("platelets < 150000", "the platelets are below 150,000", "platelets weniger als 150.000 beträgt"),
    ("income >= 12000.5", "the income is at least $12,000.5", "income mindestens 12.000,5 $ beträgt"),
    ("100 <= income < 200", "the income is at least $100 and below $200", "income mindestens 100 und weniger als 200 $ beträgt"),
    ("share > 5", "the share is above 5%", "share mehr als 5 % beträgt"),
    ("sex = f", "the sex is f", "sex f ist"),
    ("sex != other", "the sex is not other", "sex nicht other ist"),
    ("sex in {f, m}", "the sex is f or m", "sex f oder m ist"),
    ("sex not in {f, m}", "the sex is neither f nor m", "sex weder f noch m ist"),
    ("smoker = true", "smoker applies", "smoker zutrifft"),
    ("smoker != true", "smoker does not apply", "smoker nicht zutrifft"),
    ("asian = 0", "asian does not apply", "asian nicht zutrifft"),
    ("MAP is missing", "the MAP is unknown", "MAP unbekannt ist"),
    ("MAP is present", "the MAP is known", "MAP bekannt ist"),
    ("MAP[4] <= 60", "the MAP two hours earlier was at most 60 mmHg", "MAP zwei Stunden zuvor höchstens 60 mmHg betrug"),
    ("MAP[1] is missing", "the MAP 30 minutes earlier was unknown", "MAP 30 Minuten zuvor unbekannt war"),
    ("smoker[2] = true", "smoker one hour earlier applied", "smoker eine Stunde zuvor zutraf"),
    ("MAP > MAP[2]", "the MAP is above the MAP one hour earlier", "MAP größer als MAP eine Stunde zuvor ist"),
    ("0.5*sbp >= 2*dbp", "half of the sbp is at least twice the dbp", "die Hälfte von sbp mindestens so groß wie das Doppelte von dbp ist"),
    ("0.11*sbp^3 < 0.87*dbp^2", "0.11 times the cube of the sbp is below 0.87 times the square of the dbp", "0,11-mal sbp hoch drei kleiner als 0,87-mal dbp hoch zwei ist"),
    ("sbp + 0.05*age > 70", "the sum of the sbp and one twentieth of the age is above 70", "sbp plus ein Zwanzigstel von age mehr als 70 ergibt"),
    ("sbp - dbp <= -2", "the sbp minus the dbp is at most -2", "sbp minus dbp höchstens -2 ergibt"),
    ("scaled(a) < 0.3*scaled(b)", "the relative level of a is below three tenths of the relative level of b", "a (relativ) kleiner als drei Zehntel von b (relativ) ist"),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "english", "german"), SAID, ids=[each[0] for each in SAID])
def test_each_form_of_condition_has_its_words(condition: str, english: str, german: str) -> None:
    ruleset = parse(f"{condition} -> high; Default -> low{SCHEMA}")
    first, last = ruleset.to_text("plain", time_step=(30, "min"), declarations=False).split("\n")
    assert first == f"1. If {english}, the decision is high."
    assert last == "2. In all other cases, the decision is low."
    first, last = ruleset.to_text("plain", language="de", time_step=(30, "min"), declarations=False).split("\n")
    assert first == f"1. Wenn {german}, lautet die Entscheidung high."
    assert last == "2. In allen anderen Fällen lautet die Entscheidung low."


def test_lists_say_otherwise_and_long_rules_have_a_line_for_each_statement() -> None:
    ruleset = parse(
        f"""
        "first line" pinned: smoker = true AND age > 60 -> high
        age > 50 AND sex = f AND sbp > 140 AND MAP is present -> 0.8*high
        Default -> low{SCHEMA}"""
    )
    assert ruleset.to_text("plain", declarations=False).split("\n") == [
        "1. “first line” (pinned): If the age is above 60 years and smoker applies, the decision is high.",
        "2. Otherwise, if",
        "   - the age is above 50 years,",
        "   - the sex is f,",
        "   - the sbp is above 140 mmHg, and",
        "   - the MAP is known,",
        "   the decision is high, with certainty 0.8.",
        "3. In all other cases, the decision is low.",
    ]


def test_three_statements_are_joined_by_commas() -> None:
    ruleset = parse(f"age > 50 AND sex = f AND sbp > 140 -> high; Default -> low{SCHEMA}")
    assert "is above 50 years, the sex is f, and the sbp" in ruleset.to_text("plain")
    assert "mehr als 50 Jahre beträgt, sex f ist und sbp" in ruleset.to_text("plain", language="de")


@pytest.mark.parametrize("mode", [mode for mode in Mode if mode is not Mode.FIRST])
def test_other_modes_say_how_rules_decide_and_never_otherwise(mode: Mode) -> None:
    ruleset = parse("age > 1 -> 0.5*a; age > 2 -> b; Default -> 0.3*a").replace(mode=mode)
    text = ruleset.to_text("plain")
    assert "Otherwise" not in text
    assert text.split("\n\n")[0].startswith(("Of the rules that apply", "All rules that apply vote", "Every rule"))
    assert "with certainty 0.5." in text
    assert ("with certainty 1." in text) is (mode is not Mode.ALL)
    assert "If none of these rules applies," in text


def test_without_rules_there_is_one_sentence() -> None:
    ruleset = RuleSet([], "low", Schema([Feature("x")], ["low"]))
    assert ruleset.to_text("plain") == "1. In every case, the decision is low."
    assert ruleset.to_text("plain", language="de") == "1. In jedem Fall lautet die Entscheidung low."


def test_notes_say_what_unknown_values_and_relative_levels_mean() -> None:
    text = parse(f"MAP <= 60 -> high; scaled(a) < scaled(b) -> high; Default -> low{SCHEMA}").to_text("plain")
    assert "Where a value is unknown, a statement about it does not hold." in text
    assert "1 at the highest: a from 0 to 10 years, b from 0 to 4." in text
    assert "first time point" in parse(f"MAP[1] <= 60 -> high; Default -> low{SCHEMA}").to_text("plain")
    assert "unknown" not in parse(f"age <= 60 -> high; Default -> low{SCHEMA}").to_text("plain")


def test_important_features_come_first() -> None:
    ruleset = parse("a > 1 AND b > 1 -> x; b > 0 -> y; Default -> z")
    assert "If b is above 1 and a is above 1" in ruleset.to_text("plain")
    assert "If a is above 1 and b is above 1" in ruleset.to_text("plain", importances={"a": 0.9, "b": 0.1})
    counted = ruleset.replace(counts=RuleCounts("rows", 9, (9, 0, 0), (9, 0, 0)))
    assert "If a is above 1 and b is above 1" in counted.to_text("plain")
    with pytest.raises(RuleError, match="importances: unknown feature 'c'"):
        ruleset.to_text("plain", importances={"c": 1.0})


def test_bounds_that_are_apart_become_an_interval() -> None:
    ruleset = parse("x < 9 AND y > 1 AND x >= 3 -> A; Default -> B")
    assert "x is at least 3 and below 9 and y is above 1" in ruleset.to_text("plain")
    separate = Rule([Condition(ruleset.rules[0].conditions[0].left, "<", 3), *ruleset.rules[0].conditions], "A")
    assert "x is at least 3 and below 9" in ruleset.replace(rules=[separate]).to_text("plain")


def test_options_of_other_forms_are_refused() -> None:
    ruleset = parse("x > 1 -> A; Default -> B")
    with pytest.raises(RuleError, match="ranges: plain words do not say it"):
        ruleset.to_text("plain", ranges=True)
    for option in ({"language": "de"}, {"labels": {"x": "y"}}, {"importances": {"x": 1.0}}):
        with pytest.raises(RuleError, match="is for plain words, not for the form 'compact'"):
            ruleset.to_text(**option)
