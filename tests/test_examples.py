"""Every example in the README and the documentation runs, and shows what it claims to show."""

import doctest
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import evoter
from project import ROOT, project_files, relative

FENCE = re.compile(r"^```(?P<language>[\w{}-]*)[^\n]*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [path for path in project_files() if path.suffix == ".md"]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    text: str
    line: int


def blocks(page: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a page."""
    source = page.read_text(encoding="utf-8")
    for match in FENCE.finditer(source):
        yield Block(match["language"], match["text"], source.count("\n", 0, match.start("text")))


def pages_with(*languages: str) -> list[Path]:
    """Return the pages that contain a block in one of the languages."""
    return [page for page in PAGES if any(block.language in languages for block in blocks(page))]


@pytest.mark.parametrize("page", pages_with("python", "pycon"), ids=relative)
def test_python_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of one page share their names, as they do for the person reading it."""
    code = "".join(block.text for block in blocks(page) if block.language in {"python", "pycon"})
    if "fetch_" in code and "EVOTER_DATA" not in os.environ:
        pytest.skip("reads published data: set EVOTER_DATA to a directory that holds them")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    failures: list[str] = []
    for block in blocks(page):
        if block.language == "python":
            source = "\n" * block.line + block.text
            exec(compile(source, str(page), "exec"), names)  # noqa: S102 - these are our own pages
        elif block.language == "pycon":
            test = doctest.DocTestParser().get_doctest(block.text, names, relative(page), str(page), block.line)
            runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
            runner.run(test, out=failures.append, clear_globs=False)
            names |= test.globs
    assert not failures, "".join(failures)


@pytest.mark.parametrize("page", pages_with("rules"), ids=relative)
def test_rule_text_parses(page: Path) -> None:
    for block in blocks(page):
        if block.language == "rules":
            ruleset = evoter.parse(block.text)
            assert evoter.parse(str(ruleset)) == ruleset


@pytest.mark.parametrize("page", pages_with("sh", "bash"), ids=relative)
def test_make_targets_exist(page: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    text = "".join(block.text for block in blocks(page) if block.language in {"sh", "bash"})
    assert set(re.findall(r"\bmake ([a-z]+)", text)) <= targets


def test_no_block_has_a_language_that_nobody_checks() -> None:
    checked = {
        "python",
        "pycon",
        "rules",
        "sh",
        "text",
        "{toctree}",
        "{eval-rst}",
        "{image}",
        "{figure}",
        "{literalinclude}",
    }
    unknown = {(relative(page), b.language) for page in PAGES for b in blocks(page) if b.language not in checked}
    assert not unknown


SCRIPTS = {"examples/front.py": ["--generations", "5", "--quick"]}


def test_every_example_script_is_known() -> None:
    assert sorted(SCRIPTS) == sorted(relative(path) for path in (ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS)
def test_example_scripts_run(script: str) -> None:
    environment = {**os.environ, "PYTHONWARNINGS": "error", "COLUMNS": "120"}
    arguments = [sys.executable, str(ROOT / script), *SCRIPTS[script]]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True, env=environment, timeout=300)
    assert "Default" in done.stdout
    assert not done.stderr
