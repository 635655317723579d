"""Acute hypotension foreseen from arterial pressure: rules beside a tree and a forest on the same windows."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from series_tasks import hypotension, hypotension_forecast
from series_tasks.hypotension_picture import draw

TASKS = {"2009": hypotension.run, "2019": hypotension_forecast.run}
RESULTS = Path(__file__).parent / "results"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is asked for, and show it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", nargs="+", choices=TASKS, default=list(TASKS), help="PhysioNet 2009, 2019 or both")
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="seeds 0 .. N-1 (10)")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="where results are kept")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw one alarm into this PNG, and nothing else")
    chosen = parser.parse_args(arguments)
    if chosen.picture is not None:
        draw(chosen.picture)
        return
    for task in chosen.task:
        TASKS[task](chosen.runs, chosen.output, Console(stderr=True))


if __name__ == "__main__":
    main()
