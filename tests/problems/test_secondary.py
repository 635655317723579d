"""Secondary objectives of populations are those of each rule set without the rules that never hold."""

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.mechanisms.novelty import nearest_behaviours
from evoter.evolution.problem import Evaluation, Objective
from evoter.genome.arrays import table_rows
from evoter.kernels.layout import Population
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import Behaviours
from evoter.problems.mask_cache import MaskCache
from evoter.problems.secondary import (
    COMPLEXITY,
    RULES,
    Secondary,
    feature_cost,
    novelty,
    number_of_features,
    rare_rules,
)
from evoter.rules.errors import SchemaError
from evoter.rules.model import Mode, RuleSet
from tasks import MIXED, SMALL, active_parents, mixed_problem

PRICES = {"a": 1.0, "b": 20.0, "colour": 300.0}


@pytest.fixture(scope="module", params=[Mode.FIRST, Mode.VOTE])
def evolved(request: pytest.FixtureRequest) -> Evolution:
    evolution = Evolution(mixed_problem(3, mode=request.param, n_rows=60), SMALL, seed=2)
    for _ in range(4):
        evolution.step()
    return evolution


def scores(secondary: Secondary, evolution: Evolution) -> list[float]:
    values = secondary.score(evolution.population, evolution.evaluation)
    assert values.shape == (evolution.population.size,)
    assert values.dtype == np.float64
    return list(map(float, values))


def test_sizes_are_those_of_the_living_rules(evolved: Evolution) -> None:
    living = active_parents(evolved)
    assert any(len(mine.rules) < n for mine, n in zip(living, evolved.population.n_rules, strict=True))
    assert scores(COMPLEXITY, evolved) == [ruleset.n_conditions for ruleset in living]
    assert scores(RULES, evolved) == [len(ruleset.rules) for ruleset in living]
    assert scores(number_of_features(MIXED), evolved) == [len(ruleset.features_used) for ruleset in living]


def test_features_cost_their_prices(evolved: Evolution) -> None:
    def cost(ruleset: RuleSet) -> float:
        return sum(PRICES.get(name, 0.5) for name in ruleset.features_used)

    priced = feature_cost(MIXED, PRICES, other=0.5)
    assert scores(priced, evolved) == pytest.approx([cost(ruleset) for ruleset in active_parents(evolved)])


def test_prices_name_features_and_are_no_gifts() -> None:
    with pytest.raises(SchemaError, match=r"color.*colour"):
        feature_cost(MIXED, {"color": 1.0})
    with pytest.raises(ValueError, match="the price of 'a' must be a finite number, 0 or more, got -1"):
        feature_cost(MIXED, {"a": -1})
    with pytest.raises(ValueError, match="the price of 'other'"):
        feature_cost(MIXED, {}, other=float("nan"))


@pytest.mark.parametrize("least", [1, 5, 1_000])
def test_rare_rules_are_those_that_decide_few_rows(evolved: Evolution, least: int) -> None:
    decided = evolved.evaluation.times_decided
    expected = []
    for n_rules, row in zip(evolved.population.n_rules, decided.tolist(), strict=True):
        counts = [count for count in row[:n_rules] if count > 0]
        expected.append(sum(count < least for count in counts) / len(counts) if counts else 0.0)
    assert scores(rare_rules(least), evolved) == pytest.approx(expected)
    if least == 1:
        assert not any(expected)


def test_novelty_is_the_distance_to_the_nearest(evolved: Evolution) -> None:
    problem = mixed_problem(3, mode=evolved.problem.mode, n_rows=60)
    rows = table_rows(problem.columns, problem.schema)
    behaviours = Behaviours(MaskCache(rows), rows.valid, problem.mode, 3)
    decisions = np.array([problem.predict(evolved.population, i, Threads(1))[0] for i in range(SMALL.population_size)])
    distances = (decisions[:, None, :] != decisions[None, :, :]).mean(axis=2)
    np.fill_diagonal(distances, np.inf)
    expected = np.sort(distances, axis=1)[:, :4].mean(axis=1)
    assert scores(novelty(behaviours, n_neighbours=4), evolved) == pytest.approx(expected.tolist())
    assert scores(novelty(behaviours, n_neighbours=4, threads=Threads(3)), evolved) == pytest.approx(expected.tolist())
    planes = behaviours.planes(evolved.population, Threads(1))
    twice = nearest_behaviours(planes, behaviours.n_rows, 1, Threads(1), archive=planes)
    assert not twice.any(), "what the archive has seen is not new"


def test_directions() -> None:
    problem = mixed_problem(3)
    rows = table_rows(problem.columns, problem.schema)
    behaviours = Behaviours(MaskCache(rows), rows.valid, problem.mode, 3)
    small = [COMPLEXITY, RULES, number_of_features(MIXED), feature_cost(MIXED, {}), rare_rules()]
    assert not any(secondary.objective.maximise for secondary in small)
    assert len({secondary.objective.name for secondary in small}) == len(small)
    assert novelty(behaviours).objective == Objective("novelty")


def test_thresholds_must_be_counts() -> None:
    with pytest.raises(ValueError, match="least must be 1 or more"):
        rare_rules(0)
    problem = mixed_problem(3)
    rows = table_rows(problem.columns, problem.schema)
    with pytest.raises(ValueError, match="n_neighbours must be 1 or more"):
        novelty(Behaviours(MaskCache(rows), rows.valid, problem.mode, 3), n_neighbours=0)


def test_a_user_can_add_an_objective_of_their_own(evolved: Evolution) -> None:
    def defaulted(population: Population, evaluation: Evaluation) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
        return evaluation.default_applied.astype(np.float64)

    mine = Secondary(Objective("rows without a rule", maximise=False), defaulted)
    assert scores(mine, evolved) == evolved.evaluation.default_applied.tolist()
