"""How each mode decides, in words that target languages know: a list whose first active rule decides, or polls."""

from collections.abc import Sequence

from evoter.rules.errors import RuleError
from evoter.rules.model import Mode, Rule, RuleSet
from evoter.rules.text import print_condition

Numbered = tuple[int, Rule]
"""A rule and its number in the printed rule set, from 1."""

SUREST_FIRST = "The surest rule that holds decides, so the surest comes first."
"""What is to be said where the rules of mode hardmax stand in another order than they are printed in."""


def numbered(ruleset: RuleSet) -> list[Numbered]:
    """Return the rules with their numbers."""
    return list(enumerate(ruleset.rules, start=1))


def decision_list(ruleset: RuleSet) -> list[Numbered] | None:
    """Return the rules in an order in which the first active one decides, or None where there is no such order.

    In mode hardmax it is the order of certainty, the surest first. Where no action has two rules, a vote is the same.

    >>> from evoter.rules.parser import parse
    >>> surest = parse("x > 1 -> 0.3*a; y > 1 -> 0.7*b; z > 1 -> 0.3*b; Default -> a; where decide: hardmax")
    >>> [number for number, _ in decision_list(surest)]
    [2, 1, 3]
    """
    rules = numbered(ruleset)
    if ruleset.mode is Mode.FIRST:
        return rules
    alone = len({rule.action for rule in ruleset.rules}) == len(rules)
    if ruleset.mode is Mode.HARDMAX or (ruleset.mode is Mode.VOTE and alone):
        return sorted(rules, key=lambda each: -each[1].certainty)  # stable: of equals, the earlier one
    return None


def polls(ruleset: RuleSet) -> dict[str, list[Numbered]]:
    """Return the rules that vote for each action, in order.

    The winner of a vote is the action of the first active rule whose action has the largest mean certainty.
    """
    voters: dict[str, list[Numbered]] = {}
    for number, rule in numbered(ruleset):
        voters.setdefault(rule.action, []).append((number, rule))
    return voters


def comments(ruleset: RuleSet) -> list[str]:
    """Return the text of each rule and last of the default, each one line without control characters."""
    return ruleset.to_text(declarations=False).split("\n")


def refuse_several_actions(ruleset: RuleSet, language: str) -> None:
    """Refuse mode all in a language that gives one action per row."""
    if ruleset.mode is Mode.ALL:
        raise RuleError(
            f"{language} gives one action per row, but mode all takes those of every active rule: "
            "export to Python, or each action as a rule set of its own"
        )


def refuse_lags(rules: Sequence[Numbered], what: str, remedy: str) -> None:
    """Refuse the first condition that looks back, and say what is refused and what to do about it."""
    for number, rule in rules:
        for condition in rule.conditions:
            if any(term.lag > 0 for term in condition.terms):
                raise RuleError(f"rule {number} looks back ({print_condition(condition)}): {what}; {remedy}")
