"""The decisions of populations, packed into bits, are those of each rule set by itself."""

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.genome.arrays import table_rows
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import Behaviours, sample_behaviours
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.deciding import decide_columns
from evoter.problems.mask_cache import MaskCache
from evoter.rules.model import Mode
from evoter.rules.modes import Task, modes_for
from tasks import SMALL, decoded, mixed_problem, plain_problem

MODES = modes_for(Task.CLASSIFICATION)


def behaviours(problem: ClassificationProblem, budget: int = 2**20) -> Behaviours:
    rows = table_rows(problem.columns, problem.schema)
    return Behaviours(MaskCache(rows, budget), rows.valid, problem.mode, len(problem.schema.actions))


@pytest.mark.parametrize("n_threads", [1, 3])
@pytest.mark.parametrize("budget", [0, 3_000, 2**20])
@pytest.mark.parametrize("mode", MODES)
def test_planes_unpack_to_the_decisions_of_each_rule_set(mode: Mode, budget: int, n_threads: int) -> None:
    problem = mixed_problem(2, mode=mode)
    evolution = Evolution(problem, SMALL, seed=1)
    evolution.step()
    evolution.step()
    behaviour = behaviours(problem, budget)
    assert (behaviour.n_rows, behaviour.n_planes) == (150, 2)
    planes = behaviour.planes(evolution.population, Threads(n_threads))
    decisions = behaviour.decisions(planes)
    assert not decisions[:, behaviour.n_rows :].any(), "padding keeps zeros, so that distances do not see it"
    for ruleset, mine in zip(decoded(evolution, evolution.population), decisions, strict=True):
        assert np.array_equal(mine[: behaviour.n_rows], decide_columns(ruleset, problem.columns).actions)


def test_two_actions_take_one_plane() -> None:
    assert behaviours(plain_problem(0)).n_planes == 1


def test_a_sample_has_rows_of_the_table_and_is_always_the_same() -> None:
    problem = mixed_problem(2)
    sample = sample_behaviours(problem.schema, problem.columns, Mode.FIRST, n_rows=40)
    assert sample.n_rows == 40
    population = Evolution(problem, SMALL, seed=1).ask()
    decisions = sample.decisions(sample.planes(population, Threads(1)))[:, :40]
    whole = behaviours(problem)
    columns = whole.decisions(whole.planes(population, Threads(1)))[:, : whole.n_rows].T.tolist()
    assert all(column in columns for column in decisions.T.tolist()), "what is decided on some row of the table"
    again = sample_behaviours(problem.schema, problem.columns, Mode.FIRST, n_rows=40)
    assert np.array_equal(again.decisions(again.planes(population, Threads(1)))[:, :40], decisions)


def test_a_small_table_is_its_own_sample() -> None:
    problem = mixed_problem(2)
    assert sample_behaviours(problem.schema, problem.columns, Mode.FIRST).n_rows == 150
    with pytest.raises(ValueError, match="n_rows must be 1 or more, got 0"):
        sample_behaviours(problem.schema, problem.columns, Mode.FIRST, n_rows=0)
