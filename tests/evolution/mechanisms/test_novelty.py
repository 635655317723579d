"""Novelty selection: parents are the most novel of the best, in the generations whose turn it is, and scores survive."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.evolution.engine import Evolution
from evoter.evolution.mechanisms.novelty import N_NEIGHBOURS, NoveltySelection, prefer
from evoter.evolution.settings import Settings
from evoter.evolution.stopping import Generations
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY
from evoter.rules.model import Mode
from long_run import summary
from tasks import SMALL, mixed_problem

PULSATING = SMALL.replace(novelty_interval=3)


def new_run(settings: Settings = PULSATING, *, several: bool = False, threads: Threads | None = None) -> Evolution:
    plain = mixed_problem(1)
    secondary = [COMPLEXITY] if several else []
    problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=secondary)
    return Evolution(problem, settings, seed=3, threads=threads)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.data())
def test_the_chosen_come_first_and_the_others_keep_their_order(ranks: list[int], data: st.DataObject) -> None:
    before = np.array(ranks)
    chosen = np.array(data.draw(st.lists(st.integers(0, len(ranks) - 1), unique=True)), np.int64)
    after = prefer(before, chosen)
    others = np.setdiff1d(np.arange(len(ranks)), chosen)
    assert (after[chosen] == 0).all()
    assert (after[others] > 0).all()
    assert np.array_equal(np.argsort(after[others], kind="stable"), np.argsort(before[others], kind="stable"))
    assert before.tolist() == ranks, "in a copy"


@pytest.mark.parametrize("several", [False, True])
def test_parents_are_the_most_novel_of_the_best(several: bool) -> None:
    evolution = new_run(several=several)
    for _ in range(4):
        evolution.step()
    problem = evolution.problem
    assert isinstance(problem, ClassificationProblem)
    selection = NoveltySelection(problem, PULSATING)
    ranks = np.random.default_rng(0).permutation(SMALL.population_size)
    n_parents = SMALL.population_size // SMALL.tournament_size
    for generation in range(7):
        found = selection.ranks(ranks, evolution.population, generation, Threads(1))
        if generation % 3 != 0:
            assert found is ranks
            continue
        pool = np.argsort(ranks)[: 2 * n_parents]
        behaviours = sample_behaviours(problem.schema, problem.columns, Mode.FIRST)
        planes = behaviours.planes(evolution.population, Threads(1))[pool]
        decisions = behaviours.decisions(planes)[:, : behaviours.n_rows]
        distances = np.sort((decisions[:, None] != decisions[None]).sum(axis=2), axis=1)[:, 1 : 1 + N_NEIGHBOURS]
        novelties = distances.mean(axis=1)
        chosen = np.flatnonzero(found == 0)
        assert len(chosen) == n_parents
        assert set(chosen) <= set(pool)
        left = ~np.isin(pool, chosen)
        assert novelties[~left].min() >= novelties[left].max() - 1e-12


def test_never_is_as_before_and_always_is_not() -> None:
    runs = [new_run(SMALL.replace(novelty_interval=interval)) for interval in (0, 1, 3)]
    for run in runs:
        run.run(Generations(8))
    summaries = [summary(run)["population"] for run in runs]
    assert len(set(summaries)) == 3
    for run in runs:
        assert (np.diff(run.history["best"]) >= -SMALL.parsimony * 24).all(), "the elite survives"


@pytest.mark.parametrize("generation", [2, 3])
def test_threads_and_interruptions_do_not_matter(generation: int, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    threads = Threads(2)
    whole, first, second = new_run(several=True), new_run(several=True), new_run(several=True, threads=threads)
    whole.run(Generations(9))
    first.run(Generations(generation), checkpoint=path)
    second.run(Generations(9), checkpoint=path)
    assert summary(second) == summary(whole)
    threads.close()
