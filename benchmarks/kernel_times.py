"""Where the time of a generation goes: CPU time of every kernel that Python calls, and of Python around them."""

import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import mean

from numba.core.dispatcher import Dispatcher

from measure import CPU, Figure, Stopwatch, no_collector
from workloads import FIRST_MEASURED, Scale, Workload, activity_recognition, iris, synthetic

Times = dict[str, float]


def kernel_figures(scale: Scale, preset: str) -> list[Figure]:
    """Split the time of a generation among kernels, on a small, a large and a wide table."""
    figures = []
    for workload in (iris(), synthetic(scale.rows[-1]), activity_recognition(scale.har_shape)):
        figures += _split(workload, scale, preset)
    return figures


def _split(workload: Workload, scale: Scale, preset: str) -> list[Figure]:
    watch = Stopwatch()
    times: dict[str, list[float]] = defaultdict(list)
    evolution = workload.evolution(scale.settings(preset))
    for _ in range(FIRST_MEASURED):
        evolution.step()
    with no_collector(), timed_kernels() as current:
        for _ in range(scale.n_generations):
            current.clear()
            with watch:
                evolution.step()
            for name, seconds in current.items():
                times[name].append(seconds)
            times["(Python and NumPy)"].append(watch.seconds[-1] - sum(current.values()))
    part = f"a generation by kernels, {workload.shape}"
    whole = mean(watch.seconds)
    figures = [
        Figure(part, name, tuple(1e3 * t for t in seconds), "ms", note=f"{mean(seconds) / whole:.0%}")
        for name, seconds in sorted(times.items(), key=lambda item: -mean(item[1]))
    ]
    return [*figures, Figure(part, "all", tuple(1e3 * t for t in watch.seconds), "ms")]


@contextmanager
def timed_kernels() -> Iterator[Times]:
    """Add up the CPU time of each kernel that the package calls from Python, under the kernel's name."""
    times: Times = defaultdict(float)
    replaced = []
    for module_name, module in list(sys.modules.items()):
        if not module_name.startswith("evoter.") or module_name.startswith("evoter.kernels."):
            continue
        for name, kernel in list(vars(module).items()):
            if isinstance(kernel, Dispatcher):
                setattr(module, name, _timed(name, kernel, times))
                replaced.append((module, name, kernel))
    try:
        yield times
    finally:
        for module, name, kernel in replaced:
            setattr(module, name, kernel)


def _timed(name: str, kernel: Callable[..., object], times: Times) -> Callable[..., object]:
    def timed(*arguments: object) -> object:
        begin = CPU()
        try:
            return kernel(*arguments)
        finally:
            times[name] += CPU() - begin

    return timed
