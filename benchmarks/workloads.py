"""What is benchmarked: tables with fixed seeds, one configuration of evolution, and how much of each is measured."""

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_iris, make_classification

from evoter.evolution.engine import Evolution
from evoter.evolution.settings import PRESETS, Settings
from evoter.kernels.threads import Threads
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.schema import Schema
from evoter.tables import encode, infer_schema

SEED = 20
POPULATION = 1_000
N_FEATURES = 50
HAR_SHAPE = (10_299, 561)
N_CLASSES = 3

FIRST_MEASURED = 21
"""Generation 20 -> 21: by then the population is what populations are for the rest of a run."""


MAX_RULES = 16
"""The most rules of an individual; the figures compare populations of this size of rule sets."""


@dataclass(frozen=True, slots=True)
class Scale:
    """How large the tables are and how often things are measured; targets hold for the full scale only."""

    rows: tuple[int, ...] = (5_000, 100_000)
    object_rows: int = 5_000
    thread_rows: int = 100_000
    fewer_rows: int = 100_000
    more_rows: int = 1_000_000
    har_shape: tuple[int, int] = HAR_SHAPE
    n_generations: int = 10
    n_repeats: int = 3
    n_loop: int = 200
    n_processes: int = 5
    n_objects: int = 10
    cold_compile: bool = True
    population: int = POPULATION
    targets: bool = True

    def target(self, value: float | None) -> float | None:
        """Return a target, or None where the scale is too small for it to mean anything."""
        return value if self.targets else None

    def settings(self, preset: str) -> Settings:
        """Return the configuration of evolution: a preset with the benchmark's population, bred by variation alone.

        Exact moves come every few generations, take as long as a person lets them, and are not what is timed here.
        """
        return PRESETS[preset].replace(population_size=self.population, max_rules=MAX_RULES, n_refined=0)


FULL = Scale()
QUICK = Scale(
    rows=(1_000,),
    object_rows=1_000,
    thread_rows=5_000,
    fewer_rows=2_000,
    more_rows=20_000,
    har_shape=(1_000, 100),
    n_generations=2,
    n_repeats=1,
    n_loop=20,
    n_processes=1,
    n_objects=2,
    cold_compile=False,
    population=200,
    targets=False,
)


@dataclass(frozen=True, slots=True)
class Workload:
    """A table, feature by feature, with the class of each row."""

    name: str
    schema: Schema
    columns: NDArray[np.float64]
    classes: NDArray[np.int64]

    @property
    def shape(self) -> str:
        """Rows x features."""
        return f"{self.columns.shape[1]:,} x {len(self.columns):,}"

    def head(self, n_rows: int) -> "Workload":
        """Return the first rows as a table of the same schema."""
        return Workload(self.name, self.schema, np.ascontiguousarray(self.columns[:, :n_rows]), self.classes[:n_rows])

    def problem(self) -> ClassificationProblem:
        """Return a new problem, without any masks cached."""
        return ClassificationProblem(self.schema, self.columns, self.classes)

    def evolution(self, settings: Settings, *, seed: int = SEED, n_threads: int = 1) -> Evolution:
        """Return a new run on a new problem."""
        return Evolution(self.problem(), settings, seed=seed, threads=Threads(n_threads))


def workload(name: str, X: object, y: NDArray[np.int64]) -> Workload:
    """Describe a table as the classifier does: numeric features, scaled where they are compared with each other."""
    classes, codes = np.unique(y, return_inverse=True)
    schema = infer_schema(X, actions=[f"class {c}" for c in classes], scaled=True)
    return Workload(name, schema, encode(X, schema), codes.astype(np.int64))


def iris() -> Workload:
    """Return the 150 x 4 of every beginner."""
    X, y = load_iris(return_X_y=True)
    return workload("iris", X, y)


@cache
def synthetic(n_rows: int, n_features: int = N_FEATURES) -> Workload:
    """Return made-up classes that depend on ten features, with ten mixtures of these and noise as further features."""
    X, y = make_classification(
        n_rows, n_features, n_informative=10, n_redundant=10, n_classes=N_CLASSES, flip_y=0.05, random_state=SEED
    )
    return workload("synthetic", X, y)


def activity_recognition(shape: tuple[int, int]) -> Workload:
    """Return the smartphone data from the folder named by EVOTER_DATA, or else a synthetic table of the same shape."""
    path = Path(os.environ.get("EVOTER_DATA", "")) / "har_static.parquet"
    if shape != HAR_SHAPE or not path.is_file():
        return synthetic(*shape)
    import polars

    table = polars.read_parquet(path)
    features = table.drop("set", "subject", "activity")
    return workload("smartphone activities", features.to_numpy(), table["activity"].to_numpy())
