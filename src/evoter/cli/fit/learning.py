"""Learning: the classifier that the options ask for, trained on some rows and tested on the others."""

import sys
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evoter.analysis.formatting import counted
from evoter.cli import signals
from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.protected import column_values
from evoter.cli.fit.split import Split
from evoter.cli.fit.stability import Run, Stability, run_of
from evoter.cli.guardrails.options import GuardrailOptions
from evoter.cli.guardrails.price import price_between
from evoter.cli.output import Failure, nearest, say, split_hint
from evoter.cli.warming.sharing import compiling_together
from evoter.evolution.progress import part_of_whole

if TYPE_CHECKING:
    from evoter.analysis.rule_statistics import RuleStatistics
    from evoter.estimators.classifier import EvoterClassifier
    from evoter.estimators.guardrail_price import GuardrailPrice
    from evoter.estimators.regression.regressor import EvoterRegressor
    from evoter.evolution.engine import Evolution, Watcher
    from evoter.execution.ray_executor import RayEvaluation
    from evoter.execution.starting import Startable
    from evoter.kernels.threads import Threads
    from evoter.rules.model import RuleSet

SELECTIONS = ("best", "knee", "neighbours")
"""The ways of choosing from a front, or among the finalists of a run, that need no further arguments."""

LEAST_SECONDS = 0.1
"""The limit of a fit whose time was over before it began: it keeps the best of a few random rule sets."""

REPORTING = 0.5
"""Time to test the rules and to write the report, as a part of the time that it took to read and judge the table."""

NUMBER_METRICS = ("squared", "absolute", "poisson", "quantile")
"""The metrics of rules that predict numbers."""

UNLIMITED = 1_000_000
"""The number of generations if only time limits the search."""


@dataclass(frozen=True)
class AnnouncedCluster:
    """A Ray cluster to search on; a command that searches several times names it once."""

    address: str
    progress: bool

    def start(self, threads: "Threads") -> "RayEvaluation":
        """Connect, start the workers, and say so if messages are wanted."""
        from evoter.execution import RayExecutor

        executor = RayExecutor(self.address).start(threads)
        if self.progress:
            _announce(executor.n_hosted, executor.address)
        return executor


@cache
def _announce(n_workers: int, address: str) -> None:
    say(f"evaluating on the Ray cluster at {address}: {counted(n_workers, 'worker')}", "dim")


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """The options of the search; None means the default of the classifier."""

    preset: str = "default"
    metric: str | None = None
    objectives: tuple[str, ...] = ()
    select: str | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    generations: int | None = None
    seconds: float | None = None
    patience: int | None = None
    population_size: int | None = None
    n_islands: int | None = None
    max_rules: int | None = None
    max_conditions: int | None = None
    parsimony: float | None = None
    forms: str | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    balanced: bool = False
    jobs: int = -1
    cluster: str | None = None
    seed: int = 0
    checkpoint: Path | None = None
    guardrails: GuardrailOptions = field(default_factory=GuardrailOptions)
    begun: float = field(default_factory=time.perf_counter)

    def seconds_left(self, before_search: float, n_runs: int = 1) -> float | None:
        """Return the time for the next of some runs that are left to do; None if it is not limited.

        Some time is kept for testing and reporting, in proportion to the time that was spent `before_search`.
        """
        if self.seconds is None:
            return None
        spent = time.perf_counter() - self.begun
        return max(LEAST_SECONDS, (self.seconds - spent - REPORTING * before_search) / n_runs)

    @property
    def for_rare_classes(self) -> bool:
        """Whether something other than accuracy is optimised."""
        first = self.objectives[0] if self.objectives else self.metric
        return self.balanced or first not in (None, "accuracy")

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the classifier.

        A time limit replaces the default limit on generations.
        """
        given: dict[str, Any] = {
            "preset": self.preset,
            "metric": self.metric,
            "objectives": list(self.objectives) or None,
            "select": self.select,
            "constraints": dict(self.limits) or None,
            "generations": self.generations or (UNLIMITED if self.seconds is not None else None),
            "max_seconds": self.seconds,
            "patience": self.patience,
            "population_size": self.population_size,
            "n_islands": self.n_islands,
            "max_rules": self.max_rules,
            "max_conditions": self.max_conditions,
            "parsimony": self.parsimony,
            "forms": None if self.forms is None else [name.strip() for name in self.forms.split(",")],
            "settings": dict(self.settings) or None,
            "class_weight": "balanced" if self.balanced else None,
            "n_jobs": self.jobs,
            "random_state": self.seed,
            **self.guardrails.parameters(),
        }
        return {name: value for name, value in given.items() if value is not None}

    def executor(self, *, progress: bool) -> "str | Startable":
        """Return where populations are evaluated; it is no part of the record, since the rules do not depend on it."""
        return "threads" if self.cluster is None else AnnouncedCluster(self.cluster, progress)

    def check(self, *, numbers: bool = False) -> None:
        """Refuse what the estimator would refuse, and options without effect, before the user is asked anything."""
        from evoter.estimators.classifier import EvoterClassifier
        from evoter.estimators.objectives import read_constraints, read_objectives
        from evoter.estimators.search import settings_of
        from evoter.evolution.settings import PRESETS

        if self.preset not in PRESETS:
            hint = nearest(self.preset, PRESETS, f"known: {', '.join(PRESETS)}")
            raise Failure(f"there is no preset {self.preset!r}", hint)
        if self.seconds is not None and self.seconds <= 0:
            raise Failure(f"--time {self.seconds:g} is not a positive number of seconds", "for example --time 60")
        self._refuse_ignored()
        if self.cluster is not None:
            from evoter.execution.ray_connection import import_ray

            try:
                import_ray()
            except ImportError as error:
                raise Failure(*split_hint(str(error))) from None
        if numbers:
            return
        model = EvoterClassifier(**self.parameters())
        try:
            settings_of(model)
            metric, _ = read_objectives(model.objectives, model.metric)
            read_constraints(model.constraints)
            _check_metric(metric)
        except ValueError as error:
            raise Failure(*split_hint(str(error))) from None

    @property
    def compares_groups(self) -> bool:
        """Whether an objective or a limit compares groups of rows."""
        from evoter.estimators.group_measures import comparing_measures

        return bool(comparing_measures([*self.objectives, *self.limits]))

    def _refuse_ignored(self) -> None:
        """Refuse options that have no effect beside the others."""
        if self.select is not None and self.select not in SELECTIONS:
            hint = nearest(self.select, SELECTIONS, f"known: {', '.join(SELECTIONS)}")
            raise Failure(f"there is no selection {self.select!r}", hint)
        first = next(iter(self.objectives), "metric")
        if self.metric is not None and first not in ("metric", self.metric):
            raise Failure(
                f"--metric has no effect beside --objective {first}", f"write --objective {self.metric} first"
            )
        options = {"population_size": "--population", "n_islands": "--islands", "parsimony": "--parsimony"}
        options |= {"max_rules": "--max-rules", "max_conditions": "--max-conditions"}
        for name, option in options.items():
            if name in self.settings and getattr(self, name) is not None:
                raise Failure(f"{option} has no effect beside --setting {name}", "give one of them")


@dataclass(frozen=True, slots=True)
class Learnt:
    """A fitted model with the statistics of its rules on the training rows and on the test rows."""

    model: "EvoterClassifier"
    seen: "RuleStatistics"
    unseen: "RuleStatistics | None"
    interrupted: bool
    optimised: "Optimised"


@dataclass(frozen=True, slots=True)
class Optimised:
    """The metric that was optimised, and what the rules achieve by it; None where it is not defined."""

    metric: str
    train: float | None
    test: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures for the record."""
        return {"metric": self.metric, "train": self.train, "test": self.test}

    def __str__(self) -> str:
        found = [(self.test, "unseen rows"), (self.train, "training rows")]
        scores = ", ".join(f"{score:.4g} on {rows}" for score, rows in found if score is not None)
        return f"optimised for {self.metric}: {scores}" if scores else f"optimised for {self.metric}"


def learn_repeatedly(
    plan: Plan,
    split: Split,
    options: LearningOptions,
    n_runs: int,
    *,
    protected: Sequence[str] = (),
    price: bool = False,
    progress: bool,
) -> "tuple[Learnt, Stability | None, GuardrailPrice | None]":
    """Learn rules, and learn them again with the next seeds; return the first result and what all have in common.

    With `price`, they are also learnt without guardrails, to tell what these cost. A signal ends the run under way and
    all that would follow; without a second complete run, nothing can be compared.
    """
    before_search = time.perf_counter() - options.begun
    n_fits = n_runs + price
    runs: list[Run] = []
    first: Learnt | None = None
    for number in range(n_runs):
        each = replace(options, seed=options.seed + number)
        with part_of_whole(number, n_fits):
            seconds = options.seconds_left(before_search, n_fits - number)
            learnt = learn(plan, split, each, seconds, protected=protected, progress=progress)
        first = first or learnt
        if learnt.interrupted:
            break
        runs.append(run_of(each.seed, learnt))
    assert first is not None
    stability = Stability(tuple(runs), len(split.test) > 0) if len(runs) > 1 else None
    if not price or len(runs) < n_runs:
        return first, stability, None
    free = replace(options, guardrails=GuardrailOptions(), checkpoint=None)
    with part_of_whole(n_runs, n_fits):
        other = learn(plan, split, free, options.seconds_left(before_search), progress=progress)
    return first, stability, None if other.interrupted else price_between(first, other)


def learn(
    plan: Plan,
    split: Split,
    options: LearningOptions,
    seconds: float | None = None,
    *,
    protected: Sequence[str] = (),
    progress: bool,
) -> Learnt:
    """Learn rules from the training rows; Ctrl-C and SIGTERM keep the best so far, until `signals.let_go`.

    `seconds` limits the search; None does not. Groups of `protected` columns matter where an objective or a limit
    compares them.
    """
    from evoter.analysis.rule_statistics import measure
    from evoter.estimators.classification.judging import optimised_metric, score_on

    frame, labels = plan.frame, list(plan.labels)
    train, test = split.train.tolist(), split.test.tolist()
    model = make_model(plan, options, progress=progress)
    model.max_seconds = seconds
    shown = search_messages(progress, on_cluster=options.cluster is not None)
    with shown, compiling_together(limited=seconds is not None, progress=progress):
        groups = column_values(plan, protected, train) if options.compares_groups else None
        model.fit(frame[train], [labels[row] for row in train], protected=groups)
    model.max_seconds = options.seconds  # what was asked for is what the report says
    interrupted = finish_search(model, plan, progress=progress)
    optimised = Optimised(
        optimised_metric(model) or "",
        score_on(model, frame[train], [labels[row] for row in train]),
        score_on(model, frame[test], [labels[row] for row in test]) if test else None,
    )
    return Learnt(
        model,
        measure(model.ruleset_, frame[train], [labels[row] for row in train]),
        measure(model.ruleset_, frame[test], [labels[row] for row in test]) if test else None,
        interrupted,
        optimised,
    )


def make_model(plan: Plan, options: LearningOptions, *, progress: bool) -> "EvoterClassifier":
    """Return the classifier that the options ask for, which a signal ends."""
    from evoter.estimators.classifier import EvoterClassifier

    return EvoterClassifier(**estimator_parameters(plan, options, progress=progress))


def estimator_parameters(plan: Plan, options: LearningOptions, *, progress: bool) -> dict[str, Any]:
    """Return what the options and the table say to any estimator, with a watcher that ends the search on a signal."""
    return options.parameters() | {
        "categorical": plan.categorical,
        "units": plan.units or None,
        "checkpoint": options.checkpoint,
        "executor": options.executor(progress=progress),
        "watchers": [ends_on_signal(progress)],
        "verbose": int(progress),
    }


def finish_search(model: "EvoterClassifier | EvoterRegressor", plan: Plan, *, progress: bool) -> bool:
    """Let the rules declare how the cells of the table were read; return whether the search was interrupted."""
    signals.keep(_notice(progress))  # a run that continues from its last generation calls no watcher
    model.ruleset_ = with_cell_reading(model.ruleset_, plan)
    return signals.code_of_signal() is not None or model.stop_reason_ == "interrupted"


def ends_on_signal(progress: bool) -> "Watcher":
    """Return a watcher that ends a run on a signal; from the first generation on there are rules to keep."""

    def ends(evolution: "Evolution", share: float) -> bool:
        signals.keep(_notice(progress))
        return signals.code_of_signal() is not None

    return ends


def _notice(progress: bool) -> str | None:
    return "keeping the best rules so far; once more ends at once" if progress else None


@contextmanager
def search_messages(progress: bool, *, on_cluster: bool = False) -> Iterator[None]:
    """Show warnings of a search as the command line does, and turn its errors into failures.

    What Ray prints goes to standard error: only results belong in the output.
    """
    from evoter.execution import ClusterError
    from evoter.tables import ColumnWarning

    try:
        with warnings.catch_warnings(), redirect_stdout(sys.stderr) if on_cluster else nullcontext():
            warnings.filterwarnings("ignore", message="interrupted", category=UserWarning)
            warnings.filterwarnings("ignore", category=ColumnWarning)  # shown already
            warnings.showwarning = lambda message, *_, **__: say(f"warning: {message}", "yellow") if progress else None
            yield
    except (ValueError, TypeError, ClusterError) as error:
        message, hint = split_hint(str(error))
        raise Failure(message, hint or "evoter fit --help lists what can be set") from None


def with_cell_reading(ruleset: "RuleSet", plan: Plan) -> "RuleSet":
    """Return rules that declare how the cells of the table were read, so that they decide alike wherever they are."""
    views = {view.name: view for view in plan.features}
    features = []
    for feature in ruleset.schema.features:
        fields = plan.cell_reading(views[feature.name])
        fields["unit"] = fields["unit"] or feature.unit
        features.append(replace(feature, **fields))
    return ruleset.replace(schema=ruleset.schema.over(features))


def _check_metric(name: object) -> None:
    from evoter.problems.classification.frequencies import OBJECTIVES
    from evoter.rules.errors import did_you_mean

    if name in OBJECTIVES or not isinstance(name, str):
        return
    from sklearn.metrics import get_scorer_names

    known = [*OBJECTIVES, *get_scorer_names()]
    if name not in known:
        raise ValueError(f"unknown metric {name!r}{did_you_mean(name, known)}")
