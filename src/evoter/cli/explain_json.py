"""Explanations as JSON: the decision, its probability and what it rests on, all rules, and what would change it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evoter.rules.answers.changes import Counterfactuals
    from evoter.rules.explain import Explanation
    from evoter.rules.values import Value


def described(explanation: "Explanation", about: str, values: "Mapping[str, Value]") -> dict[str, object]:
    """Return an explanation, ready for JSON; `probability` and `basis` are null where rules have no track records.

    A certainty is told only where it influences decisions.
    """
    from evoter.rules.modes import mode_of
    from evoter.rules.text import print_condition

    decision, ruleset = explanation.decision, explanation.ruleset
    probabilities = explanation.probabilities
    certainty = {"certainty": decision.certainty} if mode_of(ruleset.mode).uses_certainty else {}
    return {
        "case": about,
        "values": values,
        "decision": decision.action,
        "actions": list(decision.actions),
        "probability": None if probabilities is None else probabilities[decision.action],
        "probabilities": probabilities,
        "basis": _basis(explanation),
        **_number(explanation),
        **certainty,
        "by_default": decision.by_default,
        "rules": [
            {
                "number": outcome.number,
                "action": outcome.rule.action,
                "held": outcome.is_active,
                "decided": outcome.decided,
                "conditions": [
                    {"text": print_condition(each.condition, ruleset.schema), "holds": each.holds}
                    for each in outcome.conditions
                ],
            }
            for outcome in explanation.rules
        ],
    }


def described_changes(found: "Counterfactuals") -> dict[str, object]:
    """Return what would change a decision, ready for JSON."""
    return {
        "changes": [
            {
                "decision": each.decision.action,
                "actions": list(each.decision.actions),
                "features": {
                    change.feature.name: {"before": change.before, "after": change.after} for change in each.changes
                },
            }
            for each in found
        ],
        "all_changes_tried": found.complete,
    }


def _number(explanation: "Explanation") -> dict[str, object]:
    """Return the predicted number and its interval, for rules whose actions are numbers."""
    if explanation.number is None:
        return {}
    interval = None if explanation.interval is None else list(explanation.interval)
    return {"number": explanation.number, "interval": interval}


def _basis(explanation: "Explanation") -> dict[str, object] | None:
    from evoter.rules.answers.reliability import part_of, right
    from evoter.rules.text import print_condition

    decision, record = explanation.decision, explanation.record
    if record is None:
        return None
    part = part_of(record, explanation.history, explanation.ruleset.schema)
    return {
        "rule": None if decision.by_default else decision.deciding[0] + 1,
        "rows": "training",
        "cases": record.cases,
        "right": right(record, explanation.ruleset, decision.action),
        "part": None
        if part is None
        else {
            "number": record.parts.index(part) + 1,
            "conditions": [print_condition(condition) for condition in part.conditions],
            "cases": part.cases,
            "right": right(part, explanation.ruleset, decision.action),
        },
    }
