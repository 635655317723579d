"""A curriculum: each stage allows one more kind of condition, on time or when nothing improves, and runs go on from it."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.mechanisms.curriculum import Curriculum
from evoter.evolution.settings import DEFAULT, PAPER, Settings
from evoter.evolution.stopping import Generations, Stagnation
from evoter.kernels.conditions.codes import NE
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.condition import Sum
from evoter.rules.model import Condition, Term
from evoter.rules.schema import Feature, Schema
from long_run import summary
from panels import random_panel
from tasks import SMALL, decoded, mixed_problem

SERIES = Schema([Feature("x", low=0, high=1), Feature("y", low=0, high=1)], ["a", "b"], max_lag=4)
SUMS = DEFAULT.replace(comparison_rate=0.0, sum_rate=0.2)
EVERY = SMALL.replace(unlock_interval=2)


def lagged_problem() -> ClassificationProblem:
    rng = Random(3)
    panel = random_panel(rng, SERIES, [rng.randint(3, 8) for _ in range(120)])
    return ClassificationProblem(SERIES, panel, np.arange(120) % 2)


def kinds(condition: Condition) -> set[str]:
    """What a condition has that simple ones have not."""
    found = {"lags"} if any(term.lag > 0 for term in condition.terms) else set()
    if isinstance(condition.right, Term | Sum):
        found |= {"comparisons"} | ({"powers"} if any(term.power > 1 for term in condition.terms) else set())
    elif condition.operator in ("=", "!=") and isinstance(condition.right, float):
        found |= {"operators"}
    return found


def test_one_kind_more_in_each_stage() -> None:
    problem = lagged_problem()
    grammar = problem.grammar(SMALL)
    first, operators, comparisons, powers, lags = Curriculum(grammar, EVERY).stages
    assert first.operator_cdf[NE] == 0.0
    assert (first.comparison_rate, first.sum_rate, first.max_power, first.max_lag) == (0.0, 0.0, 1, 0)
    assert np.array_equal(operators.operator_cdf, grammar.operator_cdf)
    assert (comparisons.comparison_rate, comparisons.max_power) == (SMALL.comparison_rate, 1)
    assert comparisons.sum_rate == SMALL.sum_rate > 0.0
    assert (powers.max_power, powers.max_lag) == (3, 0)
    assert lags.max_lag == 4
    assert all(np.array_equal(np.asarray(a), np.asarray(b)) for a, b in zip(lags, grammar, strict=True))


def test_kinds_that_a_grammar_lacks_make_no_stage() -> None:
    problem = mixed_problem(1)
    for settings, n_stages in ((DEFAULT, 2), (PAPER, 4), (DEFAULT.replace(sum_rate=0.0), 1), (SUMS, 2)):
        graded = settings.replace(unlock_interval=5)
        assert len(Curriculum(problem.grammar(graded), graded).stages) == n_stages
    only_equal = SMALL.replace(operators=(1, 1, 0, 0, 0, 0), unlock_interval=5)
    assert Curriculum(problem.grammar(only_equal), only_equal).stages[0].operator_cdf[NE] == 1.0


def test_without_a_curriculum_there_is_one_stage() -> None:
    assert len(Curriculum(mixed_problem(1).grammar(SMALL), SMALL).stages) == 1


def test_stages_follow_each_other_on_time_or_when_stuck() -> None:
    grammar = mixed_problem(1).grammar(SMALL)
    on_time = Curriculum(grammar, SMALL.replace(unlock_interval=3))
    assert [on_time.advance(0, generation, 9) for generation in range(7)] == [0, 0, 0, 1, 0, 0, 1]
    when_stuck = Curriculum(grammar, SMALL.replace(unlock_stagnation=4))
    assert [when_stuck.advance(1, 5, stagnant) for stagnant in range(6)] == [1, 1, 1, 1, 2, 2]
    assert when_stuck.advance(len(when_stuck.stages) - 1, 5, 100) == len(when_stuck.stages) - 1


def test_children_have_only_what_is_allowed() -> None:
    evolution = Evolution(lagged_problem(), EVERY, seed=1)
    allowed: list[str] = []
    unlocked = iter(["operators", "comparisons", "powers", "lags"])
    seen = set()
    for generation in range(16):
        children = evolution.ask()
        found = {
            kind
            for ruleset in decoded(evolution, children)
            for rule in ruleset.rules
            for c in rule.conditions
            for kind in kinds(c)
        }
        assert found <= set(allowed)
        seen |= found
        evolution.tell(children, evolution.evaluate(children))
        if generation in (2, 4, 6, 8):
            allowed.append(next(unlocked))
    assert seen >= {"comparisons", "powers", "lags"}


def test_a_run_does_not_end_before_everything_was_tried() -> None:
    evolution = Evolution(mixed_problem(1), SMALL.replace(unlock_stagnation=3), seed=1)
    evolution.run(Generations(500) | Stagnation(6))
    assert evolution.state().stage == 3
    assert evolution.state().stagnant == 6


@pytest.mark.parametrize("settings", [EVERY, SMALL.replace(unlock_stagnation=2)])
def test_going_on_from_a_checkpoint_is_not_having_stopped(settings: Settings, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    whole, first, second = (Evolution(mixed_problem(1), settings, seed=5) for _ in range(3))
    whole.run(Generations(14))
    first.run(Generations(7), checkpoint=path)
    second.run(Generations(14), checkpoint=path)
    assert first.state().stage > 0
    assert summary(second) == summary(whole)
