"""Guardrails are proved from what rules decide, and refuted with a point where they are broken."""

from evoter.proofs import prove_guardrails
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.interpreter import decide_now
from evoter.rules.parser import parse

RULES = parse(
    "pinned: pain > 9 AND age >= 18 -> opioid; pain > 7 AND age >= 18 -> opioid; pain > 3 -> ibuprofen; Default -> none\n"
    "where\n pain: numeric [0..10]\n age: numeric [0..99]\n sex: yes/no\n actions: none | ibuprofen | opioid"
)
ORDER = ["none", "ibuprofen", "opioid"]


def test_what_rules_keep_is_proved() -> None:
    rails = read_guardrails(
        RULES.schema,
        pinned="pain > 9 AND age >= 18 -> opioid",
        forbidden=["age < 18 -> never opioid"],
        forbidden_features=["sex"],
    )
    assert [str(result) for result in prove_guardrails(RULES, rails)] == [
        "proved: rule 1 is pain > 9 AND age >= 18 -> opioid",
        "proved: no rule reads sex",
        "proved: never opioid where age < 18",
    ]


def test_edited_rules_may_keep_what_they_were_not_built_for() -> None:
    """A rule for the middle class reads the monotone feature, which construction never allows."""
    rails = read_guardrails(RULES.schema, monotone={"pain": "increasing"}, order=ORDER)
    assert rails.violations(RULES)
    assert all(prove_guardrails(RULES, rails))


def test_what_rules_break_is_refuted_with_a_point() -> None:
    rails = read_guardrails(RULES.schema, pinned="pain > 8 -> ibuprofen", forbidden=["age < 21 -> never opioid"])
    pinned, never = prove_guardrails(RULES, rails)
    assert pinned.refuted
    assert never.refuted
    assert decide_now(RULES, never.history).action == "opioid"
    age = never.history[0]["age"]
    assert isinstance(age, float)
    assert age < 21
    assert prove_guardrails(RULES, read_guardrails(RULES.schema, forbidden_features=["age"]))[0].refuted


def test_what_is_forbidden_may_depend_on_features_that_no_rule_reads() -> None:
    rails = read_guardrails(RULES.schema, forbidden=["sex = true -> never opioid"])
    kept = parse("pain > 3 -> ibuprofen; Default -> none\nwhere\n actions: none | ibuprofen | opioid")
    broken = parse("pain > 3 -> opioid; Default -> none\nwhere\n actions: none | ibuprofen | opioid")
    assert all(prove_guardrails(kept, rails))
    [result] = prove_guardrails(broken, rails)
    assert result.refuted
    assert result.history[0]["sex"] is True
