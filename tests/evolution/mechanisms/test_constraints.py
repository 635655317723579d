"""Constraints come before scores, with one objective and with several, and the less they are exceeded the better."""

from pathlib import Path

import numpy as np
import pytest

from evoter.evolution.checkpoint import CheckpointError
from evoter.evolution.engine import Evolution
from evoter.evolution.mechanisms.constraints import UNFINISHED, constraints_of, violations
from evoter.evolution.mechanisms.replacement import replacement_for
from evoter.evolution.problem import Constraint, Evaluation
from evoter.evolution.stopping import Generations
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY, RULES, number_of_features
from long_run import summary
from tasks import SMALL, mixed_problem


def limited(most: float = 3.0, *, several: bool = True) -> ClassificationProblem:
    plain = mixed_problem(1)
    limits = [(COMPLEXITY, most), (number_of_features(plain.schema), 2.0)]
    secondary = [RULES] if several else []
    return ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=secondary, limits=limits)


def test_excess_is_a_share_of_its_limit() -> None:
    constraints = [Constraint("size", 4.0), Constraint("rare", 0.0)]
    columns = np.array([[4.0, 0.0], [3.0, -1.0], [6.0, 0.25], [np.nan, 0.0]])
    assert violations(columns, constraints).tolist() == [0.0, 0.0, 0.75, np.inf]
    assert violations(np.empty((2, 0)), []).tolist() == [0.0, 0.0]


def test_layers_are_the_last_constraint() -> None:
    assert [each.name for each in constraints_of(limited(), SMALL)] == ["complexity", "features"]
    assert constraints_of(limited(), SMALL.replace(sample_rounds=2))[-1] == UNFINISHED
    assert constraints_of(mixed_problem(1), SMALL) == ()


@pytest.mark.parametrize("several", [False, True])
def test_who_keeps_them_beats_whoever_does_not(several: bool) -> None:
    problem = limited(several=several)
    evolution = Evolution(problem, SMALL.replace(parsimony=0.0), seed=2)
    evolution.step()
    n = len(problem.objectives)
    assert evolution.evaluation.scores.shape[1] == n + 2
    excess = violations(evolution.evaluation.scores[:, n:], problem.constraints)
    assert 0 < np.count_nonzero(excess) < len(excess)
    order = replacement_for(problem, SMALL).order(evolution.population, evolution.evaluation)
    assert (np.diff(excess[order] > 0) >= 0).all(), "all who keep them first"
    if not several:
        assert (np.diff(excess[order]) >= 0).all(), "then by how much they are exceeded"
    result = evolution.run(Generations(15))
    assert result.best.n_conditions <= 3
    assert len(result.best.features_used) <= 2
    assert result.score > 0.4


def test_a_front_has_only_who_keeps_them() -> None:
    problem = limited()
    front = Evolution(problem, SMALL, seed=2).run(Generations(15)).front
    assert front is not None
    assert len(front) > 1
    assert [objective.name for objective in front.objectives] == ["accuracy", "rules"]
    assert all(candidate.n_conditions <= 3 and candidate.n_features <= 2 for candidate in front)


def test_what_nobody_keeps_is_worth_nothing() -> None:
    problem = limited()
    replacement = replacement_for(problem, SMALL)
    evolution = Evolution(problem, SMALL, seed=2)
    evolution.step()
    scores = evolution.evaluation.scores.copy()
    scores[:, 2] = 100.0
    broken = evolution.evaluation._replace(scores=scores)
    ranking = replacement.rank(evolution.population, broken, replacement.reference(broken))
    assert ranking.hypervolume == 0.0
    assert ranking.merit[0] < 0.0
    better = replacement.rank(evolution.population, evolution.evaluation, replacement.reference(broken))
    assert better.merit > ranking.merit


def test_an_evaluation_needs_the_columns_of_the_constraints() -> None:
    evolution = Evolution(limited(), SMALL)
    children = evolution.ask()
    found = evolution.evaluate(children)
    with pytest.raises(ValueError, match=r"scores must have the shape \(40, 4\), got \(40, 2\)"):
        evolution.tell(children, Evaluation(found.scores[:, :2], *found[1:]))


def test_another_limit_is_another_task(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    whole, first, second = (Evolution(limited(), SMALL, seed=4) for _ in range(3))
    whole.run(Generations(8))
    first.run(Generations(3), checkpoint=path)
    second.run(Generations(8), checkpoint=path)
    assert summary(second) == summary(whole)
    with pytest.raises(CheckpointError, match="another objective"):
        Evolution(limited(4.0), SMALL, seed=4).run(Generations(9), checkpoint=path)
