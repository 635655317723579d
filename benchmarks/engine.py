"""How fast the engine is and how much memory it takes: ratios to baselines within one run, with their targets."""

import argparse
import json
import os
import platform
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from rich.console import Console

from evaluation import evaluation_figures
from kernel_times import kernel_figures
from measure import Figure, results_table
from processes import memory_figures, start_figures
from scaling import loop_figures, row_figures, thread_figures
from workloads import FULL, QUICK, SEED, Scale, iris

PIPE_WIDTH = 170

PARTS: dict[str, Callable[[Scale, str], list[Figure]]] = {
    "evaluation": evaluation_figures,
    "loop": loop_figures,
    "rows": row_figures,
    "memory": memory_figures,
    "threads": thread_figures,
    "start": start_figures,
    "kernels": kernel_figures,
}

USUAL = [name for name in PARTS if name != "kernels"]
"""What has targets; where the time goes is a question for whoever misses one."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure what is asked for, and show it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small tables, few repeats, no targets: does it run?")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as well")
    parser.add_argument("--preset", choices=("default", "paper"), default="default", help="settings of evolution")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=USUAL, help="measure these parts only")
    chosen = parser.parse_args(arguments)
    scale = QUICK if chosen.quick else FULL
    figures = measure(scale, chosen.preset, chosen.only)
    title = (
        f"preset {chosen.preset}, population {scale.population:,}, seed {SEED}; medians; CPU time of one thread, "
        "except threads and starting (wall)"
    )
    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPE_WIDTH)
    console.print(results_table(figures, title))
    if chosen.json is not None:
        report = {
            "machine": machine(),
            "quick": chosen.quick,
            "seed": SEED,
            "settings": scale.settings(chosen.preset).as_dict(),
            "figures": [figure.as_dict() for figure in figures],
        }
        chosen.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def measure(scale: Scale, preset: str, parts: Sequence[str]) -> list[Figure]:
    """Measure some parts, one after the other, with kernels that are compiled before the clock starts."""
    log = Console(stderr=True)
    log.print("loading kernels", style="dim")
    warm_up = iris().evolution(scale.settings(preset))
    warm_up.step()
    warm_up.step()
    figures: list[Figure] = []
    for name in parts:
        log.print(f"measuring: {name}", style="dim")
        figures += PARTS[name](scale, preset)
    return figures


def machine() -> dict[str, object]:
    """Say what the figures were measured on."""
    packages = ("numpy", "numba", "scikit-learn")
    return {
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "processor": platform.machine(),
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
    }


if __name__ == "__main__":
    main()
