"""Fronts as tables of text: aligned for reading, in Markdown and in HTML."""

import math
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from evoter.rules.printing.markdown import code_span

if TYPE_CHECKING:
    from evoter.evolution.fronts.front import Front

MARK = "*"
"""What follows the number of the chosen candidate."""


def front_columns(front: "Front") -> list[list[str]]:
    """Return the columns of the table, each with its heading first."""
    numbers = [f"{number}{MARK if number == front.chosen else ''}" for number in range(len(front))]
    columns = [["number", *numbers]]
    for objective in front.objectives:
        heading = f"{_printable(objective.name)} {'↑' if objective.maximise else '↓'}"
        columns.append([heading, *_numbers([candidate.scores[objective.name] for candidate in front])])
    sizes = {"conditions": "n_conditions", "rules": "n_rules", "features": "n_features"}
    named = {objective.name for objective in front.objectives}
    if "complexity" in named:
        named.add("conditions")
    for heading, attribute in sizes.items():
        if heading not in named:
            columns.append([heading, *(str(getattr(candidate, attribute)) for candidate in front)])
    return columns


def text_table(front: "Front") -> str:
    """Print a front as an aligned table."""
    columns = front_columns(front)
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for first, *rest in zip(*columns, strict=True):
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def markdown_table(front: "Front") -> str:
    """Print a front as a Markdown table; headings are code spans, so that they cannot act as markup."""
    columns = front_columns(front)
    heads = [code_span(head).replace("|", r"\|") for head, *_ in columns]
    rows = list(zip(*(column[1:] for column in columns), strict=True))
    aligned = [":---", *["---:"] * (len(heads) - 1)]
    bold = [[f"**{cell.removesuffix(MARK)}**" for cell in row] if row[0].endswith(MARK) else row for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, aligned, *bold])


def html_table(front: "Front") -> str:
    """Print a front as an HTML table; the rules of a candidate appear when the pointer rests on its row."""
    columns = front_columns(front)
    head = "".join(f'<th style="text-align:right">{escape(head)}</th>' for head, *_ in columns)
    rows = []
    for candidate, cells in zip(front, zip(*(column[1:] for column in columns), strict=True), strict=True):
        weight = "font-weight:bold" if cells[0].endswith(MARK) else ""
        text = escape(candidate.ruleset.to_text(declarations=False))
        body = "".join(f'<td style="text-align:right">{escape(cell)}</td>' for cell in cells)
        rows.append(f'<tr style="{weight}" title="{text}">{body}</tr>')
    note = "" if front.chosen is None else f"<caption>{MARK} the chosen one</caption>"
    return f'<table class="evoter-front">{note}<thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def _numbers(values: Sequence[float]) -> list[str]:
    """Write numbers with the same decimals, as few as tell them apart, three to six; whole numbers have none.

    >>> _numbers([0.5, 0.8123, 0.81234]), _numbers([3.0, 12.0]), _numbers([0.5, float("-inf")])
    (['0.50000', '0.81230', '0.81234'], ['3', '12'], ['0.500', '-inf'])
    """
    finite = [value for value in values if math.isfinite(value)]
    if all(value == round(value) for value in finite) or max(map(abs, finite)) >= 1e6:
        return [f"{value:.6g}" for value in values]
    decimals = 3
    while decimals < 6 and len({f"{value:.{decimals}f}" for value in finite}) < len(set(finite)):
        decimals += 1
    return [f"{value:.{decimals}f}" for value in values]


def _printable(name: str) -> str:
    return "".join(character if character.isprintable() else " " for character in name)
