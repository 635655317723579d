"""Compiled kernels: stale machine code is dropped, and what has been compiled is known."""

from pathlib import Path

import pytest

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


def test_machine_code_is_dropped_when_a_source_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "_HERE", tmp_path)
    source = tmp_path / "kernel.py"
    compiled = [tmp_path / "__pycache__" / f"kernel.f-1.py311.{end}" for end in ("nbi", "1.nbc")]

    def compile_all() -> None:
        for path in compiled:
            path.write_bytes(b"code")

    def present() -> list[bool]:
        compilation._forget_stale_kernels()
        return [path.exists() for path in compiled]

    source.write_text("old")
    assert present() == [False, False]
    compile_all()
    assert present() == [True, True]
    source.write_text("new")
    assert present() == [False, False]
    compile_all()
    assert present() == [True, True]


def test_a_read_only_installation_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "__pycache__"
    blocked.write_text("a file where the folder should be")
    monkeypatch.setattr(compilation, "_HERE", tmp_path)
    compilation._forget_stale_kernels()
    assert blocked.is_file()
