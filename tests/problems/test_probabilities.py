"""Probabilities of whole tables are those of the explanation of each row."""

from random import Random

import numpy as np
import pytest

from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.record_parts import divide_records
from evoter.problems.classification.support import measure_support, smoothed_frequencies
from evoter.problems.probabilities import decision_probabilities, record_cells
from evoter.rules.answers.track_record import TrackRecord
from evoter.rules.explain import explain
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import Task, modes_for
from tasks import MIXED, as_rows, mixed_columns, random_ruleset


def recorded(seed: int, mode: Mode) -> tuple[RuleSet, ClassificationProblem]:
    """A random rule set with records on rows whose first feature tells their class."""
    rng = np.random.default_rng(seed)
    columns = mixed_columns(rng, 400)
    classes = np.digitize(np.nan_to_num(columns[0]), np.nanquantile(columns[0], [0.3, 0.6]))
    problem = ClassificationProblem(MIXED, columns, classes, mode=mode)
    ruleset = random_ruleset(Random(seed), MIXED, mode)
    support = measure_support(ruleset, problem)
    shares = smoothed_frequencies(support, problem)
    figures = zip(support.labels.tolist(), shares.tolist(), divide_records(ruleset, problem, shares), strict=True)
    return ruleset.replace(records=[TrackRecord(*each) for each in figures]), problem


@pytest.mark.parametrize("mode", modes_for(Task.CLASSIFICATION))
def test_tables_and_explanations_agree(mode: Mode) -> None:
    n_parts = 0
    for seed in range(25):
        ruleset, problem = recorded(seed, mode)
        n_parts += sum(len(record.parts) for record in ruleset.records)
        found = decision_probabilities(ruleset, problem.decide)
        for row, shares in zip(as_rows(problem.columns, MIXED)[:40], found, strict=False):
            said = explain(ruleset, row).probabilities
            assert said is not None
            assert [*said.values()] == pytest.approx(shares, abs=1e-12)
    assert (n_parts > 0) is (mode is not Mode.VOTE)


def test_cells_have_the_rows_that_were_counted() -> None:
    for seed in range(25):
        ruleset, problem = recorded(seed, Mode.FIRST)
        cells = record_cells(ruleset, problem.decide(ruleset), problem.decide)
        parts = [part for record in ruleset.records for part in record.parts]
        counted = [record.labels if not record.parts else (0, 0, 0) for record in ruleset.records]
        expected = np.array([*counted, *(part.labels for part in parts)])
        counts = np.zeros_like(expected)
        np.add.at(counts, (cells.of_rows, problem.classes), 1)
        assert np.array_equal(counts, expected)
