"""The cache of machine code with several processes, with folders that cannot be written to, and after kills."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

SCRIPT = """
import os, resource, sys
before_import = os.environ.get("BEFORE", "")
from evoter.kernels.compilation import entry_kernel
from evoter.kernels.machine_code import cache_folder, readable_folders

@entry_kernel
def add(x: int) -> int:
    return x + 1

exec(before_import)
print(add(1), sum(add.stats.cache_misses.values()))
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """Make a folder that other users can enter, unlike those that pytest makes."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def start(folder: Path, before: str = "", script: str = SCRIPT) -> "subprocess.Popen[str]":
    """Start a process that compiles a kernel, or loads it; `before` is done just before."""
    path = folder / "script.py"
    if not path.exists():
        path.write_text(script, encoding="utf-8")
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": str(folder / "cache")}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, str(path)], env={**environment, "BEFORE": before}, **pipes)  # type: ignore[call-overload, no-any-return]


def result(process: "subprocess.Popen[str]") -> list[str]:
    """Return the sum that a process printed, and how many kernels it had to compile."""
    printed, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert errors == ""
    return printed.split()


def names(folder: Path) -> list[str]:
    return [path.name for path in (folder / "cache").rglob("*") if path.is_file()]


def test_of_four_processes_at_once_one_compiles(open_folder: Path) -> None:
    """All wait for the same moment, so that they ask for the kernel at the same time."""
    moment = time.time() + 8.0
    wait = f"import time; time.sleep(max(0.0, {moment} - time.time()))"
    results = [result(process) for process in [start(open_folder, wait) for _ in range(4)]]
    assert sorted(results) == [["2", "0"], ["2", "0"], ["2", "0"], ["2", "1"]]
    assert len(names(open_folder)) == 1
    assert names(open_folder)[0].endswith(".kernel")


KILL_AT = """
def kill(event, arguments):
    if event == {event!r} and {condition}:
        os.kill(os.getpid(), 9)
sys.addaudithook(kill)
"""


@pytest.mark.parametrize(
    ("event", "condition"),
    [
        ("open", "'.kernel.' in str(arguments[0]) and str(arguments[0]).endswith('.tmp')"),
        ("os.rename", "'.kernel' in str(arguments[1])"),
    ],
)
def test_a_kill_while_code_is_written_leaves_nothing_that_is_loaded(
    event: str, condition: str, open_folder: Path
) -> None:
    killed = start(open_folder, KILL_AT.format(event=event, condition=condition))
    killed.communicate(timeout=120)
    assert killed.returncode == -signal.SIGKILL
    assert not [name for name in names(open_folder) if name.endswith(".kernel")]
    assert result(start(open_folder)) == ["2", "1"]
    assert len(names(open_folder)) == 1, "drafts and locks of the killed process are gone"
    assert result(start(open_folder)) == ["2", "0"]


def test_a_process_that_waits_goes_on_when_the_other_one_is_killed(open_folder: Path) -> None:
    """The first one stops with the reservation in its hands, and is killed."""
    stop = KILL_AT.format(event="os.rename", condition="'.kernel' in str(arguments[1])").replace(", 9)", ", 19)")
    first = start(open_folder, stop)
    os.waitpid(first.pid, os.WUNTRACED)
    second = start(open_folder)
    with pytest.raises(subprocess.TimeoutExpired):
        second.communicate(timeout=5)
    first.kill()
    assert result(second) == ["2", "1"]
    first.communicate()


def test_a_full_disk_costs_the_cache_and_nothing_else(open_folder: Path) -> None:
    """A limit on the size of files makes every write fail, as on a full disk."""
    full = "resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))"
    assert result(start(open_folder, full)) == ["2", "1"]
    assert not [name for name in names(open_folder) if name.endswith((".kernel", ".tmp"))]
    assert result(start(open_folder)) == ["2", "1"]
    assert result(start(open_folder)) == ["2", "0"]


def test_a_folder_that_cannot_be_written_to_is_still_read(open_folder: Path) -> None:
    """As in an image: its code was compiled when it was built, by a user who may write there."""
    assert result(start(open_folder)) == ["2", "1"]
    (found,) = (open_folder / "cache").iterdir()
    found.chmod(0o555)
    # Another user may not be able to read what numba imports when it is first used.
    other = "import numba; numba.njit(lambda: 1)(); os.geteuid() == 0 and os.setuid(65534)"
    unwritable = f"{other}\nassert not os.access({str(found)!r}, os.W_OK) and cache_folder() is None"
    assert result(start(open_folder, unwritable)) == ["2", "0"]
    found.chmod(0o755)
