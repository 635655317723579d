"""Regression problems: candidate numbers, losses, held-out predictions, and the numbers of the winner."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.problems.regression.problem import RegressionProblem

__all__ = ["RegressionProblem"]

__getattr__, __dir__ = lazily(__name__, {"RegressionProblem": "problem"})
