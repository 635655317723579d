"""Standard test problems of several objectives, as rules decide them and as pymoo's vectors do."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import Problem as PymooProblem
from pymoo.operators.crossover.pntx import TwoPointCrossover
from pymoo.operators.crossover.sbx import SBX
from pymoo.operators.mutation.bitflip import BitflipMutation
from pymoo.operators.mutation.pm import PM
from pymoo.operators.repair.rounding import RoundingRepair
from pymoo.operators.sampling.rnd import BinaryRandomSampling, IntegerRandomSampling

from evoter.evolution.problem import Constraint, Evaluation, Objective
from evoter.evolution.settings import Settings
from evoter.kernels.layout import Floats, Grammar, Ints, Population
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import Behaviours, sample_behaviours
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.model import Mode
from evoter.rules.schema import Feature, Schema

N_VARIABLES = 30
N_LEVELS = 11
N_ITEMS = 100


@dataclass(frozen=True)
class Assignment:
    """A choice for each of some rows: what rules decide there, and what pymoo's vectors hold there.

    `features` describe the rows, so that rules can tell them apart.
    """

    name: str
    features: dict[str, Floats]
    n_choices: int
    reference: tuple[float, float]

    def costs(self, choices: Ints) -> Floats:
        """Return both costs for each row of `choices`."""
        raise NotImplementedError

    def excess(self, choices: Ints) -> Floats:
        """Return by how much constraints are broken, one column each; none by default."""
        return np.empty((len(choices), 0))

    @property
    def n_rows(self) -> int:
        """The number of rows, or variables."""
        return len(next(iter(self.features.values())))


@dataclass(frozen=True)
class ZDT1(Assignment):
    """The first problem of Zitzler, Deb and Thiele (2000), its variables on a grid; the rules read their numbers."""

    def costs(self, choices: Ints) -> Floats:
        """Return f1 and f2."""
        x = choices / (self.n_choices - 1)
        g = 1.0 + 9.0 * x[:, 1:].mean(axis=1)
        return np.column_stack([x[:, 0], g * (1.0 - np.sqrt(x[:, 0] / g))])


@dataclass(frozen=True)
class Knapsacks(Assignment):
    """Zitzler and Thiele's two knapsacks (1999): every item taken goes into both, for a profit and a weight in each."""

    capacity: float = 0.5

    def costs(self, choices: Ints) -> Floats:
        """Return the profits left behind, as shares of all."""
        profits = np.array([self.features["profit 1"], self.features["profit 2"]])
        costs: Floats = 1.0 - choices @ profits.T / profits.sum(axis=1)
        return costs

    def excess(self, choices: Ints) -> Floats:
        """Return the weights beyond the capacities, as shares of all weights."""
        weights = np.array([self.features["weight 1"], self.features["weight 2"]])
        excess: Floats = choices @ weights.T / weights.sum(axis=1) - self.capacity
        return excess


def zdt1() -> Assignment:
    """Return ZDT1 with 30 variables of 11 levels."""
    return ZDT1("ZDT1", {"variable": np.arange(float(N_VARIABLES))}, N_LEVELS, (1.1, 6.0))


def knapsacks() -> Assignment:
    """Return 100 items with weights and profits from 10 to 100."""
    rng = np.random.default_rng(0)
    names = ("profit 1", "profit 2", "weight 1", "weight 2")
    features = {name: rng.integers(10, 101, N_ITEMS).astype(np.float64) for name in names}
    return Knapsacks("two knapsacks", features, 2, (1.0, 1.0))


class AsRules:
    """The problem for evoter's engine: the actions are the choices."""

    mode = Mode.FIRST
    objectives = (Objective("first", maximise=False), Objective("second", maximise=False))

    def __init__(self, assignment: Assignment) -> None:
        self._assignment = assignment
        columns = np.array(list(assignment.features.values()))
        features = [
            Feature(name, low=column.min(), high=column.max())
            for name, column in zip(assignment.features, columns, strict=True)
        ]
        self.schema = Schema(features, [str(choice) for choice in range(assignment.n_choices)])
        self._columns = columns
        n_constraints = assignment.excess(np.zeros((1, columns.shape[1]), np.int64)).shape[1]
        self.constraints = tuple(Constraint(f"excess {k + 1}", 0.0) for k in range(n_constraints))

    @cached_property
    def _counted(self) -> ClassificationProblem:
        """The rows with one class: it is not the score that counts but how often each rule holds."""
        return ClassificationProblem(self.schema, self._columns, np.zeros(self._columns.shape[1], np.int64))

    @cached_property
    def _behaviours(self) -> Behaviours:
        return sample_behaviours(self.schema, self._columns, self.mode)

    def grammar(self, settings: Settings) -> Grammar:
        """Return the grammar of the rows."""
        return self._counted.grammar(settings)

    def fingerprint(self) -> str:
        """Return the digest of the rows."""
        return f"{self._assignment.name} {self._counted.fingerprint()}"

    def evaluate(self, population: Population, threads: Threads, seed: int) -> Evaluation:
        """Score what the rule sets choose."""
        planes = self._behaviours.planes(population, threads)
        choices = self._behaviours.decisions(planes)[:, : self._columns.shape[1]]
        scores = np.column_stack([self._assignment.costs(choices), self._assignment.excess(choices)])
        return self._counted.evaluate(population, threads)._replace(scores=scores)


class AsVectors(PymooProblem):  # type: ignore[misc]
    """The problem for pymoo: a whole number for each row."""

    def __init__(self, assignment: Assignment) -> None:
        n = assignment.n_rows
        n_constraints = assignment.excess(np.zeros((1, n), np.int64)).shape[1]
        kind = bool if assignment.n_choices == 2 else int
        bounds = {"xl": 0, "xu": assignment.n_choices - 1}
        super().__init__(n_var=n, n_obj=2, n_ieq_constr=n_constraints, vtype=kind, **bounds)
        self._assignment = assignment

    def _evaluate(self, x: Any, out: dict[str, Floats], *_: object, **__: object) -> None:
        choices = np.asarray(x).astype(np.int64)
        out["F"] = self._assignment.costs(choices)
        if self.n_ieq_constr:
            out["G"] = self._assignment.excess(choices)


def pymoo_nsga2(assignment: Assignment, population_size: int) -> NSGA2:
    """Return pymoo's NSGA-II with its own operators for whole numbers, or for bits where there are two choices."""
    if assignment.n_choices == 2:
        operators = {
            "sampling": BinaryRandomSampling(),
            "crossover": TwoPointCrossover(),
            "mutation": BitflipMutation(),
        }
    else:
        whole = {"vtype": float, "repair": RoundingRepair()}
        operators = {
            "sampling": IntegerRandomSampling(),
            "crossover": SBX(prob=0.9, eta=15, **whole),
            "mutation": PM(eta=20, **whole),
        }
    return NSGA2(pop_size=population_size, eliminate_duplicates=True, **operators)
