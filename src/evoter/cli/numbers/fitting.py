"""A fit whose target has numbers: the rules, learnt and tested, and what is shown at the end."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import typer
from rich.markup import escape

from evoter.analysis.formatting import counted
from evoter.cli import signals
from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.copies import find_copies
from evoter.cli.fit.files import Written
from evoter.cli.fit.learning import (
    NUMBER_METRICS,
    LearningOptions,
    estimator_parameters,
    finish_search,
    search_messages,
)
from evoter.cli.fit.result import show_files
from evoter.cli.fit.split import Split
from evoter.cli.numbers.files import NumberFit, measure_fit, write_number_files
from evoter.cli.output import ExitCode, Failure, Streams, heading, nearest, size
from evoter.cli.warming.sharing import compiling_together

if TYPE_CHECKING:
    from evoter.estimators.regression.regressor import EvoterRegressor


def refuse_for_numbers(options: LearningOptions, protected: Sequence[str], *, repeat: int, price: bool) -> None:
    """Refuse options that are about classes, or that a fit of numbers does not have."""
    rails = options.guardrails.parameters()
    refused = {
        "--balanced": options.balanced,
        "--protected": bool(protected),
        "--repeat": repeat > 1,
        "--guardrail-price": price,
        "--forbid": bool(rails.get("forbidden")),
        "--monotone": bool(rails.get("monotone")),
        "--monotone-order": bool(rails.get("monotone_order")),
    }
    for option, given in refused.items():
        if given:
            raise Failure(
                f"{option} is for classes, and numbers are predicted here", f"omit {option}, or add --task classes"
            )
    if options.metric is not None and options.metric not in NUMBER_METRICS:
        hint = nearest(options.metric, NUMBER_METRICS, f"known: {', '.join(NUMBER_METRICS)}")
        raise Failure(f"{options.metric!r} is no metric of numbers", hint)


def fit_numbers(
    plan: Plan,
    options: LearningOptions,
    path: Path,
    streams: Streams,
    share: float,
    seed: int,
    exports: Sequence[str],
    *,
    keep: bool,
    quiet: bool,
) -> None:
    """Learn rules that predict numbers, test them on held-out rows, write their files and show them."""
    split = split_numbers(plan, share, seed)
    copies = find_copies(plan, split)
    if copies.warning:
        streams.warn(copies.warning)
    model, interrupted = _learn(plan, split, options, progress=not quiet)
    fit = measure_fit(plan, split, options, model, copies, interrupted=interrupted)
    written, record, kept = write_number_files(path, fit, exports, keep=keep)
    signals.let_go()
    if streams.as_json:
        files = {"files": [str(each.path) for each in written], "kept": [str(each) for each in kept]}
        streams.write_json(record | files)
    elif not quiet:
        _show(streams, fit, written, kept)
    if interrupted or signals.code_of_signal() is not None:
        raise typer.Exit(ExitCode.INTERRUPTED)


def split_numbers(plan: Plan, share: float, seed: int) -> Split:
    """Hold out a share of the rows at random; rows with the same identifier stay together."""
    if not 0.0 <= share <= 0.9:
        raise Failure(f"--test {share:g} is out of range", "hold out 0 to 0.9 of the rows, such as --test 0.25")
    rows = np.arange(len(plan.rows), dtype=np.int64)
    if share == 0.0:
        return Split(rows, rows[:0], share, seed)
    names = plan.identifiers
    grouped = names is not None and len(set(names)) < len(names)
    groups = np.unique(names, return_inverse=True)[1] if grouped and names is not None else rows
    cases = np.unique(groups)
    n_test = round(share * len(cases))
    if not 0 < n_test < len(cases):
        raise Failure(f"there are too few rows to hold out {share:.0%} of them", "use --test 0")
    drawn = np.random.default_rng(seed).permutation(cases)[:n_test]
    held_out = np.isin(groups, drawn)
    return Split(rows[~held_out], rows[held_out], share, seed, grouped=bool(grouped))


def _learn(plan: Plan, split: Split, options: LearningOptions, *, progress: bool) -> "tuple[EvoterRegressor, bool]":
    from evoter.estimators.regression.regressor import EvoterRegressor

    numbers = np.array(plan.numbers)
    frame, train = plan.frame, split.train.tolist()
    seconds = options.seconds_left(0.0)
    shown = search_messages(progress, on_cluster=options.cluster is not None)
    with shown, compiling_together(limited=seconds is not None, progress=progress):
        model = EvoterRegressor(**estimator_parameters(plan, options, progress=progress), target_name=plan.target)
        model.max_seconds = seconds
        model.fit(frame[train], numbers[train])
    model.max_seconds = options.seconds  # what was asked for is what the report says
    return model, finish_search(model, plan, progress=progress)


def _show(streams: Streams, fit: NumberFit, written: Sequence[Written], kept: Sequence[Path]) -> None:
    seen, unseen = fit.seen, fit.unseen
    console, statistics = streams.console(), fit.statistics
    where = f"on {counted(statistics.n_rows, 'unseen row' if unseen else 'row')}"
    heading(console, f"{fit.plan.target}: {size(statistics.ruleset)}, {where}")
    for line in statistics.lines():
        console.print(escape(line), soft_wrap=True)
    console.print()
    console.print(escape(f"{'unseen rows' if unseen else 'training rows'}: {statistics.sentence()}"))
    if unseen is not None:
        console.print(f"[dim]{escape(f'training rows: {seen.sentence()}')}[/dim]")
    if fit.verdict:
        streams.warn(fit.verdict)
    show_files(streams, written, kept)
