"""Tests of edits: each is checked, says what it changes, can be undone, and can be made again from its record."""

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import evoter
from evoter.rules.answers.track_record import TrackRecord
from evoter.rules.editing.editor import OPERATIONS, Editor, edit
from evoter.rules.errors import RuleError
from evoter.rules.model import Rule, RuleSet
from evoter.rules.schema import Feature, Schema
from evoter.rules.text import print_rule
from laws import examples
from strategies import conditions, rulesets

RULES = evoter.parse("""
1. age > 60 -> high
2. bmi > 30 AND age > 20 -> high
3. sugar > 7 -> high
4. Default -> low

where
  age: numeric [0..120]
  bmi: numeric
  sugar: numeric
  actions: high | low
""")


def lines(ruleset: RuleSet) -> list[str]:
    return ruleset.to_text(declarations=False).splitlines()


def test_the_edits_of_the_documentation() -> None:
    rules = evoter.parse("a > 1 -> high; b > 1 -> high; c > 1 -> high; d > 1 -> high; age > 1 -> low; Default -> high")
    editor = edit(rules).replace(2, "age > 65 -> high").drop(3).move(4, 1).pin(1).set_default("low")
    assert lines(editor.done()) == [
        "1. pinned: age > 1 -> low",
        "2. a > 1 -> high",
        "3. age > 65 -> high",
        "4. d > 1 -> high",
        "5. Default -> low",
    ]
    assert editor.changes == (
        "rule 2: b > 1 -> high becomes age > 65 -> high",
        "rule 3 removed: c > 1 -> high",
        "rule 4 becomes rule 1: age > 1 -> low",
        "rule 1 is now pinned: age > 1 -> low",
        "the default: Default -> high becomes Default -> low",
    )
    assert lines(rules)[0] == "1. a > 1 -> high"


@pytest.mark.parametrize(
    ("operation", "arguments", "position", "line"),
    [
        ("add", ["age < 5 -> low"], 3, "4. age < 5 -> low"),
        ("insert", [1, "age < 5 -> low"], 0, "1. age < 5 -> low"),
        ("insert", [4, "age < 5 -> low"], 3, "4. age < 5 -> low"),
        ("rename", [1, "old people"], 0, '1. "old people": age > 60 -> high'),
        ("set_default", ["high", 0.5], 3, "4. Default -> 0.5*high"),
        ("replace_condition", [2, 2, "age >= 21"], 1, "2. bmi > 30 AND age >= 21 -> high"),
        ("add_condition", [1, "bmi > 20"], 0, "1. age > 60 AND bmi > 20 -> high"),
        ("drop_condition", [2, 1], 1, "2. age > 20 -> high"),
        ("rewrite", ["sugar > 8 -> high; Default -> low"], 0, "1. sugar > 8 -> high"),
    ],
)
def test_each_edit(operation: str, arguments: list[int | str], position: int, line: str) -> None:
    editor = edit(RULES).apply(operation, *arguments)
    assert lines(editor.done())[position] == line
    assert editor.undo().done() == RULES


@pytest.mark.parametrize(
    ("operation", "arguments", "message"),
    [
        ("drop", [4], "the rule set has no rule 4; it has rules 1 to 3, and the default is changed by set_default"),
        ("drop", [0], "has no rule 0"),
        ("drop", [True], "has no rule True"),
        ("move", [1, 9], "has no rule 9"),
        ("move", [2, 2], "move changes nothing"),
        ("unpin", [1], "unpin changes nothing"),
        ("replace", [1, "age > 60 -> high"], "replace changes nothing"),
        ("replace", [1, "agee > 60 -> high"], "did you mean 'age'"),
        ("replace", [1, "age > 60 -> hihg"], "did you mean 'high'"),
        ("add", ["age > 60"], "after the condition"),
        ("insert", [9, "age < 5 -> low"], "has no rule 9"),
        ("set_default", ["medium"], "unknown action 'medium'"),
        ("set_default", ["low"], "changes nothing"),
        ("drop_condition", [1, 1], "rule 1 has no other condition; drop the rule"),
        ("replace_condition", [2, 3, "age > 1"], "rule 2 has no condition 3; it has conditions 1 to 2"),
        ("drop", [1, 2], "drop does not take the arguments"),
        ("done", [], "unknown edit 'done'"),
    ],
)
def test_what_makes_no_sense_is_refused(operation: str, arguments: list[int | str], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        edit(RULES).apply(operation, *arguments)


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        ("drop", [1]),
        ("replace", [1, "age > 61 -> high"]),
        ("move", [1, 2]),
        ("add_condition", [1, "bmi > 3"]),
        ("rewrite", ["sugar > 8 -> high; Default -> low"]),
        ("rewrite", ["sugar > 7 -> high; pinned: age > 61 -> high; Default -> low"]),
    ],
)
def test_pinned_rules_are_unpinned_first(operation: str, arguments: list[int | str]) -> None:
    pinned = edit(RULES).pin(1)
    with pytest.raises(RuleError, match=r"rule 1 is pinned.*; unpin it first"):
        pinned.apply(operation, *arguments)
    assert pinned.unpin(1).apply(operation, *arguments).done() != RULES


def test_unpinning_in_the_text_is_an_edit_of_its_own() -> None:
    pinned = edit(RULES).pin(1).done()
    text = str(pinned).replace("pinned: ", "")
    assert edit(pinned).rewrite(text).changes == ("rule 1 is no longer pinned",)


def test_rules_may_read_all_features_of_a_model() -> None:
    schema = Schema([Feature("age"), Feature("income", low=0, high=9)], ["high", "low"])
    model = SimpleNamespace(ruleset_=evoter.parse("age > 3 -> high; Default -> low"), schema_=schema)
    editor = edit(model)
    assert editor.schema.names == ("age", "income")
    assert editor.add("age < 1 -> low").done().schema.names == ("age",)
    assert editor.add("income < 1 -> low").done().schema.feature("income").high == 9


def test_rules_from_text_and_files(tmp_path: Path) -> None:
    evoter.save(RULES, tmp_path / "rules.json")
    assert edit(tmp_path / "rules.json").done() == edit(str(RULES)).done() == RULES
    with pytest.raises(TypeError, match="call fit first"):
        edit(42)


def test_declarations_can_be_rewritten() -> None:
    text = str(RULES).replace("[0..120]", "[0..130]").replace("  bmi", "  new: numeric\n  bmi")
    editor = edit(RULES).rewrite(text)
    assert editor.changes[0].splitlines() == [
        "feature age: numeric [0..120] becomes numeric [0..130]",
        "feature added: new: numeric",
    ]
    assert editor.add("new > 1 -> low").done().schema.names == ("age", "new", "bmi", "sugar")


def test_notes_keep_the_track_records() -> None:
    record = TrackRecord((1, 2), (0.4, 0.6))
    recorded = RULES.replace(records=[record] * 4)
    assert edit(recorded).pin(1).rename(2, "heavy").done().records == recorded.records
    assert edit(recorded).drop(1).done().records == ()


@st.composite
def random_edit(draw: st.DrawFn, editor: Editor) -> tuple[str, list[int | float | str]]:
    """Draw an edit that mostly makes sense."""
    ruleset = editor.ruleset
    number = st.integers(1, max(len(ruleset.rules), 1))
    action = st.sampled_from(ruleset.schema.actions)
    rule = st.builds(Rule, st.lists(conditions(ruleset.schema), min_size=1, max_size=2), action, st.just(0.5))
    operation = draw(st.sampled_from([name for name in OPERATIONS if "condition" not in name and name != "rewrite"]))
    text = print_rule(draw(rule), ruleset.schema)
    choices: dict[str, list[int | float | str]] = {
        "replace": [draw(number), text],
        "add": [text],
        "insert": [draw(number), text],
        "move": [draw(number), draw(number)],
        "rename": [draw(number), "a name"],
        "set_default": [draw(action), 0.25],
    }
    return operation, choices.get(operation, [draw(number)])


@given(st.data())
@examples(200)
def test_steps_can_be_undone_and_made_again(data: st.DataObject) -> None:
    """The record of each step survives JSON, leads to the same rules, and undoing all of them leads back."""
    original = data.draw(rulesets())
    editor = edit(original)
    if not original.schema.features:
        return
    for _ in range(4):
        try:
            operation, arguments = data.draw(random_edit(editor))
            editor = editor.apply(operation, *arguments)
        except RuleError:
            continue
    again = edit(original)
    for step in editor.steps:
        operation, *arguments = json.loads(json.dumps([step.operation, *step.arguments]))
        again = again.apply(operation, *arguments)
    assert again.done() == editor.done()
    assert evoter.parse(str(editor.done())) == editor.done()
    if editor.steps:
        assert editor.undo(len(editor.steps)).done() == original
        assert all(step.before != step.after for step in editor.steps)
        if editor.done() != original and not any(rule.pinned for rule in original.rules):
            assert edit(original).rewrite(str(editor.done())).done() == editor.done()


def test_the_editor_is_a_value() -> None:
    editor = edit(RULES)
    assert editor.drop(1) == editor.drop(1)
    assert editor == replace(editor)
    assert str(editor).endswith("- no edits yet")
    assert str(editor.drop(1)).endswith("- rule 1 removed: age > 60 -> high")
