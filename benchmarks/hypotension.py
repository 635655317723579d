"""Acute hypotension predicted from arterial pressure: rules compared with a tree and a forest on the same windows."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import numpy as np
from rich.console import Console

from evoter.analysis.displays.series_display import SeriesDisplay
from evoter.experiments.hypotension.patients import ALARM, FOUND, load
from evoter.experiments.hypotension.window_models import Rules
from series_tasks import hypotension, hypotension_forecast, hypotension_half_hours

TASKS = {"2009": hypotension.run, "2019": hypotension_forecast.run, "half-hours": hypotension_half_hours.show}
RESULTS = Path(__file__).parent / "results"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the chosen tasks and show the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--task",
        nargs="+",
        choices=TASKS,
        default=list(TASKS),
        help="PhysioNet 2009, 2019, or 2009 as in the paper; all by default",
    )
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="seeds 0 .. N-1 (10)")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="where results are kept")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="draw one alarm into this PNG, and nothing else")
    chosen = parser.parse_args(arguments)
    if chosen.picture is not None:
        draw_alarm(chosen.picture)
        return
    for task in chosen.task:
        TASKS[task](chosen.runs, chosen.output, Console(stderr=True))


def draw_alarm(path: Path) -> None:
    """Fit the rules with the first seed, and draw the first test patient for whom they were right to raise an alarm."""
    import_module("matplotlib").use("Agg")
    train, tests = load()
    patients = tests["A and B"]
    model = FOUND.make(0).fit(*train)
    assert isinstance(model, Rules)
    foreseen = np.flatnonzero((patients.labels == ALARM) & (model.predict(patients.panel) == ALARM))
    display = SeriesDisplay.from_estimator(model.classifier, patients.panel[foreseen[:1]], time_step=(1, "min"))
    path.parent.mkdir(parents=True, exist_ok=True)
    display.figure_.savefig(path, metadata={"Software": None})


if __name__ == "__main__":
    main()
