"""Age layers: samples accumulate over generations, the best of each age survive, and the last layer is exact."""

from pathlib import Path

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.executor import ThreadExecutor
from evoter.evolution.mechanisms.age_layers import GROWTH, Samples
from evoter.evolution.stopping import Generations
from evoter.kernels.threads import Threads
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY
from long_run import summary
from tasks import SMALL, mixed_problem

LAYERED = SMALL.replace(n_age_layers=2)


def problem(*, several: bool = False) -> ClassificationProblem:
    plain = mixed_problem(1, n_rows=640)
    secondary = [COMPLEXITY] if several else []
    return ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=secondary)


def test_scores_are_means_over_the_samples_seen_and_exact_in_the_end() -> None:
    task = problem()
    samples = Samples(task, 2)
    assert samples.n_samples == GROWTH
    population = Evolution(task, SMALL, seed=2).ask()
    parts = [task.sampled(0.25, start) for start in (0.0, 0.25, 0.5, 0.75)]
    assert sum(len(part.classes) for part in parts if part is not None) == 640
    seen = [part.evaluate(population, Threads(1)) for part in parts if part is not None]
    found = samples.begin(population, ThreadExecutor(), 0)
    for age in range(1, GROWTH):
        assert (found.scores[:, -1] == GROWTH - age).all()
        mean = np.mean([each.scores[:, 0] for each in seen[:age]], axis=0)
        assert found.scores[:, 0] == pytest.approx(mean)
        assert np.array_equal(found.times_applied, sum(each.times_applied for each in seen[:age]))
        found = samples.grow_older(population, found, ThreadExecutor(), 0)
    whole = task.evaluate(population, Threads(1))
    assert (found.scores[:, -1] == 0.0).all()
    assert np.array_equal(found.scores[:, 0], whole.scores[:, 0])
    again = samples.grow_older(population, found, ThreadExecutor(), 0)
    assert np.array_equal(again.scores, found.scores), "there is nothing left to see"


@pytest.mark.parametrize("several", [False, True])
def test_the_best_of_each_age_go_on_and_the_winner_has_seen_all_data(several: bool) -> None:
    task = problem(several=several)
    evolution = Evolution(task, LAYERED, seed=1)
    n_children = evolution._replacement.n_children
    for generation in range(12):
        evolution.step()
        ages = GROWTH - evolution.evaluation.scores[:, -1].astype(int)
        counts = np.bincount(ages, minlength=GROWTH + 1)
        assert evolution.population.size == counts.sum() == LAYERED.population_size
        assert ages.max() == min(generation + 1, GROWTH)
        assert generation == 0 or counts[1] == n_children
    assert (counts[2:GROWTH] >= n_children // GROWTH).all(), "a quarter of each cohort is promoted"
    result = evolution.result()
    assert result.score == pytest.approx((task.decide(result.best).actions == task.classes).mean())
    assert evolution.evaluation.scores[evolution._ranking.best, -1] == 0.0


def test_a_short_run_evaluates_its_oldest_on_all_data() -> None:
    task = problem()
    evolution = Evolution(task, LAYERED, seed=1)
    result = evolution.run(Generations(1))
    assert evolution.evaluation.scores[:, -1].min() > 0
    assert result.score == pytest.approx((task.decide(result.best).actions == task.classes).mean())


def test_a_population_too_small_for_its_layers_is_refused() -> None:
    with pytest.raises(ValueError, match=r"at least 16 children .* raise population_size"):
        Evolution(problem(), LAYERED.replace(n_age_layers=3, population_size=20))


@pytest.mark.parametrize("several", [False, True])
def test_threads_and_interruptions_do_not_matter(several: bool, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    threads = Threads(2)
    whole, first = (Evolution(problem(several=several), LAYERED, seed=4) for _ in range(2))
    second = Evolution(problem(several=several), LAYERED, seed=4, threads=threads)
    whole.run(Generations(9))
    first.run(Generations(4), checkpoint=path)
    second.run(Generations(9), checkpoint=path)
    assert summary(second) == summary(whole)
    threads.close()
