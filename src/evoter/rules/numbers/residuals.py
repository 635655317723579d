"""How far the numbers of a rule were from the truth in training, and the interval that follows for a prediction."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evoter.rules.errors import RuleError


@dataclass(frozen=True, slots=True)
class Residuals:
    """What a numeric rule, or the default, did in training: the rows that it decided, and its errors there.

    An interval reaches from `below` under the predicted number to `above` over it, both at least 0, and is meant to
    contain `level` of the true values of rows that the rule decides. `error` is the mean absolute error.

    >>> Residuals(cases=40, below=3.0, above=4.5, error=1.2).interval(20.0)
    (17.0, 24.5)
    """

    cases: int
    below: float
    above: float
    error: float
    level: float = 0.9

    def __post_init__(self) -> None:
        if type(self.cases) is not int or self.cases < 0:
            raise RuleError(f"residuals count rows in whole numbers, 0 or more, not {self.cases!r}")
        for name in ("below", "above", "error"):
            value = float(getattr(self, name))
            if not (math.isfinite(value) and value >= 0.0):
                raise RuleError(f"residuals: {name} must be a finite number of at least 0, not {value!r}")
            object.__setattr__(self, name, value)
        if not 0.0 < self.level < 1.0:
            raise RuleError(f"residuals: level must lie between 0 and 1, not {self.level!r}")

    def interval(self, number: float) -> tuple[float, float]:
        """Return the interval around a predicted number."""
        return number - self.below, number + self.above


def check_residuals(residuals: Sequence[Residuals], n_rules: int, *, is_numeric: bool) -> None:
    """Refuse residuals that are not one for each rule and the default, or of rules whose actions are no numbers."""
    if not residuals:
        return
    if not is_numeric:
        raise RuleError("residuals are about numbers: these rules have other actions")
    if len(residuals) != n_rules + 1:
        raise RuleError(
            f"there are residuals of {len(residuals)} rules for {n_rules} rules: there must be one for each, and one "
            "for the default"
        )
