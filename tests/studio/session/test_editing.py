"""Edits of the studio are those of the editor, and rules that are switched off stay off wherever they move."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import parse
from evoter.studio.answers.cards import EditedRules
from evoter.studio.errors import StudioError
from evoter.studio.session.editing import make_edits, read_edits
from laws import examples

RULES = parse("a > 1 -> x; b > 1 -> y; c > 1 -> x; d > 1 -> y; Default -> x")
MOVES = st.tuples(st.integers(1, 4), st.integers(1, 4)).filter(lambda pair: pair[0] != pair[1])


@examples(200)
@given(st.sets(st.integers(1, 4)), st.lists(MOVES, max_size=6))
def test_moving_rules_keeps_those_that_are_off(off: set[int], moves: list[tuple[int, int]]) -> None:
    edits = [("switch_off", [number]) for number in sorted(off)] + [("move", list(pair)) for pair in moves]
    found = make_edits(EditedRules(RULES), RULES.schema, edits).rules
    gone = {RULES.rules[number - 1] for number in off}
    assert {found.ruleset.rules[number - 1] for number in found.off} == gone
    assert set(found.active.rules) == set(RULES.rules) - gone


@pytest.mark.parametrize(
    ("edit", "off"),
    [
        (("insert", [1, "a > 5 -> y"]), {3}),
        (("add", ["a > 5 -> y"]), {2}),
        (("drop", [1]), {1}),
        (("drop", [2]), set()),
        (("replace", [2, "b > 3 -> y"]), {2}),
        (("rewrite", ["d > 1 -> y; b > 1 -> y; Default -> x"]), {2}),
        (("rewrite", ["d > 1 -> y; Default -> x"]), set()),
        (("switch_on", [2]), set()),
    ],
)
def test_each_edit_keeps_track_of_what_is_off(edit: tuple[str, list[int | str]], off: set[int]) -> None:
    assert make_edits(EditedRules(RULES, frozenset({2})), RULES.schema, [edit]).rules.off == off


def test_steps_say_what_changed() -> None:
    draft = make_edits(EditedRules(RULES), RULES.schema, [("pin", [1]), ("switch_off", [2])])
    assert [step.operation for step in draft.steps] == ["pin", "switch_off"]
    assert draft.changes == ("rule 1 is now pinned: a > 1 -> x", "rule 2 is switched off: b > 1 -> y")


@pytest.mark.parametrize(
    ("edits", "message", "number", "kind"),
    [
        ([("switch_off", [9])], "no rule 9", 0, "rule"),
        ([("switch_off", [1]), ("switch_off", [1])], "switched off already", 1, "no_change"),
        ([("switch_on", [1])], "switched on already", 0, "no_change"),
        ([("set_default", ["x"])], "changes nothing", 0, "no_change"),
        ([("pin", [1]), ("switch_off", [1])], "pinned", 1, "rule"),
        ([("switch_off", ["1"])], "takes the number", 0, "rule"),
        ([("replace", [1, "a >"])], "expected a feature or a number", 0, "rule"),
        ([("explode", [1])], "unknown edit", 0, "rule"),
        ([("drop", [1, 2, 3])], "does not take the arguments", 0, "rule"),
    ],
)
def test_an_edit_that_makes_no_sense_is_named(
    edits: list[tuple[str, list[int | str]]], message: str, number: int, kind: str
) -> None:
    with pytest.raises(StudioError, match=message) as refused:
        make_edits(EditedRules(RULES), RULES.schema, edits)
    assert refused.value.kind == kind
    assert refused.value.details["edit"] == number


def test_too_many_edits_at_once_are_refused() -> None:
    with pytest.raises(StudioError, match="201 edits"):
        read_edits([{"operation": "pin", "arguments": [1]}] * 201)
