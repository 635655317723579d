"""Headings in the terminal, and the size of a rule set in words."""

from typing import TYPE_CHECKING

from evoter.analysis.formatting import counted

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from evoter.rules.model import RuleSet


def heading(console: "Console", text: str) -> None:
    """Print a line that starts a part of the output."""
    from rich.markup import escape
    from rich.rule import Rule

    from evoter.cli.streams import harmless

    console.print()
    console.print(Rule(f"[bold]{escape(harmless(text))}[/bold]", align="left", style="cyan"))


def size(ruleset: "RuleSet") -> str:
    """Say how many rules and conditions a rule set has."""
    return f"{counted(len(ruleset.rules), 'rule')}, {counted(ruleset.n_conditions, 'condition')}"


def bare_table() -> "Table":
    """Return a table in the style of the house, without any column."""
    from rich import box
    from rich.table import Table

    return Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="italic")


def plain_table(*headings: str, right: tuple[int, ...] = ()) -> "Table":
    """Return an empty table in the style of the house; the columns at the places `right` are numbers."""
    from rich.text import Text

    from evoter.cli.streams import harmless

    table = bare_table()
    for place, name in enumerate(headings):
        table.add_column(Text(harmless(name)), justify="right" if place in right else "left", overflow="fold")
    return table
