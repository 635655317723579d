"""What is kept of each candidate is what a fit of it alone would count."""

from typing import Any

import numpy as np

from evoter.estimators.classification.candidates import settle, settle_front
from evoter.evolution.engine import Evolution
from evoter.evolution.stopping import Generations
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.deciding import decide_columns
from evoter.problems.secondary import COMPLEXITY
from evoter.rules.interpreter import decide_table
from evoter.rules.model import RuleSet
from tasks import SMALL, as_rows, mixed_problem


def test_candidates_are_settled_one_by_one() -> None:
    plain = mixed_problem(2)
    problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=[COMPLEXITY])
    front = Evolution(problem, SMALL, seed=6).run(Generations(15)).front
    assert front is not None

    def conditions_read(ruleset: RuleSet) -> np.ndarray[Any, np.dtype[np.float64]]:
        return np.array([float(ruleset.n_conditions)])

    settled_front, settled = settle_front(front, problem, conditions_read)
    assert len(settled_front) == len(settled) == len(front) > 3
    rows = as_rows(problem.columns, problem.schema)
    for before, after, kept in zip(front, settled_front, settled, strict=True):
        assert after.ruleset == kept.ruleset == before.ruleset.restricted()
        assert after.scores == before.scores
        assert after.behaviour is not None
        assert np.array_equal(after.behaviour, decide_columns(before.ruleset, problem.columns).actions)
        truth = decide_table(before.ruleset, rows)
        assert kept.times_decided.tolist() == [*truth.times_decided, truth.default_applied]
        assert kept.times_applied.tolist() == [*truth.times_applied, truth.default_applied]
        alone = settle(before.ruleset, problem, conditions_read)
        assert kept.importances.tolist() == [kept.ruleset.n_conditions]
        assert np.array_equal(alone.probabilities, kept.probabilities)
        assert np.allclose(kept.probabilities.sum(axis=1), 1.0)
