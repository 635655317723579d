"""Draws what rules do on a table in a terminal: the rules in colours, their shares as bars."""

from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from evoter.analysis.formatting import percent
from evoter.analysis.rule_statistics import RuleStatistics
from evoter.rules.printing.pieces import PALETTE, Role
from evoter.rules.terminal import colour_rules

BARS = ((100, 6), (76, 3), (0, 0))
"""From which width of the terminal on bars have which length, in characters: rules need the room more."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_GOOD, _SIZE = PALETTE[Role.ACTION], PALETTE[Role.FEATURE]


@dataclass(frozen=True, slots=True)
class Share:
    """A share between 0 and 1 as a bar of some length and a percentage; a dash where it is unknown."""

    share: float | None
    style: str
    length: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = Text(no_wrap=True)
        if self.length:
            drawn = bar(self.share or 0.0, self.length, ascii_only=options.ascii_only)
            text.append(drawn, style=self.style).append(" ")
        yield text.append(f"{percent(self.share, decimals=0):>4}")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        width = (self.length + 1 if self.length else 0) + 4
        return Measurement(width, width)


def bar(share: float, length: int, *, ascii_only: bool = False) -> str:
    """Draw a share of a bar of some length, to an eighth of a character; what is more than 0 is seen.

    >>> bar(0.5, 6), bar(1.0, 6, ascii_only=True)
    ('███   ', '######')
    """
    eighths = max(round(share * length * 8), 1 if share > 0.0 else 0)
    if ascii_only:
        return ("#" * max(eighths // 8, 1 if share > 0.0 else 0)).ljust(length)
    full, rest = divmod(eighths, 8)
    return ("█" * full + _EIGHTHS[rest].strip()).ljust(length)


def colour_statistics(statistics: RuleStatistics, width: int = BARS[0][0]) -> Table:
    """Draw a line for each rule and the default; without labels, precision and lift are left out.

    The bars suit a terminal of the given width.
    """
    length = next(length for least, length in BARS if width >= least)
    labelled = statistics.confusion is not None
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), header_style="italic")
    table.add_column("", justify="right", style="dim")
    table.add_column("rule", overflow="fold")
    table.add_column("coverage", no_wrap=True)
    if labelled:
        table.add_column("precision", no_wrap=True)
        table.add_column("lift", no_wrap=True, justify="right")
    table.add_column("support", no_wrap=True)
    for rule, text in zip(statistics.rules, colour_rules(statistics.ruleset), strict=True):
        cells: list[RenderableType] = [Text(f"{rule.number}."), text, Share(rule.coverage, _SIZE, length)]
        if labelled:
            cells += [Share(rule.precision, _GOOD, length), Text("-" if rule.lift is None else f"{rule.lift:.1f}")]
        table.add_row(*cells, Share(rule.support, _SIZE, length))
    return table
