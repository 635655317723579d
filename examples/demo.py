"""The rule language at work on rule sets of the paper: one is simplified, another explains a decision."""

import argparse
import io
import random
import re
from pathlib import Path

from rich.console import Console
from rich.rule import Rule as Line
from rich.text import Text

import evoter
from evoter import RuleSet
from evoter.rules.interpreter import decide_table
from evoter.rules.terminal import colour_ruleset

FIGURES = Path(__file__).parent / "figures"
N_PATIENTS = 2_000
PICTURE_WIDTH = 118
PICTURE_LINES = 11
"""How much of a long rule set fits into the picture."""

FALLING_PRESSURE = [
    {"Mean": mean, "Std": 11.5, "Skew": -0.2, "Kurtosis": 0.9}
    for mean in (92.0, 90.5, 91.0, 88.2, 86.4, 84.0, 81.7, 80.1, 77.3, 75.0, 71.9)
]
"""Eleven minutes of a made-up patient, the present last."""


def main() -> None:
    """Show the demo in the terminal, or draw it as a picture."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--svg", type=Path, metavar="FILE", help="draw a shortened demo into FILE instead")
    picture: Path | None = arguments.parse_args().svg
    if picture is None:
        show(Console(highlight=False), max_lines=None)
        return
    console = Console(record=True, highlight=False, width=PICTURE_WIDTH, file=io.StringIO(), force_terminal=True)
    show(console, max_lines=PICTURE_LINES)
    svg = console.export_svg(title="make demo", unique_id="evoter")
    # Fonts are not fetched from elsewhere when somebody looks at the picture.
    picture.write_text(re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL), encoding="utf-8")


def show(console: Console, *, max_lines: int | None) -> None:
    """Print the whole demo, with no more than `max_lines` of a long rule set."""
    simplify_heart_failure(console, max_lines)
    explain_blood_pressure(console)


def simplify_heart_failure(console: Console, max_lines: int | None) -> None:
    """Print a rule set before and after simplification and compare their decisions."""
    rules = read_figure("heart_failure")
    rng = random.Random(0)
    patients = [{name: rng.random() for name in rules.schema.names} for _ in range(N_PATIENTS)]
    before = decide_table(rules, patients)

    heading(console, f"Heart failure, as evolved in the paper: {size(rules)}, {N_PATIENTS:,} random patients")
    applied = [*before.times_applied, before.default_applied]
    console.print(shortened(colour_ruleset(rules, declarations=False, applied=applied), max_lines), soft_wrap=True)

    simple = evoter.simplify(rules)
    after = decide_table(simple, patients)
    heading(console, f"Simplified: {size(simple)}, the same decision at every point")
    applied = [*after.times_applied, after.default_applied]
    console.print(colour_ruleset(simple, declarations=False, applied=applied), soft_wrap=True)
    same = sum(
        (was.actions, was.certainty) == (now.actions, now.certainty)
        for was, now in zip(before.decisions, after.decisions, strict=True)
    )
    console.print(f"[dim]same action and certainty for {same:,} of {N_PATIENTS:,} patients[/dim]")
    if {rule.action for rule in simple.rules} == {simple.default}:
        console.print(f"[dim]what {len(rules.rules)} rules hid: everybody is given[/dim] [bold]{simple.default}[/bold]")


def explain_blood_pressure(console: Console) -> None:
    """Print why a rule set that looks back in time decides as it does."""
    rules = read_figure("blood_pressure")
    heading(console, f"Blood pressure: why this decision? ({size(rules)})")
    console.print(evoter.explain(rules, FALLING_PRESSURE), soft_wrap=True)


def read_figure(name: str) -> RuleSet:
    """Read a rule set of the paper."""
    return evoter.parse((FIGURES / f"{name}.rules").read_text(encoding="utf-8"))


def heading(console: Console, text: str) -> None:
    """Print a line that starts a part of the demo."""
    console.print()
    console.print(Line(f"[bold]{text}[/bold]", align="left", style="cyan"))


def size(rules: RuleSet) -> str:
    """Say how many rules and conditions a rule set has."""
    counts = ((len(rules.rules), "rule"), (rules.n_conditions, "condition"))
    return ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in counts)


def shortened(text: Text, max_lines: int | None) -> Text:
    """Return the text, its middle left out if it has more than `max_lines`."""
    lines = text.split()
    if max_lines is None or len(lines) <= max_lines:
        return text
    gap = Text(f"    ... {len(lines) - max_lines} lines ...", style="dim")
    return Text("\n").join([*lines[: max_lines - 1], gap, lines[-1]])


if __name__ == "__main__":
    main()
