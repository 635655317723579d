"""Links of logs: what is hashed, and what entries cannot hold."""

import pytest

from evoter.rules.editing.chain import canonical, checked_text, content_hash
from evoter.rules.errors import RuleError
from evoter.rules.files.document import parse_document, read_object


def test_what_json_cannot_hold_is_refused() -> None:
    twice = read_object(parse_document('{"effect": {"a": 1, "a": 2}}'), "")
    for content in ({"x": float("inf")}, {"x": "\ud800"}, twice):
        with pytest.raises(RuleError, match="the entry holds what JSON cannot"):
            canonical(content)


def test_the_hash_depends_on_the_content_alone() -> None:
    assert content_hash({"b": [1.0, "ü"], "a": None}) == content_hash({"a": None, "b": [1.0, "ü"]})
    assert content_hash({"a": 1}) != content_hash({"a": "1"})


def test_texts_are_stripped() -> None:
    assert checked_text("reason", "  why \n") == "why"
    with pytest.raises(RuleError, match="the log needs an author"):
        checked_text("author", "")
