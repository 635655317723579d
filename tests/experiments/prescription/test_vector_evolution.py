"""Vectors evolve towards what is asked of them, by the same interface as rule sets."""

import numpy as np
import pytest

from evoter.evolution.problem import Objective
from evoter.experiments.prescription.vector_evolution import VectorEvolution, VectorSettings
from evoter.kernels.layout import Floats


class Sphere:
    """The nearer to 3 in every number, the better."""

    objectives = (Objective("distance", maximise=False),)
    n_numbers = 4

    def score(self, vectors: Floats) -> Floats:
        distances: Floats = ((vectors - 3.0) ** 2).sum(axis=1, keepdims=True)
        return distances


class TwoPoles:
    """One objective wants 0, the other, to be maximised, wants 1."""

    objectives = (Objective("near 0", maximise=False), Objective("near 1"))
    n_numbers = 2

    def score(self, vectors: Floats) -> Floats:
        return np.column_stack([(vectors**2).sum(axis=1), -((vectors - 1.0) ** 2).sum(axis=1)])


def test_one_objective_is_improved_and_never_lost() -> None:
    evolution = VectorEvolution(Sphere(), VectorSettings(step=0.3), seed=0)
    best: list[float] = []
    result = evolution.run(60, [lambda each: best.append(float(each.scores[:, 0].min()))])
    assert best == sorted(best, reverse=True)
    assert len(best) == 61
    assert result.scores[0] == best[-1] < 0.1
    assert result.best == pytest.approx(3.0, abs=0.3)


def test_several_objectives_give_a_front() -> None:
    evolution = VectorEvolution(TwoPoles(), VectorSettings(population_size=40, step=0.2), seed=0)
    evolution.step()
    corner = np.array([4.0, -4.0])
    before = evolution.hypervolume(corner)
    result = evolution.run(30)
    assert evolution.hypervolume(corner) > before
    assert len(result.front) > 20
    assert result.front_scores[:, 0].min() < 0.05
    assert result.front_scores[:, 1].max() > -0.05
    assert len(evolution.population) == 40


def test_the_same_seed_gives_the_same_run_and_ask_and_tell_are_a_step() -> None:
    first, second = VectorEvolution(Sphere(), seed=3), VectorEvolution(Sphere(), seed=3)
    for _ in range(4):
        first.step()
        children = second.ask()
        second.tell(children, Sphere().score(children))
    assert np.array_equal(first.population, second.population)
    assert not np.array_equal(first.population, VectorEvolution(Sphere(), seed=4).ask())
