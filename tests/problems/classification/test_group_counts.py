"""Compiled counts by group are those of decisions made row by row, whatever the mode, the targets and the weights."""

from random import Random

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Capability
from evoter.evolution.stopping import Generations
from evoter.kernels.layout import Floats
from evoter.kernels.threads import Threads
from evoter.problems.classification.group_counts import GroupCounter, GroupMeasure
from evoter.problems.classification.group_rates import RATES
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Mode
from evoter.rules.modes import Task, modes_for
from evoter.tables.groups import group_rows
from guarding import random_rails
from laws import n_cases
from tasks import MIXED, SMALL, decoded, mixed_columns, mixed_problem

N_ROWS = 150
DIFFERENCE = GroupMeasure("selection_rate_difference", ("selection_rate",), 1, "difference")
ODDS = GroupMeasure("odds", ("true_positive_rate", "false_positive_rate"), 2, "difference")
RATIO = GroupMeasure("accuracy_ratio", ("accuracy",), 0, "ratio")
RECALL = GroupMeasure("recall", ("true_positive_rate",), 1, "value")
MEASURES = (DIFFERENCE, ODDS, RATIO, RECALL)


def problem(
    mode: Mode = Mode.FIRST,
    *,
    weighted: bool = False,
    targets: Floats | None = None,
    budget: int = 2**20,
    rails: Guardrails | None = None,
) -> ClassificationProblem:
    """Three classes, and groups of two columns that do not divide rows evenly."""
    rng = np.random.default_rng(3)
    groups = [
        group_rows("sex", rng.choice(["f", "m"], N_ROWS, p=[0.3, 0.7])),
        group_rows("age", rng.choice(["a", "b", "c"], N_ROWS, p=[0.1, 0.4, 0.5])),
    ]
    return ClassificationProblem(
        mixed_problem(1).schema,
        mixed_columns(rng, N_ROWS),
        rng.integers(0, 3, N_ROWS),
        sample_weight=rng.uniform(0.5, 2.0, N_ROWS) if weighted else None,
        mode=mode,
        targets=targets,
        mask_budget=budget,
        secondary=[DIFFERENCE],
        limits=[(ODDS, 0.1), (RATIO, 0.8), (RECALL, 0.9)],
        groups=groups,
        guardrails=rails,
    )


def expected(task: ClassificationProblem, decided: np.ndarray, measure: GroupMeasure) -> float:
    """Compute a measure row by row."""
    assert task._groups is not None
    weights, labels, found = task.sample_weight, task.classes, []
    positive, selected = labels == measure.code, decided == measure.code
    cells = {
        "selection_rate": (selected, np.ones(N_ROWS, bool)),
        "accuracy": (decided == labels, np.ones(N_ROWS, bool)),
    }
    cells |= {"true_positive_rate": (selected, positive), "false_positive_rate": (selected, ~positive)}
    for rate in measure.rates:
        counted, among = cells[rate]
        if measure.kind == "value":
            return float(np.average(counted[among], weights=weights[among]))
        for column in task._groups.columns:
            inside = [among & (column.codes == code) for code in range(len(column.names))]
            shares = [np.average(counted[rows], weights=weights[rows]) for rows in inside if rows.any()]
            found.append(max(shares) - min(shares) if measure.kind == "difference" else min(shares) / max(shares))
    return float(max(found) if measure.kind == "difference" else min(found))


def expected_scores(task: ClassificationProblem, decided: np.ndarray) -> list[float]:
    """Compute the scores after the first row by row; less is better where there is a limit."""
    differences = [expected(task, decided, DIFFERENCE), expected(task, decided, ODDS)]
    return [*differences, -expected(task, decided, RATIO), -expected(task, decided, RECALL)]


@pytest.mark.parametrize("mode", modes_for(Task.CLASSIFICATION))
@pytest.mark.parametrize("softened", [False, True])
def test_counts_are_those_of_single_decisions(mode: Mode, softened: bool) -> None:
    rng = np.random.default_rng(5)
    targets = None
    if softened:
        targets = (
            rng.dirichlet(np.ones(3), N_ROWS) * (rng.random((N_ROWS, 3)) < 0.6)
            + 1e-3 * np.eye(3)[rng.integers(0, 3, N_ROWS)]
        )
    for weighted, budget in ((False, 2**20), (True, 2**20), (False, 1)):
        task = problem(mode, weighted=weighted, targets=targets, budget=budget)
        evolution = Evolution(task, SMALL, seed=1)
        evolution.step()
        scores = task.evaluate(evolution.population, Threads(2)).scores
        for i in range(0, SMALL.population_size, 7):
            decided, _ = task.predict(evolution.population, i, Threads(1))
            np.testing.assert_allclose(scores[i, 1:], expected_scores(task, decided), rtol=0, atol=1e-12)
        best = evolution.result().best
        assert task.group_values(best) == pytest.approx(
            {each.name: expected(task, task.decide(best).actions, each) for each in MEASURES}, abs=1e-12
        )


@pytest.mark.parametrize("mode", modes_for(Task.CLASSIFICATION))
def test_counts_under_guardrails_are_those_of_the_rule_set_that_is_printed(mode: Mode) -> None:
    """Also of rows that pinned rules decide, and where rules are kept away from what is forbidden."""
    n_pinned = n_forbidden = 0
    for seed in range(n_cases(60)):
        rails = random_rails(Random(seed), MIXED, mode)
        n_pinned, n_forbidden = n_pinned + bool(rails.pinned), n_forbidden + bool(rails.forbidden)
        targets = np.random.default_rng(seed).dirichlet(np.ones(3), N_ROWS) if seed % 3 == 0 else None
        budget = 1 if seed % 4 == 0 else 2**20
        task = problem(mode, weighted=seed % 2 == 0, rails=rails, targets=targets, budget=budget)
        evolution = Evolution(task, SMALL, seed=seed)
        evolution.run(Generations(4))  # with exact moves that are rewarded for what constraints ask for
        for ruleset, scores in zip(decoded(evolution, evolution.population), evolution.evaluation.scores, strict=True):
            decided = task.decide(rails.guard(ruleset)).actions
            np.testing.assert_allclose(scores[1:], expected_scores(task, decided), rtol=0, atol=1e-12)
    assert n_forbidden
    assert n_pinned or mode is Mode.VOTE


def test_limits_of_what_should_be_large_are_lower_ones() -> None:
    assert [(each.name, each.at_most) for each in problem().constraints] == [
        ("odds", 0.1), ("accuracy_ratio", -0.8), ("recall", -0.9),
    ]  # fmt: skip


def test_a_sample_has_the_groups_of_its_rows() -> None:
    task = problem()
    sample = task.sampled(0.5)
    assert sample is not None
    assert sample._groups is not None
    assert len(sample._groups.codes) == N_ROWS // 2
    evolution = Evolution(task, SMALL.replace(sample_rounds=2), seed=1)
    evolution.step()
    assert np.isfinite(evolution.evaluation.scores).all()


def test_groups_are_part_of_the_fingerprint_and_of_nothing_else() -> None:
    task = problem()
    plain = ClassificationProblem(task.schema, task.columns, task.classes)
    unused = ClassificationProblem(task.schema, task.columns, task.classes, groups=task._groups.columns)  # type: ignore[union-attr]
    assert plain.fingerprint() == unused.fingerprint() != task.fingerprint()
    assert Capability.FINAL_PRUNING in plain.capabilities
    limited = ClassificationProblem(task.schema, task.columns, task.classes, limits=[(RECALL, 0.9)])
    assert Capability.FINAL_PRUNING not in limited.capabilities
    complexity = ClassificationProblem(task.schema, task.columns, task.classes, limits=[(COMPLEXITY, 4)])
    assert Capability.FINAL_PRUNING in complexity.capabilities


def test_measures_of_probabilities_leave_decisions_open() -> None:
    task = mixed_problem(1)
    with pytest.raises(ValueError, match="recall is about decisions, and the metric brier is about probabilities"):
        ClassificationProblem(task.schema, task.columns, task.classes, measure="brier", limits=[(RECALL, 0.9)])


def test_too_many_classes_and_groups_are_refused() -> None:
    with pytest.raises(ValueError, match="200 labels and 1 groups, which is too many"):
        GroupCounter((), 300, 200)
    assert len(RATES) == 7
