"""Pairs of rule sets: equal on every input by construction, or with something changed."""

from dataclasses import replace
from random import Random

from domains import random_condition
from evoter.rules.condition import MIRRORED
from evoter.rules.model import Condition, Mode, RuleSet, Term


def equal_variant(rng: Random, ruleset: RuleSet) -> RuleSet:
    """The same decisions on every input: conditions turned round and in another order, and rules that change nothing."""
    rules = [
        replace(rule, conditions=tuple(map(_turned, rng.sample(rule.conditions, len(rule.conditions)))))
        for rule in ruleset.rules
    ]
    if rules and ruleset.mode is Mode.FIRST:
        at = rng.randrange(len(rules))
        narrower = replace(rules[at], conditions=(*rules[at].conditions, random_condition(rng, ruleset.schema)))
        rules.insert(rng.choice([at, rng.randint(at + 1, len(rules))]), narrower)
    return ruleset.replace(rules=rules)


def _turned(condition: Condition) -> Condition:
    if isinstance(condition.right, Term):
        return Condition(condition.right, MIRRORED[condition.operator], condition.left)
    return condition


def changed_variant(rng: Random, ruleset: RuleSet) -> RuleSet:
    """A rule less, another action, condition, order or mode; it may still decide the same."""
    rules = list(ruleset.rules)
    if not rules:
        return ruleset.replace(default=rng.choice(ruleset.schema.actions))
    at = rng.randrange(len(rules))
    match rng.choice(["drop", "action", "condition", "order", "mode"]):
        case "drop":
            del rules[at]
        case "action":
            rules[at] = replace(rules[at], action=rng.choice(ruleset.schema.actions))
        case "condition":
            conditions = list(rules[at].conditions)
            conditions[rng.randrange(len(conditions))] = random_condition(rng, ruleset.schema)
            rules[at] = replace(rules[at], conditions=tuple(conditions))
        case "order":
            rng.shuffle(rules)
        case _:
            return ruleset.replace(mode=rng.choice(list(Mode)))
    return ruleset.replace(rules=rules)
