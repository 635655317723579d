"""The results: tables in the terminal, as Markdown and JSON, a picture, and the rules as text."""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.markup import escape
from rich.table import Table

from comparison.catalogue import MODELS
from comparison.records import Record
from comparison.summary import Row, dominating
from evoter.analysis.displays.complexity_display import ComplexityDisplay, Spot
from evoter.experiments.classification.splits import PROTOCOLS
from evoter.experiments.classification.task import TITLES
from evoter.experiments.pictures import draw_trade_off
from evoter.experiments.results import REFERENCE

HEADINGS = ("train", "test", "deviation", "conditions", "AIC", "BIC", "CPU seconds", "p")
CHANCE_HEADINGS = ("train", "test", "deviation", "majority", "prior", "conditions", "CPU seconds", "p")


def headings(protocol: str) -> tuple[str, ...]:
    """Return the columns of a protocol's table."""
    return CHANCE_HEADINGS if protocol == "shuffled" else HEADINGS


def cells(row: Row) -> dict[str, str]:
    """Return a row's figures by heading."""
    return {
        "train": f"{row.train_accuracy:.3f}",
        "test": f"{row.test_accuracy:.3f}",
        "deviation": f"{row.deviation:.3f}",
        "majority": f"{row.majority:.3f}",
        "prior": f"{row.prior:.3f}",
        "conditions": f"{row.complexity:,.1f}" if row.complexity < 1_000 else f"{row.complexity:,.0f}",
        "AIC": f"{row.aic:,.0f}",
        "BIC": f"{row.bic:,.0f}",
        "CPU seconds": f"{row.seconds:,.2f}",
        "p": "" if row.p_value is None else f"{row.p_value:.3f}",
    }


def terminal_table(rows: Sequence[Row], protocol: str) -> Table:
    """Return one protocol's table for the terminal, EVOTER in bold."""
    table = Table(title=f"{protocol}: {PROTOCOLS[protocol]}", title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("model", no_wrap=True)
    for heading in headings(protocol):
        table.add_column(heading, justify="right", no_wrap=True)
    data = ""
    for row in rows:
        if row.data != data:
            if data:
                table.add_section()
            data = row.data
            table.add_row(f"[bold]{TITLES[data]}[/bold]")
        figures = cells(row)
        style = "bold green" if row.model == REFERENCE else None
        title = f"  {MODELS[row.model].title}{mark(row)}"
        if row.n_splits:
            table.add_row(title, *(figures[heading] for heading in headings(protocol)), style=style)
        else:
            table.add_row(f"{title}: {escape(row.failure)}", style="dim")
    return table


def mark(row: Row) -> str:
    """Return the marks after a model's name: that it is a black box, or was not fitted on all splits."""
    black_box = "" if MODELS[row.model].transparent else " *"
    return f"{black_box} ({row.n_splits} splits)" if row.failure and row.n_splits else black_box


def verdict(rows: Sequence[Row]) -> str:
    """Say on which data sets a transparent model is both no less accurate and no larger than EVOTER."""
    ahead = dominating(rows)
    data = dict.fromkeys(row.data for row in rows if row.model == REFERENCE)
    if not data:
        return ""
    lost = {name: [MODELS[row.model].title for row in ahead if row.data == name] for name in data}
    free = [TITLES[name] for name in data if not lost[name]]
    sentences = [f"No transparent model dominates EVOTER on: {', '.join(free)}."] if free else []
    sentences += [f"{', '.join(names)} dominate EVOTER on: {TITLES[name]}." for name, names in lost.items() if names]
    return " ".join(sentences)


def markdown(rows: Sequence[Row], protocols: Iterable[str]) -> str:
    """Return all tables as Markdown, each under what its protocol means."""
    parts = []
    for protocol in protocols:
        chosen = [row for row in rows if row.protocol == protocol]
        if not chosen:
            continue
        columns = headings(protocol)
        lines = [f"## Protocol: {protocol}", "", f"{PROTOCOLS[protocol][0].upper()}{PROTOCOLS[protocol][1:]}.", ""]
        lines += ["| data | model | " + " | ".join(columns) + " |", "|---|---|" + "---:|" * len(columns)]
        lines += [_markdown_line(row, columns) for row in chosen]
        if protocol != "shuffled":
            lines += ["", verdict(chosen)]
        parts.append("\n".join(lines).rstrip() + "\n")
    return "\n".join(parts)


def _markdown_line(row: Row, columns: Sequence[str]) -> str:
    title = MODELS[row.model].title + mark(row).replace("*", "\\*")
    if not row.n_splits:
        shown = [row.failure.replace("|", "\\|").replace("\n", " "), *[""] * (len(columns) - 1)]
    else:
        shown = [cells(row)[column] for column in columns]
    if row.model == REFERENCE:
        title, shown = f"**{title}**", [f"**{cell}**" if cell else "" for cell in shown]
    return f"| {TITLES[row.data]} | {title} | " + " | ".join(shown) + " |"


def write_reports(folder: Path, rows: Sequence[Row], records: Sequence[Record], protocols: Sequence[str]) -> None:
    """Write the tables, the figures behind them, and the rule set of each data set's first split."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "comparison.md").write_text(markdown(rows, protocols), encoding="utf-8")
    figures = {
        "protocols": {protocol: PROTOCOLS[protocol] for protocol in protocols},
        "rows": [{"title": MODELS[row.model].title, **row.as_dict()} for row in rows],
    }
    (folder / "comparison.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    for record in records:
        if record.rules and record.split == 0:
            path = folder / "rules" / f"{record.data}-{record.protocol}.rules"
            path.parent.mkdir(exist_ok=True)
            score = f"# {TITLES[record.data]}, protocol {record.protocol}, split 0: test accuracy"
            path.write_text(f"{score} {record.test_accuracy:.3f}\n{record.rules}\n", encoding="utf-8")


def draw_accuracies(rows: Sequence[Row], protocol: str, path: Path) -> None:
    """Draw the rows of one protocol as a PNG."""
    shown = [row for row in rows if row.protocol == protocol and row.n_splits]
    plots = {}
    for name in dict.fromkeys(row.data for row in shown):
        own = {MODELS[row.model].title: row for row in shown if row.data == name}
        plots[TITLES[name]] = ComplexityDisplay(
            {title: Spot(row.complexity, row.test_accuracy) for title, row in own.items()},
            highlight={title for title, row in own.items() if row.model == REFERENCE},
            muted={title for title, row in own.items() if not MODELS[row.model].transparent},
            log=True,
        )
    draw_trade_off(plots, f"Protocol {protocol}: more accurate is higher, simpler is further left", path)
