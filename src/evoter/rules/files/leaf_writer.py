"""From a rule set to the fields of a leaf-common file with the same meaning."""

from collections.abc import Mapping
from dataclasses import dataclass

from evoter.rules.errors import RuleError
from evoter.rules.files.leaf_columns import (
    CATEGORY_MARKER,
    CONSTANT_KEY,
    REPRESENTATION,
    Column,
    fraction_of,
    longest_lookback,
)
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Kind, Schema

Fields = dict[str, object]

_ZERO_TO_ONE = 0.0, 1.0


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """The schema of a rule set and the keys by which a file refers to it."""

    schema: Schema
    columns: Mapping[tuple[str, str | None], str]
    actions: Mapping[str, str]


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
        return [Column(feature.name, category, _ZERO_TO_ONE) for category in feature.categories]
    if feature.kind is Kind.BOOLEAN:
        return [Column(feature.name, None, _ZERO_TO_ONE)]
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
    words = _Vocabulary(
        ruleset.schema,
        {(column.feature, column.category): key for key, column in columns.items()},
        {action: str(number) for number, action in enumerate(ruleset.schema.actions)},
    )
    return {
        "representation_type": REPRESENTATION,
        "rules": [_rule_fields(rule, number, words) for number, rule in enumerate(ruleset.rules, start=1)],
        "default_action": words.actions[ruleset.default],
        "default_action_coefficient": ruleset.default_certainty,
        "min_maxes": {key: _range_fields(column) for key, column in columns.items()},
        "times_applied": 0,
        "age_state": 0,
    }


def _range_fields(column: Column) -> Fields:
    low, high = column.bounds or _ZERO_TO_ONE
    return {"min": low, "max": high, "total": 0.0}


def _rule_fields(rule: Rule, number: int, words: _Vocabulary) -> Fields:
    try:
        conditions = [fields for condition in rule.conditions for fields in _condition_fields(condition, words)]
    except RuleError as error:
        raise RuleError(f"rule {number}: {error}") from None
    return {
        "action": words.actions[rule.action],
        "action_coefficient": rule.certainty,
        "action_lookback": 0,
        "times_applied": 0,
        "conditions": conditions,
    }


def _condition_fields(condition: Condition, words: _Vocabulary) -> list[Fields]:
    """Return the one or two conditions that together say the same."""
    longest = longest_lookback(len(words.actions))
    for term in condition.terms:
        if term.lag > longest:
            limit = f"with {len(words.actions)} actions leaf-common looks back at most {longest} steps"
            raise RuleError(f"{term.feature!r}: {limit}, not {term.lag}")
    feature = words.schema.feature(condition.left.feature)
    if condition.operator is Operator.IS_MISSING:
        raise RuleError(f"{feature.name!r}: leaf-common has no test for a missing value; rewrite the rule without it")
    if feature.kind is Kind.NUMERIC:
        return _numeric_fields(condition, feature, words)
    return [_one_hot_fields(condition, feature, words)]


def _one_hot_fields(condition: Condition, feature: Feature, words: _Vocabulary) -> Fields:
    """Compare a column of 0 and 1 with 1, or for a test of presence with 0."""
    term, right = condition.left, condition.right
    if condition.operator is Operator.IS_PRESENT:
        some_category = feature.categories[0] if feature.categories else None
        return _fields(words.columns[feature.name, some_category], term, Operator.GE, fraction=0.0)
    column = words.columns[feature.name, right if isinstance(right, str) else None]
    is_one = (condition.operator is Operator.EQ) is (right is not False)
    return _fields(column, term, Operator.GE if is_one else Operator.LT, fraction=1.0)


def _numeric_fields(condition: Condition, feature: Feature, words: _Vocabulary) -> list[Fields]:
    term, right, operator = condition.left, condition.right, condition.operator
    if operator is Operator.NE:
        raise RuleError(f"{feature.name!r}: leaf-common has no !=; split the rule into one with < and one with >")
    if operator is Operator.IS_PRESENT:
        # Only a missing value, NaN, is not equal to itself.
        right, operator = term, Operator.GE
    operators = (Operator.GE, Operator.LE) if operator is Operator.EQ else (operator,)
    key = words.columns[feature.name, None]
    if isinstance(right, Term):
        for other in condition.terms:
            _check_raw(words.schema.feature(other.feature))
        other_key = words.columns[right.feature, None]
        return [_fields(key, term, each, second_key=other_key, second=right) for each in operators]
    assert isinstance(right, float)
    return [_fields(key, term, each, fraction=_fraction(right, feature, each)) for each in operators]


def _check_raw(feature: Feature) -> None:
    if feature.scaled and (feature.low, feature.high) != _ZERO_TO_ONE:
        raise RuleError(f"{feature.name!r}: leaf-common compares raw values only, but the schema has it scaled")


def _fraction(constant: float, feature: Feature, operator: Operator) -> float:
    assert feature.low is not None
    assert feature.high is not None
    fraction = fraction_of(constant, (feature.low, feature.high), operator)
    if fraction is None:
        place = f"the range {feature.low!r} to {feature.high!r}"
        raise RuleError(f"{feature.name!r}: {constant!r} is no fraction of {place}; change low or high in the schema")
    return fraction


def _fields(
    key: str,
    first: Term,
    operator: Operator,
    *,
    fraction: float = 0.0,
    second_key: str = CONSTANT_KEY,
    second: Term | None = None,
) -> Fields:
    second = second or Term(first.feature)
    return {
        "first_state_key": key,
        "first_state_coefficient": first.coefficient,
        "first_state_exponent": first.power,
        "first_state_lookback": first.lag,
        "operator": operator.value,
        "second_state_key": second_key,
        "second_state_coefficient": second.coefficient,
        "second_state_exponent": second.power,
        "second_state_lookback": second.lag,
        "second_state_value": fraction,
    }
