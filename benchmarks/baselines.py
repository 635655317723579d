"""What the engine is compared with: NumPy condition by condition, the leanest NumPy we know of, and the interpreter."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.rules.interpreter import decide_table
from evoter.rules.model import Condition, Operator, RuleSet, Sum, Term
from evoter.rules.schema import Feature, Kind, Schema
from evoter.tables import rows

Column = NDArray[np.float64]
Mask = NDArray[np.bool_]
Comparison = Callable[[Any, Any], Mask]


class Outcome(NamedTuple):
    """What evolution needs to know of a rule set: its score, and how often each rule held and decided."""

    accuracy: float
    times_applied: list[int]
    times_decided: list[int]


def _unequal(left: Any, right: Any) -> Mask:
    """Compare so that NaN differs from nothing, as the language demands."""
    unequal: Mask = (left < right) | (left > right)
    return unequal


_COMPARISONS: dict[Operator, Comparison] = {
    Operator.EQ: np.equal,
    Operator.NE: _unequal,
    Operator.LT: np.less,
    Operator.LE: np.less_equal,
    Operator.GT: np.greater,
    Operator.GE: np.greater_equal,
}


def _scaled(column: Column, feature: Feature) -> Column:
    low, high = feature.bounds
    if not feature.scaled or feature.kind is not Kind.NUMERIC:
        return column
    return (column - low) / (high - low) if high > low else np.where(np.isnan(column), column, 0.0)


def _value(column: Column, power: int, coefficient: float) -> Column:
    """Return a term's value on every row, in the interpreter's order of operations."""
    x = column
    if power == 2:
        x = x * x
    elif power == 3:
        x = x * x * x
    return x if coefficient == 1.0 else coefficient * x


class _Table:
    """Columns by the name of their feature, raw, and scaled once and for all for comparisons between features."""

    def __init__(self, schema: Schema, columns: Column) -> None:
        pairs = list(zip(columns, schema.features, strict=True))
        self.raw = {feature.name: column for column, feature in pairs}
        self.scaled = {feature.name: _scaled(column, feature) for column, feature in pairs}


class NumpyEvaluator:
    """Evaluates one rule set at a time with whole-column operations, as one would write it without an engine.

    Walks through the rule set's objects, columns lie feature by feature, and the outcome is what the engine returns.
    """

    def __init__(self, schema: Schema, columns: Column, classes: NDArray[np.int64]) -> None:
        self._table = _Table(schema, columns)
        self._actions = {action: code for code, action in enumerate(schema.actions)}
        self._classes = classes

    def evaluate(self, ruleset: RuleSet) -> Outcome:
        """Let the first active rule decide each row, and count."""
        decisions = np.full(len(self._classes), self._actions[ruleset.default])
        undecided = np.ones(len(self._classes), np.bool_)
        applied, decided = [], []
        for rule in ruleset.rules:
            active = self._mask(rule.conditions[0])
            for condition in rule.conditions[1:]:
                active &= self._mask(condition)
            applied.append(int(np.count_nonzero(active)))
            active &= undecided
            decided.append(int(np.count_nonzero(active)))
            decisions[active] = self._actions[rule.action]
            undecided ^= active
        hits = int(np.count_nonzero(decisions == self._classes))
        return Outcome(hits / len(self._classes), applied, decided)

    def _mask(self, condition: Condition) -> Mask:
        left, right = condition.left, condition.right
        compare = _COMPARISONS[condition.operator]
        if isinstance(right, Term):
            columns = self._table.scaled
            return compare(
                _value(columns[left.feature], left.power, left.coefficient),
                _value(columns[right.feature], right.power, right.coefficient),
            )
        raw = self._table.raw
        value = _value(raw[left.feature], left.power, left.coefficient)
        if isinstance(right, Sum):
            return compare(value + _value(raw[right.added.feature], 1, right.added.coefficient), right.constant)
        return compare(value, right)


class PlannedCondition(NamedTuple):
    """A condition whose columns and comparison have been looked up; `factors` are powers and coefficients.

    `added` is the column that a sum adds to the left one.
    """

    compare: Comparison
    left: Column
    right: Column | float
    factors: tuple[int, float, int, float] | None
    added: Column | None = None

    def mask(self) -> Mask:
        """Tell for every row whether the condition holds."""
        if self.factors is None:
            return self.compare(self.left, self.right)
        left_power, left_coefficient, power, coefficient = self.factors
        if self.added is not None:
            total = _value(self.left, left_power, left_coefficient) + _value(self.added, power, coefficient)
            return self.compare(total, self.right)
        right = self.right if isinstance(self.right, float) else _value(self.right, power, coefficient)
        return self.compare(_value(self.left, left_power, left_coefficient), right)


class PlannedRuleSet(NamedTuple):
    """The conditions and the class of each rule, and the default's, all looked up."""

    rules: list[tuple[list[PlannedCondition], int]]
    default: int


class LeanNumpyEvaluator:
    """The least that NumPy can do: all is looked up before the clock starts, and nothing but hits is counted.

    It does less than the engine, which also returns the counts of every rule: a bound, not a fair comparison.
    """

    def __init__(self, schema: Schema, columns: Column, classes: NDArray[np.int64]) -> None:
        self._table = _Table(schema, columns)
        self._schema = schema
        self._members = [classes == c for c in range(len(schema.actions))]

    def plan(self, ruleset: RuleSet) -> PlannedRuleSet:
        """Look up what a rule set names."""
        actions = self._schema.actions
        rules = [
            ([self._plan_condition(condition) for condition in rule.conditions], actions.index(rule.action))
            for rule in ruleset.rules
        ]
        return PlannedRuleSet(rules, actions.index(ruleset.default))

    def accuracy(self, planned: PlannedRuleSet) -> float:
        """Return the part of rows that the first active rule, or the default, decides rightly."""
        n_rows = len(self._members[0])
        undecided = np.ones(n_rows, np.bool_)
        hits = 0
        for conditions, action in planned.rules:
            fired = conditions[0].mask()
            for condition in conditions[1:]:
                fired &= condition.mask()
            fired &= undecided
            undecided ^= fired
            fired &= self._members[action]
            hits += int(np.count_nonzero(fired))
        hits += int(np.count_nonzero(undecided & self._members[planned.default]))
        return hits / n_rows

    def _plan_condition(self, condition: Condition) -> PlannedCondition:
        left, right, compare = condition.left, condition.right, _COMPARISONS[condition.operator]
        if isinstance(right, Term):
            factors = (left.power, left.coefficient, right.power, right.coefficient)
            columns = self._table.scaled
            return PlannedCondition(compare, columns[left.feature], columns[right.feature], factors)
        if isinstance(right, Sum):
            factors = (1, left.coefficient, 1, right.added.coefficient)
            raw = self._table.raw
            return PlannedCondition(compare, raw[left.feature], right.constant, factors, raw[right.added.feature])
        if not isinstance(right, int | float):
            raise TypeError(f"the baselines read numbers only, not {condition}")
        plain = left.power == 1 and left.coefficient == 1.0
        scaling = None if plain else (left.power, left.coefficient, 1, 1.0)
        return PlannedCondition(compare, self._table.raw[left.feature], float(right), scaling)


class ObjectEvaluator:
    """Evaluates one rule set at a time with the interpreter: frozen dataclasses, row by row."""

    def __init__(self, schema: Schema, columns: Column, classes: NDArray[np.int64]) -> None:
        self._rows = rows(columns.T, schema)
        self._labels: list[str] = [schema.actions[c] for c in classes]

    def evaluate(self, ruleset: RuleSet) -> Outcome:
        """Decide every row, and count."""
        verdict = decide_table(ruleset, self._rows)
        hits: int = sum(action == label for action, label in zip(verdict.actions, self._labels, strict=True))
        return Outcome(hits / len(self._labels), list(verdict.times_applied), list(verdict.times_decided))
