"""Fronts as tables of text: aligned for reading, and in Markdown."""

from typing import TYPE_CHECKING

from evoter.rules.markdown import code_span

if TYPE_CHECKING:
    from evoter.evolution.front import Front

MARK = "*"
"""What follows the number of the chosen candidate."""


def front_columns(front: "Front") -> list[list[str]]:
    """Return the columns of the table, each with its heading first."""
    numbers = [f"{number}{MARK if number == front.chosen else ''}" for number in range(len(front))]
    columns = [["number", *numbers]]
    for objective in front.objectives:
        heading = f"{_printable(objective.name)} {'↑' if objective.maximise else '↓'}"
        columns.append([heading, *(f"{candidate.scores[objective.name]:.6g}" for candidate in front)])
    sizes = {"conditions": "n_conditions", "rules": "n_rules", "features": "n_features"}
    named = {objective.name for objective in front.objectives}
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
    """Print a front as a Markdown table; headings stand in code spans, where they cannot act as markup."""
    columns = front_columns(front)
    heads = [code_span(head).replace("|", r"\|") for head, *_ in columns]
    rows = list(zip(*(column[1:] for column in columns), strict=True))
    aligned = [":---", *["---:"] * (len(heads) - 1)]
    bold = [[f"**{cell.removesuffix(MARK)}**" for cell in row] if row[0].endswith(MARK) else row for row in rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in [heads, aligned, *bold])


def _printable(name: str) -> str:
    return "".join(character if character.isprintable() else " " for character in name)
