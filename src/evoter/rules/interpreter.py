"""The meaning of a rule set, row by row: the reference that every faster way of deciding is tested against."""

import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evoter.rules.errors import SchemaError
from evoter.rules.model import Condition, Constant, Operator, Rule, RuleSet, Term
from evoter.rules.modes import Decision, mode_of
from evoter.rules.modes.vote import polls
from evoter.rules.schema import Feature, Schema
from evoter.rules.values import Row, read

__all__ = [
    "Decision",
    "Verdict",
    "decide",
    "decide_now",
    "decide_series",
    "decide_table",
    "evaluate",
    "holds",
    "is_active",
    "polls",
    "term_value",
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decisions at several points and how often each rule was active and decided."""

    decisions: tuple[Decision, ...]
    times_applied: tuple[int, ...]
    times_decided: tuple[int, ...]
    default_applied: int

    @property
    def actions(self) -> tuple[str, ...]:
        """The action of each decision; in mode all, the first one."""
        return tuple(decision.action for decision in self.decisions)


def holds(condition: Condition, history: Sequence[Row], schema: Schema) -> bool:
    """Tell whether a condition holds now, where `history[-1]` is now and `history[-1 - lag]` is `lag` steps ago.

    A missing value, a lag beyond the history, or arithmetic that ends in NaN makes the condition false, whatever its
    operator; only `is missing` holds for a missing value. A category that the schema does not list is a legitimate
    value: it equals none of the listed ones and differs from each of them.

    >>> schema = Schema([Feature("x"), Feature("y")], actions=["go"], max_lag=1)
    >>> rising = Condition(Term("x"), ">", Term("x", lag=1))
    >>> holds(rising, [{"x": 1.0}, {"x": 2.0}], schema), holds(rising, [{"x": 2.0}], schema)
    (True, False)
    """
    sides = evaluate(condition, history, schema)
    if sides is None:
        return False
    left, right = sides
    if condition.operator is Operator.IS_MISSING:
        return left is None
    if condition.operator is Operator.IS_PRESENT:
        return left is not None
    if left is None or right is None:
        return False
    return _COMPARISONS[condition.operator](left, right)


def evaluate(
    condition: Condition, history: Sequence[Row], schema: Schema
) -> tuple[Constant | None, Constant | None] | None:
    """Return what the two sides of a condition come to, as they are compared; None with too little history.

    A missing value is None, as is the right side of a test for missing. Comparisons of two terms read scaled features
    as `(x - low) / (high - low)`, all else reads them raw; then come the power and the coefficient.
    """
    if any(term.lag >= len(history) for term in condition.terms):
        return None
    right = condition.right
    if isinstance(right, Term):
        return _value(condition.left, history, schema, scale=True), _value(right, history, schema, scale=True)
    return _value(condition.left, history, schema, scale=False), right


def _value(term: Term, history: Sequence[Row], schema: Schema, *, scale: bool) -> Constant | None:
    feature = schema.feature(term.feature)
    value = read(feature, history[-1 - term.lag])
    return term_value(value, term, feature, scale=scale) if isinstance(value, float) else value


def term_value(value: float, term: Term, feature: Feature, *, scale: bool) -> float:
    """Return what a term comes to for a value of its numeric feature; with `scale`, as in a comparison of two terms."""
    x = _scaled(value, feature) if scale and feature.scaled else value
    # Multiplied out, because x**3 rounds differently and raises an error where multiplication overflows to infinity.
    raised = (x, x * x, x * x * x)[term.power - 1]
    return term.coefficient * raised


def _scaled(value: float, feature: Feature) -> float:
    low, high = feature.bounds
    return 0.0 if low == high else (value - low) / (high - low)


_COMPARISONS: dict[Operator, Callable[[Any, Any], bool]] = {
    Operator.EQ: operator.eq,
    # Not `!=`, which would hold for a NaN that arises in arithmetic.
    Operator.NE: lambda left, right: left < right or left > right,
    Operator.LT: operator.lt,
    Operator.LE: operator.le,
    Operator.GT: operator.gt,
    Operator.GE: operator.ge,
}


def decide(ruleset: RuleSet, row: Row) -> Decision:
    """Decide on one row without history, so that every condition with a lag is false.

    >>> from evoter.rules.model import Rule
    >>> schema = Schema([Feature("angle")], actions=["Left", "Right"])
    >>> rules = RuleSet([Rule([Condition(Term("angle"), "<", 0)], "Left")], "Right", schema)
    >>> decide(rules, {"angle": -0.1})
    Decision(actions=('Left',), certainty=1.0, active=(0,), deciding=(0,))
    >>> decide(rules, {"angle": 0.1}).by_default
    True
    """
    return decide_now(ruleset, [row])


def decide_now(ruleset: RuleSet, history: Sequence[Row]) -> Decision:
    """Decide on the last row of a history in time order; every row must hold every feature that some rule reads."""
    features = [ruleset.schema.feature(name) for name in ruleset.features_used]
    reach = ruleset.schema.max_lag + 1
    # All is read before anything is decided: whether a bad row is an error does not depend on the values beside it.
    readable = [{feature.name: read(feature, row) for feature in features} for row in history[-reach:]]
    active = tuple(number for number, rule in enumerate(ruleset.rules) if is_active(rule, readable, ruleset.schema))
    if not active:
        return Decision((ruleset.default,), ruleset.default_certainty, (), ())
    return mode_of(ruleset.mode).decide(ruleset, active)


def is_active(rule: Rule, history: Sequence[Row], schema: Schema) -> bool:
    """Tell whether all conditions of a rule hold now."""
    return all(holds(condition, history, schema) for condition in rule.conditions)


def decide_series(ruleset: RuleSet, rows: Iterable[Row]) -> Verdict:
    """Decide at each step of one series in time order; each decision sees the rows before it and none after."""
    rows = list(rows)
    reach = ruleset.schema.max_lag + 1
    return _judge(ruleset, [rows[max(0, end - reach) : end] for end in range(1, len(rows) + 1)])


def decide_table(ruleset: RuleSet, rows: Iterable[Row]) -> Verdict:
    """Decide on each of several independent rows, none of which has a history."""
    return _judge(ruleset, [[row] for row in rows])


def _judge(ruleset: RuleSet, histories: Sequence[Sequence[Row]]) -> Verdict:
    decisions = []
    for position, history in enumerate(histories):
        try:
            decisions.append(decide_now(ruleset, history))
        except SchemaError as error:
            raise SchemaError(f"rows[{position}]: {error}") from None
    numbers = range(len(ruleset.rules))
    return Verdict(
        decisions=tuple(decisions),
        times_applied=tuple(sum(number in decision.active for decision in decisions) for number in numbers),
        times_decided=tuple(sum(number in decision.deciding for decision in decisions) for number in numbers),
        default_applied=sum(decision.by_default for decision in decisions),
    )
