"""Human activity from nine signals of 128 samples: rules with lags compared with other classifiers."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from comparison.catalogue import Entry, present
from comparison.records import Store
from comparison.running import Bench, Plan, run
from evoter.experiments.activity.signal_models import statistics
from evoter.experiments.activity.signals import COLUMNS, SPLITS, TITLES, WARM_UP, load_signals
from series_tasks.activity_models import ON_RAW_VALUES, ON_STATISTICS
from series_tasks.activity_report import markdown, write_reports
from series_tasks.peers import PEERS

RESULTS = Path(__file__).parent.parent / "results" / "activity"
REQUIREMENTS = "benchmarks/requirements-series-peers.txt"

ENTRIES: dict[tuple[str, str], Entry] = {
    (features, entry.name): entry
    for features, entries in (("raw", ON_RAW_VALUES), ("windows", ON_STATISTICS), ("series", PEERS))
    for entry in entries
}
"""The models, by what they are given and their name."""


def find_entry(data: str, model: str) -> Entry:
    """Return a model by the name of its data, such as `raw-random`, and its own."""
    return ENTRIES[data.partition("-")[0], model]


BENCH = Bench(TITLES, load_signals, find_entry, WARM_UP)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add this task's options to a command line."""
    parser.add_argument("--runs", type=int, default=10, metavar="N", help="seeds 0 .. N-1 (10)")
    parser.add_argument("--split", choices=[*SPLITS, "both"], default="both", help="how to divide rows (both)")
    parser.add_argument("--features", choices=["raw", "windows", "both"], default="both", help="what to learn from")
    parser.add_argument("--models", nargs="+", choices=sorted({name for _, name in ENTRIES}), help="these models only")
    parser.add_argument("--peers", action="store_true", help=f"aeon's classifiers, too; pip install -r {REQUIREMENTS}")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="the most a fit may take (600)")
    parser.add_argument("--out", type=Path, default=RESULTS, metavar="FOLDER", help="where results are kept")


def main(chosen: argparse.Namespace) -> None:
    """Fit what is asked for and not yet fitted, print the tables, and write them and the rules into a folder."""
    log = Console(stderr=True)
    kinds = ["raw", "windows"] if chosen.features == "both" else [chosen.features]
    kinds += ["series"] if chosen.peers else []
    models = {kind: present(_wanted(kind, chosen.models), log, REQUIREMENTS) for kind in kinds}
    plans = [
        Plan("clean", [f"{kind}-{split}"], models[kind], range(chosen.runs), chosen.limit, BENCH)
        for split in (SPLITS if chosen.split == "both" else [chosen.split])
        for kind in kinds
    ]
    records = run(plans, Store(chosen.out / "records.jsonl"), log)
    text = markdown(records, ENTRIES, {"raw": COLUMNS, "windows": list(statistics(load_signals(WARM_UP).data))})
    Console(soft_wrap=True).print(text, markup=False, highlight=False)
    write_reports(chosen.out, text, records)
    log.print(f"tables and rules: {chosen.out}", style="dim", highlight=False)


def _wanted(kind: str, names: Sequence[str] | None) -> list[Entry]:
    return [entry for (given, name), entry in ENTRIES.items() if given == kind and (not names or name in names)]
