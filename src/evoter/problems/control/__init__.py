"""Control problems: policies that play episodes, raced, validated, and improved in a surrogate."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.problems.control.problem import ControlProblem

__all__ = ["ControlProblem"]

__getattr__, __dir__ = lazily(__name__, {"ControlProblem": "problem"})
