"""What `evoter fit` shows at the end: the rules with their figures, and the files that were written."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from evoter.analysis.formatting import counted, percent
from evoter.analysis.rule_statistics_terminal import colour_statistics
from evoter.cli.fit.copies import about_other_rows
from evoter.cli.fit.stability import stability_lines
from evoter.cli.fit.verdict import MOSTLY_ONE_CLASS, no_better_than_constant, recall_by_class
from evoter.cli.output import Streams, heading, size
from evoter.rules.printing.pieces import visible

if TYPE_CHECKING:
    from rich.console import Console

    from evoter.cli.fit.files import Written
    from evoter.cli.fit.outcome import Fit


def show_result(
    streams: Streams, fit: "Fit", record: Mapping[str, Any], written: "Sequence[Written]", kept: Sequence[Path]
) -> None:
    """Print the rules of a fit with their figures, what several runs have in common, and the files."""
    plan, learnt, options, figures = fit.plan, fit.learnt, fit.options, record["figures"]
    console, last = streams.console(), learnt.model.history_.last
    statistics = learnt.unseen or learnt.seen
    where = f"on {counted(statistics.n_rows, 'unseen row' if learnt.unseen else 'row')}"
    heading(console, f"{plan.target}: {size(learnt.model.ruleset_)}, {where}")
    console.print(colour_statistics(statistics, console.width))
    seen, unseen = figures["train"], figures["test"]
    console.print()
    if unseen is not None:
        low, high = (percent(end) for end in unseen["interval"])
        training = f"{percent(seen['accuracy'])} of the {seen['rows']:,} training rows"
        console.print(
            f"correct for [bold]{percent(unseen['accuracy'])}[/bold] of {counted(unseen['rows'], 'unseen row')} "
            f"[dim](95% interval {low} to {high}; {training})[/dim]"
        )
        assert statistics.confusion is not None
        most = escape(repr(statistics.confusion.most_frequent))
        console.print(f"[dim]always predicting {most} is correct for {percent(unseen['baseline'])}[/dim]")
        if options.for_rare_classes or unseen["baseline"] >= MOSTLY_ONE_CLASS:
            console.print(f"[dim]{escape(visible(recall_by_class(unseen)))}[/dim]")
        if plan.rows_repeat_identifiers:
            identifier = escape(repr(plan.identifier))
            console.print(f"[dim]rows with the same {identifier} are alike: for new ones the interval is wider[/dim]")
        if others := about_other_rows(record["duplicates"], fit.copies.warning):
            console.print(others)
        if warning := no_better_than_constant(unseen, for_rare_classes=options.for_rare_classes):
            streams.warn(warning)
        if fit.overfitting_warning:
            streams.warn(fit.overfitting_warning)
    else:
        console.print(f"correct for {percent(seen['accuracy'])} of the training rows; no rows were held out for a test")
    if learnt.optimised.metric != "accuracy":
        console.print(f"[dim]{escape(str(learnt.optimised))}[/dim]")
    _show_limits(console, fit)
    _show_guardrails(console, fit)
    tried = (
        f"{counted(last.generation, 'generation')}, {last.evaluations:,} rule sets evaluated in {last.seconds:.1f} s"
    )
    console.print(f"[dim]{tried}[/dim]")
    if learnt.model.row_samples_.is_sampled:
        console.print(f"[dim]{learnt.model.row_samples_}; the figures above are about all rows[/dim]")
    if record["stability"] is not None:
        _show_stability(console, record["stability"])
    show_files(streams, written, kept)


def show_files(streams: Streams, written: "Sequence[Written]", kept: Sequence[Path]) -> None:
    """Print the files that were written, and those of an earlier fit that were kept."""
    console = streams.console()
    console.print()
    paths = [visible(str(each.path)) for each in written]
    width = max(map(len, paths))
    for shown, each in zip(paths, written, strict=True):
        console.print(f"  {escape(f'{shown:<{width}}')}  [dim]{each.purpose}[/dim]", soft_wrap=True)
    if kept:
        streams.remark(f"kept the earlier files as {', '.join(str(each) for each in kept)}")


def _show_limits(console: "Console", fit: "Fit") -> None:
    """Print what measures of groups are on the training rows, with the limits on them."""
    from evoter.estimators.group_measures import is_upper_limit

    for name, value in getattr(fit.learnt.model, "group_values_", {}).items():
        limit = fit.options.limits.get(name)
        bound = "" if limit is None else f", at {'most' if is_upper_limit(name) else 'least'} {limit:g} was asked for"
        console.print(escape(visible(f"{name} is {value:.3f} on the training rows{bound}")), soft_wrap=True)


def _show_guardrails(console: "Console", fit: "Fit") -> None:
    """Print what the rules keep on every input, and what that costs if it was asked for."""
    sentences = fit.learnt.model.guardrails_.sentences()
    if sentences:
        console.print("kept on every input, also with missing values and outside the ranges of training:")
    for sentence in sentences:
        console.print(f"  {escape(visible(sentence))}", soft_wrap=True)
    if fit.price is not None:
        console.print(escape(visible(str(fit.price))))


def _show_stability(console: "Console", described: dict[str, Any]) -> None:
    seeds = [run["seed"] for run in described["runs"]]
    heading(
        console, f"{len(seeds)} runs with the seeds {seeds[0]} to {seeds[-1]}; the rules above are those of {seeds[0]}"
    )
    table = Table.grid(padding=(0, 2, 0, 0))
    for word, text in stability_lines(described):
        table.add_row(Text(word, style="italic"), Text("\n".join(map(visible, text.split("\n")))))
    console.print(table)
