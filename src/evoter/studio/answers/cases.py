"""One case: the decision on its values in words, what each rule found, and the nearest change that alters it."""

from collections.abc import Collection, Mapping
from typing import Any

from evoter.language.explanations import plain_changes
from evoter.rules.answers.changes import Counterfactuals
from evoter.rules.answers.counterfactuals import counterfactuals
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.explain import Explanation, explain
from evoter.rules.forms.registry import form_of
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.text import print_condition, print_rule
from evoter.rules.values import Value
from evoter.studio.answers.cards import EditedRules

N_NEAREST = 3


def read_values(given: Mapping[str, object], schema: Schema) -> dict[str, Value]:
    """Return values that a person gave, checked against the features; None is a missing value.

    >>> schema = Schema([Feature("age"), Feature("ward", Kind.CATEGORICAL, categories=("A", "B"))], ["yes"])
    >>> read_values({"age": 61, "ward": None}, schema)
    {'age': 61.0, 'ward': None}
    """
    return {name: _read(value, schema.feature(name)) for name, value in given.items()}


def _read(value: object, feature: Feature) -> Value:
    if value is None:
        return None
    if feature.kind is Kind.BOOLEAN and isinstance(value, bool):
        return value
    if feature.kind is Kind.NUMERIC and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if feature.kind is Kind.CATEGORICAL and isinstance(value, str):
        if not feature.has_category(value):
            hint = did_you_mean(value, feature.categories)
            raise SchemaError(f"{feature.name!r} has no category {value!r} in this table{hint}")
        return value
    expected = {Kind.NUMERIC: "a number", Kind.BOOLEAN: "true or false", Kind.CATEGORICAL: "one of its categories"}
    raise SchemaError(f"{feature.name!r} is {expected[feature.kind]}, not {value!r}")


def explain_case(
    edited: EditedRules, values: Mapping[str, Value], *, to: str | None, fixed: Collection[str]
) -> dict[str, Any]:
    """Return everything about the decision on some values, ready for JSON."""
    active = edited.active
    explanation = explain(active, values)
    decision = explanation.decision
    wanted = None if to == decision.action else to
    # What rules do not read cannot be changed to any effect.
    kept = [name for name in fixed if name in active.features_used]
    nearest = counterfactuals(active.restricted(), values, fixed=kept, to=wanted, n=N_NEAREST)
    deciding = decision.deciding[0] if decision.deciding else len(active.rules)
    return {
        "decision": decision.action,
        "rule": edited.numbers[deciding],
        "certainty": decision.certainty,
        "text": explanation.to_text(),
        "plain": explanation.to_text("plain"),
        "rules": _rules(edited, explanation),
        "nearest": _nearest(edited, nearest),
        "nearest_text": plain_changes(nearest, explanation),
        "complete": nearest.complete,
    }


def _rules(edited: EditedRules, explanation: Explanation) -> list[dict[str, Any]]:
    schema = edited.ruleset.schema
    return [
        {
            "number": edited.numbers[outcome.index],
            "text": print_rule(outcome.rule, schema),
            "held": outcome.is_active,
            "decided": outcome.decided,
            "conditions": [
                {
                    "text": print_condition(each.condition, schema),
                    "held": each.holds,
                    "value": form_of(each.condition).explained(each, schema, None),
                }
                for each in outcome.conditions
            ],
        }
        for outcome in explanation.rules
    ]


def _nearest(edited: EditedRules, found: Counterfactuals) -> list[dict[str, Any]]:
    return [
        {
            "changes": [
                {"feature": change.feature.name, "before": change.before, "after": change.after}
                for change in each.changes
            ],
            "decision": each.decision.action,
            "rule": edited.numbers[each.decision.deciding[0] if each.decision.deciding else -1],
            "text": str(each),
        }
        for each in found
    ]
