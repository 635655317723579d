"""Colours rule sets for a terminal."""

from collections.abc import Sequence

from rich.text import Text

from evoter.rules.layout import aligned_lines
from evoter.rules.model import RuleSet
from evoter.rules.pieces import ASCII, PALETTE, Role, TimeStep, timed

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
        for role, content in line:
            text.append(content, style=_STYLES.get(role))
    return text
