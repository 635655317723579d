"""Migration: the best travel and the worst make room, and in turn every island has guests from every other one."""

import numpy as np

from evoter.evolution.engine import Evolution
from evoter.evolution.mechanisms.migration import IslandState, migrate
from evoter.evolution.problem import Evaluation
from evoter.genome.arrays import compact
from evoter.genome.codec import decode
from evoter.kernels.layout import Ints, Population
from evoter.rules.model import RuleSet
from tasks import SMALL, mixed_problem

N = 4


def by_score(population: Population, evaluation: Evaluation) -> Ints:
    return np.argsort(-evaluation.scores[:, 0], kind="stable")


def made() -> tuple[list[IslandState], list[list[RuleSet]]]:
    """Islands, and the rule sets of each, the best first."""
    islands, rulesets = [], []
    for seed in range(N):
        evolution = Evolution(mixed_problem(3), SMALL, seed=seed)
        evolution.step()
        islands.append(IslandState((0, 40, 0, 0), compact(evolution.population), evolution.evaluation))
        rulesets.append(read(islands[-1]))
    return islands, rulesets


def read(island: IslandState) -> list[RuleSet]:
    problem = mixed_problem(3)
    order = by_score(island.population, island.evaluation)
    return [decode(island.population, int(i), problem.schema, problem.mode) for i in order]


def test_the_best_travel_and_the_worst_make_room() -> None:
    islands, before = made()
    for number in range(5):
        after = migrate(islands, by_score, 3, number)
        distance = 1 + number % (N - 1)
        for k, island in enumerate(after):
            origin = (k - distance) % N
            assert island.population.size == SMALL.population_size
            assert sorted(map(str, read(island))) == sorted(map(str, [*before[k][:-3], *before[origin][:3]]))
            rescored = mixed_problem(3).evaluate(island.population, Evolution(mixed_problem(3), SMALL).threads, 0)
            assert all(np.array_equal(a, b) for a, b in zip(rescored, island.evaluation, strict=True))


def test_every_island_has_guests_from_every_other_one() -> None:
    origins = {(k, (k - 1 - number % (N - 1)) % N) for number in range(N - 1) for k in range(N)}
    assert origins == {(k, other) for k in range(N) for other in range(N) if other != k}


def test_equal_antecedents_of_two_islands_become_one() -> None:
    islands, _ = made()
    twins = migrate([islands[0], islands[0]], by_score, 5, 0)
    assert len(twins[0].population.antecedents.facts) <= len(islands[0].population.antecedents.facts)
