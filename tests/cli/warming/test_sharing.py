"""What is due is compiled before a search begins: all of it where time is limited, else what the first generation needs."""

import subprocess
import sys
import time
from typing import Any

import pytest

from evoter.cli.warming.sharing import compiling_together
from evoter.problems import warming
from evoter.rules.model import Mode


@pytest.mark.parametrize("limited", [True, False])
def test_a_limited_search_begins_when_everything_is_compiled(limited: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[object] = []
    started: list[Any] = []
    monkeypatch.setattr(warming, "kernels_are_cold", lambda: True)
    monkeypatch.setattr(warming, "warm_up", done.append)
    monkeypatch.setattr(warming, "warm_up_first_generation", lambda: done.append("first"))
    monkeypatch.setattr(warming, "_second_share", "import time; time.sleep(600)  # {everything}")
    popen: Any = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> Any:
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    with compiling_together(limited=limited, progress=False):
        assert done == [Mode.FIRST if limited else "first"]
        (other,) = started
        assert other.poll() is None
    assert other.poll() is not None, "the other process does not outlive the search"


def test_where_nothing_is_due_no_process_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warming, "kernels_are_cold", lambda: False)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: pytest.fail("a process was started"))
    with compiling_together(limited=True, progress=False):
        pass


def test_the_other_process_ends_when_this_one_is_killed() -> None:
    code = "from evoter.problems.warming import end_with_parent; end_with_parent(); print(1, flush=True)"
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}; import time; time.sleep(600)"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        other.stdout.readline()
        begin = time.monotonic()
        other.stdin.close()  # as the operating system does for a process that is killed
        assert other.wait(timeout=60) == 0
        assert time.monotonic() - begin < 60
