"""The meaning of a rule set, row by row: the reference that every faster way of deciding is tested against."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evoter.rules.errors import RuleError, SchemaError
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, Constant, Rule, RuleSet
from evoter.rules.modes import Decision, mode_of
from evoter.rules.modes.vote import polls
from evoter.rules.numbers.actions import read_action
from evoter.rules.schema import Schema
from evoter.rules.values import Row, read, term_value

__all__ = [
    "Decision",
    "Verdict",
    "decide",
    "decide_now",
    "decide_series",
    "decide_table",
    "estimate",
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

    >>> from evoter.rules.model import Term
    >>> from evoter.rules.schema import Feature
    >>> schema = Schema([Feature("x"), Feature("y")], actions=["go"], max_lag=1)
    >>> rising = Condition(Term("x"), ">", Term("x", lag=1))
    >>> holds(rising, [{"x": 1.0}, {"x": 2.0}], schema), holds(rising, [{"x": 2.0}], schema)
    (True, False)
    """
    return form_of(condition).holds(condition, history, schema)


def evaluate(
    condition: Condition, history: Sequence[Row], schema: Schema
) -> tuple[Constant | None, Constant | None] | None:
    """Return the values of the two sides of a condition, as they are compared; None with too little history.

    A missing value is None, as is the right side of a test for missing. Comparisons of two terms read scaled features
    as `(x - low) / (high - low)`, all else reads them raw; then come the power and the coefficient.
    """
    form = form_of(condition)
    values = form.values(condition, history, schema)
    return None if values is None else form.sides(condition, values)


def decide(ruleset: RuleSet, row: Row) -> Decision:
    """Decide on one row without history, so that every condition with a lag is false.

    >>> from evoter.rules.model import Term
    >>> from evoter.rules.schema import Feature
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


def estimate(ruleset: RuleSet, row_or_history: Row | Sequence[Row]) -> float:
    """Return the number that a rule set with numeric actions predicts for a row, or for the last row of a history.

    NaN where a linear term reads a missing value, which a rule set permits only where its schema says that no value is.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("age > 50 -> 12 + 0.5*age; Default -> 8.5")
    >>> estimate(rules, {"age": 60}), estimate(rules, {"age": 40})
    (42.0, 8.5)
    """
    if ruleset.schema.target is None:
        raise RuleError("the actions of these rules are names: only rules whose actions are numbers predict numbers")
    history = [row_or_history] if isinstance(row_or_history, Mapping) else row_or_history
    return read_action(decide_now(ruleset, history).action).value(history[-1], ruleset.schema)


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
