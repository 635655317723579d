"""What a winner's rules do on the training rows decides its actions and probabilities, and never harms its score."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from evoter.kernels.layout import Floats
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.pruning import (
    majority_actions,
    measure_support,
    prune_insignificant,
    smoothed_frequencies,
)
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
            np.sum(task.row_weights[decide_columns(ruleset, task.columns).actions == task.classes])
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


def test_pinned_rules_keep_their_actions() -> None:
    task = one_feature([0, 0, 1, 1])
    ruleset = RuleSet([above(1.5, "no", pinned=True)], "yes", ONE)
    after = majority_actions(ruleset, task)
    assert after.rules == ruleset.rules
    assert after.default == "no"


def right(ruleset: RuleSet, task: ClassificationProblem) -> float:
    """The weight of the rows that a rule set decides rightly."""
    return float(task.row_weights[decide_columns(ruleset, task.columns).actions == task.classes].sum())


def smaller_by_one(ruleset: RuleSet) -> Iterator[RuleSet]:
    """The rule set without a rule, or without one of several conditions of a rule, unless that is pinned."""
    for k, rule in enumerate(ruleset.rules):
        if not rule.pinned:
            shorter = [rule.conditions[:c] + rule.conditions[c + 1 :] for c in range(len(rule.conditions))]
            instead = [(), *((replace(rule, conditions=kept),) for kept in shorter if kept)]
            for rules in instead:
                yield ruleset.replace(rules=(*ruleset.rules[:k], *rules, *ruleset.rules[k + 1 :]))


def is_missed(whole: RuleSet, smaller: RuleSet, task: ClassificationProblem, significance: float) -> bool:
    """Tell, row by row, whether what is gone from a rule set clearly brought something."""
    before, after = (decide_columns(ruleset, task.columns).actions == task.classes for ruleset in (whole, smaller))
    lost, won = task.row_weights[before & ~after].sum(), task.row_weights[after & ~before].sum()
    accuracy = right(whole, task) / task.row_weights.sum()
    deviation = np.sqrt(max(4 * accuracy * (1 - accuracy) * (lost + won), 1e-9))
    return bool(lost + won > 0 and lost - won > significance * deviation)


@pytest.mark.parametrize("mode", RELABELLED)
@pytest.mark.parametrize("significance", [0.0, 0.5, 2.0, 1e9])
def test_what_is_left_is_missed_and_what_went_was_not(mode: Mode, significance: float) -> None:
    rng = Random(7)
    for seed in range(15):
        weights = [None, np.random.default_rng(seed).uniform(0.0, 3.0, 80)][seed % 2]
        task = problem(seed, mode, weights)
        before = random_ruleset(rng, MIXED, mode)
        before = before.replace(rules=tuple(replace(rule, pinned=rng.random() < 0.2) for rule in before.rules))
        after = prune_insignificant(before, task, significance)
        assert prune_insignificant(after, task, significance) is after
        assert all(is_missed(after, smaller, task, significance) for smaller in smaller_by_one(after))
        steps = before.n_conditions - after.n_conditions
        lowest = right(before, task) - steps * significance * np.sqrt(task.row_weights.sum())
        assert right(after, task) >= lowest - 1e-9, "at 0, nothing is lost at all"
        assert [rule for rule in after.rules if rule.pinned] == [rule for rule in before.rules if rule.pinned]
        assert after.default == before.default
        left = iter(before.rules)
        for rule in after.rules:
            assert any(old.action == rule.action and set(rule.conditions) <= set(old.conditions) for old in left), (
                "rules keep their order and get nothing new"
            )


def test_a_useless_condition_goes_and_a_needed_one_stays() -> None:
    task = one_feature([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    needed = Condition(Term("x"), ">", 4.5)
    ruleset = RuleSet([Rule([needed, Condition(Term("x"), "<=", 20.0)], "yes")], "no", ONE)
    for significance in (0.0, 2.0, 100.0):
        assert prune_insignificant(ruleset, task, significance).rules == (Rule([needed], "yes"),)


def test_the_more_rows_the_smaller_the_difference_that_counts() -> None:
    """A rule that is right on three rows of five is chance for ten rows, and more than chance for a thousand."""
    part = [0, 0, 1, 1, 1]
    ruleset = RuleSet([above(4.5, "yes")], "no", ONE)
    for n_times, kept in ((1, False), (100, True)):
        columns = np.tile(np.arange(10.0), n_times)[None]
        task = ClassificationProblem(ONE, columns, np.tile([0, 1, 0, 1, 0, *part], n_times))
        assert prune_insignificant(ruleset, task, 2.0).rules == (ruleset.rules if kept else ())


def test_pinned_rules_stay_however_useless() -> None:
    task = one_feature([0, 0, 1, 1])
    ruleset = RuleSet([above(9.0, "no", pinned=True), above(8.0, "no"), above(1.5, "yes")], "no", ONE)
    assert prune_insignificant(ruleset, task, 1.0).rules == (ruleset.rules[0], ruleset.rules[2])


def test_pruned_of_everything_only_the_default_is_left() -> None:
    task = one_feature([0, 1, 0, 1, 0, 1])
    ruleset = RuleSet([above(2.5, "yes"), above(0.5, "no")], "no", ONE)
    assert prune_insignificant(ruleset, task, 5.0) == ruleset.replace(rules=())
