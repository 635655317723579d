"""The data of a report: columns, gaps and labels."""

from collections.abc import Sequence

from evoter.analysis.column_summary import ColumnSummary, summarise
from evoter.analysis.formatting import counted
from evoter.analysis.report.markup import bar, details, escaped, number_text, section, share_text, table
from evoter.analysis.report.material import Material
from evoter.analysis.rule_statistics import Confusion
from evoter.rules.schema import Kind

MAX_CATEGORIES = 6
MAX_COLUMNS = 200
"""Beyond these, categories and columns are counted and not listed."""

_HEAD = ["column", "kind", "values", "missing", "beyond training"]


def data_section(material: Material) -> str:
    """Return what is in the columns that rules read, in all others to unfold, and how frequent the labels are."""
    columns = summarise(material.sample.X, material.readable.schema)
    used = set(material.ruleset.features_used)
    n_rows = material.sample.statistics.n_rows
    read = [column for column in columns if column.name in used]
    others = [column for column in columns if column.name not in used]
    parts = [
        f"<p>{counted(n_rows, 'row')} of {counted(len(columns), 'column')}, of which the rules read {len(read)}.</p>",
        table(_HEAD, [_row(column) for column in read], numbers=[3, 4], looks="columns") if read else "",
    ]
    if others:
        listed = table(_HEAD[:-1], [_row(column)[:-1] for column in others[:MAX_COLUMNS]], numbers=[3], looks="columns")
        more = f'<p class="note">And {len(others) - MAX_COLUMNS:,} more.</p>' if len(others) > MAX_COLUMNS else ""
        parts.append(details(f"{counted(len(others), 'column')} that no rule reads", listed + more))
    return section("data", "Data", *parts, _balance(material))


def _row(column: ColumnSummary) -> list[str]:
    n_cells = column.n_values + column.n_missing
    missing = f"{column.n_missing:,} ({share_text(column.n_missing / n_cells)})" if column.n_missing else "none"
    name = f'<span class="feature">{escaped(column.name)}</span>'
    if column.kind is None:
        return [name, "not readable", "dates, mixed values or none", "–", "–"]
    outside = "–" if column.outside is None else f"{column.outside:,}"
    return [name, str(column.kind), _values(column), missing, outside]


def _values(column: ColumnSummary) -> str:
    if column.n_values == 0:
        return "none"
    if column.kind is Kind.NUMERIC:
        assert column.low is not None
        assert column.median is not None
        assert column.high is not None
        return f"{number_text(column.low)} to {number_text(column.high)}, median {number_text(column.median)}"
    shown = [f"{escaped(name)}&nbsp;{size:,}" for name, size in column.counts[:MAX_CATEGORIES]]
    rest = len(column.counts) - MAX_CATEGORIES
    return ", ".join(shown) + (f" and {rest:,} more" if rest > 0 else "")


def _balance(material: Material) -> str:
    confusion = material.sample.statistics.confusion
    if confusion is None:
        return ""
    train = None if material.train is None else material.train.statistics.confusion
    sizes = [_sizes(confusion, confusion.labels), None if train is None else _sizes(train, confusion.labels)]
    head = ["label", material.rows_called, *(["training rows"] if train is not None else [])]
    rows = [
        [escaped(label), *(_share(each[place], sum(each)) for each in sizes if each is not None)]
        for place, label in enumerate(confusion.labels)
    ]
    return table(head, rows, caption="How frequent the labels are", looks="bars")


def _sizes(confusion: Confusion, labels: Sequence[str]) -> list[int]:
    by_label = dict(zip(confusion.labels, confusion.matrix.sum(axis=1).tolist(), strict=True))
    return [by_label.get(label, 0) for label in labels]


def _share(size: int, total: int) -> str:
    share = size / total if total else None
    return f"{bar(share or 0.0)} {share_text(share)} <small>{size:,}</small>"
