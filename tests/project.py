"""What the house tests look at: the files of the project, and what each module imports."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "evoter"
TESTS = ROOT / "tests"

_GENERATED = {"__pycache__", "_build", "auto_examples", "build", "dist"}
_HIDDEN_SOURCES = {".ci", ".github", ".gitignore", ".pre-commit-config.yaml"}


def project_files(folder: Path = ROOT) -> Iterator[Path]:
    """Yield the files a person wrote or that are kept beside them, and none that a tool generates."""
    for path in sorted(folder.iterdir()):
        if path.name in _GENERATED or path.suffix == ".egg-info":
            continue
        if path.name.startswith(".") and path.name not in _HIDDEN_SOURCES:
            continue
        if path.is_dir():
            yield from project_files(path)
        else:
            yield path


def modules() -> list[Path]:
    """Return the source files of the package, in order."""
    return sorted(PACKAGE.rglob("*.py"))


def relative(path: Path) -> str:
    """Return the path as seen from the project's root."""
    return path.relative_to(ROOT).as_posix()


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module; `typing_only` if it is imported for annotations alone."""

    module: str
    line: int
    typing_only: bool


def imports(path: Path) -> list[Import]:
    """Return all imports of a module, also those inside functions."""
    return list(_imports(ast.parse(path.read_text(encoding="utf-8")), typing_only=False))


def _imports(node: ast.AST, *, typing_only: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(alias.name, node.lineno, typing_only)
    elif isinstance(node, ast.ImportFrom):
        yield from (Import(name, node.lineno, typing_only) for name in _imported_from(node))
    else:
        guarded = node.body if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test) else []
        for child in ast.iter_child_nodes(node):
            yield from _imports(child, typing_only=typing_only or child in guarded)


def _imported_from(node: ast.ImportFrom) -> Iterator[str]:
    """Yield the modules that `from x import y` reads: x, or x.y where that is a module itself."""
    module = node.module or ""
    for alias in node.names:
        submodule = PACKAGE.parent.joinpath(*module.split("."), alias.name)
        is_module = submodule.is_dir() or submodule.with_name(f"{alias.name}.py").is_file()
        yield f"{module}.{alias.name}" if is_module else module
