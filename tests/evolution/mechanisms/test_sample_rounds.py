"""Sample rounds: samples judge first, only the best of each see more data, and who saw more stands before who did not."""

from pathlib import Path

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.executor import ThreadExecutor
from evoter.evolution.mechanisms.constraints import UNFINISHED
from evoter.evolution.mechanisms.replacement import replacement_for
from evoter.evolution.mechanisms.sample_rounds import GROWTH, SampleRounds
from evoter.evolution.stopping import Generations
from evoter.genome.arrays import pick
from evoter.kernels.threads import Threads
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY
from long_run import summary
from tasks import SMALL, mixed_problem

IN_ROUNDS = SMALL.replace(sample_rounds=3)


def problem(*, several: bool = False) -> ClassificationProblem:
    plain = mixed_problem(1, n_rows=640)
    secondary = [COMPLEXITY] if several else []
    return ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=secondary)


@pytest.mark.parametrize("several", [False, True])
def test_the_best_of_each_round_go_on_to_the_next(several: bool) -> None:
    task = problem(several=several)
    population = Evolution(task, SMALL, seed=2).ask()
    order = replacement_for(task, IN_ROUNDS).order
    found = SampleRounds(task, 3).evaluate(population, ThreadExecutor(), 0, order)
    missing = found.scores[:, -1]
    assert np.bincount(missing.astype(np.int64)).tolist() == [3, 7, 30], "40, a quarter of 40, a quarter of 10"
    left = np.arange(population.size)
    for n_missing, share in ((2, GROWTH**-2), (1, GROWTH**-1), (0, 1.0)):
        judge = task.sampled(share) if share < 1.0 else task
        assert judge is not None
        here = judge.evaluate(pick(population, left), Threads(1))
        done = missing[left] == n_missing
        assert np.array_equal(here.scores[done], found.scores[left[done], :-1])
        assert np.array_equal(here.times_decided[done], found.times_decided[left[done]])
        left = left[~done]
    final = order(population, found)
    firsts = np.unique(found.scores[final], axis=0, return_index=True)[1]
    assert (np.diff(missing[final][np.sort(firsts)]) >= 0).all(), "copies stand last in any case"


def test_samples_grow_and_have_the_classes_of_the_whole() -> None:
    whole = problem()
    smaller, larger = whole.sampled(0.1), whole.sampled(0.5)
    assert smaller is not None
    assert larger is not None
    assert (len(smaller.classes), len(larger.classes)) == (64, 320)
    shares = np.bincount(whole.classes) / len(whole.classes)
    assert np.bincount(larger.classes) / 320 == pytest.approx(shares, abs=0.01)
    rows = {tuple(row) for row in np.nan_to_num(larger.columns.T, nan=-99.0).tolist()}
    assert {tuple(row) for row in np.nan_to_num(smaller.columns.T, nan=-99.0).tolist()} <= rows


def test_the_best_has_seen_all_data() -> None:
    task = problem()
    evolution = Evolution(task, IN_ROUNDS, seed=1)
    result = evolution.run(Generations(12))
    population = evolution.population
    best = evolution.evaluation.scores[:, 0] == result.score
    alone = task.evaluate(population, Threads(1)).scores[:, 0]
    assert (alone[best & (evolution.evaluation.scores[:, 1] == 0.0)] == result.score).all()
    assert result.score > evolution.history.first.best


def test_a_measure_of_single_predictions_has_no_samples() -> None:
    plain = problem()
    measure = (plain.objectives[0], lambda classes, certainties: float((classes == plain.classes).mean()))
    task = ClassificationProblem(plain.schema, plain.columns, plain.classes, measure=measure)
    assert task.sampled(0.5) is None
    evolution = Evolution(task, IN_ROUNDS, seed=1)
    evolution.run(Generations(2))
    assert not evolution.evaluation.scores[:, 1].any(), UNFINISHED.name


@pytest.mark.parametrize("several", [False, True])
def test_threads_and_interruptions_do_not_matter(several: bool, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    threads = Threads(2)
    whole, first = (Evolution(problem(several=several), IN_ROUNDS, seed=4) for _ in range(2))
    second = Evolution(problem(several=several), IN_ROUNDS, seed=4, threads=threads)
    whole.run(Generations(9))
    first.run(Generations(4), checkpoint=path)
    second.run(Generations(9), checkpoint=path)
    assert summary(second) == summary(whole)
    threads.close()
