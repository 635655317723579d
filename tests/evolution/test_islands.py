"""Islands: the same run whatever interrupts it, ended and watched between epochs, and the best of all of them wins."""

import time
from pathlib import Path

import numpy as np
import pytest

from evoter.evolution.checkpoint import CheckpointError
from evoter.evolution.engine import Evolution
from evoter.evolution.executor import ThreadExecutor
from evoter.evolution.islands import Islands, start
from evoter.evolution.problem import Evaluation
from evoter.evolution.stopping import Generations, Seconds, Stagnation
from evoter.kernels.layout import DEFAULT, Population
from evoter.kernels.threads import Threads
from evoter.rules.model import RuleSet
from tasks import SMALL, mixed_problem

THREE = SMALL.replace(n_islands=3, population_size=20, migration_interval=3, n_migrants=2)


def run(n: int, checkpoint: Path | None = None, seed: int = 1) -> tuple[Islands, str]:
    islands = Islands(mixed_problem(5), THREE, seed=seed)
    result = islands.run(Generations(n), checkpoint=checkpoint)
    found = [array.tobytes() for array in (*islands.evaluation, *islands.population[1:])]
    curve = [(each.generation, each.best, each.evaluations, each.n_rules) for each in result.history.records]
    return islands, repr((str(result.best), result.score, found, curve, islands.status.stagnant_generations))


@pytest.mark.parametrize("stops", [(0,), (3,), (2, 5), (1, 6, 7)])
def test_a_run_that_is_resumed_is_the_same_run(stops: tuple[int, ...], tmp_path: Path) -> None:
    for stop in stops:
        run(stop, tmp_path / "checkpoint")
    assert run(8, tmp_path / "checkpoint")[1] == run(8)[1]


def test_the_best_of_all_islands_wins() -> None:
    islands, _ = run(7)
    result = islands.result()
    assert islands.population.size == 60
    assert result.score == islands.evaluation.scores[:, 0].max()
    assert islands.leaders(1) == [result.best]
    assert islands.history["generation"].tolist() == list(range(8))
    assert (np.diff(islands.history["evaluations"]) > 0).all()
    assert islands.history["evaluations"][0] == 60
    assert run(7, seed=2)[1] != run(7)[1]


def test_islands_differ_until_individuals_migrate() -> None:
    islands = Islands(mixed_problem(5), THREE, seed=1)
    for _ in range(2):
        islands.step()
    parts = [str(sorted(map(str, islands_of(islands, k)))) for k in range(3)]
    assert len(set(parts)) == 3
    assert islands.generation == 3


def islands_of(islands: Islands, k: int) -> list[str]:
    state = islands._starts()[k]
    assert state is not None
    return [state.population.rules[i].tobytes().hex() for i in range(state.population.size)]


def test_criteria_and_watchers_come_between_epochs() -> None:
    seen: list[tuple[int, float]] = []
    islands = Islands(mixed_problem(5), THREE, seed=1)

    def watch(evolution: Evolution, progress: float) -> None:
        seen.append((evolution.generation, progress))

    islands.run(Generations(7), [watch])
    assert seen == [(0, 0.0), (3, 3 / 7), (6, 6 / 7), (7, 1.0)]
    patient = Islands(mixed_problem(5), THREE, seed=1)
    result = patient.run(Generations(200) | Stagnation(4))
    assert patient.status.stagnant_generations >= 4
    assert result.history.last.generation < 200
    assert result.history.last.generation % 3 == 0


class Interrupted(ThreadExecutor):
    """Evaluates so many populations before Ctrl-C is pressed."""

    def __init__(self, n: int) -> None:
        super().__init__()
        self.n_left = n

    def evaluate(self, problem: object, population: Population, seed: int) -> Evaluation:
        self.n_left -= 1
        if self.n_left == 0:
            raise KeyboardInterrupt
        return super().evaluate(problem, population, seed)  # type: ignore[arg-type]


def test_ctrl_c_keeps_the_last_epoch(tmp_path: Path) -> None:
    islands = Islands(mixed_problem(5), THREE, seed=1, executor=Interrupted(3 + 9 + 5))
    result = islands.run(Generations(20), checkpoint=tmp_path / "checkpoint")
    assert result.reason == "interrupted"
    assert islands.generation == 3
    assert result.score == run(3)[0].result().score
    assert run(8, tmp_path / "checkpoint")[1] == run(8)[1], "and the checkpoint continues from there"
    with pytest.raises(KeyboardInterrupt):
        Islands(mixed_problem(5), THREE, seed=1, executor=Interrupted(2)).run(Generations(20))


def test_time_is_shared_by_the_islands() -> None:
    islands = Islands(mixed_problem(5), THREE, seed=1)
    begin = time.perf_counter()
    result = islands.run(Seconds(0.3), deadline=begin + 0.3)
    assert time.perf_counter() - begin < 5.0
    assert result.reason == "finished"
    assert np.isfinite(result.score)
    late = Islands(mixed_problem(5), THREE, seed=1)
    assert late.run(Seconds(0.0), deadline=time.perf_counter() - 1.0).history.last.generation == 0
    assert late.population.size == 60


def test_rule_sets_to_start_from_are_distributed() -> None:
    problem = mixed_problem(5)
    given = [RuleSet((), action, problem.schema, mode=problem.mode) for action in problem.schema.actions]
    islands = Islands(problem, THREE, seed=1, warm_start=given * 2)
    islands.step()
    for number in range(2 * len(given)):
        place, island = divmod(number, 3)
        individual = 20 * island + place
        assert islands.population.n_rules[individual] == 0
        assert islands.population.header[individual, DEFAULT] == number % len(given)


def test_threads_make_no_difference() -> None:
    islands = Islands(mixed_problem(5), THREE, seed=1, executor=ThreadExecutor(Threads(3)))
    islands.run(Generations(4))
    assert islands.evaluation.scores.tobytes() == run(4)[0].evaluation.scores.tobytes()


def test_one_population_and_islands_are_told_apart(tmp_path: Path) -> None:
    assert type(start(mixed_problem(5), SMALL, seed=1, executor=ThreadExecutor())) is Evolution
    with pytest.raises(
        ValueError, match=r"one population; for n_islands above 1, use start of evoter\.evolution\.islands"
    ):
        Evolution(mixed_problem(5), THREE)
    with pytest.raises(RuntimeError, match="use step or run where there are islands"):
        Islands(mixed_problem(5), THREE).ask()
    run(0, tmp_path / "checkpoint")
    with pytest.raises(CheckpointError, match=r"other settings: n_islands 3 \(now 2\)"):
        Islands(mixed_problem(5), THREE.replace(n_islands=2), seed=1).run(
            Generations(1), checkpoint=tmp_path / "checkpoint"
        )
