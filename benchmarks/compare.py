"""EVOTER compared with other classifiers on the paper's data sets and more: tables, pictures and rules."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from comparison.catalogue import MODELS, present
from comparison.records import Record, Store
from comparison.report import draw_accuracies, terminal_table, verdict, write_reports
from comparison.running import Plan, run
from comparison.summary import summarise
from evoter.experiments.classification.splits import PROTOCOLS
from evoter.experiments.classification.task import PUBLISHED_SPLIT, TITLES
from evoter.experiments.results import REFERENCE

PIPE_WIDTH = 140
RESULTS = Path(__file__).parent / "results"
PEERS = "benchmarks/requirements-peers.txt"


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit what is asked for and not yet fitted, and show everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", choices=TITLES, default=list(TITLES), help="these data sets only")
    parser.add_argument("--models", nargs="+", choices=MODELS, help="these models only")
    parser.add_argument("--protocol", nargs="+", choices=PROTOCOLS, default=["clean", "paper"], help="how to split")
    parser.add_argument("--splits", type=int, default=10, metavar="N", help="number of splits (10)")
    parser.add_argument("--first", type=int, default=0, metavar="SEED", help="seed of the first split (0)")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="the most a fit may take (600)")
    parser.add_argument("--output", type=Path, default=RESULTS, metavar="FOLDER", help="where results are kept")
    chosen = parser.parse_args(arguments)
    log = Console(stderr=True)
    store = Store(chosen.output / "records.jsonl")
    # With shuffled labels the question is whether EVOTER finds what is not there; others may be asked by name.
    wanted = {
        protocol: chosen.models or ([REFERENCE] if protocol == "shuffled" else list(MODELS))
        for protocol in chosen.protocol
    }
    models = {protocol: present([MODELS[name] for name in names], log, PEERS) for protocol, names in wanted.items()}
    seeds = range(chosen.first, chosen.first + chosen.splits)
    plans = [Plan(protocol, chosen.data, models[protocol], seeds, chosen.limit) for protocol in chosen.protocol]
    show(run(plans, store, log), chosen.protocol, chosen.output)
    log.print(f"tables, figures, pictures and rules: {chosen.output}", style="dim", highlight=False)


def show(records: Sequence[Record], protocols: Sequence[str], folder: Path) -> None:
    """Print a table for each protocol, and write everything into a folder."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=PIPE_WIDTH)
    rows = summarise(records, one_split=[PUBLISHED_SPLIT])
    for protocol in protocols:
        chosen = [row for row in rows if row.protocol == protocol]
        if not chosen:
            continue
        console.print(terminal_table(chosen, protocol))
        if protocol != "shuffled":
            console.print(verdict(chosen), "* is a black box.", highlight=False)
            draw_accuracies(chosen, protocol, folder / f"accuracy-{protocol}.png")
    write_reports(folder, rows, records, protocols)


if __name__ == "__main__":
    main()
