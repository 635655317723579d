"""Running the paper's experiments: each run is saved at once, and an interrupted call continues where it stopped."""

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from evoter.experiments import FOLDER
from evoter.experiments.declarations import EFFORTS, Effort, Experiment, ExperimentError, catalogue
from evoter.experiments.pages import terminal_table, write_pages
from evoter.experiments.pictures import NOTICE, can_draw, draw_pictures
from evoter.experiments.records import Record, Run, Store, runs_of
from evoter.experiments.results import Result, summarise, summarise_trade_off
from evoter.experiments.runners import RUNNERS
from evoter.rules.errors import did_you_mean

EXTRAS = {"pandas": "data", "pooch": "data", "pyarrow": "data", "gymnasium": "control", "matplotlib": "plots"}
"""Packages that experiments need, and the extra of this project that brings each."""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The result of a call: the results by experiment, the folder they are in, and what could not be done."""

    folder: Path
    results: Mapping[str, Result]
    failures: tuple[str, ...]
    interrupted: bool

    @property
    def page(self) -> Path:
        """The page that compares our figures with the paper's."""
        return self.folder / "index.html"


def reproduce(
    names: Iterable[str] = (),
    effort: Effort = "quick",
    folder: str | os.PathLike[str] = FOLDER,
    console: Console | None = None,
    seed: int = 0,
) -> Reproduction:
    """Run experiments of the paper and write the results into a folder.

    Runs that the folder already holds are not repeated, and results of earlier calls are shown as well. Ctrl-C ends the
    runs; the pages are still written. An experiment that cannot be run because data or a package are missing is left
    out and reported, and the others continue.

    Parameters
    ----------
    names : iterable of str, default=()
        The experiments, as `catalogue()` names them; all by default.
    effort : {"quick", "full"}, default="quick"
        A few short runs, in minutes, or ten runs as in the paper, in hours.
    folder : path, default="evoter-reproduction"
        Where records, results.json, pages, pictures and rules go.
    console : rich.console.Console, default=None
        Where progress is shown; standard error by default.
    seed : int, default=0
        The first run's seed; the others count from there.
    """
    if effort not in EFFORTS:
        raise ExperimentError(f"effort must be one of {list(EFFORTS)}, not {effort!r}")
    chosen = choose(names)
    for experiment in chosen:
        check_settings(experiment, effort)
    log = Console(stderr=True) if console is None else console
    target = Path(folder)
    store = Store(target / "records.jsonl")
    done = _Session(store, effort, seed, log)
    try:
        done.all_of(chosen)
    except KeyboardInterrupt:
        done.interrupted = True
    results = collect(store, effort, seed, chosen, done.problems)
    if not can_draw():
        log.print(escape(NOTICE), style="yellow", highlight=False)
    write_pages(target, results, effort, seed, draw_pictures(target, results, seed) if can_draw() else {})
    log.print(terminal_table(results))
    for problem in (*done.problems.values(), *done.failures):
        log.print(escape(problem), style="yellow", highlight=False)
    if done.interrupted:
        log.print("interrupted: finished runs are kept, and the same command continues from here", highlight=False)
    log.print(escape(f"our figures and the paper's: {target / 'index.html'}"), highlight=False, soft_wrap=True)
    return Reproduction(target, results, (*done.problems.values(), *done.failures), done.interrupted)


def choose(names: Iterable[str]) -> list[Experiment]:
    """Return the experiments of these names, or all, each after those whose runs it shows."""
    known = catalogue()
    wanted = list(dict.fromkeys(names)) or list(known)
    for name in wanted:
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
            raise ExperimentError(f"no experiment is called {name!r}{hint}")
    used = [other for name in wanted for other in known[name].uses]
    return [experiment for name, experiment in known.items() if name in {*wanted, *used}]


def check_settings(experiment: Experiment, effort: Effort) -> None:
    """Raise an error if an experiment's runner does not know a setting of its file, or misses one."""
    runner = RUNNERS[experiment.runner]
    if not runner.module:
        return
    for variant in experiment.variants:
        settings = experiment.settings_of(variant, effort)
        location = f"{experiment.name}.toml: settings of {variant}, {effort}"
        for key in runner.unknown_settings(settings):
            raise ExperimentError(f"{location}: {key}: is unknown to the runner {experiment.runner!r}")
        for key in runner.missing_settings(settings):
            raise ExperimentError(f"{location}: {key}: is missing for the runner {experiment.runner!r}")


def collect(
    store: Store, effort: Effort, seed: int, chosen: Sequence[Experiment], problems: Mapping[str, str]
) -> dict[str, Result]:
    """Return the results of the chosen experiments and of all others that there are records of."""
    results: dict[str, Result] = {}
    for name, experiment in catalogue().items():
        if not RUNNERS[experiment.runner].module:
            continue
        records = store.records_of(experiment, effort, seed)
        if records or experiment in chosen:
            planned = len(runs_of(experiment, effort, seed))
            results[name] = summarise(experiment, records, planned, problems.get(name, ""))
    for name, experiment in catalogue().items():
        if not RUNNERS[experiment.runner].module and (experiment in chosen or set(experiment.uses) <= set(results)):
            results[name] = summarise_trade_off(experiment, results)
    return {name: results[name] for name in catalogue() if name in results}


class _Session:
    """The runs of a call, one after the other, and what goes wrong."""

    def __init__(self, store: Store, effort: Effort, seed: int, log: Console) -> None:
        self.store = store
        self.effort: Effort = effort
        self.seed = seed
        self.log = log
        self.problems: dict[str, str] = {}
        self.failures: list[str] = []
        self.interrupted = False

    def all_of(self, chosen: Sequence[Experiment]) -> None:
        """Do the runs that have not been done yet, and show progress."""
        plans = [(experiment, runs_of(experiment, self.effort, self.seed)) for experiment in chosen]
        costs = {experiment.name: _cost(experiment, runs, self.effort) for experiment, runs in plans}
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _TimeLeft())
        with Progress(*columns, console=self.log, disable=not self.log.is_terminal, transient=True) as progress:
            todo = [(experiment, [run for run in runs if self.store.get(run) is None]) for experiment, runs in plans]
            known = sum(len(runs) for _, runs in plans) - sum(len(runs) for _, runs in todo)
            if known:
                self.log.print(f"{known} runs have been done already", style="dim", highlight=False)
            expected = sum(costs[experiment.name] * len(runs) for experiment, runs in todo)
            bar = progress.add_task("", total=sum(len(runs) for _, runs in todo), cost=0.0, expected=expected)
            for experiment, runs in todo:
                progress.update(bar, description=experiment.title)
                for number, run in enumerate(runs):
                    if not self.one(experiment, run, progress.console):
                        progress.update(bar, advance=len(runs) - number)
                        break
                    cost = progress.tasks[bar].fields["cost"] + costs[experiment.name]
                    progress.update(bar, advance=1, cost=cost)

    def one(self, experiment: Experiment, run: Run, console: Console) -> bool:
        """Do one run and keep its record; False if no run of this experiment can be done."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of other packages, about versions and convergence
                outcomes = RUNNERS[experiment.runner].perform(run.variant, run.models, run.seed, run.settings)
        except (OSError, ImportError) as error:
            self.problems[experiment.name] = f"{experiment.title} is left out: {_remedy(error)}"
            return False
        except Exception as error:
            what = f"{experiment.title}, {', '.join(run.models)}, {run.variant}, seed {run.seed}"
            self.failures.append(f"{what}: {type(error).__name__}: {error}")
            return True
        self.store.add(Record(run, outcomes))
        seconds = sum(outcome.seconds for outcome in outcomes.values())
        variant = experiment.variants[run.variant]
        models = "" if len(run.models) > 1 else f" {experiment.models[run.models[0]]},"
        line = f"{experiment.title}:{models} {variant}, seed {run.seed}, {seconds:.1f} s"
        if not console.is_terminal:  # where there is no bar
            console.print(escape(line), style="dim", highlight=False, soft_wrap=True)
        return True


class _TimeLeft(ProgressColumn):
    """The remaining time, estimated from the expected and the actual durations of runs."""

    def render(self, task: Task) -> Text:
        cost, expected = task.fields["cost"], task.fields["expected"]
        pace = task.elapsed / cost if cost and task.elapsed is not None else 1.0
        seconds = pace * (expected - cost)
        return Text(f"about {format_time(seconds)} left", style="progress.remaining")


def format_time(seconds: float) -> str:
    """Format a duration for people.

    >>> format_time(42), format_time(170), format_time(8000)
    ('42 s', '3 min', '2 h 13 min')
    """
    if seconds < 60:
        return f"{max(seconds, 0):.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _cost(experiment: Experiment, runs: Sequence[Run], effort: Effort) -> float:
    """Return the seconds that one of an experiment's runs is expected to take."""
    extent = experiment.extents[effort]
    return extent.seconds * extent.runs / len(runs) if runs else 0.0


def _remedy(error: Exception) -> str:
    name = error.name.partition(".")[0] if isinstance(error, ImportError) and error.name else ""
    if name in EXTRAS and "evoter[" not in str(error):
        return f"{error}; pip install 'evoter[{EXTRAS[name]}]'"
    return str(error)
