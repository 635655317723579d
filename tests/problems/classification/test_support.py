"""What a winner's rules do on the training rows decides its actions and probabilities, and never harms its score."""

from random import Random

import numpy as np
import pytest

from evoter.kernels.layout import Floats
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.support import majority_actions, measure_support, smoothed_frequencies
from evoter.problems.deciding import decide_columns
from evoter.rules.interpreter import decide_table
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.modes import Task, mode_of, modes_for
from evoter.rules.schema import Feature, Schema
from tasks import MIXED, as_rows, mixed_columns, random_ruleset

RELABELLED = [mode for mode in modes_for(Task.CLASSIFICATION) if not mode_of(mode).depends_on_actions]
"""The modes in which a rule can be given another action without changing which rule decides."""


def problem(seed: int, mode: Mode, weights: Floats | None = None, n_rows: int = 80) -> ClassificationProblem:
    rng = np.random.default_rng(seed)
    columns = mixed_columns(rng, n_rows)
    return ClassificationProblem(MIXED, columns, rng.integers(0, 3, n_rows), sample_weight=weights, mode=mode)


@pytest.mark.parametrize("mode", modes_for(Task.CLASSIFICATION))
def test_support_is_what_the_interpreter_counts(mode: Mode) -> None:
    rng = Random(4)
    for seed in range(20):
        weights = np.random.default_rng(seed).uniform(0.5, 2.0, 80)
        task = problem(seed, mode, weights)
        ruleset = random_ruleset(rng, MIXED, mode)
        support = measure_support(ruleset, task)
        truth = decide_table(ruleset, as_rows(task.columns, MIXED))
        assert support.times_applied.tolist() == [*truth.times_applied, truth.default_applied]
        assert support.times_decided.tolist() == [*truth.times_decided, truth.default_applied]
        expected = np.zeros((len(ruleset.rules) + 1, 3))
        for decision, true, weight in zip(truth.decisions, task.classes, weights, strict=True):
            for decider in decision.deciding or (len(ruleset.rules),):
                expected[decider, true] += weight
        assert np.allclose(support.weights, expected)


@pytest.mark.parametrize("mode", RELABELLED)
def test_majority_actions_never_harm_the_accuracy(mode: Mode) -> None:
    rng = Random(5)
    for seed in range(40):
        weights = [None, np.random.default_rng(seed).uniform(0.0, 3.0, 80)][seed % 2]
        task = problem(seed, mode, weights)
        before = random_ruleset(rng, MIXED, mode)
        after = majority_actions(before, task)
        assert [rule.conditions for rule in after.rules] == [rule.conditions for rule in before.rules]
        right = [
            np.sum(task.sample_weight[decide_columns(ruleset, task.columns).actions == task.classes])
            for ruleset in (before, after)
        ]
        assert right[1] >= right[0] - 1e-9


@pytest.mark.parametrize("mode", RELABELLED)
def test_the_likeliest_class_is_the_majority_action(mode: Mode) -> None:
    rng = Random(6)
    for seed in range(60):
        weights = [None, np.random.default_rng(seed).integers(1, 4, 80).astype(float)][seed % 2]
        task = problem(seed, mode, weights)
        ruleset = majority_actions(random_ruleset(rng, MIXED, mode), task)
        probabilities = smoothed_frequencies(measure_support(ruleset, task), task)
        actions = [
            MIXED.actions.index(action) for action in (*(rule.action for rule in ruleset.rules), ruleset.default)
        ]
        assert probabilities.argmax(axis=1).tolist() == actions
        assert np.allclose(probabilities.sum(axis=1), 1.0)
        assert (probabilities > 0).all()


ONE = Schema([Feature("x", low=0, high=9)], ["no", "yes"])


def one_feature(classes: list[int], weights: Floats | None = None) -> ClassificationProblem:
    columns = np.arange(len(classes), dtype=float)[None]
    return ClassificationProblem(ONE, columns, np.array(classes), sample_weight=weights)


def above(threshold: float, action: str, *, pinned: bool = False) -> Rule:
    return Rule([Condition(Term("x"), ">", threshold)], action, pinned=pinned)


def test_probabilities_by_hand() -> None:
    task = one_feature([0, 0, 0, 0, 0, 0, 1, 1])
    ruleset = RuleSet([above(5.5, "yes")], "no", ONE)
    prior = np.array([0.75, 0.25])
    expected = [(np.array([0, 2]) + prior) / 3, (np.array([6, 0]) + prior) / 7]
    assert np.allclose(smoothed_frequencies(measure_support(ruleset, task), task), expected)


def test_light_rows_are_smoothed_less() -> None:
    """Weights that add up to 1 must not drown in the smoothing."""
    classes = [0, 0, 0, 0, 0, 0, 1, 1]
    ruleset = RuleSet([above(5.5, "yes")], "no", ONE)
    plain, light = one_feature(classes), one_feature(classes, np.full(8, 1 / 8))
    expected = smoothed_frequencies(measure_support(ruleset, plain), plain)
    assert np.allclose(smoothed_frequencies(measure_support(ruleset, light), light), expected)


def test_a_default_that_never_decided_is_the_commonest_class() -> None:
    task = one_feature([0, 1, 1])
    ruleset = majority_actions(RuleSet([above(-1, "yes")], "no", ONE), task)
    assert ruleset.default == "yes"


def test_soft_targets_count_as_parts_of_rows() -> None:
    targets = np.array([[1.0, 0.0], [0.75, 0.25], [0.25, 0.75], [0.0, 1.0]])
    task = one_feature([0, 0, 1, 1]).guided_by(targets)
    support = measure_support(RuleSet([above(1.5, "yes")], "no", ONE), task)
    assert support.weights.tolist() == [[0.25, 1.75], [1.75, 0.25]]
    assert support.times_decided.tolist() == [2, 2]


def test_pinned_rules_keep_their_actions() -> None:
    task = one_feature([0, 0, 1, 1])
    ruleset = RuleSet([above(1.5, "no", pinned=True)], "yes", ONE)
    after = majority_actions(ruleset, task)
    assert after.rules == ruleset.rules
    assert after.default == "no"
