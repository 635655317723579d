"""`evoter demo`: the whole idea on embedded data, from a table to rules, a decision explained, and a report."""

import io
import random
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli.headings import heading, size
from evoter.cli.options import Json, Quiet
from evoter.cli.output_paths import writable
from evoter.cli.streams import Streams

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.text import Text

    from evoter.analysis.rule_statistics import RuleStatistics
    from evoter.cli.fit.column_roles import Plan
    from evoter.cli.fit.learning import Learnt
    from evoter.cli.fit.split import Split

REPORT = "evoter-demo.html"
DATA = "breast_cancer"
TEST_SHARE = 0.3
N_PATIENTS = 2_000
WIDTH = 118
LINES = 7
"""How much of a long rule set is shown."""


def demo(
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Where the report goes.")] = REPORT,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Draw the demo into this file, too.", hidden=True)
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the whole idea on embedded data: learn rules, test and explain them, simplify others, write a report."""
    from evoter.cli.fit.files import write_page

    streams = Streams(json_, quiet)
    page, drawing = writable(output).resolve(), None if svg is None else writable(svg)
    plan, split, learnt = _learn(progress=not quiet)
    if drawing is not None:
        _draw(drawing, plan, split, learnt)
    write_page(page, plan, split, learnt, title="Breast cancer: evoter demo")
    if json_:
        assert learnt.unseen is not None
        streams.write_json(
            {"rules": str(learnt.model.ruleset_), "unseen": learnt.unseen.to_dict(), "report": str(page)}
        )
    elif not quiet:
        from rich.markup import escape

        console = streams.console()
        show_learnt(console, plan, split, learnt, timed=True)
        show_simplified(console)
        heading(console, "Next")
        console.print(
            f"[bold]{escape(str(page))}[/bold]  [dim]the report on these rules, for a browser[/dim]", soft_wrap=True
        )
        console.print("[bold]evoter fit data.csv --target COLUMN[/bold]  [dim]rules for a table of yours[/dim]")


def _learn(*, progress: bool) -> "tuple[Plan, Split, Learnt]":
    import hashlib

    from evoter.cli.datasets import TARGET, find_dataset, load_frame
    from evoter.cli.fit.column_roles import Choices, plan_columns
    from evoter.cli.fit.learning import LearningOptions, learn
    from evoter.cli.fit.split import split_rows
    from evoter.cli.tables.files import Source

    frame = load_frame(find_dataset(DATA))
    source = Source("breast cancer", frame, hashlib.sha256(frame.write_csv().encode()).hexdigest())
    plan = plan_columns(source, Choices(TARGET))
    split = split_rows(plan.labels, None, TEST_SHARE, 0)
    return plan, split, learn(plan, split, LearningOptions(), progress=progress)


def show_learnt(console: "Console", plan: "Plan", split: "Split", learnt: "Learnt", *, timed: bool) -> None:
    """Print the rules with what they do on tumours they have not seen, and explain one decision."""
    from evoter.analysis.formatting import percent
    from evoter.analysis.rule_statistics_terminal import colour_statistics

    rules, unseen = learnt.model.ruleset_, learnt.unseen
    assert unseen is not None
    assert unseen.confusion is not None
    seconds = f" in {learnt.model.history_.last.seconds:.1f} s" if timed else ""
    heading(console, f"Breast cancer: {size(rules)}, evolved from {len(split.train)} tumours{seconds}")
    console.print(colour_statistics(unseen, console.width))
    low, high = map(percent, unseen.confusion.interval)
    console.print(
        f"\n[dim]right on[/dim] [bold]{percent(unseen.accuracy)}[/bold] [dim]of {unseen.n_rows} tumours not seen "
        f"before (95% interval {low} to {high}); always saying benign: {percent(unseen.baseline)}[/dim]"
    )
    heading(console, "Why this diagnosis?")
    console.print(_explained(plan, split, unseen), soft_wrap=True)


def _explained(plan: "Plan", split: "Split", unseen: "RuleStatistics") -> object:
    """Explain the first decision that is right and that not the first rule made."""
    from evoter.rules.explain import explain

    labels = [plan.labels[row] for row in split.test.tolist()]
    right = (unseen.predictions == labels) & (unseen.decided_by > 0) & (unseen.decided_by < len(unseen.rules) - 1)
    place = int(right.argmax())
    return explain(unseen.ruleset, plan.frame.row(int(split.test[place]), named=True))


def show_simplified(console: "Console") -> None:
    """Print a rule set of the paper before and after simplification and compare their decisions."""
    from evoter.rules.interpreter import decide_table
    from evoter.rules.parser import parse
    from evoter.rules.simplify import simplify
    from evoter.rules.terminal import colour_ruleset

    text = files("evoter.rules").joinpath("figures", "heart_failure.rules").read_text(encoding="utf-8")
    rules = parse(text)
    heading(console, f"Heart failure, as evolved in the paper: {size(rules)}")
    console.print(shortened(colour_ruleset(rules, declarations=False)), soft_wrap=True)
    simple = simplify(rules)
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


def shortened(text: "Text") -> "Text":
    """Return the text, its middle left out if it is long."""
    from rich.text import Text

    lines = text.split()
    if len(lines) <= LINES:
        return text
    gap = Text(f"    ... {len(lines) - LINES} lines ...", style="dim")
    return Text("\n").join([*lines[: LINES - 1], gap, lines[-1]])


def _draw(path: "Path", plan: "Plan", split: "Split", learnt: "Learnt") -> None:
    """Draw what the demo prints, without what changes from run to run."""
    from rich.console import Console

    from evoter.rules.files.document import write_file

    console = Console(record=True, highlight=False, width=WIDTH, file=io.StringIO(), force_terminal=True)
    show_learnt(console, plan, split, learnt, timed=False)
    show_simplified(console)
    svg = console.export_svg(title="evoter demo", unique_id="evoter")
    # Fonts are not fetched from elsewhere when somebody looks at the picture.
    write_file(path, re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL))
