"""What exports need to know about a rule set: how its decisions are computed, and what a language cannot say."""

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from evoter.rules.errors import RuleError
from evoter.rules.model import Rule, RuleSet
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.numbers.actions import read_action
from evoter.rules.text import print_condition

Numbered = tuple[int, Rule]
"""A rule and its number in the printed rule set, from 1."""


class Deciding(NamedTuple):
    """The procedure that decides, and the rules in the order in which it tries them.

    `note` explains the order to readers where it is not the printed one.
    """

    procedure: Procedure
    rules: list[Numbered]
    note: str


def numbered(ruleset: RuleSet) -> list[Numbered]:
    """Return the rules with their numbers."""
    return list(enumerate(ruleset.rules, start=1))


def deciding(ruleset: RuleSet) -> Deciding:
    """Return how the decisions of a rule set are computed; every export has a case for each procedure.

    >>> from evoter.rules.parser import parse
    >>> surest = parse("x > 1 -> 0.3*a; y > 1 -> 0.7*b; z > 1 -> 0.3*b; Default -> a; where decide: hardmax")
    >>> [number for number, _ in deciding(surest).rules]
    [2, 1, 3]
    """
    plan, rules = mode_of(ruleset.mode).plan(ruleset), numbered(ruleset)
    return Deciding(plan.procedure, [rules[index] for index in plan.order], plan.note)


def polls(ruleset: RuleSet) -> dict[str, list[Numbered]]:
    """Return the rules that vote for each action, in order.

    The winner of a vote is the action of the first active rule whose action has the largest mean certainty.
    """
    voters: dict[str, list[Numbered]] = {}
    for number, rule in numbered(ruleset):
        voters.setdefault(rule.action, []).append((number, rule))
    return voters


def is_numeric(ruleset: RuleSet) -> bool:
    """Tell whether the actions of a rule set are numbers."""
    return ruleset.schema.target is not None


def added_features(ruleset: RuleSet) -> list[str]:
    """Return the features of linear terms, in the order of the rules."""
    if not is_numeric(ruleset):
        return []
    actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
    return [name for name in (read_action(action).feature for action in actions) if name]


def refuse_values(ruleset: RuleSet, actions: object) -> None:
    """Refuse other values for actions that are numbers."""
    if is_numeric(ruleset) and actions is not None:
        raise RuleError("these rules give numbers: actions, which are values for names, must be left out")


def comments(ruleset: RuleSet) -> list[str]:
    """Return the text of each rule and last of the default, each one line without control characters."""
    return ruleset.to_text(declarations=False).split("\n")


def refuse_several_actions(ruleset: RuleSet, language: str) -> NoReturn:
    """Refuse a mode that takes several actions, for a language that gives one action per row."""
    raise RuleError(
        f"{language} gives one action per row, but mode {ruleset.mode} takes those of every active rule: "
        "export to Python, or each action as a rule set of its own"
    )


def refuse_polls(ruleset: RuleSet, language: str) -> NoReturn:
    """Refuse a mode that averages certainties, for a language that can only say which rule comes first."""
    raise RuleError(
        f"{language} lets the first rule that holds decide, but mode {ruleset.mode} compares means of certainties: "
        "export to SQL, Python, JavaScript or C, or decide by mode first or hardmax"
    )


def refuse_lags(rules: Sequence[Numbered], what: str, remedy: str) -> None:
    """Refuse the first condition that looks back, and say what is refused and what to do about it."""
    for number, rule in rules:
        for condition in rule.conditions:
            if any(term.lag > 0 for term in condition.terms):
                raise RuleError(f"rule {number} looks back ({print_condition(condition)}): {what}; {remedy}")
