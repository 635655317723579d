"""The habits of the house: short files, a sentence at the top, tests beside the code, nothing of one machine."""

import ast
import importlib.metadata
import re
import tomllib
from pathlib import Path

import pytest

import evoter
from project import PACKAGE, ROOT, TESTS, modules, project_files, relative

MAX_LINES = 600
PYTHON_FILES = [path for path in project_files() if path.suffix == ".py"]
GALLERY = ROOT / "examples" / "gallery"
TEST_FILES = sorted(path for path in TESTS.rglob("test_*.py") if path.parent != TESTS)

TESTED_THROUGH = {
    "rules/drafts.py": "rules/test_parser.py",
    "rules/resolve.py": "rules/test_parser.py",
    "rules/pieces.py": "rules/test_text.py",
    "rules/layout.py": "rules/test_text.py",
    "__main__.py": "cli/test_app.py",
    "cli/options.py": "cli/test_app.py",
    "cli/headings.py": "cli/test_demo.py",
}
"""Pieces that have no meaning of their own, and the tests of the whole they are pieces of."""


@pytest.mark.parametrize("path", PYTHON_FILES, ids=relative)
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", PYTHON_FILES, ids=relative)
def test_every_file_starts_with_one_sentence(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert docstring, "say in one sentence what lives here"
    heading, underline, _ = f"{docstring}\n\n".split("\n", 2)
    if path.parent == GALLERY:  # whose examples have a title
        assert underline == "=" * len(heading)
        docstring = docstring.partition("\n\n")[2]
    assert docstring.partition("\n\n")[0].endswith("."), "the first paragraph is one sentence"


def beginnings(name: str) -> list[str]:
    """Return the names that a name of several words begins with: `leaf_reader` begins with `leaf`."""
    words = name.split("_")
    return ["_".join(words[:n]) for n in range(1, len(words) + 1)]


@pytest.mark.parametrize("path", TEST_FILES, ids=relative)
def test_every_test_names_a_module(path: Path) -> None:
    """`test_parser_errors` tests `parser`."""
    folder = PACKAGE / path.parent.relative_to(TESTS)
    assert any((folder / f"{name}.py").is_file() for name in beginnings(path.stem.removeprefix("test_")))


@pytest.mark.parametrize("path", [path for path in modules() if path.name != "__init__.py"], ids=relative)
def test_every_module_has_tests(path: Path) -> None:
    """`leaf_reader`, a piece of `leaf`, may be tested by `test_leaf`."""
    place = path.relative_to(PACKAGE)
    folder = TESTS / place.parent
    own = [folder / f"test_{name}.py" for name in beginnings(path.stem)] + list(folder.glob(f"test_{path.stem}_*.py"))
    through = TESTED_THROUGH.get(place.as_posix())
    assert any(test.is_file() for test in own) or (through and (TESTS / through).is_file())


def test_no_file_names_this_machine_or_a_registry() -> None:
    home, here = re.escape(str(Path.home())), re.escape(str(ROOT.parent))
    foreign = re.compile(rf"(?<![\w.}}-])(?:{home}|{here})/\w|--(?:extra-)?index\b|--find-links|--trusted-host")
    found = {
        f"{relative(path)}:{number}: {line.strip()}"
        for path in project_files()
        if path != Path(__file__) and path.suffix not in {".png", ".gif", ".ico"}
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if foreign.search(line)
    }
    assert not found


def test_pins_are_hashed_and_agree() -> None:
    def pins(name: str) -> set[str]:
        text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        entries = re.split(r"\n(?=\S)", re.sub(r"^\s*#.*\n?", "", text, flags=re.MULTILINE).strip())
        assert all("--hash=sha256:" in entry for entry in entries)
        return {entry.partition(" \\")[0] for entry in entries}

    assert pins("runtime.txt") <= pins("dev.txt")


def test_one_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert importlib.metadata.version("evoter") == evoter.__version__
    assert re.search(rf"^## \[({re.escape(evoter.__version__)}|Unreleased)\]", changelog, re.MULTILINE)


def test_the_licence_is_the_one_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["license"] == "Apache-2.0"
    assert "Apache License" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_types_are_shipped() -> None:
    assert (PACKAGE / "py.typed").is_file()
