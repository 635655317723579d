"""Fitting what has not been fitted yet: one model on one split after the other, each written down at once."""

import signal
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from comparison.apart import measure_apart
from comparison.catalogue import MODELS, Entry
from comparison.records import Record, Store
from evoter.analysis.information_criteria import information_criteria
from evoter.experiments.classification.evaluation import chance, evaluate
from evoter.experiments.classification.splits import Split, applies, split
from evoter.experiments.classification.table_models import Model
from evoter.experiments.classification.task import TITLES, Task, load_task


class OutOfTimeError(Exception):
    """A fit took longer than it may."""


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """Where names lead: to data sets, and to the models that are asked for on them.

    The functions are those of modules, by which another process finds them. What is compiled or started at the first
    use is so on the data set named `warm_up_on`, before the clock starts.
    """

    titles: Mapping[str, str]
    load: Callable[[str], Task]
    entry: Callable[[str, str], Entry]
    warm_up_on: str


def _entry_for_tables(data: str, model: str) -> Entry:
    return MODELS[model]


TABLES = Bench(TITLES, load_task, _entry_for_tables, "iris")


@dataclass(frozen=True, slots=True)
class Plan:
    """What is compared under one protocol: each model on each split of each data set; a fit has `limit` seconds."""

    protocol: str
    data: Sequence[str]
    models: Sequence[Entry]
    seeds: range
    limit: float
    bench: Bench = TABLES

    @property
    def n_fits(self) -> int:
        """How many fits that is, those included that are known or turn out not to be possible."""
        return len(self.data) * len(self.models) * len(self.seeds)


def run(plans: Sequence[Plan], store: Store, log: Console) -> list[Record]:
    """Return the records of all fits, measuring those that the store does not hold.

    Ctrl-C ends the run: what was fitted until then is returned.
    """
    records: list[Record] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    try:
        with Progress(*columns, console=log, disable=not log.is_terminal, transient=True) as progress:
            for plan in plans:
                bar = progress.add_task(plan.protocol, total=plan.n_fits)
                for name in plan.data:
                    task = _load(plan.bench, name, log)
                    if task is None or not applies(task, plan.protocol):
                        progress.advance(bar, len(plan.models) * len(plan.seeds))
                        continue
                    for record, is_new in _fits(task, plan, store):
                        progress.update(bar, advance=1, description=f"{plan.protocol}: {task.title}")
                        if record is None:
                            continue
                        records.append(record)
                        if is_new:
                            progress.console.print(_line(record), style="dim", highlight=False)
    except KeyboardInterrupt:
        log.print("interrupted: the results so far are kept; the same command goes on from here")
    return records


def _load(bench: Bench, name: str, log: Console) -> Task | None:
    try:
        return bench.load(name)
    except (OSError, ImportError) as error:
        log.print(f"{bench.titles[name]} is left out: {error}", style="yellow", highlight=False)
        return None


def _fits(task: Task, plan: Plan, store: Store) -> Iterator[tuple[Record | None, bool]]:
    """Yield each record, and whether it is new; None for a model that failed on an earlier split."""
    digest = task.digest()
    failed: set[str] = set()
    for seed in plan.seeds:
        rows = split(task, plan.protocol, seed)
        for entry in plan.models:
            blank = Record(
                data=task.name,
                protocol=plan.protocol,
                split=seed,
                model=entry.name,
                version=entry.version(),
                digest=digest,
                n_train=len(rows.train),
                n_test=len(rows.test),
            )
            known = store.get(blank.key)
            if known is not None and not _worth_another_try(known, plan.limit):
                record, is_new = known, False
            elif entry.name in failed:
                yield None, False
                continue
            else:
                record, is_new = _measured(plan, entry, task, rows, blank), True
                store.add(record)
            if record.failure:
                failed.add(entry.name)
            yield record, is_new


def _measured(plan: Plan, entry: Entry, task: Task, rows: Split, blank: Record) -> Record:
    if entry.apart:
        return measure_apart(partial(_measure_alone, plan.bench), blank, plan.limit)
    warm_up(plan.bench, entry)
    return measure(entry.make(blank.split), task, rows, blank, plan.limit)


def _measure_alone(bench: Bench, blank: Record, limit: float) -> Record:
    """Do in another process what the record is to be the result of."""
    entry, task = bench.entry(blank.data, blank.model), bench.load(blank.data)
    warm_up(bench, entry)
    return measure(entry.make(blank.split), task, split(task, blank.protocol, blank.split), blank, limit)


@cache
def warm_up(bench: Bench, entry: Entry) -> None:
    """Fit a model once before the clock starts: what is compiled or started at the first use is no part of a fit."""
    task = bench.load(bench.warm_up_on)
    with warnings.catch_warnings(), suppress(Exception):  # what is wrong will show when it is measured
        warnings.simplefilter("ignore")
        entry.make(0).fit(task.data, task.target)


def _worth_another_try(record: Record, limit: float) -> bool:
    """A fit that ran out of time may end in more; its record says how much it had."""
    return bool(record.failure) and record.seconds < limit


def measure(model: Model, task: Task, rows: Split, blank: Record, limit: float) -> Record:
    """Fit a model on one side of a split and judge it on the other.

    NumPy's global generator starts from the split too: some packages draw from it, whatever seed they are given.
    """
    np.random.seed(blank.split)  # noqa: NPY002
    try:
        with time_limit(limit):
            found = evaluate(model, task, rows)
    except OutOfTimeError:
        return replace(blank, failure=f"no result in {limit:,.0f} s", seconds=limit)
    except Exception as error:
        return replace(blank, failure=f"{type(error).__name__}: {error}"[:200], seconds=limit)
    n_wrong = round((1 - found.test_accuracy) * len(rows.test))
    aic, bic = information_criteria(n_wrong, found.complexity, len(rows.test))
    majority, prior = chance(rows.labels, task.target[rows.test])
    return replace(
        blank,
        train_accuracy=found.train_accuracy,
        test_accuracy=found.test_accuracy,
        complexity=found.complexity,
        aic=aic,
        bic=bic,
        seconds=found.seconds,
        majority=majority,
        prior=prior,
        rules=model.rules(),
        features=found.features,
    )


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError in the block after the given number of seconds, where the system has alarm signals."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_: object) -> None:
        raise OutOfTimeError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _line(record: Record) -> str:
    where = f"{record.data:14} {record.protocol:8} split {record.split}  {record.model:9}"
    if record.failure:
        return f"{where} {record.failure}"
    return f"{where} {record.test_accuracy:.3f}  {record.complexity:>8,}  {record.seconds:7.2f} s"
