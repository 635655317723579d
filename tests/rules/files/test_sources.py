"""Tests of reading rule sets from objects, text and files of every format."""

from pathlib import Path

import pytest

import evoter
from evoter.rules.errors import RuleError, RuleSyntaxError
from evoter.rules.files.sources import is_leaf, parse_rules, read_ruleset, rules_content
from evoter.rules.leaf import dumps_leaf

RULES = evoter.parse(
    "age > 60 -> old; Default -> young; where age: numeric [0..99]; actions: old | young; decide: vote"
)


def test_text_and_json_are_read_as_they_come(tmp_path: Path) -> None:
    path = tmp_path / "my rules"
    for content in (str(RULES), evoter.dumps(RULES), str(RULES).replace("->", "→"), RULES.to_text("unicode")):
        path.write_text(content, encoding="utf-8")
        assert read_ruleset(content) == read_ruleset(path) == read_ruleset(str(path)) == read_ruleset(RULES) == RULES
    path.write_text(str(RULES), encoding="utf-16")
    assert read_ruleset(path) == RULES
    leaf = dumps_leaf(RULES)
    assert is_leaf(leaf.encode())
    assert not is_leaf(evoter.dumps(RULES).encode())
    assert read_ruleset(leaf).schema.actions == RULES.schema.actions


def test_files_that_are_not_there_and_not_rules(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="there is no file 'nothing', and it is not rule text"):
        read_ruleset("nothing")
    with pytest.raises(RuleError, match=r"there is no file '.*none'$"):
        read_ruleset(tmp_path / "none")
    (tmp_path / "binary").write_bytes(b"\xff\xd8\x00")
    with pytest.raises(RuleError, match="neither JSON nor UTF-8 text"):
        read_ruleset(tmp_path / "binary")
    with pytest.raises(RuleSyntaxError):
        read_ruleset("age > 60 -> old")


@pytest.mark.parametrize("name", ["rules.json", "rules.txt", "rules"])
def test_written_content_is_read_back(name: str) -> None:
    content = rules_content(RULES, Path(name))
    assert content.startswith("{") is name.endswith(".json")
    assert parse_rules(content.encode()) == RULES
