"""Classification problems: fitness from counts, rewards for exact moves, soft targets, and what the winner rests on."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.problems.classification.problem import ClassificationProblem

__all__ = ["ClassificationProblem"]

__getattr__, __dir__ = lazily(__name__, {"ClassificationProblem": "problem"})
