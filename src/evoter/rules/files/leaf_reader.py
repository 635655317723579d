"""From the fields of a leaf-common file to a rule set with the same meaning."""

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from evoter.rules.answers.rule_counts import RuleCounts
from evoter.rules.errors import RuleFileError, did_you_mean
from evoter.rules.files.document import (
    at,
    below,
    check_required,
    read_certainty,
    read_field,
    read_list,
    read_name,
    read_number,
    read_object,
    read_whole,
    refuse,
    shown,
)
from evoter.rules.files.leaf_categories import category_conditions, compared_categories
from evoter.rules.files.leaf_columns import (
    CATEGORY_MARKER,
    ZERO_TO_ONE,
    Bounds,
    Column,
    constant_at,
    longest_lookback,
)
from evoter.rules.files.records import MAX_CASES
from evoter.rules.model import MAX_POWER, Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.schema import MAX_LAG, Feature, Kind, Schema, check_distinct

UNNAMED_DATA = "data of the leaf-common file"
"""What counts of such a file are about, since it does not say more."""

_COMPARISONS: dict[Operator, Callable[[float, float], bool]] = {
    Operator.LT: operator.lt,
    Operator.LE: operator.le,
    Operator.GT: operator.gt,
    Operator.GE: operator.ge,
}


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What the keys of a file mean."""

    columns: Mapping[str, Column]
    actions: Mapping[str, str]


def read_ruleset(
    fields: Mapping[str, object],
    root: str,
    *,
    states: Mapping[str, object] | None,
    actions: Mapping[str, object] | None,
    categories: bool,
) -> RuleSet:
    """Read the fields of a rule set at the path `root`; where no names are given, the keys are the names."""
    check_required(fields, root, ("rules", "default_action", "default_action_coefficient"))
    ranges = _read_ranges(fields.get("min_maxes"), below(root, "min_maxes"))
    if states is None:
        if not ranges:
            raise RuleFileError("no range tells which states there are; pass their names as `states`", path=root)
        states = {key: key for key in ranges}
    if actions is None:
        actions = {key: key for key in _actions_used(fields, root)}
    columns = _read_columns(states, ranges, categories)
    words = _Vocabulary(columns, _read_names(actions, "actions"))
    rules = read_field(fields, root, "rules", partial(read_list, reader=partial(_read_rule, words=words)))
    default = read_field(fields, root, "default_action", partial(_read_action, words=words))
    certainty = read_field(fields, root, "default_action_coefficient", read_certainty)
    max_lag = max((term.lag for rule in rules for condition in rule.conditions for term in condition.terms), default=0)
    schema = at("actions", Schema, _features_of(columns), words.actions.values(), max_lag)
    return RuleSet(tuple(rules), default, schema, certainty, Mode.VOTE, counts=_read_counts(fields, root))


def _read_counts(fields: Mapping[str, object], root: str) -> RuleCounts | None:
    """Read how often each rule, and last the default, was applied; None where that is not said, or nothing was counted.

    A file does not say on which data, nor on how many cases: there were at least as many as the most frequent rule was
    applied to, and the default, which is never applied together with a rule. leaf-common ignores these fields when it
    decides, so that odd ones are no error.
    """
    rules = read_field(fields, root, "rules", partial(read_list, reader=read_object))
    found = [each.get("times_applied") for each in (*rules, fields)]
    counts = [count for count in found if type(count) is int and 0 <= count <= MAX_CASES]
    if len(counts) < len(found) or not any(counts):
        return None
    *applied, default = counts
    return RuleCounts(UNNAMED_DATA, max(applied, default=0) + default, tuple(counts))


def _read_ranges(value: object, path: str) -> dict[str, Bounds]:
    ranges = {}
    for key, item in read_object({} if value is None else value, path).items():
        here = below(path, _checked_key(key, path))
        bounds = read_object(item, here)
        low, high = read_field(bounds, here, "min", read_number), read_field(bounds, here, "max", read_number)
        if low > high:
            raise RuleFileError(f"min {low!r} is above max {high!r}; correct one of them", path=here)
        ranges[key] = low, high
    return ranges


def _actions_used(fields: Mapping[str, object], root: str) -> list[str]:
    def read_action(value: object, path: str) -> str:
        return read_field(read_object(value, path), path, "action", read_name)

    used = read_field(fields, root, "rules", partial(read_list, reader=read_action))
    return list(dict.fromkeys([*used, read_field(fields, root, "default_action", read_name)]))


def _read_names(names: Mapping[str, object], path: str) -> dict[str, str]:
    """Return the names of states or actions in the order of their keys, which are numbers."""
    keys = sorted((_checked_key(key, path) for key in names), key=int)
    named = {key: read_name(names[key], below(path, key)) for key in keys}
    at(path, check_distinct, "there is the name", named.values())
    return named


def _checked_key(key: object, path: str) -> str:
    if not isinstance(key, str) or not re.fullmatch("[0-9]{1,9}", key):
        raise RuleFileError(f'keys are numbers such as "0", not {shown(key)}; number the entries', path=path)
    return key


def _read_columns(states: Mapping[str, object], ranges: Mapping[str, Bounds], categories: bool) -> dict[str, Column]:
    columns = {}
    for key, name in _read_names(states, "states").items():
        feature, marker, category = name.partition(CATEGORY_MARKER)
        if marker and categories:
            path = below("states", key)
            columns[key] = Column(read_name(feature, path), read_name(category, path), ranges.get(key))
        else:
            columns[key] = Column(name, None, ranges.get(key))
    return columns


def _features_of(columns: Mapping[str, Column]) -> list[Feature]:
    """Return the features of the columns, a categorical one at the position of its first column."""
    grouped: dict[str, list[Column]] = {}
    for column in columns.values():
        grouped.setdefault(column.feature, []).append(column)
    features = []
    for name, group in grouped.items():
        categories = tuple(column.category for column in group if column.category is not None)
        if not categories:
            is_one_hot = CATEGORY_MARKER in name and group[0].bounds == ZERO_TO_ONE
            low, high = group[0].bounds or (None, None)
            features.append(Feature(name, low=low, high=high, step=1.0 if is_one_hot else None))
        elif len(categories) == len(group):
            features.append(Feature(name, Kind.CATEGORICAL, categories=categories))
        else:
            clash = (
                f"{shown(name)} is a state and also the feature of one-hot columns; rename it or pass categories=False"
            )
            raise RuleFileError(clash, path="states")
    return features


def _read_rule(value: object, path: str, words: _Vocabulary) -> Rule:
    fields = read_object(value, path)
    if read_field(fields, path, "action_lookback", partial(read_whole, low=0, high=MAX_LAG)):
        message = "the rule repeats an earlier action, which leaf-common itself cannot evaluate; set it to 0"
        raise RuleFileError(message, path=below(path, "action_lookback"))
    action = read_field(fields, path, "action", partial(_read_action, words=words))
    certainty = read_field(fields, path, "action_coefficient", read_certainty)
    read_conditions = partial(read_list, reader=partial(_read_condition, words=words))
    groups: list[list[Condition]] = read_field(fields, path, "conditions", read_conditions)
    conditions = tuple(condition for group in groups for condition in group)
    return Rule(conditions or (_always(words, path),), action, certainty)


def _always(words: _Vocabulary, path: str) -> Condition:
    """Return the condition of a rule that has none, which leaf-common takes for always active."""
    for column in words.columns.values():
        return Condition(Term(column.feature), Operator.IS_PRESENT)
    raise RuleFileError("a rule without conditions needs a state to refer to; add one", path=path)


def _read_action(value: object, path: str, words: _Vocabulary) -> str:
    key = read_name(value, path)
    if key not in words.actions:
        raise RuleFileError(f"unknown action {shown(key)}{did_you_mean(key, words.actions)}", path=path)
    return words.actions[key]


def _read_condition(value: object, path: str, words: _Vocabulary) -> list[Condition]:
    fields = read_object(value, path)
    column, left = _read_term(fields, path, "first_state", words)
    comparison = read_field(fields, path, "operator", _read_comparison)
    second = fields.get("second_state_key")
    if second is not None and read_name(second, below(path, "second_state_key")) in words.columns:
        other, right = _read_term(fields, path, "second_state", words)
        if column.category is not None and other.category is not None:
            conditions = compared_categories(column, left, _COMPARISONS[comparison], other, right)
            if conditions is not None:
                return conditions
        _check_numeric(column, path)
        _check_numeric(other, path)
        return [Condition(left, comparison, right)]
    constant = _read_constant(fields, path, column)
    if column.category is None:
        conditions = [Condition(left, comparison, constant)]
    else:
        conditions = category_conditions(column.category, left, _COMPARISONS[comparison], constant)
    lookback = _read_lookback(fields, path, "second_state", words)
    if lookback > left.lag:  # a constant has no history, yet leaf-common waits until there would be one
        conditions.append(Condition(Term(column.feature, lag=lookback), Operator.IS_PRESENT))
    return conditions


def _read_comparison(value: object, path: str) -> Operator:
    if not isinstance(value, str) or value not in tuple(_COMPARISONS):
        refuse(value, path, "one of " + ", ".join(f'"{comparison}"' for comparison in _COMPARISONS))
    return Operator(value)


def _read_term(fields: Mapping[str, object], path: str, side: str, words: _Vocabulary) -> tuple[Column, Term]:
    key = read_field(fields, path, f"{side}_key", read_name)
    if key not in words.columns:
        message = f"unknown state {shown(key)}{did_you_mean(key, words.columns)}"
        raise RuleFileError(message, path=below(path, f"{side}_key"))
    column = words.columns[key]
    coefficient = read_field(fields, path, f"{side}_coefficient", read_number)
    power = read_field(fields, path, f"{side}_exponent", partial(read_whole, low=1, high=MAX_POWER))
    return column, Term(column.feature, coefficient, power, _read_lookback(fields, path, side, words))


def _read_lookback(fields: Mapping[str, object], path: str, side: str, words: _Vocabulary) -> int:
    lookback = read_field(fields, path, f"{side}_lookback", partial(read_whole, low=0, high=MAX_LAG))
    longest = longest_lookback(len(words.actions))
    if lookback > longest:
        message = (
            f"leaf-common remembers too little for {lookback}; with {len(words.actions)} actions use at most {longest}"
        )
        raise RuleFileError(message, path=below(path, f"{side}_lookback"))
    return lookback


def _check_numeric(column: Column, path: str) -> None:
    if column.category is not None:
        remedy = "pass categories=False to read one-hot columns as numbers"
        raise RuleFileError(f"the category {shown(column.name)} is compared with a state; {remedy}", path=path)


def _read_constant(fields: Mapping[str, object], path: str, column: Column) -> float:
    fraction = read_field(fields, path, "second_state_value", read_number)
    here = below(path, "second_state_value")
    if column.bounds is None:
        raise RuleFileError(
            f"min_maxes has no range for {shown(column.name)}, which a constant needs; add it", path=here
        )
    constant = constant_at(fraction, column.bounds)
    if not math.isfinite(constant):
        message = f"{fraction!r} of the range {column.bounds} is not a finite number; correct one of them"
        raise RuleFileError(message, path=here)
    return constant
