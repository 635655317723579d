"""The tables of human activity as Markdown: accuracies and sizes, and how alike the runs are."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean

from comparison.catalogue import Entry
from comparison.records import Record
from comparison.report import cells
from comparison.summary import Row, summarise
from evoter.experiments.activity.overlap import Share, overlap
from evoter.experiments.activity.signals import SPLITS, TITLES
from evoter.experiments.results import REFERENCE

Entries = Mapping[tuple[str, str], Entry]
"""Models by what they are given and their name."""

HEADINGS = ("train", "test", "deviation", "conditions", "features used", "of", "CPU seconds", "p", "runs")
OVERLAP_HEADINGS = ("features used", "of", "in both of either", "in another", "in any other", "near in another")


def markdown(records: Sequence[Record], entries: Entries, features: Mapping[str, Sequence[str]]) -> str:
    """Return the tables of each split; `features` names all that there are, by what models are given."""
    parts = []
    for split, meaning in SPLITS.items():
        chosen = [record for record in records if record.data.endswith(f"-{split}")]
        if chosen:
            parts.append(f"## Split: {split}\n\n{meaning[0].upper()}{meaning[1:]}.\n")
            parts.append(_table(_accuracy_lines(chosen, split, entries, features), ("given", "model"), HEADINGS))
        shared = list(_overlap_lines(chosen, entries, features))
        if shared:
            parts.append(_table(shared, ("given", "model"), OVERLAP_HEADINGS))
    return "\n".join(parts)


def _accuracy_lines(
    records: Sequence[Record], split: str, entries: Entries, features: Mapping[str, Sequence[str]]
) -> Iterable[list[str]]:
    one_split = TITLES if split == "subject" else ()
    for row in summarise(records, one_split=one_split):
        kind = row.data.removesuffix(f"-{split}")
        entry = entries[kind, row.model]
        given = [TITLES[row.data], entry.title + ("" if entry.transparent else " \\*")]
        if not row.n_splits:
            yield [*given, row.failure.replace("|", "\\|"), *[""] * (len(HEADINGS) - 1)]
            continue
        used = [len(record.features) for record in _done(records, row) if record.features]
        figures = {
            **cells(row),
            **({} if row.n_splits > 1 else {"deviation": ""}),
            "features used": f"{fmean(used):,.1f}" if used else "",
            "of": f"{len(features[kind]):,}" if used else "",
            "runs": f"{row.n_splits}",
        }
        yield _marked(row.model, [*given, *(figures[heading] for heading in HEADINGS)])


def _overlap_lines(
    records: Sequence[Record], entries: Entries, features: Mapping[str, Sequence[str]]
) -> Iterable[list[str]]:
    for row in summarise(records):
        kind = row.data.partition("-")[0]
        if not entries[kind, row.model].transparent or kind not in features:
            continue
        found = overlap([record.features for record in _done(records, row)], features[kind])
        if found is None or found.n_used == found.n_features:
            continue
        shares = (found.union, found.shared, found.elsewhere, found.near)
        title = entries[kind, row.model].title
        figures = [f"{found.n_used:,.1f}", f"{found.n_features:,}", *map(_share, shares)]
        yield _marked(row.model, [TITLES[row.data], title, *figures])


def _done(records: Iterable[Record], row: Row) -> list[Record]:
    return [found for found in records if (found.data, found.model) == (row.data, row.model) and not found.failure]


def _share(share: Share | None) -> str:
    return "" if share is None else f"{share.found:.3f} ({share.by_chance:.3f})"


def _marked(model: str, line: list[str]) -> list[str]:
    """Set EVOTER's figures in bold."""
    return [line[0], *(f"**{cell}**" if cell else "" for cell in line[1:])] if model == REFERENCE else line


def _table(lines: Iterable[list[str]], names: Sequence[str], numbers: Sequence[str]) -> str:
    head = ["| " + " | ".join([*names, *numbers]) + " |", "|" + "---|" * len(names) + "---:|" * len(numbers)]
    return "\n".join([*head, *("| " + " | ".join(line) + " |" for line in lines)]) + "\n"


def write_reports(folder: Path, text: str, records: Iterable[Record]) -> None:
    """Write the tables, and every rule set that was evolved."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "activity.md").write_text(text, encoding="utf-8")
    for record in records:
        if record.rules:
            path = folder / "rules" / f"{record.data}-{record.split}.rules"
            path.parent.mkdir(exist_ok=True)
            head = f"# {TITLES[record.data]}, {record.data}, run {record.split}: test accuracy"
            path.write_text(f"{head} {record.test_accuracy:.3f}\n{record.rules}\n", encoding="utf-8")
