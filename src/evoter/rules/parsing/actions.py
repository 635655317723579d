"""Gives parsed actions their meaning: names that the schema lists, or numbers where its actions are numeric."""

from evoter.rules.errors import did_you_mean
from evoter.rules.numbers.actions import NumericAction
from evoter.rules.parsing.drafts import ActionDraft, NumericDraft, RuleSetDraft
from evoter.rules.parsing.tokens import TokenStream
from evoter.rules.schema import Schema, Target


def resolve_action(draft: ActionDraft, schema: Schema, known: frozenset[str], stream: TokenStream) -> str:
    """Return the action that a draft stands for, or say why there is no such action."""
    if schema.target is not None:
        return _number(draft, schema, schema.target, stream)
    if not draft.is_label:
        raise stream.error(
            f"expected an action, with '*' between its certainty and its name, got {draft.action!r}; where actions are "
            "numbers, declare 'actions: numeric'",
            draft.at,
        )
    if draft.action not in known:
        raise stream.error(f"unknown action {draft.action!r}{did_you_mean(draft.action, schema.actions)}", draft.at)
    return draft.action


def _number(draft: ActionDraft, schema: Schema, target: Target, stream: TokenStream) -> str:
    number = draft.number
    if number is None:
        raise stream.error(
            f"expected a number such as 12.5 or 12 + 0.3*age, because actions are numeric, got {draft.action!r}",
            draft.at,
        )
    if draft.certainty != 1.0:
        raise stream.error("numbers have no certainty: leave it out", draft.certainty_at)
    if number.unit and number.unit != target.unit:
        own = f"has the unit {target.unit!r}" if target.unit else "has no unit"
        raise stream.error(f"the target {own}, not {number.unit!r}", number.unit_at)
    if number.feature and number.feature not in schema:
        hint = did_you_mean(number.feature, schema.names)
        raise stream.error(f"unknown feature {number.feature!r}{hint}", number.feature_at)
    return NumericAction(number.constant, number.coefficient, number.feature).text


def implied_target(draft: RuleSetDraft) -> Target | None:
    """Return what the rules say about the target where nothing is declared; None if actions are names.

    Whole numbers are names, unless another action is certainly a number: it has decimals, a unit or a linear term.
    """
    actions = [*(rule.action for rule in draft.rules), draft.default]
    numbers: list[NumericDraft] = [action.number for action in actions if action.number is not None]
    if len(numbers) < len(actions) or all(action.is_label for action in actions):
        return None
    if any(action.certainty != 1.0 for action in actions):
        return None
    return Target(unit=next((number.unit for number in numbers if number.unit), ""))
