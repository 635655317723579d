"""Control problems: policies that play episodes, are raced and validated, and are improved in a surrogate."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.problems.control.problem import ControlProblem

__all__ = ["ControlProblem"]

__getattr__, __dir__ = lazily(__name__, {"ControlProblem": "problem"})
