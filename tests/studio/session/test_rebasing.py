"""Edits made while somebody else saved a version reach the rule that was meant, or are refused; never another rule."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter import parse
from evoter.rules.model import RuleSet
from evoter.studio.answers.cards import EditedRules
from evoter.studio.errors import StudioError
from evoter.studio.session.editing import make_edits
from evoter.studio.session.rebasing import RebasedEdits, rebase_edits
from evoter.studio.session.session import Session
from laws import examples
from studios import edit

Edits = list[tuple[str, list[Any]]]
BASE = parse("a > 1 -> x; b > 1 -> y; c > 1 -> x; d > 1 -> y; Default -> x")


def made(ruleset: RuleSet, edits: Any, off: frozenset[int] = frozenset()) -> EditedRules:
    return make_edits(EditedRules(ruleset, off), BASE.schema, edits).rules


def rebased(mine: Edits, theirs: Edits) -> tuple[RebasedEdits, EditedRules]:
    """Return my edits as their version needs them, and their version with these edits."""
    onto = made(BASE, theirs)
    found = rebase_edits((EditedRules(BASE), BASE.schema), (onto, BASE.schema), 2, mine)
    return found, made(onto.ruleset, found.edits, onto.off)


@pytest.mark.parametrize(
    ("mine", "theirs", "rules"),
    [
        ([("replace_condition", [3, 1, "c > 9"])], [("drop", [1])], "b > 1 -> y; c > 9 -> x; d > 1 -> y"),
        ([("drop", [4])], [("move", [4, 1])], "a > 1 -> x; b > 1 -> y; c > 1 -> x"),
        ([("insert", [3, "a > 5 -> x"])], [("drop", [1])], "b > 1 -> y; a > 5 -> x; c > 1 -> x; d > 1 -> y"),
        ([("insert", [3, "a > 5 -> x"])], [("drop", [2])], "a > 1 -> x; a > 5 -> x; c > 1 -> x; d > 1 -> y"),
        ([("insert", [5, "a > 5 -> x"])], [("drop", [4])], "a > 1 -> x; b > 1 -> y; c > 1 -> x; a > 5 -> x"),
        ([("move", [4, 2])], [("drop", [2])], "a > 1 -> x; d > 1 -> y; c > 1 -> x"),
        ([("move", [1, 4])], [("insert", [1, "a > 7 -> y"])], "a > 7 -> y; b > 1 -> y; c > 1 -> x; d > 1 -> y; a > 1 -> x"),
        ([("insert", [1, "a > 5 -> x"]), ("add_condition", [1, "b > 2"]), ("drop", [3])], [("drop", [1])], "a > 5 AND b > 2 -> x; c > 1 -> x; d > 1 -> y"),
        ([("set_default", ["y"])], [("drop", [1])], "b > 1 -> y; c > 1 -> x; d > 1 -> y; Default -> y"),
    ],
)  # fmt: skip
def test_edits_reach_the_rules_that_were_meant(mine: Edits, theirs: Edits, rules: str) -> None:
    found, result = rebased(mine, theirs)
    wanted = rules if "Default" in rules else f"{rules}; Default -> x"
    assert found.refused == ()
    assert result.ruleset == parse(wanted, BASE.schema)


def test_marks_reach_the_rule_that_was_meant() -> None:
    _, result = rebased([("pin", [2]), ("switch_off", [3])], [("insert", [1, "a > 7 -> y"]), ("rename", [3, "second"])])
    assert [(rule.pinned, rule.name) for rule in result.ruleset.rules][2] == (True, "second")
    assert sum(rule.pinned for rule in result.ruleset.rules) == 1
    assert result.off == {4}


@pytest.mark.parametrize(
    ("mine", "theirs", "reason"),
    [
        ([("replace_condition", [1, 1, "a > 3"])], [("replace_condition", [1, 1, "a > 2"])], "was changed or removed"),
        (
            [("drop", [2])],
            [("drop", [2]), ("insert", [1, "b > 2 -> y"])],
            "b > 1 -> y was changed or removed in version 2",
        ),
        ([("rewrite", ["a > 2 -> x; Default -> y"])], [("drop", [2])], "it replaces all rules"),
        ([("set_default", ["y"])], [("set_default", ["y", 0.9])], "another default"),
        ([("rename", [1, "first"]), ("drop", [1])], [("drop", [1]), ("add", ["a > 9 -> y"])], "changed or removed"),
        ([("drop", [1])], [("pin", [1])], "pinned"),
        ([("insert", [3, "a > 5 -> x"])], [("drop", [2]), ("drop", [2])], "around its place"),
    ],
)
def test_an_edit_of_what_others_changed_is_refused(mine: Edits, theirs: Edits, reason: str) -> None:
    found, result = rebased(mine, theirs)
    assert reason in found.refused[0].reason
    assert found.refused[0].change
    assert result.ruleset == made(BASE, theirs).ruleset


def test_what_follows_from_a_refused_edit_is_refused_as_well() -> None:
    mine: Edits = [
        ("replace_condition", [1, 1, "a > 3"]),
        ("add_condition", [1, "b > 4"]),
        ("switch_off", [2]),
        ("rewrite", ["b > 8 -> x; Default -> y"]),
        ("pin", [1]),
    ]
    found, result = rebased(mine, [("replace_condition", [1, 1, "a > 2"])])
    assert [each.edit for each in found.refused] == [0, 1, 3, 4]
    assert found.edits == (("switch_off", (2,)),)
    assert result.off == {2}


def test_the_same_edit_made_by_both_is_made_once() -> None:
    found, _ = rebased([("switch_off", [3]), ("pin", [1])], [("switch_off", [3]), ("drop", [2])])
    assert found.edits == (("pin", (1,)),)
    assert (found.refused, found.n_made_already) == ((), 1)


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ([("drop", [2])], [("drop", [2])]),
        ([("move", [2, 1]), ("drop", [1])], [("drop", [2])]),
        ([("set_default", ["y"])], [("set_default", ["y"])]),
        ([("replace_condition", [1, 1, "a > 2"]), ("replace_condition", [1, 1, "a > 3"])], [("replace_condition", [1, 1, "a > 3"])]),
        ([("add_condition", [4, "a > 3"]), ("drop", [1])], [("drop", [1]), ("replace", [3, "d > 1 AND a > 3 -> y"])]),
    ],
)  # fmt: skip
def test_what_both_have_made_alike_is_not_made_again(mine: Edits, theirs: Edits) -> None:
    found, result = rebased(mine, theirs)
    assert (found.edits, found.refused, found.n_made_already) == ((), (), len(mine))
    assert result.ruleset == made(BASE, mine).ruleset


def test_a_rule_that_both_changed_alike_can_be_marked() -> None:
    changed: Edits = [("replace_condition", [3, 1, "c > 3"])]
    found, result = rebased(
        [*changed, ("move", [3, 1]), ("pin", [1])], [("drop", [1]), ("replace_condition", [2, 1, "c > 3"])]
    )
    assert found.edits == (("move", (2, 1)), ("pin", (1,)))
    assert (found.refused, found.n_made_already) == ((), 1)
    assert result.ruleset.rules[0].pinned


STRUCTURAL = st.one_of(
    st.tuples(st.just("drop"), st.tuples(st.integers(1, 4))),
    st.tuples(st.just("move"), st.tuples(st.integers(1, 4), st.integers(1, 4))),
    st.tuples(st.just("insert"), st.tuples(st.integers(1, 4), st.sampled_from(["a > 7 -> y", "b > 8 -> x"]))),
    st.tuples(st.just("replace"), st.tuples(st.integers(1, 4), st.sampled_from(["c > 7 -> y", "d > 8 -> x"]))),
)


@examples(300)
@given(st.lists(STRUCTURAL, max_size=5), st.integers(1, 4))
def test_no_edit_is_ever_applied_to_another_rule(theirs: list[Any], number: int) -> None:
    """Whatever others did, my change of one rule changes that one alone, or nothing."""
    onto = EditedRules(BASE)
    for each in theirs:
        try:
            onto = made(onto.ruleset, [each])
        except StudioError:
            continue  # there is no such rule any more, or the edit changes nothing
    meant = BASE.rules[number - 1]
    mine: Edits = [("add_condition", [number, "a > 50"])]
    found = rebase_edits((EditedRules(BASE), BASE.schema), (onto, BASE.schema), 2, mine)
    after = made(onto.ruleset, found.edits).ruleset
    changed = [(old, new) for old, new in zip(onto.ruleset.rules, after.rules, strict=True) if old != new]
    if meant in onto.ruleset.rules:
        assert [old for old, _ in changed] == [meant]
    else:
        assert changed == []
        assert [each.edit for each in found.refused] == [0]


def test_a_session_rebases_and_refuses_what_makes_no_sense(own_session: Session) -> None:
    own_session.save(1, [edit("drop", 1)], reason="not needed", author=None)
    found = own_session.rebase(1, 2, [edit("pin", 2), edit("rename", 1, "the old")])
    assert found["edits"] == [edit("pin", 1)]
    assert found["refused"][0]["reason"] == "age > 70 -> high was changed or removed in version 2"
    for wrong in (edit("pin", 9), edit("insert", 7, "age > 1 -> low"), edit("move", 1, 9), edit("explode")):
        with pytest.raises(StudioError) as refused:
            own_session.rebase(1, 2, [wrong])
        assert refused.value.details["edit"] == 0
