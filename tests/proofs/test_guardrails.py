"""Guardrails are proved from what rules decide, and refuted with a point where they are broken."""

from evoter.proofs import prove_guardrails
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.interpreter import decide_now
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema

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


def test_a_direction_that_the_form_guarantees_is_proved_for_doubles_too() -> None:
    """Rounded sums rise with their terms, which a proof for real numbers does not tell."""
    directions = {"visits": "increasing", "stays": "increasing", "age": "decreasing"}
    rules = parse("visits + 0.3*stays > 0.07 -> yes; stays - 0.1*age > 0.3 -> yes; Default -> no")
    rails = read_guardrails(rules.schema, monotone=directions, order=["no", "yes"])
    assert [(each.proved, each.exact, each.method) for each in prove_guardrails(rules, rails)] == [
        (True, True, "form")
    ] * 3


def test_no_form_guarantees_a_direction_where_rules_vote() -> None:
    schema = Schema([Feature("x"), Feature("sex", Kind.BOOLEAN)], ["no", "yes"])
    rails = read_guardrails(schema, monotone={"sex": "increasing"}, order=["no", "yes"])
    voting = parse("x > 1 -> 0.5*no; sex = true -> 0.1*yes; Default -> no", schema, mode="vote")
    assert [result.status for result in prove_guardrails(voting, rails)] == ["unknown"]
    assert all(prove_guardrails(voting.replace(mode="first"), rails))


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
