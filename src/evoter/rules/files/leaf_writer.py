"""From a rule set to the fields of a leaf-common file with the same meaning."""

from collections.abc import Mapping

from evoter.rules.errors import RuleError
from evoter.rules.files.leaf_columns import (
    CATEGORY_MARKER,
    REPRESENTATION,
    ZERO_TO_ONE,
    Column,
    Fields,
    LeafKeys,
    longest_lookback,
)
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, Mode, Rule, RuleSet
from evoter.rules.schema import Feature, Kind, Schema


def columns_of(schema: Schema) -> dict[str, Column]:
    """Return the columns that stand for the features of a schema, under their keys."""
    columns = [column for feature in schema.features for column in _feature_columns(feature)]
    for column in columns:
        feature, _, category = column.name.partition(CATEGORY_MARKER)
        if (feature, category) != (column.feature, column.category or ""):
            raise RuleError(f"leaf-common would take {column.name!r} for a category of {feature!r}; rename the feature")
    return {str(number): column for number, column in enumerate(columns)}


def _feature_columns(feature: Feature) -> list[Column]:
    if feature.kind is Kind.CATEGORICAL:
        return [Column(feature.name, category, ZERO_TO_ONE) for category in feature.categories]
    if feature.kind is Kind.BOOLEAN:
        return [Column(feature.name, None, ZERO_TO_ONE)]
    if feature.low is None or feature.high is None:
        remedy = "set low and high with schema.with_feature, or drop the feature with restricted() if no rule reads it"
        raise RuleError(f"leaf-common needs a range for every feature and {feature.name!r} has none; {remedy}")
    return [Column(feature.name, None, (feature.low, feature.high))]


def ruleset_fields(ruleset: RuleSet, columns: Mapping[str, Column]) -> Fields:
    """Return the fields of a bare rule set."""
    if ruleset.mode is not Mode.VOTE:
        remedy = "use ruleset.replace(mode='vote') if that is what you mean"
        raise RuleError(
            f"in leaf-common every active rule votes, but this rule set's mode is '{ruleset.mode}'; {remedy}"
        )
    if not ruleset.rules:
        raise RuleError("leaf-common cannot evaluate a rule set without rules; add one")
    keys = LeafKeys(
        ruleset.schema,
        {(column.feature, column.category): key for key, column in columns.items()},
        {action: str(number) for number, action in enumerate(ruleset.schema.actions)},
    )
    applied = (0,) * (len(ruleset.rules) + 1) if ruleset.counts is None else ruleset.counts.times_applied
    rules = [
        _rule_fields(rule, number, keys) | {"times_applied": count}
        for number, (rule, count) in enumerate(zip(ruleset.rules, applied, strict=False), start=1)
    ]
    return {
        "representation_type": REPRESENTATION,
        "rules": rules,
        "default_action": keys.actions[ruleset.default],
        "default_action_coefficient": ruleset.default_certainty,
        "min_maxes": {key: _range_fields(column) for key, column in columns.items()},
        "times_applied": applied[-1],
        "age_state": 0,
    }


def _range_fields(column: Column) -> Fields:
    low, high = column.bounds or ZERO_TO_ONE
    return {"min": low, "max": high, "total": 0.0}


def _rule_fields(rule: Rule, number: int, keys: LeafKeys) -> Fields:
    try:
        conditions = [fields for condition in rule.conditions for fields in _condition_fields(condition, keys)]
    except RuleError as error:
        raise RuleError(f"rule {number}: {error}") from None
    return {
        "action": keys.actions[rule.action],
        "action_coefficient": rule.certainty,
        "action_lookback": 0,
        "conditions": conditions,
    }


def _condition_fields(condition: Condition, keys: LeafKeys) -> list[Fields]:
    """Return the one or two conditions that together say the same."""
    longest = longest_lookback(len(keys.actions))
    for term in condition.terms:
        if term.lag > longest:
            limit = f"with {len(keys.actions)} actions leaf-common looks back at most {longest} steps"
            raise RuleError(f"{term.feature!r}: {limit}, not {term.lag}")
    return form_of(condition).leaf_fields(condition, keys)
