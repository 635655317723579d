"""Rule sets and explanations in the colours of a terminal."""

from collections.abc import Iterable, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from evoter.rules.answers.explanations import HEADINGS, Explanations
from evoter.rules.explain import Explanation
from evoter.rules.model import RuleSet
from evoter.rules.printing.layout import aligned_lines
from evoter.rules.printing.pieces import (
    ASCII,
    PALETTE,
    Piece,
    Role,
    TimeStep,
    render,
    timed,
)
from evoter.rules.printing.rule_pieces import default_pieces, rule_pieces

_STYLES = {
    **PALETTE,
    # Weight and slant tell features and actions apart where colours cannot be seen.
    Role.FEATURE: f"italic {PALETTE[Role.FEATURE]}",
    Role.ACTION: f"bold {PALETTE[Role.ACTION]}",
    Role.COMMENT: "dim",
}


def colour_ruleset(
    ruleset: RuleSet,
    *,
    ranges: bool = False,
    declarations: bool = True,
    applied: Sequence[int] | None = None,
    time_step: TimeStep | None = None,
) -> Text:
    """Print a rule set in the aligned form, in colours."""
    text = Text()
    lines = aligned_lines(ruleset, timed(ASCII, time_step), ranges=ranges, declarations=declarations, applied=applied)
    for number, line in enumerate(lines):
        if number:
            text.append("\n")
        _append(text, line)
    return text


def colour_rules(ruleset: RuleSet) -> list[Text]:
    """Print each rule, and last the default, on a line of its own without a number, in colours."""
    bodies = [*(rule_pieces(rule, ruleset.schema) for rule in ruleset.rules), default_pieces(ruleset)]
    texts = []
    for body in bodies:
        texts.append(Text())
        _append(texts[-1], render(body, ASCII))
    return texts


def colour_explanation(explanation: Explanation) -> Text:
    """Return an explanation as coloured text: what decided in bold, what held in green, what did not in red."""
    text = Text()
    for paragraph in explanation.paragraphs():
        text.append(paragraph.heading, style="bold" if paragraph.decided else "")
        for condition, values, holds in paragraph.conditions:
            text.append(f"\n  {condition:<{paragraph.width}}", style="green" if holds else "red")
            text.append(f"   ({values})", style="dim")
        text.append("\n")
    text.append(explanation.reliability)
    text.rstrip()
    return text


def colour_explanations(explanations: Explanations) -> Table:
    """Return a table of explanations, one row each, with the decisions in bold."""
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 2, 0, 0), header_style="italic")
    for heading in HEADINGS:
        table.add_column(heading, style="bold" if heading == "decision" else None, overflow="fold")
    for line in explanations.lines():
        table.add_row(*map(Text, line))
    return table


def _append(text: Text, pieces: Iterable[Piece]) -> None:
    for role, content in pieces:
        text.append(content, style=_STYLES.get(role))
