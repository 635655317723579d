"""Imports go one way, the rule language stands alone, and `import evoter` stays light."""

import subprocess
import sys
from pathlib import Path

import pytest

from project import PACKAGE, imports, modules, relative

_ENGINE = {"rules", "kernels", "tables", "genome", "evolution"}
_FACES = _ENGINE | {"environments", "problems", "estimators"}
# The last is the package itself, by its public names.
_ALL = _FACES | {"analysis", "distillation", "export", "datasets", "fairness", "proofs", ""}

MAY_IMPORT = {
    "lazy": set[str](),
    "moved_modules": set[str](),
    "renamed": set[str](),
    "rules": set[str](),
    "kernels": set[str](),
    "tables": {"rules", "kernels"},
    "genome": {"rules", "kernels"},
    "evolution": _ENGINE | {"renamed"},
    "environments": {"kernels"},
    "problems": _ENGINE | {"environments", "lazy", "renamed"},
    "estimators": _FACES | {"export", "renamed"},
    "analysis": {"rules", "tables", "evolution", "problems", "lazy"},
    "export": {"rules", "problems", "lazy"},
    "fairness": {"rules", "tables", "evolution", "problems", "analysis"},
    "distillation": _FACES | {"analysis"},
    "datasets": {"rules", "tables"},
    "proofs": {"rules", "lazy"},
    "cli": _ALL | {"experiments"},
    "__main__": {"cli"},
    "experiments": _ALL | {"lazy"},
}
"""For each part of the package, the other parts it may use."""

ONLY_PUBLIC = {"analysis": "problems", "export": "problems", "fairness": "problems"}
"""Parts that may use another part through its public names only."""

COLOURED = ("terminal.py",)
"""The modules of the rule language that use rich; nothing loads them before a terminal is written to in colour."""


def part_of(module: str) -> str:
    """Return the part of the package that a module such as `evoter.rules.parser` belongs to."""
    return module.split(".")[1] if "." in module else ""


PARTS = [path for path in modules() if path.parent != PACKAGE or path.name != "__init__.py"]


def test_imports_go_one_way() -> None:
    for path in PARTS:
        check_imports(path)


def check_imports(path: Path) -> None:
    """Refuse imports that the table above does not allow."""
    part = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    assert part in MAY_IMPORT, f"say in {relative(PACKAGE)}'s direction of imports where {part!r} stands"
    for imported in imports(path):
        if imported.module.split(".")[0] != "evoter":
            continue
        other = part_of(imported.module)
        place = f"{relative(path)}:{imported.line}"
        assert other == part or other in MAY_IMPORT[part], f"{place}: {part} must not import {imported.module}"
        if ONLY_PUBLIC.get(part) == other:
            assert imported.module == f"evoter.{other}", f"{place}: use the public names of evoter.{other}"


def test_the_rule_language_needs_the_standard_library_only() -> None:
    for path in (path for path in PARTS if path.is_relative_to(PACKAGE / "rules")):
        allowed = {*sys.stdlib_module_names, "evoter", *(["rich"] if path.name in COLOURED else [])}
        outside = {i.module for i in imports(path) if not i.typing_only and i.module.split(".")[0] not in allowed}
        assert not outside, relative(path)


@pytest.mark.parametrize(
    ("statement", "allowed"),
    [
        ("import evoter", set()),
        ("from evoter import RuleSet, explain, parse, simplify", set()),
        ("import evoter.tables", {"numpy", "narwhals"}),
        ("import evoter.datasets", {"numpy"}),
        ("import evoter.environments", set()),
        ("import evoter.problems", set()),
        ("from evoter.proofs import equivalent", set()),
    ],
)
def test_light_imports_load_nothing_heavy(statement: str, allowed: set[str]) -> None:
    heavy = {"numpy", "numba", "scipy", "sklearn", "narwhals", "pandas", "polars", "rich", "matplotlib", "gymnasium"}
    heavy |= {"jinja2", "pooch", "requests", "z3"}
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not heavy & set(loaded) - allowed
