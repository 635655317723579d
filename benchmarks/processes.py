"""What takes a fresh process to measure: the first compilation, the second process, the import, and memory."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from measure import Figure
from workloads import Scale, synthetic

PROBES = Path(__file__).with_name("probes.py")
BYTECODE = Path(tempfile.gettempdir()) / "evoter-benchmarks-bytecode"


@dataclass(frozen=True, slots=True)
class Run:
    """What a probe printed, how long its process lived on the wall's clock, and how much CPU time it took."""

    printed: dict[str, Any]
    seconds: float
    cpu: float


def installed_environment(cache: Path | None = None) -> dict[str, str]:
    """Return the environment of a process as after `pip install`, which leaves the bytecode of all modules on disk.

    Without it, every process would translate the sources of all libraries that it imports, for seconds. Here, it is
    kept in a folder of its own, which the first process fills. `cache` is the folder of compiled kernels, else the
    usual one.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(BYTECODE)
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    return environment


def run_probe(*arguments: str, cache: Path | None = None) -> Run:
    """Run a probe in a process of its own; `cache` is the folder of compiled kernels, else the usual one."""
    environment = installed_environment(cache)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(PROBES), *arguments], check=True, stdout=subprocess.PIPE, text=True, env=environment
    )
    seconds = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(json.loads(done.stdout), seconds, cpu)


def start_figures(scale: Scale, preset: str) -> list[Figure]:
    """Time processes from their start to their end, with an empty cache of kernels and with a full one."""
    part = "starting"
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) if scale.cold_compile else None
        if not BYTECODE.exists():
            run_probe("fit", cache=Path(folder) / "unused" if scale.cold_compile else None)
        first = run_probe("fit", cache=cache)
        if scale.cold_compile:
            what = "a process that compiles everything and fits iris"
            note = f"{first.cpu:.1f} s of CPU time"
            figures.append(Figure(part, what, (first.seconds,), "s", scale.target(15.0), at_most=True, note=note))
        second = [run_probe("fit", cache=cache) for _ in range(scale.n_processes)]
    imports = [run_probe("import") for _ in range(scale.n_processes)]
    last = second[-1]
    parts = f"import {last.printed['import']:.2f} s, fit {last.printed['fit']:.2f} s; {last.cpu:.2f} s of CPU time"
    seconds = tuple(run.seconds for run in second)
    figures.append(
        Figure(part, "a second process that fits iris", seconds, "s", scale.target(2.0), at_most=True, note=parts)
    )
    if any(run.printed["numba"] for run in imports):
        raise AssertionError("`import evoter` imports numba")
    seconds = tuple(run.printed["seconds"] for run in imports)
    figures.append(
        Figure(part, "import evoter", seconds, "s", scale.target(0.3), at_most=True, note="numba not imported")
    )
    return figures


def memory_figures(scale: Scale, preset: str) -> list[Figure]:
    """Measure the most memory of a run on the longest table, above what the imported libraries take."""
    workload = synthetic(scale.more_rows)
    with tempfile.TemporaryDirectory() as folder:
        columns, classes = Path(folder) / "columns.npy", Path(folder) / "classes.npy"
        np.save(columns, workload.columns)
        np.save(classes, workload.classes)
        options = ("--preset", preset, "--population", str(scale.population))
        printed = run_probe("memory", str(columns), str(classes), *options).printed
    used = printed["peak"] - printed["before"]
    allowed = 2 * printed["data"] + printed["budget"]
    note = f"data {printed['data']:,.0f}, mask budget {printed['budget']:,.0f}, libraries {printed['before']:,.0f}"
    what = f"{workload.shape}: a run, table included"
    return [Figure("memory", what, (used,), "MiB", scale.target(allowed), at_most=True, note=note)]
