"""The suite for executors passes on threads, and fails for an executor that changes a bit."""

import numpy as np
import pytest

from evoter.evolution.executor import ThreadExecutor
from evoter.evolution.problem import Evaluation, Problem
from evoter.execution.conformance import CASES, check_executor
from evoter.kernels.layout import Population
from evoter.kernels.threads import Threads


@pytest.mark.parametrize("case", CASES)
def test_threads_conform(case: str) -> None:
    check_executor(ThreadExecutor(Threads(3)), [case])


class Careless(ThreadExecutor):
    """An executor that adds up in another order."""

    def evaluate(self, problem: Problem, population: Population, seed: int) -> Evaluation:
        evaluation = super().evaluate(problem, population, seed)
        return evaluation._replace(scores=np.nextafter(evaluation.scores, 1.0))


def test_another_last_digit_is_noticed() -> None:
    with pytest.raises(AssertionError, match="classification: the result differs"):
        check_executor(Careless(), ["classification"])
