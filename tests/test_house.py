"""The habits of the house: short files, a sentence at the top, tests beside the code, nothing of one machine."""

import ast
import importlib.metadata
import re
import tomllib
from collections import Counter
from pathlib import Path

import evoter
from project import PACKAGE, ROOT, TESTS, modules, project_files, relative

MAX_LINES = 600
MAX_FILES = 16
"""A folder with more modules than this is hard to survey: give a task in it a folder of its own."""

PYTHON_FILES = [path for path in project_files() if path.suffix == ".py"]
GALLERY = ROOT / "examples" / "gallery"
TEST_FILES = sorted(path for path in TESTS.rglob("test_*.py") if path.parent != TESTS)

TESTED_THROUGH = {
    "rules/numbers/fields.py": "rules/numbers/test_actions.py",
    "rules/parsing/actions.py": "rules/numbers/test_actions.py",
    "rules/parsing/numbers.py": "rules/numbers/test_actions.py",
    "rules/printing/action_pieces.py": "rules/numbers/test_actions.py",
    "analysis/report": "analysis/report/test_writing.py",
    "cli/comparison": "cli/comparison/test_command.py",
    "cli/distillation": "cli/distillation/test_command.py",
    "cli/editing": "cli/editing/test_command.py",
    "distillation/twin.py": "distillation/test_distilling.py",
    "distillation/twin_text.py": "distillation/test_distilling.py",
    "cli/fit": "cli/fit/test_command.py",
    "cli/tables/typed_reader.py": "cli/tables/test_typed_files.py",
    "cli/proofs": "cli/proofs/test_prove.py",
    "cli/studio": "cli/studio/test_command.py",
    "estimators/classification/answering.py": "estimators/test_classifier_answers.py",
    "estimators/classification/given_rules.py": "estimators/test_ruleset_classifier.py",
    "estimators/classification/matching.py": "estimators/test_ruleset_classifier.py",
    "estimators/classification/table_answers.py": "estimators/test_classifier_answers.py",
    "estimators/regression": "estimators/regression/test_regressor.py",
    "estimators/series/series_answers.py": "estimators/test_timeseries.py",
    "evolution/executor.py": "execution/test_conformance.py",
    "evolution/fronts": "evolution/fronts/test_front.py",
    "execution": "execution/test_ray_executor.py",
    "problems/classification/counting.py": "problems/test_row_shards.py",
    "problems/classification/renumbering.py": "problems/classification/test_problem.py",
    "problems/control/player.py": "execution/test_processes.py",
    "problems/prescription/counting.py": "problems/test_row_shards.py",
    "problems/regression/counting.py": "problems/test_row_shards.py",
    "federated/errors.py": "federated/test_coordinator.py",
    "federated/transport.py": "federated/test_coordinator.py",
    "kernels/evaluation/numbers.py": "problems/regression/test_problem.py",
    "cli/plain_words": "cli/plain_words/test_writing.py",
    "language": "language/test_parser.py",
    "language/names": "language/test_parser.py",
    "language/statements": "language/test_parser.py",
    "language/rewriting": "language/rewriting/test_rewrite.py",
    "kernels/conditions/codes.py": "kernels/conditions/test_meaning.py",
    "kernels/variation/single_conditions.py": "kernels/variation/test_create.py",
    "proofs": "proofs/test_questions.py",
    "tables/stored/building.py": "tables/stored/test_cache.py",
    "proofs/points/witness.py": "proofs/test_questions.py",
    "proofs/solving": "proofs/test_proving.py",
    "rules/files": "rules/test_leaf.py",
    "rules/forms": "rules/forms/test_registry.py",
    "rules/modes": "rules/test_modes.py",
    "rules/parsing": "rules/test_parser.py",
    "rules/printing": "rules/test_text.py",
    "rules/reasoning/description.py": "rules/reasoning/test_canonical.py",
    "studio/errors.py": "studio/session/test_session.py",
    "studio/project": "studio/project/test_project.py",
    "studio/server": "studio/server/test_app.py",
    "studio/server/routes": "studio/server/test_app.py",
    "studio/session": "studio/session/test_session.py",
    "__main__.py": "cli/test_app.py",
}
"""Modules, or all modules of a folder, that have no meaning of their own, and the tests of the whole they belong to."""


def test_files_are_short() -> None:
    too_long = [relative(path) for path in PYTHON_FILES if len(path.read_text("utf-8").splitlines()) > MAX_LINES]
    assert not too_long


def test_folders_are_small() -> None:
    sizes = Counter(path.parent for path in modules() if path.name != "__init__.py")
    assert not {relative(folder): size for folder, size in sizes.items() if size > MAX_FILES}


def test_every_file_starts_with_one_sentence() -> None:
    """Say in one sentence what lives in a file; examples of the gallery have a title before it."""
    assert not [relative(path) for path in PYTHON_FILES if not starts_with_a_sentence(path)]


def starts_with_a_sentence(path: Path) -> bool:
    """Tell whether the first paragraph of a file's docstring ends in a full stop."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    if path.parent == GALLERY:
        heading, underline, docstring = f"{docstring}\n\n".split("\n", 2)
        if underline != "=" * len(heading):
            return False
    return docstring.strip().partition("\n\n")[0].endswith(".")


def beginnings(name: str) -> list[str]:
    """Return the names that a name of several words begins with: `leaf_reader` begins with `leaf`."""
    words = name.split("_")
    return ["_".join(words[:n]) for n in range(1, len(words) + 1)]


def test_every_test_names_a_module() -> None:
    """`test_parser_errors` tests `parser`; a test named after a package tests the package."""
    assert not [relative(path) for path in TEST_FILES if not names_a_module(path)]


def names_a_module(path: Path) -> bool:
    """Tell whether a file of tests is named after a module or a package in the same place of the source."""
    folder = PACKAGE / path.parent.relative_to(TESTS)
    names = beginnings(path.stem.removeprefix("test_"))
    return any((folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file() for name in names)


def test_every_module_has_tests() -> None:
    """`leaf_reader`, a piece of `leaf`, may be tested by `test_leaf`."""
    assert not [relative(path) for path in modules() if path.name != "__init__.py" and not has_tests(path)]


def has_tests(path: Path) -> bool:
    """Tell whether a module has tests of its own, or is tested through those of the whole that it belongs to."""
    place = path.relative_to(PACKAGE)
    folder = TESTS / place.parent
    own = [folder / f"test_{name}.py" for name in beginnings(path.stem)] + list(folder.glob(f"test_{path.stem}_*.py"))
    through = TESTED_THROUGH.get(place.as_posix(), TESTED_THROUGH.get(place.parent.as_posix()))
    return any(test.is_file() for test in own) or bool(through and (TESTS / through).is_file())


def test_no_file_names_this_machine_or_a_registry() -> None:
    home, here = re.escape(str(Path.home())), re.escape(str(ROOT.parent))
    foreign = re.compile(rf"(?<![\w.}}-])(?:{home}|{here})/\w|--(?:extra-)?index\b|--find-links|--trusted-host")
    found = {
        f"{relative(path)}:{number}: {line.strip()}"
        for path in project_files()
        if path != Path(__file__) and path.suffix not in {".png", ".gif", ".ico", ".webp", ".woff2"}
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
