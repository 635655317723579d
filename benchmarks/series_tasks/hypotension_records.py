"""The figures of hypotension tasks: one record for each fit and test, and tables of their means."""

import json
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from evoter.experiments.hypotension.alarm_scores import Scores

PIPE_WIDTH = 140

COLUMNS: dict[str, Callable[["Record"], float]] = {
    "accuracy": lambda record: record.scores.accuracy,
    "risk-weighted error": lambda record: record.scores.risk_weighted_error,
    "TPR": lambda record: record.scores.true_positive_rate,
    "FPR": lambda record: record.scores.false_positive_rate,
    "conditions": lambda record: record.n_conditions,
    "seconds": lambda record: record.seconds,
}
"""What tables show of a record."""


@dataclass(frozen=True, slots=True)
class Record:
    """One model, fitted once with a seed, on one test set; `rules` is what a person reads, lags as times."""

    test: str
    model: str
    seed: int
    scores: Scores
    n_conditions: int
    seconds: float
    rules: str = ""


def rows(records: Iterable[Record], columns: Sequence[str]) -> list[list[str]]:
    """Return a row for each test set and model: means over seeds, with the deviation of the first column.

    >>> scores = [Scores(0.8, 1.0, 0.4, 0.2), Scores(0.9, 1.0, 0.2, 0.1)]
    >>> rows([Record("A", "tree", seed, each, 9, 0.1) for seed, each in enumerate(scores)], ["accuracy", "conditions"])
    [['A', 'tree', '2', '0.850 ± 0.050', '9.0']]
    """
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        groups.setdefault((record.test, record.model), []).append(record)
    made = []
    for (test, model), members in groups.items():
        values = [[COLUMNS[column](record) for record in members] for column in columns]
        first = f"{statistics.mean(values[0]):.3f} ± {statistics.pstdev(values[0]):.3f}"
        others = [_mean(column, each) for column, each in zip(columns[1:], values[1:], strict=True)]
        made.append([test, model, str(len(members)), first, *others])
    return made


def _mean(column: str, values: Sequence[float]) -> str:
    return (
        f"{statistics.mean(values):,.1f}" if column in ("conditions", "seconds") else f"{statistics.mean(values):.3f}"
    )


def show(title: str, records: Iterable[Record], columns: Sequence[str]) -> None:
    """Print the means as a table, in a pipe as wide as it needs to be."""
    console = Console()
    table = Table(title=title, title_justify="left")
    for name in ("test", "model", "runs", *columns):
        table.add_column(name, justify="left" if name in ("test", "model") else "right")
    for row in rows(records, columns):
        table.add_row(*row)
    console = console if console.is_terminal else Console(width=PIPE_WIDTH)
    console.print(table)


def write(folder: Path, name: str, records: Sequence[Record], columns: Sequence[str], facts: object) -> None:
    """Write the records, a table in Markdown and what else is known into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {"facts": facts, "records": [asdict(record) for record in records]}
    (folder / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    head = ["test", "model", "runs", *columns]
    lines = [head, ["---"] * 2 + ["---:"] * (len(head) - 2), *rows(records, columns)]
    rules = [f"{record.model}, seed {record.seed}:\n\n```text\n{record.rules}\n```" for record in _readable(records)]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    (folder / f"{name}.md").write_text("\n\n".join([text, *rules]) + "\n", encoding="utf-8")


def _readable(records: Iterable[Record]) -> list[Record]:
    """Return one record for each rule set, however many test sets it was tried on."""
    return list({(record.model, record.seed): record for record in records if record.rules}.values())
