"""The studio from a notebook: it starts in a thread, shows a link, hands back the rules and stops."""

import json
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import evoter
from evoter.studio.project import ProjectError, verify_project
from evoter.studio.running.serving import Studio

RULES = evoter.parse("age > 60 -> old; Default -> young")
AGES = np.random.default_rng(0).uniform(1, 99, 200).round()
X = pl.DataFrame({"age": AGES, "sex": ["f", "m"] * 100})
Y = ["old" if age > 55 else "young" for age in AGES]


def ask(studio: Studio, path: str, body: object = None) -> Any:
    """Ask a studio as its page does."""
    base, _, token = studio.url.partition("/#token=")
    content = None if body is None else json.dumps(body).encode()
    headers = {"X-Evoter-Token": token, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(base + path, content, headers), timeout=60) as answer:
        return json.load(answer)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    with evoter.studio(RULES, X, Y, protected=["sex"], project=tmp_path / "age.evoter", author="Ada") as running:
        yield running


def test_it_answers_hands_back_the_rules_and_continues(studio: Studio, tmp_path: Path) -> None:
    assert ask(studio, "/api/project")["protected"] == ["sex"]
    assert studio.url in studio._repr_html_()
    assert studio.ruleset == RULES
    edit = {"operation": "replace", "arguments": [1, "age > 55 -> old"]}
    ask(studio, "/api/versions", {"base": 1, "edits": [edit], "reason": "that is when it begins"})
    assert studio.ruleset is not None
    assert studio.ruleset.to_text(declarations=False).startswith("1. age > 55 -> old")
    studio.stop()
    studio.stop()
    assert "stopped" in studio._repr_html_()
    with pytest.raises(OSError, match="refused"):
        ask(studio, "/api/project")
    path = tmp_path / "age.evoter"
    assert verify_project(path).passed
    with evoter.studio(None, X, Y, project=path) as again:
        assert again.ruleset == studio.ruleset
    with pytest.raises(ProjectError, match="other rules"):
        evoter.studio("age > 20 -> old; Default -> young", X, Y, project=path)
    with pytest.raises(ProjectError, match="a project about 'target', and not 'group'"):
        evoter.studio(None, X, Y, project=path, target="group")


def test_without_a_project_edits_are_kept_until_it_stops() -> None:
    with evoter.studio(RULES, X, Y) as running:
        path = running.project.path
        assert path.exists()
        assert "Edits are lost" in running._repr_html_()
    assert not path.exists()


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(TypeError, match="not dict"):
        evoter.studio({}, X, Y)


def test_a_missing_library_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(ImportError, match=r'the studio needs uvicorn: pip install "evoter\[studio\]"'):
        evoter.studio(RULES, X, Y)
