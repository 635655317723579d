"""Cards say what rules do, and how a number in a condition can be changed."""

from evoter import parse
from evoter.studio.answers.cards import EditedRules
from evoter.studio.session.session import Session
from studios import edit


def test_a_condition_is_put_together_again_around_its_number(session: Session) -> None:
    for card in session.rules()["cards"]:
        for condition in card["conditions"]:
            if (slot := condition["editable"]) is not None:
                assert f"{slot['before']}{slot['value']:g}{slot['after']}" == condition["text"]
                changed = edit("replace_condition", card["number"], condition["number"], f"{slot['before']}33.5")
                assert "33.5" in session.effect(1, [changed])["rules"]["cards"][card["number"] - 1]["text"]


def test_sliders_have_the_range_of_the_table(session: Session) -> None:
    slot = session.rules()["cards"][0]["conditions"][0]["editable"]
    age = session.rows.rows.frame["age"]
    assert (slot["feature"], slot["low"], slot["high"]) == ("age", age.min(), age.max())


def test_a_rule_that_is_switched_off_keeps_its_place_and_decides_nothing(session: Session) -> None:
    found = session.effect(1, [edit("switch_off", 1)])["rules"]
    off, second, default = found["cards"]
    assert off["off"]
    assert off["validation"]["decided"] == 0
    assert off["text"] == "age > 70 -> high"
    assert second["number"] == 2
    assert default["is_default"]
    assert found["size"]["rules"] == 1
    decided = [card["training"]["decided"] for card in found["cards"]]
    assert sum(decided) == found["training"]["rows"]


def test_numbers_skip_what_is_switched_off() -> None:
    rules = EditedRules(parse("a > 1 -> x; b > 1 -> x; c > 1 -> x; Default -> y"), frozenset({2}))
    assert rules.numbers == (1, 3, 4)
    assert len(rules.active.rules) == 2
