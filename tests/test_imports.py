"""Imports go one way, the rule language stands alone, and `import evoter` stays light."""

import subprocess
import sys
from pathlib import Path

import pytest

from project import PACKAGE, imports, modules, relative

_ENGINE = {"rules", "kernels", "tables", "genome", "evolution"}
_FACES = _ENGINE | {"environments", "execution", "language", "problems", "estimators"}
# The last is the package itself, by its public names.
_ALL = _FACES | {"analysis", "distillation", "export", "datasets", "fairness", "federated", "proofs", ""}

MAY_IMPORT = {
    "lazy": set[str](),
    "moved_modules": set[str](),
    "renamed": set[str](),
    "rules": set[str](),
    "kernels": {"rules"},
    "language": {"rules", "lazy"},
    "tables": {"rules", "kernels"},
    "genome": {"rules", "kernels"},
    "evolution": _ENGINE | {"renamed"},
    "environments": {"kernels"},
    "execution": _ENGINE | {"environments", "problems", "lazy", ""},
    "problems": _ENGINE | {"environments", "lazy", "renamed"},
    "estimators": _FACES | {"export", "renamed"},
    "analysis": {"rules", "language", "tables", "evolution", "problems", "lazy"},
    "export": {"rules", "problems", "lazy"},
    "fairness": {"rules", "tables", "evolution", "problems", "analysis"},
    "distillation": _FACES | {"analysis"},
    "federated": _FACES | {"lazy"},
    "datasets": {"rules", "tables"},
    "proofs": {"rules", "lazy"},
    "studio": _ALL | {"cli", "lazy"},  # of the command line: how tables are read, columns judged and rows divided
    "cli": _ALL | {"experiments", "studio"},
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


@pytest.mark.parametrize("part", ["rules", "language"])
def test_the_rule_language_and_words_for_it_need_the_standard_library_only(part: str) -> None:
    for path in (path for path in PARTS if path.is_relative_to(PACKAGE / part)):
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
        ("import evoter.execution", set()),
        ("from evoter.proofs import equivalent", set()),
        ("import evoter.federated", set()),
        ("from evoter.language import parse_plain, rewrite", set()),
    ],
)
def test_light_imports_load_nothing_heavy(statement: str, allowed: set[str]) -> None:
    heavy = {"numpy", "numba", "scipy", "sklearn", "narwhals", "pandas", "polars", "rich", "matplotlib", "gymnasium"}
    heavy |= {"jinja2", "pooch", "requests", "z3", "ray"}
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert not heavy & set(loaded) - allowed


def test_rules_load_words_only_when_someone_asks_for_them() -> None:
    """`rules.text` names the functions that write plain words as text, so that rules do not depend on them."""
    code = "import sys, evoter\nr = evoter.parse('x > 1 -> a; Default -> b')\nr.to_text()\n"
    code += "assert not any(name.startswith('evoter.language') for name in sys.modules)\nr.to_text('plain')\n"
    code += "assert 'evoter.language.sentences' in sys.modules and 'urllib.request' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
