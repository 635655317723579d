"""Tests that rule files of every form are read."""

import json
from pathlib import Path

import pytest

import evoter
from evoter.cli.output import Failure
from evoter.cli.rule_files import find_form, formatting, load_rules
from evoter.rules.errors import RuleError
from evoter.rules.leaf import save_leaf

TEXT = "age > 50 AND region = north -> 0.9*high\nDefault -> low\nwhere\n  age: numeric [0..99]\n  region: one of north | south\n  actions: high | low\n  decide: vote\n"


def test_text_json_and_leaf_are_told_apart(tmp_path: Path) -> None:
    rules = evoter.parse(TEXT)
    (tmp_path / "a.rules").write_text(TEXT, encoding="utf-8")
    evoter.save(rules, tmp_path / "a.json")
    save_leaf(rules, tmp_path / "leaf.json")
    for name in ("a.rules", "a.json", "leaf.json"):
        assert load_rules(str(tmp_path / name)).ruleset == rules


@pytest.mark.parametrize(
    ("content", "message", "hint"),
    [
        ("", "x.json is empty", "`evoter fit` writes rule files"),
        ("{", "x.json: not valid JSON at line 1", "check quotes"),
        ('{"a": 1}', "x.json: the key 'format' is missing", "add it"),
        ("age > -> high", "x.json, line 1, column 7", ""),
        ("age > 5 -> high; Default > low", "x.json, line 1", ""),
        ("age;risk\n5;low\n", "x.json looks like a table, not a rule file", "name the rules before the table"),
        ("<!DOCTYPE html>\n<html>", "x.json is a web page, not a rule file", "beside it"),
        (json.dumps({"format": "evoter-fit"}), "x.json is the record of a fit", "the rules are in 'x.json.json'"),
    ],
)
def test_what_is_wrong_with_a_file_is_one_line(content: str, message: str, hint: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(Failure) as caught:
        load_rules(str(path))
    assert message in caught.value.message
    assert "\n" not in caught.value.message
    assert hint in caught.value.hint


def test_rules_saved_by_other_editors(tmp_path: Path) -> None:
    text = 'size > 1 -> low\r\n"größe" > 2 -> high\r\nDefault -> low\r\n'
    path = tmp_path / "edited.txt"
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        path.write_bytes(text.encode(encoding))
        assert load_rules(str(path)).ruleset.features_used == ("size", "größe")
    path.write_bytes(text.encode("cp1252"))
    with pytest.raises(Failure) as caught:
        load_rules(str(path))
    assert (caught.value.message, caught.value.hint) == (
        "edited.txt, line 2: not written in UTF-8",
        "save it again as UTF-8 text",
    )


def test_unknown_formats_come_with_near_ones_or_all() -> None:
    assert find_form("sql").title == "SQL"
    with pytest.raises(Failure, match="unknown format 'sqll'") as told:
        find_form("sqll")
    assert told.value.hint == "did you mean 'sql'?"
    with pytest.raises(Failure) as told:
        find_form("word")
    assert told.value.hint.startswith("known: text, json")


@pytest.mark.parametrize(
    ("error", "message", "hint"),
    [
        (RuleError("it looks back; add columns"), "m as SQL: it looks back", "add columns"),
        (TypeError("no option 'tabel'"), "m as SQL: no option 'tabel'", "see the manual"),
        (ImportError("to_onnx needs onnx: pip install it"), "m as SQL: to_onnx needs onnx", "pip install it"),
    ],
)
def test_errors_are_failures_with_hints(error: Exception, message: str, hint: str) -> None:
    with pytest.raises(Failure) as told, formatting("m as SQL", "see the manual"):
        raise error
    assert (told.value.message, told.value.hint) == (message, hint)
