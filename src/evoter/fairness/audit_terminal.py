"""Draws audits in a terminal: the tables of `audit_text`, clear differences in colour."""

from collections.abc import Iterator

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from evoter.fairness.audit import Audit
from evoter.fairness.audit_text import Section, sections, title_of
from evoter.rules.printing.pieces import visible

_STYLES = {"clear": "bold red", "may be chance": "dim"}

MAX_WORD = 24
"""Words up to this length are not divided."""


def colour_audit(audit: Audit) -> Iterator[RenderableType]:
    """Yield the heading and all tables."""
    yield Text(visible(title_of(audit)), style="bold")
    for section in sections(audit):
        yield from colour_section(section)


def colour_section(section: Section) -> Iterator[RenderableType]:
    """Yield an empty line, the title, the table and the notes of a section."""
    yield Text("")
    yield Text(visible(section.title), style="italic cyan")
    if section.rows:
        yield _table(section)
    for note in section.notes:
        yield Text(visible(note), style="dim")


def _table(section: Section) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="italic")
    for place, name in enumerate(section.head):
        justify = "left" if place in section.texts else "right"
        words = [word for row in section.rows for word in visible(row[place]).split()]
        widest = min(max(map(len, words), default=0), MAX_WORD)
        table.add_column(name, justify=justify, overflow="fold", min_width=widest)  # type: ignore[arg-type]
    for row in section.rows:
        table.add_row(*(Text(visible(cell), style=_STYLES.get(cell, "")) for cell in row))
    return table
