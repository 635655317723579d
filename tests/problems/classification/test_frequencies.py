"""Measures from the classes of the rows that each rule decides are those of scikit-learn on predicted probabilities."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from sklearn import metrics

from evoter.genome.codec import encode
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.threads import Threads
from evoter.problems.classification.fitness import MEASURES
from evoter.problems.classification.frequencies import FREQUENCY_MEASURES, OBJECTIVES, Frequencies
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.support import measure_support, smoothed_frequencies
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import Task, mode_of, modes_for
from evoter.rules.schema import Schema
from laws import n_cases
from tasks import MIXED, mixed_columns, random_ruleset

THREADS = Threads(1)
DECIDED_BY_ONE = [mode for mode in modes_for(Task.CLASSIFICATION) if not mode_of(mode).needs_active_rules]
N_ROWS = 120
BINARY = Schema(MIXED.features, MIXED.actions[:2], MIXED.max_lag)

Reference = Callable[[Ints, Floats, Floats], float]


def said(probabilities: Floats) -> Floats:
    return probabilities[:, 1] if probabilities.shape[1] == 2 else probabilities


def negative_brier(true: Ints, probabilities: Floats, weights: Floats) -> float:
    return -float(metrics.brier_score_loss(true, said(probabilities), sample_weight=weights))


def area(true: Ints, probabilities: Floats, weights: Floats) -> float:
    several = {"multi_class": "ovr"} if probabilities.shape[1] > 2 else {}
    return float(metrics.roc_auc_score(true, said(probabilities), sample_weight=weights, **several))


REFERENCES: dict[str, Reference] = {
    "roc_auc": area,
    "roc_auc_ovr": area,
    "average_precision": lambda t, p, w: metrics.average_precision_score(t, said(p), sample_weight=w),
    "brier": lambda t, p, w: -negative_brier(t, p, w),
    "neg_brier_score": negative_brier,
}


def problem(measure: str, schema: Schema, mode: Mode, seed: int) -> ClassificationProblem:
    """Few distinct frequencies, so that rules tie; by seed without weights, with those of rows, of classes, or both."""
    rng = np.random.default_rng(seed)
    n_classes = len(schema.actions)
    classes = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, N_ROWS - n_classes)])
    return ClassificationProblem(
        schema,
        mixed_columns(rng, N_ROWS),
        classes,
        measure=measure,
        sample_weight=rng.uniform(0.2, 3.0, N_ROWS) if seed % 2 else None,
        class_weight=rng.uniform(0.2, 3.0, n_classes) if seed % 4 > 1 else None,
        mode=mode,
    )


def row_weights(task: ClassificationProblem) -> Floats:
    return task.sample_weight * task._class_weight[task.classes]


@pytest.mark.parametrize("mode", DECIDED_BY_ONE)
@pytest.mark.parametrize("schema", [BINARY, MIXED], ids=["two classes", "three classes"])
@pytest.mark.parametrize("measure", FREQUENCY_MEASURES)
def test_scores_are_scikit_learns_on_the_predicted_probabilities(measure: str, schema: Schema, mode: Mode) -> None:
    rng = Random(3)
    for seed in range(n_cases(100)):
        task = problem(measure, schema, mode, seed)
        rulesets = [random_ruleset(rng, schema, mode, most_rules=8) for _ in range(5)]
        scores = task.evaluate(encode(rulesets, schema), THREADS).scores[:, 0]
        for ruleset, score in zip(rulesets, scores, strict=True):
            by_rule = smoothed_frequencies(measure_support(ruleset, task), task)
            probabilities = by_rule[task.decide(ruleset).deciders]
            expected = REFERENCES[measure](task.classes, probabilities, row_weights(task))
            assert score == pytest.approx(expected, rel=0, abs=1e-12), (seed, str(ruleset))


@pytest.mark.parametrize("measure", ["roc_auc", "average_precision"])
def test_rules_with_equal_frequencies_tie(measure: str) -> None:
    """Whatever number of them: as if one rule had decided all their rows."""
    rng = np.random.default_rng(5)
    for case in range(n_cases(200)):
        weights = rng.integers(0, 5, (1, 6, 2)).astype(float)
        smoothed = rng.integers(0, 3, (1, 6, 1)) / 2.0 * [-1.0, 1.0] + [1.0, 0.0]
        if not (weights.sum(axis=(0, 1)) > 0).all():
            continue
        score = FREQUENCY_MEASURES[measure][1](Frequencies(weights, smoothed), THREADS)[0]
        true = np.tile([0, 1], 6)
        expected = REFERENCES[measure](true, np.repeat(smoothed[0], 2, axis=0), weights.ravel())
        assert score == pytest.approx(expected, rel=0, abs=1e-12), case


@pytest.mark.parametrize("measure", FREQUENCY_MEASURES)
def test_soft_targets_count_a_row_for_each_class(measure: str) -> None:
    rng = np.random.default_rng(2)
    targets = rng.dirichlet(np.ones(3), N_ROWS)
    task = problem(measure, MIXED, Mode.FIRST, 0).guided_by(targets)
    for seed in range(10):
        ruleset = random_ruleset(Random(seed), MIXED, Mode.FIRST)
        by_rule = smoothed_frequencies(measure_support(ruleset, task), task)
        probabilities = np.repeat(by_rule[task.decide(ruleset).deciders], 3, axis=0)
        expected = REFERENCES[measure](np.tile(np.arange(3), N_ROWS), probabilities, targets.ravel())
        score = task.evaluate(encode([ruleset], MIXED), THREADS).scores[0, 0]
        assert score == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("mode", DECIDED_BY_ONE)
@pytest.mark.parametrize("measure", ["roc_auc", "average_precision", "brier"])
def test_the_final_form_has_the_same_score(measure: str, mode: Mode) -> None:
    rng = Random(8)
    for seed in range(n_cases(100)):
        task = problem(measure, MIXED, mode, seed)
        ruleset = random_ruleset(rng, MIXED, mode, most_rules=8)
        evaluation = task.evaluate(encode([ruleset], MIXED), THREADS)
        counts = evaluation.times_decided[0, : len(ruleset.rules)].tolist()
        final = task.final_form(ruleset, counts)
        again = task.evaluate(encode([final], MIXED), THREADS)
        assert again.scores[0, 0] == pytest.approx(evaluation.scores[0, 0], rel=0, abs=1e-12), seed
        assert final.n_conditions <= ruleset.n_conditions


@pytest.mark.parametrize("measure", FREQUENCY_MEASURES)
def test_vote_is_refused(measure: str) -> None:
    with pytest.raises(ValueError, match=f"metric {measure} .* in mode vote rules decide together: use mode first"):
        problem(measure, MIXED, Mode.VOTE, 0)


def test_absent_classes_are_left_out() -> None:
    """Two of three classes occur: both are told from the others, and the areas are equal."""
    columns = mixed_columns(np.random.default_rng(1), 50)
    classes = np.random.default_rng(2).integers(0, 2, 50)
    ruleset = random_ruleset(Random(1), MIXED, Mode.FIRST)
    scores = {}
    for schema in (MIXED, BINARY):
        rules = [rule for rule in ruleset.rules if rule.action in BINARY.actions]
        population = encode([RuleSet(rules, BINARY.actions[0], schema)], schema)
        task = ClassificationProblem(schema, columns, classes, measure="roc_auc")
        scores[len(schema.actions)] = task.evaluate(population, THREADS).scores[0, 0]
    assert scores[3] == pytest.approx(scores[2], abs=1e-12)


@pytest.mark.parametrize(("measure", "score"), [("roc_auc", 0.5), ("average_precision", 0.0), ("brier", 0.0)])
def test_one_class_alone_has_the_score_of_no_information(measure: str, score: float) -> None:
    columns = mixed_columns(np.random.default_rng(1), 50)
    task = ClassificationProblem(BINARY, columns, np.zeros(50, np.int64), measure=measure)
    population = encode([random_ruleset(Random(1), BINARY, Mode.FIRST)], BINARY)
    assert task.evaluate(population, THREADS).scores[0, 0] == score


def test_every_measure_has_a_name_and_a_direction() -> None:
    assert {name for name in FREQUENCY_MEASURES if not OBJECTIVES[name].maximise} == {"brier"}
    assert list(OBJECTIVES) == [*MEASURES, *FREQUENCY_MEASURES]
    assert all(objective.name == name for name, objective in OBJECTIVES.items())
