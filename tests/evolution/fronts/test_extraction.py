"""The front of a run: rule sets that decide as evolved, as small as can be, with the scores they have."""

import numpy as np
import pytest

from evoter.evolution.engine import Evolution
from evoter.evolution.fronts.front import Front
from evoter.evolution.stopping import Generations
from evoter.genome.codec import encode
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY, RULES, novelty
from evoter.rules.interpreter import decide_table
from evoter.rules.model import Mode
from evoter.rules.simplify import simplify
from tasks import SMALL, as_rows, mixed_problem


def extracted(mode: Mode, *, with_novelty: bool = False) -> tuple[ClassificationProblem, Evolution, Front]:
    plain = mixed_problem(2, mode=mode)
    secondary = [COMPLEXITY, RULES]
    if with_novelty:
        secondary = [COMPLEXITY, novelty(sample_behaviours(plain.schema, plain.columns, mode))]
    problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, mode=mode, secondary=secondary)
    evolution = Evolution(problem, SMALL, seed=6)
    front = evolution.run(Generations(25)).front
    assert front is not None
    return problem, evolution, front


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.HARDMAX, Mode.VOTE])
def test_scores_are_those_of_the_rule_sets_as_they_are(mode: Mode) -> None:
    problem, _, front = extracted(mode)
    assert len(front) > 3
    again = problem.evaluate(encode([each.ruleset for each in front], problem.schema), Threads(1))
    assert np.array_equal(front.scores, again.scores)
    for candidate in front:
        assert candidate.ruleset == simplify(candidate.ruleset)
        assert candidate.scores["complexity"] == candidate.n_conditions, "no rule is left that never holds"
        assert candidate.scores["rules"] == candidate.n_rules
        truth = decide_table(candidate.ruleset, as_rows(problem.columns, problem.schema))
        classes = np.array([problem.schema.actions.index(action) for action in truth.actions])
        assert candidate.scores["accuracy"] == pytest.approx((classes == problem.classes).mean())


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.VOTE])
def test_the_front_is_no_worse_than_what_evolved(mode: Mode) -> None:
    _, evolution, front = extracted(mode)
    evolved = evolution.evaluation.scores * [-1.0, 1.0, 1.0]
    for costs in evolved:
        assert (front.costs <= costs).all(axis=1).any(), "every individual is matched or beaten"


def test_novelty_stays_what_it_was() -> None:
    _, evolution, front = extracted(Mode.FIRST, with_novelty=True)
    novelties = set(evolution.evaluation.scores[:, 2].tolist())
    assert {candidate.scores["novelty"] for candidate in front} <= novelties


def test_one_objective_has_no_front() -> None:
    assert Evolution(mixed_problem(2), SMALL, seed=6).run(Generations(2)).front is None
