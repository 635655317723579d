"""Draws fronts as tables in a terminal, the chosen candidate in bold."""

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from evoter.evolution.fronts.front_text import front_columns
from evoter.rules.printing.pieces import PALETTE, Role

if TYPE_CHECKING:
    from evoter.evolution.fronts.front import Front


def colour_front(front: "Front") -> Table:
    """Draw a front; objectives are coloured, sizes are not."""
    columns = front_columns(front)
    n_objectives = len(front.objectives)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="italic")
    for place, (head, *_) in enumerate(columns):
        style = PALETTE[Role.FEATURE] if 0 < place <= n_objectives else ""
        table.add_column(Text(head), justify="right" if place else "left", style=style)
    for number, cells in enumerate(zip(*(column[1:] for column in columns), strict=True)):
        table.add_row(*map(Text, cells), style="bold" if number == front.chosen else "")
    return table
