"""Versions change with the source that decides what comes out, and with no other."""

from pathlib import Path

import evoter
from evoter.experiments.runners import RUNNERS
from evoter.experiments.versions import LEARNING_PARTS, experiment_version, learning_version, source_digest


def test_digests_are_those_of_the_content(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in "abc")
    first.write_text("x", encoding="utf-8")
    second.write_text("x", encoding="utf-8")
    third.write_text("y", encoding="utf-8")
    assert source_digest(first) == source_digest(second) != source_digest(third)


def test_all_parts_are_there() -> None:
    folder = Path(evoter.__file__).parent
    assert all((folder / part).is_dir() for part in LEARNING_PARTS)
    parts = {part for runner in RUNNERS.values() for part in runner.parts}
    assert all((folder / "experiments" / part).is_dir() for part in parts)
    assert experiment_version("control").startswith(learning_version())
    assert experiment_version("control") != experiment_version("boundaries")
    assert evoter.__version__ in learning_version()
