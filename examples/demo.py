"""The main job on embedded data: rules for breast cancer, a decision explained, a rule set of the paper simplified."""

import argparse
import io
import random
import re
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.rule import Rule as Line
from rich.text import Text
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import evoter
from evoter import EvoterClassifier, RuleSet
from evoter.rules.interpreter import decide_table
from evoter.rules.terminal import colour_ruleset

FIGURES = Path(__file__).parent / "figures"
N_PATIENTS = 2_000
WIDTH = 118
LINES = 9
"""How much of a long rule set is shown."""


def main() -> None:
    """Show the demo in the terminal, or draw it as a picture."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--svg", type=Path, metavar="FILE", help="draw the demo into FILE instead")
    picture: Path | None = arguments.parse_args().svg
    if picture is None:
        show(Console(highlight=False))
        return
    console = Console(record=True, highlight=False, width=WIDTH, file=io.StringIO(), force_terminal=True)
    show(console, timed=False)
    svg = console.export_svg(title="make demo", unique_id="evoter")
    # Fonts are not fetched from elsewhere when somebody looks at the picture.
    picture.write_text(re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL), encoding="utf-8")


def show(console: Console, *, timed: bool = True) -> None:
    """Print the whole demo."""
    classify_tumours(console, timed=timed)
    simplify_heart_failure(console)


def classify_tumours(console: Console, *, timed: bool) -> None:
    """Evolve rules on training rows, test them on others, and explain one decision."""
    tumours = load_breast_cancer(as_frame=True)
    diagnosis = tumours.target_names[tumours.target]
    X_train, X_test, y_train, y_test = train_test_split(
        tumours.data, diagnosis, test_size=0.3, stratify=diagnosis, random_state=0
    )
    model = EvoterClassifier(random_state=0, verbose=1).fit(X_train, y_train)
    seconds = f" in {model.history_.last.seconds:.1f} s" if timed else ""
    rules = model.ruleset_

    heading(console, f"Breast cancer: {size(rules)}, evolved from {len(X_train)} tumours{seconds}")
    console.print(colour_ruleset(rules, declarations=False, applied=model.times_applied_.tolist()), soft_wrap=True)
    unseen, seen = model.score(X_test, y_test), model.score(X_train, y_train)
    console.print(
        f"[dim]right on[/dim] [bold]{unseen:.1%}[/bold] [dim]of {len(X_test)} tumours not seen before, "
        f"{seen:.1%} of those seen[/dim]"
    )

    case = int(np.flatnonzero((model.deciding_rules(X_test) > 0) & (model.predict(X_test) == y_test))[0])
    heading(console, "Why this diagnosis?")
    console.print(model.explain(X_test.iloc[[case]]), soft_wrap=True)


def simplify_heart_failure(console: Console) -> None:
    """Print a rule set of the paper before and after simplification and compare their decisions."""
    rules = evoter.parse((FIGURES / "heart_failure.rules").read_text(encoding="utf-8"))
    heading(console, f"Heart failure, as evolved in the paper: {size(rules)}")
    console.print(shortened(colour_ruleset(rules, declarations=False)), soft_wrap=True)

    simple = evoter.simplify(rules)
    heading(console, f"Simplified: {size(simple)}, the same decision at every point")
    console.print(colour_ruleset(simple, declarations=False), soft_wrap=True)
    rng = random.Random(0)
    patients = [{name: rng.random() for name in rules.schema.names} for _ in range(N_PATIENTS)]
    before, after = decide_table(rules, patients), decide_table(simple, patients)
    same = sum(
        (was.actions, was.certainty) == (now.actions, now.certainty)
        for was, now in zip(before.decisions, after.decisions, strict=True)
    )
    console.print(f"[dim]same action and certainty for {same:,} of {N_PATIENTS:,} random patients[/dim]")
    if {rule.action for rule in simple.rules} == {simple.default}:
        console.print(f"[dim]what {len(rules.rules)} rules hid: everybody is given[/dim] [bold]{simple.default}[/bold]")


def heading(console: Console, text: str) -> None:
    """Print a line that starts a part of the demo."""
    console.print()
    console.print(Line(f"[bold]{text}[/bold]", align="left", style="cyan"))


def size(rules: RuleSet) -> str:
    """Say how many rules and conditions a rule set has."""
    counts = ((len(rules.rules), "rule"), (rules.n_conditions, "condition"))
    return ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in counts)


def shortened(text: Text) -> Text:
    """Return the text, its middle left out if it is long."""
    lines = text.split()
    if len(lines) <= LINES:
        return text
    gap = Text(f"    ... {len(lines) - LINES} lines ...", style="dim")
    return Text("\n").join([*lines[: LINES - 1], gap, lines[-1]])


if __name__ == "__main__":
    main()
