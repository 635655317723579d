"""Tables that a program can hold: without infinities, or with numbers that spreadsheets can tell apart."""

import math
from collections.abc import Callable, Mapping, Sequence

from evoter.rules.interpreter import evaluate
from evoter.rules.model import RuleSet

Value = float | str | bool | None
Table = Mapping[str, Sequence[Value]]
"""The values of each feature, in the order of the schema; None and NaN are missing."""

Fitting = Callable[[RuleSet, Table], Table]

_LARGEST, _SMALLEST = 1e60, 1e-15
_APART = 1e-12


def unchanged(ruleset: RuleSet, table: Table) -> Table:
    """Return a table as it is."""
    return table


def finite(ruleset: RuleSet, table: Table) -> Table:
    """Return a table without NaN, infinities, and numbers whose powers would be infinite; they are missing instead."""
    return {name: [None if _is_odd(value) else value for value in values] for name, values in table.items()}


def _is_odd(value: Value) -> bool:
    return isinstance(value, float) and not abs(value) < _LARGEST


def told_apart(ruleset: RuleSet, table: Table) -> Table:
    """Return a table for spreadsheets, which compare numbers to about 15 digits.

    Numbers have 12 digits, and rows are left out in which a rule compares two numbers that are equal but for rounding.
    """
    rounded = {name: [_rounded(value) for value in values] for name, values in finite(ruleset, table).items()}
    rows = [dict(zip(rounded, row, strict=True)) for row in zip(*rounded.values(), strict=True)]
    kept = [row for row in rows if not _has_near_tie(ruleset, row)]
    return {name: [row[name] for row in kept] for name in rounded}


def _rounded(value: Value) -> Value:
    if not isinstance(value, float):
        return value
    return float(f"{value:.12g}") if abs(value) > _SMALLEST else 0.0


def _has_near_tie(ruleset: RuleSet, row: Mapping[str, Value]) -> bool:
    for rule in ruleset.rules:
        for condition in rule.conditions:
            left, right = evaluate(condition, [row], ruleset.schema) or (None, None)
            if not isinstance(left, float) or not isinstance(right, float) or left == right:
                continue
            if math.isclose(left, right, rel_tol=_APART, abs_tol=_SMALLEST):
                return True
    return False
