"""Numbers to start from become the nearest candidates."""

import numpy as np
import pytest

from evoter.problems.regression.problem import RegressionProblem
from evoter.problems.regression.warm_start import as_candidates
from evoter.rules.errors import RuleError
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema, Target


def test_each_number_becomes_the_nearest_candidate() -> None:
    x = np.arange(50.0)
    problem = RegressionProblem(Schema([Feature("x"), Feature("z")], target=Target()), np.array([x, x % 3]), 2.0 * x)
    rules = as_candidates(parse("x > 25 -> 70.3; z > 1 -> 0.5 + 2*x; Default -> 1e9"), problem)
    candidates = problem.candidates
    numbers = [candidates.constants[int(rule.action)] for rule in rules.rules]
    assert abs(numbers[0] - 70.3) < 3.0
    assert candidates.term_of[int(rules.rules[1].action)] == candidates.positions.tolist().index(0)
    assert candidates.constants[int(rules.default)] == candidates.constants[candidates.term_of < 0].max()
    with pytest.raises(RuleError, match="numbers are needed"):
        as_candidates(parse("x > 1 -> a; Default -> b"), problem)
    with pytest.raises(TypeError, match="must be RuleSet"):
        as_candidates("x > 1 -> 2.5; Default -> 1", problem)  # type: ignore[arg-type]
