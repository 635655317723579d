"""`evoter demo`: a tour with built-in data: learn rules, explain a decision, simplify rules, write a report."""

import io
import random
import re
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated

import typer

from evoter.cli import signals
from evoter.cli.options import Json, Quiet
from evoter.cli.output import Streams, heading, size, writable

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
"""The number of lines that are shown of a long rule set."""


def demo(
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The file to write the report to.")
    ] = REPORT,
    svg: Annotated[
        str | None, typer.Option("--svg", metavar="FILE", help="Also write the output as an SVG picture.", hidden=True)
    ] = None,
    json_: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take a tour with built-in data: learn, test and explain rules, simplify others, and write a report."""
    from evoter.cli.fit.copies import find_copies
    from evoter.cli.fit.files import make_page
    from evoter.cli.fit.learning import LearningOptions
    from evoter.cli.fit.outcome import Fit
    from evoter.rules.files.writing import write_file

    streams = Streams(json_, quiet)
    page, drawing = writable(output).resolve(), None if svg is None else writable(svg)
    plan, split, learnt = _learn(progress=not quiet)
    if drawing is not None:
        _draw(drawing, plan, split, learnt)
    fit = Fit(plan, split, LearningOptions(), learnt, find_copies(plan, split))
    write_file(page, make_page(fit, title="Breast cancer: evoter demo"))
    signals.let_go()
    if json_:
        assert learnt.unseen is not None
        streams.write_json(
            {"rules": str(learnt.model.ruleset_), "unseen": learnt.unseen.to_dict(), "report": str(page)}
        )
    elif not quiet:
        from rich.markup import escape

        from evoter.rules.printing.pieces import visible

        console = streams.console()
        show_learnt(console, plan, split, learnt, timed=True)
        show_simplified(console)
        heading(console, "Next")
        console.print(
            f"[bold]{escape(visible(str(page)))}[/bold]  [dim]the report on these rules, to open in a browser[/dim]",
            soft_wrap=True,
        )
        console.print("[bold]evoter fit data.csv --target COLUMN[/bold]  [dim]learn rules from your own table[/dim]")


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
    """Print the rules with their statistics on unseen tumours, and explain one decision."""
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
        f"\n[dim]correct for[/dim] [bold]{percent(unseen.accuracy)}[/bold] [dim]of {unseen.n_rows} unseen tumours "
        f"(95% interval {low} to {high}); always predicting benign: {percent(unseen.baseline)}[/dim]"
    )
    heading(console, "Why this diagnosis?")
    console.print(_explained(plan, split, unseen), soft_wrap=True)


def _explained(plan: "Plan", split: "Split", unseen: "RuleStatistics") -> object:
    """Explain the first correct decision that a rule other than the first one made."""
    from evoter.rules.explain import explain

    labels = [plan.labels[row] for row in split.test.tolist()]
    right = (unseen.predictions == labels) & (unseen.decided_by > 0) & (unseen.decided_by < len(unseen.rules) - 1)
    row = int(split.test[int(right.argmax())])
    return explain(unseen.ruleset, plan.frame.row(row, named=True))


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
    heading(console, f"Simplified: {size(simple)}, the same decisions everywhere")
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
        console.print(
            f"[dim]what {len(rules.rules)} rules hid: every patient is given[/dim] [bold]{simple.default}[/bold]"
        )


def shortened(text: "Text") -> "Text":
    """Return the text, without its middle if it is long."""
    from rich.text import Text

    lines = text.split()
    if len(lines) <= LINES:
        return text
    gap = Text(f"    ... {len(lines) - LINES} lines ...", style="dim")
    return Text("\n").join([*lines[: LINES - 1], gap, lines[-1]])


def _draw(path: "Path", plan: "Plan", split: "Split", learnt: "Learnt") -> None:
    """Draw what the demo prints, without the times, which differ from run to run."""
    from rich.console import Console

    from evoter.rules.files.writing import write_file

    console = Console(record=True, highlight=False, width=WIDTH, file=io.StringIO(), force_terminal=True)
    show_learnt(console, plan, split, learnt, timed=False)
    show_simplified(console)
    svg = console.export_svg(title="evoter demo", unique_id="evoter")
    # The picture must not load fonts from the network.
    write_file(path, re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL))
