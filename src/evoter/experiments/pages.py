"""The pages of a reproduction: one per experiment, and one that compares all figures with the paper's."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import evoter
from evoter.experiments.blocks import (
    Block,
    Cell,
    Code,
    Heading,
    Image,
    Paragraph,
    Points,
    Table,
    slug,
    to_html,
    to_markdown,
)
from evoter.experiments.declarations import Effort, Experiment
from evoter.experiments.results import VERDICTS, Estimate, Figure, Result
from evoter.experiments.runners import RUNNERS, Measure
from evoter.rules.files.writing import write_file

if TYPE_CHECKING:
    from rich.table import Table as RichTable

TITLE = "The paper's experiments, reproduced"
INTRODUCTION = (
    "The tables and figures of *EVOTER: Evolution of Transparent Explainable Rule sets* that report results, Tables 1 "
    "to 6 and Figures 4 to 16, run again with this implementation; Figures 1 to 3 illustrate the grammar, crossover "
    "and mutation, and report none. Columns with *preset paper* are the paper's own algorithm and nothing else. A "
    "figure is **reached** if our mean, rounded as the paper rounds, is at least as good as the paper's, **not "
    "reached** if it is worse, and **not comparable** where a comparison would mislead, for the reasons given. After ± "
    "is half the width of a 95 % interval over the runs; where runs are random splits of the same rows, it is that of "
    "the corrected resampled t-test. A ° means that the paper's figure lies within the interval, although our mean "
    "does not reach it."
)
CLEAN = "**Clean**: random splits 70/30, stratified; no row is on both sides."
PAPERS = (
    "**The paper's**: rows are drawn with replacement, then split 70/30, so that copies of training rows are among the "
    "test rows: figures are too high for every model, especially for models that memorise rows."
)
QUICK = (
    "This is the **quick** reproduction: few runs and short budgets, to check that everything runs and roughly "
    "what the figures are. The real comparison is `--full`: ten runs, as in the paper."
)

MAX_LINES = 30
"""Longer rule sets are shown without the declarations of their features."""


def write_pages(
    folder: Path, results: Mapping[str, Result], effort: Effort, seed: int, pictures: Mapping[str, Sequence[str]]
) -> None:
    """Write results.json, a page and the rules of each experiment, and the page about all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "evoter": evoter.__version__,
        "effort": effort,
        "seed": seed,
        "experiments": {name: result.to_dict() for name, result in results.items()},
    }
    _write(folder / "results.json", json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    for name, result in results.items():
        images = [Image(path, result.experiment.title) for path in pictures.get(name, ())]
        blocks = [Heading(result.experiment.title, 1), *details(result, images)]
        _write(folder / name / "README.md", to_markdown(blocks))
        for variant, rules in _rules(result).items():
            _write(folder / name / f"{variant or name}.rules.txt", rules + "\n")
    blocks = overview(results, effort, seed, pictures)
    _write(folder / "index.md", to_markdown(blocks))
    _write(folder / "index.html", to_html(blocks, TITLE))


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text)


def overview(
    results: Mapping[str, Result], effort: Effort, seed: int, pictures: Mapping[str, Sequence[str]]
) -> list[Block]:
    """Return the page about all experiments."""
    blocks: list[Block] = [Heading(TITLE, 1), Paragraph(INTRODUCTION)]
    if effort == "quick":
        blocks.append(Paragraph(QUICK))
    blocks += [
        Paragraph(f"evoter {evoter.__version__}, seeds from {seed}; every number is in `results.json`."),
        summary_table(results, effort),
        Heading("Protocols", 2),
        Points((CLEAN, PAPERS)),
    ]
    for name, result in results.items():
        images = [Image(f"{name}/{path}", result.experiment.title) for path in pictures.get(name, ())]
        blocks += [Heading(result.experiment.title, 2), *details(result, images)]
    return blocks


def summary_table(results: Mapping[str, Result], effort: Effort) -> Table:
    """Return how many figures of EVOTER are reached, experiment by experiment, and from how many runs."""
    rows: list[tuple[str | Cell, ...]] = []
    for result in results.values():
        title = result.experiment.title
        runs = f"{result.n_runs} of {result.n_planned}, {effort}"
        rows.append((f"[{title}](#{slug(title)})", result.experiment.where, *_counts(result), runs))
    head = ("experiment", "in the paper", *VERDICTS, "runs")
    return Table(head, tuple(rows), n_names=2)


def terminal_table(results: Mapping[str, Result]) -> "RichTable":
    """Return the same for the terminal."""
    from rich.table import Table as RichTable

    table = RichTable("EVOTER's figures", box=None, pad_edge=False)
    for verdict in VERDICTS:
        table.add_column(verdict, justify="right")
    for result in results.values():
        table.add_row(result.experiment.title, *_counts(result))
    return table


def _counts(result: Result) -> list[str]:
    """Return the number of figures with each verdict: of the first model, or of all where models are data sets."""
    model = None if result.experiment.runner == "trade-off" else next(iter(result.experiment.models))
    counts = [result.count(verdict, model) for verdict in VERDICTS]
    return [str(count) if count else "" for count in counts]


def details(result: Result, images: Sequence[Image]) -> list[Block]:
    """Return the blocks about one experiment: figures here and in the paper, why they differ, pictures and rules."""
    experiment = result.experiment
    blocks: list[Block] = [Paragraph(f"*{experiment.where}.* {experiment.about}")]
    if result.problem:
        blocks.append(Paragraph(f"**Not run:** {result.problem}"))
    if result.n_runs < result.n_planned:
        blocks.append(Paragraph(f"{result.n_runs} of {result.n_planned} runs are done."))
    if any(figure.ours is not None for figure in result.figures):
        blocks.append(figures_table(result))
    reasons = dict.fromkeys(figure.reason for figure in result.figures if figure.reason)
    points = (*experiment.differences, *(f"Not comparable: {reason}" for reason in reasons))
    if points:
        blocks += [Heading("Differences from the paper", 3), Points(points)]
    blocks += images
    for variant, rules in _rules(result).items():
        title = experiment.variants.get(variant, "")
        shown = rules if rules.count("\n") < MAX_LINES else rules.partition("\n\nwhere\n")[0]
        rest = "" if shown == rules else "; the file of the rules declares their features"
        blocks.append(Code(shown, f"The rules of the first run{f', {title}' if title else ''}{rest}"))
    return blocks


def figures_table(result: Result) -> Table:
    """Return all figures: a row for each model and measure, a column for the paper and for each variant.

    Figures of the preset "paper" are in columns of their own, beside those of the default.
    """
    experiment = result.experiment
    measures = RUNNERS[experiment.runner].measures
    rows: list[tuple[str | Cell, ...]] = []
    strong = set()
    columns = [(variant, preset) for variant in experiment.variants for preset in _presets(experiment)]
    for model, title in experiment.models.items():
        if experiment.base_of(model) != model:
            continue
        named = title
        of_preset = {"default": model, "paper": experiment.companions.get(model, "")}
        for measure in experiment.measures:
            found = [result.figure(of_preset[preset], variant, measure) for variant, preset in columns]
            shown = [figure for figure in found if figure is not None]
            if not shown:
                continue
            if model == next(iter(experiment.models)) and experiment.runner != "trade-off":
                strong.add(len(rows))
            paper = shown[0].paper
            cells = [_cell(figure, measures[measure]) for figure in found]
            published = "" if paper is None else _number(paper, measures[measure].digits)
            rows.append((named, measures[measure].title, published, *cells))
            named = ""  # only in the first row
    titles = [
        experiment.variants[variant] + (", preset paper" if preset == "paper" else "") for variant, preset in columns
    ]
    return Table(("model", "measure", "paper", *titles), tuple(rows), n_names=2, strong=frozenset(strong))


def _presets(experiment: Experiment) -> tuple[str, ...]:
    return ("default", "paper") if experiment.companions else ("default",)


def _cell(figure: Figure | None, measure: Measure) -> str | Cell:
    if figure is None:
        return ""
    if figure.ours is None:
        return Cell("", figure.verdict)
    near = " °" if figure.verdict == "not reached" and figure.within else ""
    return Cell(format_estimate(figure.ours, measure) + near, figure.verdict)


def format_estimate(ours: Estimate, measure: Measure) -> str:
    """Format a mean and its interval.

    >>> format_estimate(Estimate(10, 0.9581, 0.93, 0.9862), Measure("accuracy", "higher", 2, 3))
    '0.958 ± 0.028'
    >>> format_estimate(Estimate(10, 0.9, 0.5958, 0.9821), Measure("found", "higher", share=True))
    '9 of 10'
    """
    if measure.share:
        return f"{round(ours.mean * ours.n_runs)} of {ours.n_runs}"
    mean = _number(ours.mean, measure.shown_digits)
    if ours.low is None or ours.high is None:
        return mean
    return f"{mean} ± {_number((ours.high - ours.low) / 2, measure.shown_digits)}"


def _number(value: float, digits: int) -> str:
    return f"{value:,.{digits}f}"


def _rules(result: Result) -> dict[str, str]:
    """Return the rules of the first run of the first model that has rules, by variant."""
    found: dict[str, str] = {}
    for (_, variant), outcomes in result.outcomes.items():
        rules = next((outcome.rules for outcome in outcomes if outcome.rules), "")
        if rules and variant not in found:
            found[variant] = rules
    return found
