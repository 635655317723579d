"""A task of one's own needs six members, and the engine treats it like any other."""

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Evaluation, Objective, Problem
from evoter.evolution.settings import Settings
from evoter.evolution.stopping import Generations, TargetScore
from evoter.kernels.layout import Grammar, Population
from evoter.kernels.threads import Threads
from evoter.problems.grammars import grammar_of
from evoter.rules.model import Mode
from evoter.rules.schema import Feature, Schema
from tasks import SMALL


class Size:
    """Rule sets of just so many conditions, and no data at all."""

    schema = Schema([Feature("x", low=0, high=1), Feature("y", low=0, high=1)], ["left", "right"])
    mode = Mode.FIRST
    objectives = (Objective("distance", maximise=False),)

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted

    def grammar(self, settings: Settings) -> Grammar:
        return grammar_of(settings.replace(uniform_constants=True), self.schema, None)

    def fingerprint(self) -> str:
        return f"size {self.wanted}"

    def evaluate(self, population: Population, threads: Threads, seed: int) -> Evaluation:
        distance = np.abs(population.complexity - self.wanted).astype(np.float64)
        counts = np.ones((population.size, population.max_rules), np.int64)
        return Evaluation(distance[:, None], counts, counts, counts[:, 0])


@pytest.mark.parametrize("wanted", [1, 7, 12])
def test_a_problem_of_ones_own(wanted: int) -> None:
    problem: Problem = Size(wanted)
    evolution = Evolution(problem, SMALL.replace(parsimony=0.0), seed=1)
    result = evolution.run(Generations(200) | TargetScore(0.0, maximise=False))
    assert result.score == 0.0
    assert result.best.n_conditions == wanted
    assert result.best.schema == problem.schema
    assert (np.diff(evolution.history["best"]) <= 0).all()


def test_objectives_are_maximised_unless_they_say_otherwise() -> None:
    assert Objective("accuracy").maximise
