"""Guardrails are read from texts, rules, pairs and mappings, and conflicts between them name both sides."""

from typing import Any

import pytest

from domains import compare
from evoter.rules.errors import RuleError, SchemaError
from evoter.rules.guardrails.forbidden import Forbidden
from evoter.rules.guardrails.monotone import Direction, Monotone
from evoter.rules.guardrails.reading import ForbiddenLike, read_forbidden, read_guardrails, read_pinned
from evoter.rules.model import Mode, Rule
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema

SCHEMA = Schema(
    [Feature("age", low=0, high=99), Feature("dose", low=0, high=9), Feature("sex", Kind.CATEGORICAL, categories=("f", "m"))],
    ["blood thinner", "opioid", "rest"],
)  # fmt: skip
MINORS = Forbidden([compare("age", "<", 18)], "opioid")
ORDER = ["rest", "blood thinner", "opioid"]


@pytest.mark.parametrize(
    "text", ["age < 18 -> never opioid", 'IF age < 18 THEN NEVER "opioid"', "age < 18 → never opioid"]
)
def test_what_is_forbidden_is_a_text_a_pair_or_an_object(text: str) -> None:
    assert read_forbidden(text, SCHEMA) == (MINORS,)
    pairs: list[ForbiddenLike] = [text, ("age < 18", "opioid"), (MINORS.conditions, "opioid"), MINORS]
    assert read_forbidden(pairs, SCHEMA) == (MINORS,) * 4
    (thinner,) = read_forbidden('age > 80 AND sex = f -> never "blood thinner"', SCHEMA)
    assert (thinner.action, len(thinner.conditions)) == ("blood thinner", 2)
    assert read_forbidden(thinner.text(SCHEMA), SCHEMA) == (thinner,), "what is printed is read back"


def test_pinned_rules_are_a_text_a_list_or_a_rule_set() -> None:
    rule, other = Rule([compare("age", ">", 80)], "rest"), Rule([compare("dose", ">", 5)], "rest")
    assert read_pinned("age > 80 -> rest; dose > 5 -> rest", SCHEMA) == (rule, other)
    assert read_pinned(["age > 80 -> rest", other], SCHEMA) == (rule, other)
    assert read_pinned(parse("age > 80 -> rest; Default -> opioid", SCHEMA), SCHEMA) == (rule,)


@pytest.mark.parametrize("direction", ["increasing", 1])
def test_directions_are_words_or_signs(direction: str | int) -> None:
    rails = read_guardrails(SCHEMA, monotone={"age": direction}, order=ORDER)
    assert rails.monotone == (Monotone("age", Direction.INCREASING),)
    assert rails.sentences() == (
        "as age rises, the decision never moves back in the order rest, blood thinner, opioid",
    )


def test_two_actions_need_no_order() -> None:
    two = Schema(SCHEMA.features, ["no", "yes"])
    assert read_guardrails(two, monotone={"age": -1}).order == ("no", "yes")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"forbidden": ["age < 18"]}, "forbidden takes texts such as"),
        ({"forbidden": ("age < 18", "opioid")}, r"list of pairs: write \[\('age < 18', 'opioid'\)\]"),
        ({"forbidden": [("a", "b", "c")]}, "forbidden takes texts such as"),
        ({"forbidden": "age < 18 -> never opiod"}, "unknown action 'opiod'; did you mean 'opioid'"),
        ({"forbidden": "agee < 18 -> never opioid"}, "unknown feature 'agee'; did you mean 'age'"),
        ({"forbidden_features": "age"}, r"a list of names: write \['age'\]"),
        ({"forbidden_features": ["agee"]}, "unknown feature 'agee'; did you mean 'age'"),
        ({"forbidden_features": SCHEMA.names}, "names every feature"),
        ({"monotone": {"age": "up"}, "order": ORDER}, "'age' is 'increasing' .* not 'up'"),
        ({"monotone": {"age": True}, "order": ORDER}, "not True"),
        ({"monotone": {"agee": 1}, "order": ORDER}, "unknown feature 'agee'"),
        ({"monotone": {"sex": 1}, "order": ORDER}, "'sex' cannot be monotone: it has categories"),
        ({"monotone": {"age": 1}}, "which of blood thinner, opioid, rest is higher: give monotone_order"),
        ({"monotone": {"age": 1}, "order": ["rest", "opioid"]}, "each of blood thinner, opioid, rest once"),
        ({"monotone": {"age": 1}, "order": ["rest", "opioid", "thinner"]}, "'thinner', which is not decided"),
        ({"order": ORDER}, "monotone_order has no effect without monotone"),
        ({"monotone": {"age": 1}, "order": ORDER, "mode": Mode.VOTE}, "in mode vote rules decide together"),
        ({"monotone": {"age": 1}, "order": ORDER, "mode": Mode.ALL}, "in mode all rules decide together"),
        ({"pinned": "age > 80 -> rest", "mode": Mode.VOTE}, "pinned rule 1 could be outvoted in mode vote"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises((RuleError, SchemaError), match=message):
        read_guardrails(SCHEMA, **given)


def test_guardrails_that_agree_are_accepted() -> None:
    rails = read_guardrails(
        SCHEMA,
        pinned="dose > 8 AND age >= 18 -> opioid",
        forbidden="age < 18 -> never opioid",
        forbidden_features=["sex"],
        monotone={"age": 1},
        order=ORDER,
    )
    assert len(rails.sentences()) == 4
    assert not read_guardrails(SCHEMA)
