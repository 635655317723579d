"""The cache of machine code: found where it can be written, rebuilt when damaged, and never used for other sources."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from evoter.kernels import machine_code
from evoter.kernels.compilation import entry_kernel
from evoter.kernels.machine_code import cache_folder, kernels_digest

SCRIPT = """
import sys
import tempfile
from evoter.kernels.compilation import compiled_before, entry_kernel
from evoter.kernels.machine_code import cache_folder

@entry_kernel
def add(x: int) -> int:
    return x + 1

before = compiled_before(add)
print(add(1), before, cache_folder())
"""


def run(tmp_path: Path, code: str = SCRIPT, **variables: str) -> list[str]:
    """Run a script with a kernel of its own in a new process; return what it prints."""
    script = tmp_path / "script.py"
    script.write_text(code, encoding="utf-8")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **variables}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.split()


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(tmp_path / "cache")


def files(folder: str) -> list[Path]:
    return sorted(path for path in Path(folder).rglob("*") if path.is_file())


def test_a_second_process_loads_what_the_first_compiled(tmp_path: Path, folder: str) -> None:
    assert run(tmp_path, NUMBA_CACHE_DIR=folder)[:2] == ["2", "False"]
    assert len(files(folder)) == 1
    assert run(tmp_path, NUMBA_CACHE_DIR=folder)[:2] == ["2", "True"]
    assert len(files(folder)) == 1


def damaged(content: bytes) -> Iterator[bytes]:
    """Yield an empty file, one that is cut short, foreign text, and one with a flipped bit in its last half."""
    yield b""
    yield content[: len(content) // 2]
    yield b"hello"
    flipped = bytearray(content)
    flipped[-len(content) // 3] ^= 1
    yield bytes(flipped)


def test_damaged_machine_code_is_compiled_again(tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def add(x: int) -> int:
        return x + 1

    monkeypatch.setattr(machine_code, "cache_folder", lambda: tmp_path)
    assert entry_kernel(add)(1) == 2
    (path,) = files(str(tmp_path))
    whole = path.read_bytes()
    for content in damaged(whole):
        path.write_bytes(content)
        assert entry_kernel(add)(1) == 2
        assert len(path.read_bytes()) > len(whole) // 2, "it was written again"
    path.write_bytes(whole)
    again = entry_kernel(add)
    assert again(1) == 2
    assert path.read_bytes() == whole


def test_a_kernel_outside_the_package_is_compiled_again_when_its_file_changes(tmp_path: Path, folder: str) -> None:
    assert run(tmp_path, NUMBA_CACHE_DIR=folder)[0] == "2"
    assert run(tmp_path, SCRIPT.replace("x + 1", "x + 7"), NUMBA_CACHE_DIR=folder)[0] == "8"


def test_an_edit_of_any_kernel_source_gives_another_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "_PACKAGE", tmp_path)
    nested = tmp_path / "kernels" / "deep" / "down"
    nested.mkdir(parents=True)
    (tmp_path / "environments").mkdir()
    digests = [kernels_digest()]
    for path in (tmp_path / "kernels" / "a.py", nested / "b.py", tmp_path / "environments" / "c.py"):
        for content in ("one", "two"):
            path.write_text(content)
            digests.append(kernels_digest())
    assert len(set(digests)) == len(digests)


def test_without_a_home_or_a_writable_package_there_is_still_a_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file stands where the folder should be: permissions do not stop whoever runs these tests as root."""
    package = tmp_path / "package"
    (package / "kernels").mkdir(parents=True)
    (package / "kernels" / "__pycache__").write_text("a file where the folder should be")
    monkeypatch.setattr(machine_code, "_PACKAGE", package)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as where there is no home
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    found = cache_folder.__wrapped__()
    assert found is not None
    assert found.is_relative_to(tmp_path / "temporary")
    assert not (tmp_path / "~").exists()


def test_without_any_folder_kernels_still_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run(tmp_path, NUMBA_CACHE_DIR=str(tmp_path / "file" / "below"))
    assert result == ["2", "False", "None"]


def test_code_is_not_loaded_from_a_folder_that_others_can_write_to(tmp_path: Path, folder: str) -> None:
    found = Path(run(tmp_path, NUMBA_CACHE_DIR=folder)[2])
    found.chmod(0o777)
    assert run(tmp_path, NUMBA_CACHE_DIR=folder) == ["2", "False", "None"]


def test_what_cannot_be_stored_is_compiled_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another numba may keep its compiled code otherwise."""

    def stored(result: object) -> tuple[object, ...]:
        raise AttributeError("there is no such thing")

    monkeypatch.setattr(machine_code, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(machine_code, "readable_folders", lambda: (tmp_path,))
    monkeypatch.setattr(machine_code, "stored", stored)

    @entry_kernel
    def add(x: int) -> int:
        return x + 1

    assert add(1) == 2
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".kernel"]
