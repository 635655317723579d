"""Rule sets with numeric actions, made of rule sets with names."""

from random import Random

from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.numbers.actions import NumericAction, is_tested
from evoter.rules.schema import Kind, Schema, Target


def random_number(rng: Random) -> float:
    return rng.choice([0.0, 1.0, -3.0, 12.5, 0.1, 1e-7, 123456.0, -2.25, round(rng.uniform(-50, 50), 2)])


def with_numbers(ruleset: RuleSet, rng: Random) -> RuleSet:
    """The same rules with a number, or a linear term, for each name; where a feature may be missing, it is tested."""
    schema = Schema(
        ruleset.schema.features, (), ruleset.schema.max_lag, Target("y", rng.choice(["", "kg", "% of all"]))
    )
    numeric = [feature for feature in schema.features if feature.kind is Kind.NUMERIC]
    rules = []
    for rule in ruleset.rules:
        action, conditions = NumericAction(random_number(rng)), rule.conditions
        if numeric and rng.random() < 0.5:
            feature = rng.choice(numeric)
            action = NumericAction(random_number(rng), rng.choice([1.0, -1.0, 0.5, -2.5, 0.03]), feature.name)
            if feature.missing and not is_tested(rule, feature.name):
                conditions = (*conditions, Condition(Term(feature.name), "is present"))
        rules.append(Rule(conditions, action.text, name=rule.name, pinned=rule.pinned))
    present = [feature for feature in numeric if not feature.missing]
    default = NumericAction(random_number(rng))
    if present and rng.random() < 0.3:
        default = NumericAction(random_number(rng), 0.25, rng.choice(present).name)
    return RuleSet(rules, default.text, schema, mode=Mode.FIRST)
