"""How long a first search takes: until its first generation is shown, until everything is compiled, and afterwards.

    python benchmarks/start.py               five processes each, about three minutes on two idle cores
    python benchmarks/start.py --repeats 1   once each

Every first search runs `evoter fit` in a terminal of its own, with an empty directory for compiled kernels. The clock
starts with the process, so that Python and the imports count. The bytecode of Python modules is on disk, as pip leaves
it: one search that is not timed sees to that. Times are on the wall; the load of the machine and the CPU time stand
beside them.
"""

import argparse
import errno
import os
import pty
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from sklearn.datasets import load_iris

from measure import Figure, results_table
from processes import installed_environment, run_probe

PIPE_WIDTH = 150
FIRST, SECOND = r"gen 0 ", r"gen [1-9]"
"""What the progress line says of the first generation, and of later ones, which need the last kernels."""

FIT = ("fit", "iris.csv", "--target", "kind", "--yes", "--force", "--generations", "60", "--patience", "60")


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5, metavar="N", help="how many processes of each kind")
    n = parser.parse_args(arguments).repeats
    load = os.getloadavg()[0]
    figures = [*first_searches(n), warm_ups(max(1, n // 2)), *later_searches(n)]
    title = f"{os.cpu_count()} cores, load {load:.1f} before the first process; medians; wall-clock times"
    console = Console()
    (console if console.is_terminal else Console(width=PIPE_WIDTH)).print(results_table(figures, title))


def first_searches(n: int) -> list[Figure]:
    """Time `evoter fit` with an empty cache of kernels, after one search that only leaves bytecode."""
    runs = []
    for _ in range(n + 1):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            _write_iris(folder / "iris.csv")
            runs.append(_watched(folder, *FIT))
    del runs[0]
    part = "a first search: evoter fit iris.csv, nothing compiled"
    cpu = f"{runs[-1]['cpu']:.1f} s of CPU time"
    return [
        Figure(part, "the first generation is shown", tuple(r[FIRST] for r in runs), "s", 12.0, at_most=True),
        Figure(
            part, "the next ones, with exact moves", tuple(r[SECOND] for r in runs), "s", 25.0, at_most=True,
            note="everything is compiled",
        ),
        Figure(part, "the command ends", tuple(r["end"] for r in runs), "s", note=cpu),
    ]  # fmt: skip


def warm_ups(n: int) -> Figure:
    """Time `evoter warm-up`, which compiles for all kinds of search."""
    seconds = []
    cpu = 0.0
    for _ in range(n):
        with tempfile.TemporaryDirectory() as name:
            run = _watched(Path(name), "warm-up")
            seconds.append(run["end"])
            cpu = run["cpu"]
    part = "ahead of time"
    return Figure(part, "evoter warm-up, all kinds of search", tuple(seconds), "s", note=f"{cpu:.1f} s of CPU time")


def later_searches(n: int) -> list[Figure]:
    """Time processes that find everything compiled."""
    with tempfile.TemporaryDirectory() as name:
        run_probe("fit", cache=Path(name))
        runs = [run_probe("fit", cache=Path(name)) for _ in range(n)]
    part = "a later process: import, and fit iris"
    cpu = f"{runs[-1].cpu:.2f} s of CPU time"
    return [
        Figure(part, "from start to end", tuple(r.seconds for r in runs), "s", 2.0, at_most=True, note=cpu),
        Figure(part, "imports", tuple(r.printed["import"] for r in runs), "s"),
        Figure(part, "fit", tuple(r.printed["fit"] for r in runs), "s"),
    ]


def _write_iris(path: Path) -> None:
    X, y = load_iris(return_X_y=True)
    lines = [",".join([*map(str, row), f"kind {kind}"]) for row, kind in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join(["a,b,c,d,kind", *lines]) + "\n", encoding="utf-8")


def _watched(folder: Path, *arguments: str) -> dict[str, float]:
    """Run a command in a terminal, with an empty cache; return when it first showed each generation, and its end."""
    environment = {**installed_environment(folder / "cache"), "COLUMNS": "120", "TERM": "xterm"}
    reading, writing = pty.openpty()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    command = [sys.executable, "-m", "evoter", *arguments]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=writing
    )
    os.close(writing)
    seen: dict[str, float] = {}
    shown = ""
    while True:
        try:
            piece = os.read(reading, 65536)
        except OSError as error:  # how Linux says that nobody has the terminal open any more
            if error.errno != errno.EIO:
                raise
            break
        if not piece:
            break
        shown += piece.decode(errors="replace")
        for text in (FIRST, SECOND):
            if re.search(text, shown):
                seen.setdefault(text, time.perf_counter() - begin)
    os.close(reading)
    if process.wait() != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {shown}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**seen, "end": time.perf_counter() - begin, "cpu": cpu}


if __name__ == "__main__":
    main()
