"""The documentation names what there is: every public name and setting, with links that lead somewhere."""

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

import evoter
from evoter.evolution.settings import PRESETS, Settings
from project import ROOT, modules, project_files, relative

DOCS = ROOT / "docs"
PAGES = [path for path in project_files() if path.suffix == ".md"]
LINK = re.compile(r"\]\((?!https?:|#|auto_examples/)([^)#\s]+)")
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=relative)
def test_links_lead_somewhere(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    folder = page.parent if page.parent != DOCS or page.stem != "contributing" else ROOT
    assert not [target for target in LINK.findall(prose) if not (folder / target).exists()]


def test_the_reference_has_every_public_name() -> None:
    reference = "".join(path.read_text(encoding="utf-8") for path in sorted((DOCS / "api").glob("*.md")))
    overview = (DOCS / "api.md").read_text(encoding="utf-8")
    for name in evoter.__all__:
        if name != "__version__":
            assert re.search(rf":: evoter\.{name}\n", reference), f"describe {name} in docs/api/"
            assert re.search(rf"^ +{name}$", overview, re.MULTILINE), f"list {name} in docs/api.md"


def test_properties_render() -> None:
    """Sphinx takes the words before a colon in the first line of a property's docstring for its type."""
    properties = [
        (f"{relative(path)}:{node.lineno}", ast.get_docstring(node) or "")
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and any("property" in ast.unparse(each) for each in node.decorator_list)
    ]
    assert len(properties) > 50
    assert not [place for place, text in properties if ": " in text.partition("\n")[0]]


def written(value: object) -> str:
    """Return a setting as the table writes it."""
    if isinstance(value, tuple):
        return ", ".join(f"{each:g}" for each in value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def test_the_table_of_settings_is_right() -> None:
    rows = {name: (default, paper) for name, default, paper in ROW.findall((DOCS / "settings.md").read_text("utf-8"))}
    expected = {
        field.name: tuple(written(getattr(PRESETS[preset], field.name)) for preset in ("default", "paper"))
        for field in fields(Settings)
    }
    assert rows == expected
