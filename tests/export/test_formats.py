"""Every format of the registry writes what it is called after, to text or to a file."""

import subprocess
import sys
from pathlib import Path

import pytest

import evoter.export
from evoter.export import FORMATS, find_format
from evoter.rules.errors import RuleError
from evoter.rules.json_codec import load
from evoter.rules.leaf import load_leaf
from evoter.rules.parser import parse
from samples import RULESET

SIMPLE = parse("x > 1 -> 0.5*up; Default -> down; where x: numeric [0..9]; actions: up | down; decide: vote")
BEGINNINGS = {
    "text": b"1. x > 1 ->",
    "json": b'{\n  "format"',
    "leaf": b'{\n    "key"',
    "markdown": b"| Rule | If |",
    "latex": rb"\begin{align*}",
    "html": b'<div class="evoter-rules">',
    "plain": b"All rules that apply vote.",
    "python": b"def decide(now):",
    "sql": b"SELECT\n  *,",
    "javascript": b"// Returns the action for",
    "c": b"#include <stddef.h>",
    "dmn": b"<?xml version=",
    "excel": b"PK",
    "pmml": b"<?xml version=",
    "onnx": b"\x08",
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats_write_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"rules{FORMATS[name].suffix}"
    FORMATS[name].write(SIMPLE, path)
    content = path.read_bytes()
    assert content.startswith(BEGINNINGS[name])
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    if not FORMATS[name].binary:
        assert content.decode() == FORMATS[name].text(SIMPLE).removesuffix("\n") + "\n"


def test_lossless_formats_read_back(tmp_path: Path) -> None:
    FORMATS["json"].write(RULESET, tmp_path / "rules.json")
    assert load(tmp_path / "rules.json") == RULESET
    assert parse(FORMATS["text"].text(RULESET)) == RULESET
    FORMATS["leaf"].write(SIMPLE, tmp_path / "rules.leaf.json")
    assert load_leaf(tmp_path / "rules.leaf.json") == SIMPLE


def test_options_reach_the_writer() -> None:
    assert "FROM [t]" in FORMATS["sql"].text(SIMPLE, dialect="tsql", table="t")
    assert "where" not in FORMATS["text"].text(SIMPLE, declarations=False)


def test_what_is_no_text_is_refused_as_text() -> None:
    with pytest.raises(RuleError, match=r"ONNX is no text: write it to a file, such as rules\.onnx"):
        FORMATS["onnx"].text(SIMPLE)


def test_an_unknown_format_is_refused_with_a_hint() -> None:
    with pytest.raises(RuleError, match="unknown format 'pmlm'; did you mean 'pmml'"):
        find_format("pmlm")


def test_public_names_are_loaded_when_asked_for() -> None:
    assert {*evoter.export.__all__} <= {*dir(evoter.export)}
    assert all(callable(getattr(evoter.export, name)) for name in evoter.export.__all__ if name != "FORMATS")
    with pytest.raises(AttributeError, match="has no attribute 'to_word'"):
        evoter.export.to_word  # noqa: B018
    names = ", ".join(f"e.{name}" for name in evoter.export.__all__)
    code = f"import sys, evoter.export as e; {names}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"onnx", "numpy", "sqlglot", "duckdb", "pypmml", "xlsxwriter"} & set(loaded)
