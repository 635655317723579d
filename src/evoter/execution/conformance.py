"""What every executor must pass: small runs of all kinds of tasks that give the same bytes as one thread does.

>>> from evoter.evolution.executor import ThreadExecutor
>>> from evoter.kernels.threads import Threads
>>> check_executor(ThreadExecutor(Threads(2)), ["classification"])
"""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from typing import Final

import numpy as np

from evoter.environments.cart_pole import BatchCartPole
from evoter.evolution import islands
from evoter.evolution.engine import Evolution, Watcher
from evoter.evolution.executor import Executor, ThreadExecutor
from evoter.evolution.problem import Objective, Problem
from evoter.evolution.settings import DEFAULT, Settings
from evoter.evolution.sharding import SHARD_ROWS
from evoter.evolution.stopping import Generations
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.group_counts import GroupMeasure
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.control.problem import ControlProblem
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.problems.regression.problem import RegressionProblem
from evoter.problems.secondary import COMPLEXITY
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.model import Mode
from evoter.rules.schema import Feature, Kind, Schema
from evoter.tables.groups import Groups
from evoter.tables.panel import Panel

N_ROWS: Final = SHARD_ROWS + 3_000
"""Rows of most tasks: two shards, of which one is short."""

GENERATIONS: Final = 4
"""Of each run; the children of the second are refined."""

_SETTINGS: Final = DEFAULT.replace(
    population_size=24,
    n_elites=2,
    n_refined=4,
    refinement_moves=20,
    refinement_rows=500,
    max_rules=8,
    max_conditions=3,
    max_initial_rules=4,
    sum_rate=0.1,
    set_rate=0.2,
    missing_rate=0.1,
)

_MIGRATING: Final[dict[str, object]] = {"population_size": 12, "migration_interval": 1, "n_migrants": 2}

_TABLE: Final = Schema(
    [
        Feature("age", low=0, high=100, missing=True),
        Feature("dose", low=0, high=10),
        Feature("colour", Kind.CATEGORICAL, categories=("red", "green", "blue")),
    ],
    ["low", "middle", "high"],
)


@dataclass(frozen=True)
class Case:
    """A task with its settings; `make` returns the same task every time, given where policies play."""

    make: Callable[[Executor], Problem]
    settings: Settings = _SETTINGS


def check_executor(executor: Executor, cases: Iterable[str] | None = None) -> None:
    """Check that an executor gives the same bytes as one thread, in all cases or in some, by name.

    Raises an AssertionError that names the case otherwise. In a test suite, use the names in `CASES` as parameters.
    """
    for name in CASES if cases is None else cases:
        assert digest(name, executor) == expected(name), f"{name}: the result differs from that of one thread"


@cache
def expected(name: str) -> str:
    """Return the digest of a case on one thread."""
    return digest(name, ThreadExecutor())


def digest(name: str, executor: Executor, watchers: Iterable[Watcher] = ()) -> str:
    """Return a digest of everything that a run gives: all evaluations, the best rule set, and the front if any."""
    case = CASES[name]
    evolution = islands.start(case.make(executor), case.settings, seed=7, executor=executor)
    found = hashlib.sha256()

    def note(evolution: Evolution, progress: float) -> None:
        for array in (*evolution.evaluation, *evolution.state().population[1:]):
            found.update(np.ascontiguousarray(array).tobytes())

    result = evolution.run(Generations(GENERATIONS), [note, *watchers])
    found.update(f"{result.best}\n{result.score!r}\n{result.front}".encode())
    return found.hexdigest()


def _columns(n_rows: int) -> tuple[Floats, np.random.Generator]:
    rng = np.random.default_rng(0)
    age = np.where(rng.random(n_rows) < 0.1, np.nan, rng.integers(0, 101, n_rows))
    return np.array([age, rng.random(n_rows).round(2) * 10, rng.integers(0, 3, n_rows).astype(np.float64)]), rng


def _classes(columns: Floats, rng: np.random.Generator) -> Ints:
    noise = rng.random(columns.shape[1]) < 0.1
    known = np.where(np.nan_to_num(columns[0]) > 60, 2, np.where(columns[1] > 5, 1, 0))
    return np.where(noise, rng.integers(0, 3, columns.shape[1]), known).astype(np.int64)


def _classification(executor: Executor) -> Problem:
    columns, rng = _columns(N_ROWS)
    return ClassificationProblem(_TABLE, columns, _classes(columns, rng))


def _weighted(executor: Executor) -> Problem:
    columns, rng = _columns(N_ROWS)
    classes = _classes(columns, rng)
    return ClassificationProblem(
        _TABLE,
        columns,
        classes,
        measure="log_loss",
        mode=Mode.HARDMAX,
        sample_weight=rng.random(N_ROWS),
        class_weight=np.array([0.1, 1.0, 0.7]),
    )


def _guarded(executor: Executor) -> Problem:
    columns, rng = _columns(N_ROWS)
    classes = _classes(columns, rng)
    rails: Guardrails = read_guardrails(
        _TABLE, pinned="dose > 9.5 -> high", forbidden="colour = red -> never middle", mode=Mode.FIRST
    )
    measure = GroupMeasure("selection_rate_difference", ("selection_rate",), 2, "difference")
    groups = [Groups("ward", ("a", "b"), rng.integers(0, 2, N_ROWS))]
    return ClassificationProblem(_TABLE, columns, classes, limits=[(measure, 0.05)], groups=groups, guardrails=rails)


def _many_classes(executor: Executor) -> Problem:
    columns, rng = _columns(2_000)
    schema = Schema(_TABLE.features, [f"class {number}" for number in range(70)])
    return ClassificationProblem(schema, columns, rng.integers(0, 70, 2_000), measure="f1_macro")


def _front(executor: Executor) -> Problem:
    columns, rng = _columns(N_ROWS)
    classes = _classes(columns, rng)
    return ClassificationProblem(_TABLE, columns, classes, measure="roc_auc", secondary=[COMPLEXITY])


def _series(executor: Executor) -> Problem:
    rng = np.random.default_rng(1)
    series = np.cumsum(rng.normal(size=(2, N_ROWS + 4)), axis=1).round(2)
    stops = np.arange(4, N_ROWS + 4)
    panel = Panel(("x", "y"), series, (stops - 4).tolist(), stops.tolist())
    rises = (series[0, stops - 1] > series[0, stops - 3]).astype(np.int64)
    return ClassificationProblem(Schema([Feature("x"), Feature("y")], ["falls", "rises"], 3), panel, rises)


def _prescription(executor: Executor) -> Problem:
    columns, rng = _columns(N_ROWS)
    goals = [Objective("health"), Objective("cost", maximise=False)]
    return PrescriptionProblem(_TABLE, columns, rng.random((N_ROWS, 3, 2)), goals, mode=Mode.HARDMAX)


def _regression(executor: Executor) -> Problem:
    columns, rng = _columns(N_ROWS)
    numbers = np.where(columns[1] > 4, 2 * columns[1], 1.0) + rng.normal(size=N_ROWS)
    return RegressionProblem(Schema(_TABLE.features, ["0"]), columns, numbers, sample_weight=rng.random(N_ROWS) + 0.5)


def _quantile(executor: Executor) -> Problem:
    columns, rng = _columns(3_000)
    numbers = np.where(columns[1] > 4, 2 * columns[1], 1.0) + rng.normal(size=3_000)
    return RegressionProblem(Schema(_TABLE.features, ["0"]), columns, numbers, metric="quantile", quantile=0.3)


def _scorer(executor: Executor) -> Problem:
    columns, rng = _columns(3_000)
    classes = _classes(columns, rng)
    measure = (Objective("share"), partial(_share_of_certainty, classes))
    return ClassificationProblem(_TABLE, columns, classes, measure=measure, mode=Mode.HARDMAX)


def _share_of_certainty(classes: Ints, predicted: Ints, certainties: Floats) -> float:
    """Score predictions as a metric in Python does."""
    return float(np.where(predicted == classes, certainties, 0.0).mean())


def _control(executor: Executor) -> Problem:
    observed = np.random.default_rng(2).normal(size=(200, 4))
    schema = Schema([Feature(name) for name in ("position", "speed", "angle", "rotation")], ["left", "right"])
    return ControlProblem(schema, BatchCartPole(60), observed, n_episodes=4, executor=executor)


CASES: Final = {
    "classification": Case(_classification),
    "weights and log-loss": Case(_weighted),
    "guardrails and groups": Case(_guarded),
    "many classes": Case(_many_classes),
    "series": Case(_series, _SETTINGS.replace(comparison_rate=0.3)),
    "front": Case(_front),
    "prescription": Case(_prescription),
    "regression": Case(_regression),
    "quantile": Case(_quantile),
    "scorer": Case(_scorer, _SETTINGS.replace(n_refined=0)),
    "control": Case(_control, _SETTINGS.replace(n_refined=0)),
    "islands": Case(_weighted, _SETTINGS.replace(n_islands=2, **_MIGRATING)),
    "islands on few rows": Case(_many_classes, _SETTINGS.replace(n_islands=3, **_MIGRATING)),
    "islands of fronts": Case(_front, _SETTINGS.replace(n_islands=2, **_MIGRATING)),
    "islands of policies": Case(_control, _SETTINGS.replace(n_refined=0, n_islands=2, **_MIGRATING)),
    "age layers": Case(_classification, _SETTINGS.replace(n_age_layers=2, population_size=40)),
    "sample rounds": Case(_classification, _SETTINGS.replace(sample_rounds=2)),
}
"""The cases by name."""
