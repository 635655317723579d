"""What results are results of: the source code that learns, under a short name."""

import hashlib
from functools import cache
from pathlib import Path

import evoter

LEARNING_PARTS = ("rules", "kernels", "tables", "genome", "evolution", "environments", "problems", "estimators")
"""The parts of this project that a fit depends on."""


def learning_version() -> str:
    """Return the version of this project with a digest of the source that learns."""
    return f"evoter {evoter.__version__} {source_digest(*_sources(*LEARNING_PARTS))}"


def experiment_version(*parts: str) -> str:
    """Return the same with a digest of some parts of the experiments: those that a runner's results come from."""
    return f"{learning_version()} {source_digest(*_sources(*(f'experiments/{part}' for part in parts)))}"


def _sources(*parts: str) -> list[Path]:
    folder = Path(evoter.__file__).parent
    return [path for part in parts for path in sorted((folder / part).rglob("*.py"))]


@cache
def source_digest(*paths: Path) -> str:
    """Return a short name for source code: while it is worked on, its version says too little."""
    seen = hashlib.sha256()
    for path in paths:
        seen.update(path.read_bytes())
    return seen.hexdigest()[:12]
