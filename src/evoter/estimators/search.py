"""How estimators run the engine: settings, stopping, seeds, threads, progress display and checkpoint."""

import inspect
import os
import time
import warnings
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import joblib
import numpy as np
from sklearn.utils import check_random_state

from evoter.estimators.finalists import near_best
from evoter.estimators.forms import Forms, form_settings
from evoter.evolution import islands
from evoter.evolution.checkpoint import load_checkpoint
from evoter.evolution.effects import Run, check_effects
from evoter.evolution.engine import Result, Watcher
from evoter.evolution.executor import Executor
from evoter.evolution.problem import Declaring
from evoter.evolution.settings import PRESETS, Settings, current_names
from evoter.evolution.stopping import Generations, Seconds, Stagnation, Stopping, TargetScore
from evoter.execution.processes import ProcessExecutor
from evoter.execution.starting import Startable, start_executor
from evoter.kernels.threads import Threads
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.problems.warming import kernels_are_cold, warm_up, warm_up_policies, warm_up_prescriptions
from evoter.rules.model import Mode, RuleSet

RandomState = int | np.random.RandomState | None

PARSIMONY = 0.06
"""What a condition costs by default, as a part of the uncertainty of the score."""

FINISHING = 0.2
"""Time to prune, simplify and count at the end of a fit, as a part of the time that it took to prepare its data."""

LEAST_PARSIMONY = 5e-4
"""What it costs at least, as a part of the range of the score: no table is so large that less is worth reading."""

_NAMED = ("population_size", "n_islands", "max_rules", "max_conditions", "parsimony")
"""The settings that are parameters of their own."""


class RunParameters(Protocol):
    """The parameters of an estimator that its run depends on; `run_parameters` describes them."""

    generations: int
    patience: int | None
    max_seconds: float | None
    target_score: float | None
    forms: Forms
    settings: Mapping[str, object] | None
    initial_rulesets: Sequence[RuleSet]
    checkpoint: str | os.PathLike[str] | None
    watchers: Sequence[Watcher]
    n_jobs: int | None
    executor: str | Startable
    random_state: RandomState
    verbose: int


def base_settings(estimator: Any) -> Settings:
    """Return the settings that an estimator starts from: those of its preset, or its own in place of the default."""
    own: Settings | None = getattr(estimator, "_base_settings", None)
    return PRESETS[estimator.preset] if own is None or estimator.preset != "default" else own


def settings_of(estimator: Any) -> Settings:
    """Return the settings of an estimator's preset with the changes that its parameters make."""
    base = base_settings(estimator)
    return base.replace(**form_settings(estimator, base)).replace(**_chosen_settings(estimator))


def _chosen_settings(estimator: Any) -> dict[str, object]:
    """Return the settings that a user has chosen, by name; the same one in two places is an error."""
    named = {name: getattr(estimator, name) for name in _NAMED if getattr(estimator, name, None) is not None}
    others = current_names(estimator.settings or {})
    for name, value in named.items():
        if name in others:
            raise ValueError(
                f"{name} is given twice, as a parameter ({value!r}) and in settings ({others[name]!r}): remove "
                "one of them"
            )
    return {**named, **others}


def parsimony_is_free(estimator: Any) -> bool:
    """Tell whether the cost of a condition follows from the data, because nobody has chosen it."""
    return bool(estimator.preset == "default") and "parsimony" not in _chosen_settings(estimator)


class Scored(Protocol):
    """A task whose score adds up over rows."""

    @property
    def score_range(self) -> float:
        """How far decisions can move the score."""
        ...

    @property
    def uncertainty(self) -> float:
        """How far chance may move it."""
        ...


def fair_parsimony(problem: Scored) -> float:
    """Return what a condition costs where nobody has chosen it."""
    return max(PARSIMONY * problem.uncertainty, LEAST_PARSIMONY * problem.score_range)


def stopping_of(
    estimator: RunParameters,
    problem: Declaring | None = None,
    *,
    generations: int | None = None,
    seconds_spent: float = 0.0,
) -> Stopping:
    """Return when an estimator's run stops; its target is a score of the problem, if one is given.

    `generations` is for a run that is one of several and has fewer of them than the estimator; `seconds_spent` are
    those of `max_seconds` that are over before it begins.
    """
    until: Stopping = Generations(estimator.generations if generations is None else generations)
    if estimator.patience is not None:
        until |= Stagnation(estimator.patience)
    if estimator.max_seconds is not None:
        until |= Seconds(max(0.0, estimator.max_seconds - seconds_spent))
    if problem is not None and estimator.target_score is not None:
        maximise = problem.objectives[0].maximise or len(problem.objectives) > 1  # then it is the hypervolume
        until |= TargetScore(estimator.target_score, maximise)
    return until


def search(
    estimator: RunParameters,
    problem: Declaring,
    settings: Settings,
    *,
    seed: int,
    begun: float | None = None,
    until: Stopping | None = None,
    initial_rulesets: Sequence[RuleSet] | None = None,
    watchers: Sequence[Watcher] = (),
    checkpoint: Path | None = None,
    executor: Executor | None = None,
) -> Result:
    """Evolve rule sets for a problem as an estimator's parameters say, and return the best.

    With one objective and a `select` of the user, the result has the rule sets to choose from.

    `begun` is the moment of `time.perf_counter` at which the fit began: its limit of time counts from there, but the
    time to compile kernels, once per installation, does not count.
    The keywords are for what differs: when to stop, what to start from, watchers beside the user's, another file, and
    an executor that serves several searches.
    """
    select = getattr(estimator, "select", None)
    check_effects(_chosen_settings(estimator), base_settings(estimator), Run(problem, settings, select is None))
    if executor is None:
        with closing(open_executor(estimator)) as own:
            return search(
                estimator,
                problem,
                settings,
                seed=seed,
                begun=begun,
                until=until,
                initial_rulesets=initial_rulesets,
                watchers=watchers,
                checkpoint=checkpoint,
                executor=own,
            )
    start = estimator.initial_rulesets if initial_rulesets is None else initial_rulesets
    evolution = islands.start(problem, settings, seed=seed, executor=executor, warm_start=start)
    prescribes = isinstance(problem, PrescriptionProblem)
    before_loading = time.perf_counter()
    compiles = load_kernels(
        problem.mode,
        len(problem.objectives) > 1,
        prescriptions=prescribes,
        verbose=estimator.verbose,
        ahead=estimator.max_seconds is not None,
    )
    if begun is not None and compiles:
        begun += time.perf_counter() - before_loading
    spent = 0.0 if begun is None else (time.perf_counter() - begun) * (1 + FINISHING)
    criterion = stopping_of(estimator, problem, seconds_spent=spent) if until is None else until
    deadline = None
    if begun is not None and estimator.max_seconds is not None:
        deadline = time.perf_counter() + max(0.0, estimator.max_seconds - spent)
    everyone = [*estimator.watchers, *watchers]
    path = checkpoint_path(estimator) if checkpoint is None else checkpoint
    if not estimator.verbose:
        result = evolution.run(criterion, everyone, checkpoint=path, deadline=deadline)
    else:
        from evoter.evolution.progress import ProgressDisplay  # as below: rich is slow to import

        with ProgressDisplay(until=criterion) as display:
            result = evolution.run(criterion, [*everyone, display], checkpoint=path, deadline=deadline)
    if select is None or result.front is not None:
        return result
    return replace(result, finalists=near_best(evolution))


def open_executor(estimator: RunParameters, *, in_processes: bool = False) -> Executor:
    """Start what evaluates the populations of an estimator; `in_processes` is for work that is Python."""
    n_jobs = count_threads(estimator.n_jobs)
    if in_processes and estimator.executor == "threads" and n_jobs > 1:
        return ProcessExecutor(n_jobs, Threads(n_jobs))
    return start_executor(estimator.executor, Threads(n_jobs))


def warn_if_interrupted(result: Result, what: str, *, stacklevel: int = 3) -> None:
    """Say that a fit was interrupted, and what it keeps; `stacklevel` counts the calls from whoever called `fit`."""
    if result.reason == "interrupted":
        message = f"interrupted: keeping the best {what} of {result.history.n_generations} generations"
        warnings.warn(message, stacklevel=stacklevel)


def load_kernels(
    mode: Mode,
    several_objectives: bool = False,
    *,
    prescriptions: bool = False,
    policies: bool = False,
    verbose: int = 0,
    ahead: bool = True,
) -> bool:
    """Compile what a run needs, or load it, and return whether it was compiled; announce it if it takes long.

    Where time is not limited, this need not be `ahead` of the run: kernels are then compiled in the order of need, and
    the first generation is shown while others are still missing.
    """
    cold = kernels_are_cold()
    if cold:
        from evoter.evolution.progress import announce_compilation  # rich is slow to import

        announce_compilation(bool(verbose))
    if not ahead:
        return cold
    warm_up(mode, several_objectives=several_objectives)
    if prescriptions:
        warm_up_prescriptions(mode)
    if policies:
        warm_up_policies()
    return cold


def count_threads(n_jobs: int | None) -> int:
    """Return the number of threads that `n_jobs` means: None is 1, -1 all available cores, -2 all but one.

    >>> count_threads(None), count_threads(3)
    (1, 3)
    """
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0: use 1 for one thread, -1 for all cores")
    return int(joblib.effective_n_jobs(n_jobs))


def checkpoint_path(estimator: RunParameters) -> Path | None:
    """Return the path of an estimator's checkpoint, None if it has none."""
    return None if estimator.checkpoint is None else Path(estimator.checkpoint)


def draw_seed(estimator: RunParameters) -> int:
    """Return the seed of a run; without a `random_state`, a run continues with the seed of its checkpoint."""
    path = checkpoint_path(estimator)
    if estimator.random_state is None and path is not None and path.exists():
        return load_checkpoint(path).seed
    return int(check_random_state(estimator.random_state).randint(2**31 - 1))


def refuse_unused(estimator: Any, name: str, *, used: bool, needs: str) -> None:
    """Refuse a parameter that is not at its default and has no effect; `needs` says what it would take."""
    value = getattr(estimator, name)
    if not used and value != _default(estimator, name):
        raise ValueError(f"{name}={value!r} has no effect here, since it needs {needs}: leave {name} out")


def _default(estimator: object, name: str) -> object:
    return inspect.signature(type(estimator)).parameters[name].default
