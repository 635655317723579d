"""Monotone features: as the value rises, the decision never moves against a direction in an order of the actions.

Where the rules are tried in a fixed order, this follows from the conditions of each rule alone. Rules for the highest
action may only begin to hold as the value rises, rules for the lowest may only cease to, and all others do not depend
on the value. So no rule for a lower action comes into play, and none for a higher one drops out: the decision stays, or
becomes a higher one. Tests for missing values are free, because a value that rises stays present.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from evoter.rules.forms.registry import form_of
from evoter.rules.forms.trend import Trend, mirrored
from evoter.rules.model import Condition, RuleSet
from evoter.rules.modes import Procedure, mode_of


class Direction(StrEnum):
    """Which way the decision may go as a value rises."""

    INCREASING = "increasing"
    DECREASING = "decreasing"


@dataclass(frozen=True, slots=True)
class Monotone:
    """A feature, at all its lags, and the direction in which decisions may move as it rises."""

    feature: str
    direction: Direction

    def required_trend(self, action: str, order: Sequence[str]) -> Trend | None:
        """Return the trend that conditions on the feature must have in rules for an action; None if any will do."""
        if len(order) < 2:
            return None
        if action not in (order[0], order[-1]):
            return Trend.CONSTANT
        trend = Trend.RISING if action == order[-1] else Trend.FALLING
        return trend if self.direction is Direction.INCREASING else mirrored(trend)

    def is_kept_by(self, condition: Condition, action: str, order: Sequence[str]) -> bool:
        """Tell whether a rule for an action may have a condition."""
        required = self.required_trend(action, order)
        if required is None:
            return True
        pairs = zip(condition.terms, form_of(condition).trends(condition), strict=True)
        return all(trend in (required, Trend.CONSTANT) for term, trend in pairs if term.feature == self.feature)

    def text(self, order: Sequence[str]) -> str:
        """Return it as a sentence."""
        way = order if self.direction is Direction.INCREASING else tuple(reversed(order))
        return f"as {self.feature} rises, the decision never moves back in the order {', '.join(way)}"


def is_kept_by_form(monotone: Monotone, ruleset: RuleSet, order: Sequence[str]) -> bool:
    """Tell whether the form of the rules guarantees a direction, on every input and also where numbers are rounded.

    Rounded products and sums rise with their terms as exact ones do. False does not mean that the direction is broken.
    """
    return mode_of(ruleset.mode).procedure is Procedure.IN_ORDER and all(
        monotone.is_kept_by(condition, rule.action, order) for rule in ruleset.rules for condition in rule.conditions
    )


ALLOWED_TESTS = {
    Trend.RISING: "with > or >=",
    Trend.FALLING: "with < or <=",
    Trend.CONSTANT: "for being missing or present",
}
"""How rules may test a feature, by the trend that is required of them."""
