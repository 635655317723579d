"""`evoter fit` on a table that is read in batches: searched on a sample, counted and tested on all rows."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import typer

from evoter.cli import signals
from evoter.cli.fit.column_roles import Choices, Plan
from evoter.cli.fit.copies import find_copies
from evoter.cli.fit.files import write_files
from evoter.cli.fit.learning import (
    LearningOptions,
    Learnt,
    Optimised,
    make_model,
    search_messages,
    with_cell_reading,
)
from evoter.cli.fit.outcome import Fit, LargeFit
from evoter.cli.fit.result import show_result
from evoter.cli.fit.split import Split
from evoter.cli.large.columns import (
    LargeTable,
    NeedsMemoryError,
    check_classes,
    feature_table,
    group_rows,
    label_rows,
    plan_large,
    sample_table,
    split_large,
)
from evoter.cli.large.opening import fits_memory, sha256_of
from evoter.cli.output import ExitCode, Failure, Streams, split_hint
from evoter.cli.tables.files import ReadingOptions
from evoter.cli.warming.sharing import compiling_together
from evoter.kernels.layout import Ints
from evoter.rules.errors import SchemaError
from evoter.tables.stored.batches import Batches
from evoter.tables.stored.cache import cache_folder, store_batches
from evoter.tables.stored.table import StoredTable

if TYPE_CHECKING:
    from evoter.analysis.rule_statistics import Confusion, RuleStatistics
    from evoter.rules.model import RuleSet

CHUNK = 500_000
"""The number of rows that rules are measured on at a time."""


@dataclass(frozen=True, slots=True)
class LargeOptions:
    """What a fit of a large table takes besides the options of the search."""

    path: Path
    reading: ReadingOptions
    choices: Choices
    test: float
    split_seed: int
    exports: Sequence[str]
    keep: bool


Agree = Callable[[Plan, Callable[[Choices], Plan]], Plan]
"""Shows a plan, and returns the one that is agreed upon, given what makes plans from other choices."""


def try_large(
    batches: Batches,
    needs_memory: Mapping[str, bool],
    asked: LargeOptions,
    options: LearningOptions,
    streams: Streams,
    agree: Agree,
) -> bool:
    """Fit a table in batches; return False if that cannot be done and the table can be read at once as well.

    `needs_memory` says which options were given that need the whole table in memory.
    """
    try:
        for option in (name for name, given in needs_memory.items() if given):
            raise NeedsMemoryError(
                f"{option} needs the whole table in memory, and this one has {batches.n_rows:,} rows, which are read "
                "in batches",
                f"omit {option}, or fit on a part of the rows",
            )
        fit_large(batches, asked, options, streams, agree)
    except NeedsMemoryError:
        if not fits_memory(batches):
            raise
        return False
    return True


def fit_large(
    batches: Batches,
    asked: LargeOptions,
    options: LearningOptions,
    streams: Streams,
    agree: Agree,
) -> None:
    """Learn rules from a table that is read in batches, test them on all rows held out, and write the files."""
    options.check()
    table = _read(batches, asked, streams)
    plan = agree(plan_large(table, asked.choices), lambda choices: plan_large(table, choices))
    classes, codes = label_rows(table, plan)
    train, test = split_large(codes, group_rows(table, plan), asked.test, asked.split_seed)
    check_classes(classes, codes, train)
    features = feature_table(table, plan)
    learnt = _learn(features, classes, codes, train, test, plan, options, progress=not streams.quiet)
    facts = LargeFit(
        n_rows=table.n_rows,
        n_unlabelled=int((codes < 0).sum()),
        class_counts={name: int(n) for name, n in zip(classes, np.bincount(codes[codes >= 0]), strict=True)},
        train=train,
        test=test,
        sampled=table.sampled,
    )
    split = _sampled_split(plan, table, train, test, asked)
    result = Fit(plan, split, options, learnt, find_copies(plan, split), large=facts)
    written, record, kept = write_files(asked.path, result, asked.exports, keep=asked.keep)
    signals.let_go()
    if streams.as_json:
        files = {"files": [str(each.path) for each in written], "kept": [str(each) for each in kept]}
        streams.write_json(record | files)
    elif not streams.quiet:
        show_result(streams, result, record, written, kept)
    if learnt.interrupted or signals.code_of_signal() is not None:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _read(batches: Batches, asked: LargeOptions, streams: Streams) -> LargeTable:
    """Store the columns of the table, unless they are stored already, and draw the rows that show what they are."""
    from evoter.evolution.progress import ReadingProgress

    name = batches.files[0].name if len(batches.files) == 1 else batches.files[0].parent.name
    shape = f"{batches.n_rows:,} rows, {len(batches.names)} columns"
    streams.remark(f"{name}: {shape}; it is read in batches, and its columns are kept in {cache_folder()}")
    try:
        with ReadingProgress(shown=not streams.quiet) as display:
            stored = store_batches(batches, display)
    except (SchemaError, ValueError) as error:
        raise Failure(*split_hint(str(error))) from None
    except OSError as error:
        problem, hint = split_hint(error.strerror or str(error))
        hint = hint or "name another folder for its columns with EVOTER_CACHE"
        raise Failure(f"{error.filename or cache_folder()}: {problem}", hint) from None
    return sample_table(stored, name, sha256_of(batches), asked.reading)


def _sampled_split(plan: Plan, table: LargeTable, train: Ints, test: Ints, asked: LargeOptions) -> Split:
    """Return which of the sampled rows are training and test rows, by their position in the plan."""
    rows = table.sampled[np.array(plan.rows)]
    positions = np.arange(len(rows))
    shares = (asked.test, asked.split_seed, plan.rows_repeat_identifiers)
    return Split(positions[np.isin(rows, train)], positions[np.isin(rows, test)], *shares)


def _learn(
    features: StoredTable,
    classes: tuple[str, ...],
    codes: Ints,
    train: Ints,
    test: Ints,
    plan: Plan,
    options: LearningOptions,
    *,
    progress: bool,
) -> Learnt:
    from evoter.estimators.classification.judging import optimised_metric
    from evoter.estimators.labels import CodedLabels

    present = np.unique(codes[train])
    known = np.array(classes)[present]
    model = make_model(plan, options, progress=progress)
    seconds = options.seconds_left(time.perf_counter() - options.begun)
    model.max_seconds = seconds
    labels = CodedLabels(known, np.searchsorted(present, codes[train]))
    shown = search_messages(progress, on_cluster=options.cluster is not None)
    with shown, compiling_together(limited=seconds is not None, progress=progress):
        model.fit(features.take(train), labels)
    model.max_seconds = options.seconds
    ruleset = with_cell_reading(model.ruleset_, plan)
    seen = _measured(ruleset, features, train, codes, classes)
    unseen = _measured(ruleset, features, test, codes, classes) if len(test) else None
    model.ruleset_ = ruleset
    metric = optimised_metric(model) or ""
    scores = [None if each is None else _score(metric, each.confusion) for each in (seen, unseen)]
    interrupted = signals.code_of_signal() is not None or model.stop_reason_ == "interrupted"
    return Learnt(model, seen, unseen, interrupted, Optimised(metric, *scores))


def _measured(
    ruleset: "RuleSet", features: StoredTable, rows: Ints, codes: Ints, classes: tuple[str, ...]
) -> "RuleStatistics":
    """Measure rules on some rows, chunk by chunk."""
    from evoter.analysis.rule_statistics import measure_parts

    actions = ruleset.schema.actions
    labels = (*actions, *(name for name in classes if name not in actions))
    positions = np.array([labels.index(name) for name in classes])
    read = features.select(ruleset.schema.names)

    def parts() -> Iterator[tuple[Any, Ints]]:
        for first in range(0, len(rows), CHUNK):
            some = rows[first : first + CHUNK]
            yield read.take(some), positions[codes[some]]

    return measure_parts(ruleset, parts(), labels)


def _score(metric: str, confusion: "Confusion | None") -> float | None:
    """Return the score of all rows by a metric of their confusion, None for others and for classes never learnt."""
    from evoter.problems.classification.fitness import MEASURES, Counts

    if confusion is None or metric not in MEASURES or metric == "log_loss":
        return None
    predicted = confusion.matrix.T.astype(np.float64)[None]
    return float(MEASURES[metric][1](Counts(predicted, np.zeros(1), predicted[0].sum(axis=0)))[0])
