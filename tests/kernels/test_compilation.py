"""Compiled kernels: stale machine code is dropped, and what has been compiled is known."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import evoter
from evoter.kernels import compilation
from evoter.kernels.compilation import compiled_before, entry_kernel, kernel


@kernel
def _twice(x: int) -> int:
    return 2 * x


@entry_kernel
def four_times(x: int) -> int:
    return _twice(_twice(x))


def test_kernels_call_each_other() -> None:
    assert four_times(3) == 12
    assert compiled_before(four_times)


SOURCES = ["kernels/layout.py", "kernels/conditions/meaning.py", "kernels/evaluation/masks.py", "environments/cart.py"]


@pytest.mark.parametrize("edited", SOURCES)
def test_machine_code_is_dropped_when_a_source_changes(
    edited: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also that of other folders: numba watches only the file of the function itself."""
    monkeypatch.setattr(compilation, "_HERE", tmp_path / "kernels")
    sources = [tmp_path / source for source in SOURCES]
    for source in sources:
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text("old")
    endings = ("f-1.py311.nbi", "f-1.py311.1.nbc")
    compiled = [path.parent / "__pycache__" / f"{path.stem}.{end}" for path in sources for end in endings]

    def compile_all() -> None:
        for path in compiled:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(b"code")

    def present() -> set[bool]:
        compilation._forget_stale_kernels()
        return {path.exists() for path in compiled}

    assert present() == {False}
    compile_all()
    assert present() == {True}
    (tmp_path / edited).write_text("new")
    assert present() == {False}
    compile_all()
    assert present() == {True}
    (tmp_path / edited).rename((tmp_path / edited).with_name("renamed.py"))
    assert present() == {False}


def test_kernels_of_all_folders_are_watched(tmp_path: Path) -> None:
    """An edit of the meaning of conditions drops the machine code of masks and of Flappy Bird, in a real package."""
    package = tmp_path / "evoter"
    shutil.copytree(Path(evoter.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    load = "import evoter.kernels.evaluation.masks, evoter.environments.cart_pole"

    def import_it() -> None:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        subprocess.run([sys.executable, "-c", load], check=True, env=environment)

    import_it()
    cached = [package / folder / "__pycache__" / "k.nbi" for folder in ("kernels/evaluation", "environments")]
    for path in cached:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"code")
    import_it()
    assert all(path.exists() for path in cached)
    with (package / "kernels" / "conditions" / "meaning.py").open("a") as source:
        source.write("# edited\n")
    import_it()
    assert not any(path.exists() for path in cached)


def test_a_read_only_installation_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "__pycache__"
    blocked.write_text("a file where the folder should be")
    monkeypatch.setattr(compilation, "_HERE", tmp_path)
    compilation._forget_stale_kernels()
    assert blocked.is_file()
