"""Rules that were written elsewhere, matched with a fitted prescriptor: its features, its actions, its guardrails."""

from evoter.rules.errors import RuleError
from evoter.rules.forms.registry import form_of
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema


def match_policy(ruleset: RuleSet, schema: Schema, guardrails: Guardrails) -> RuleSet:
    """Return rules over the schema of a policy; refuse those that mean something else there or break a guardrail."""
    if ruleset.mode is not guardrails.mode:
        raise RuleError(f"the rules decide by mode {ruleset.mode}, and this policy by {guardrails.mode}")
    read = ruleset.replace(schema=schema)
    for number, rule in enumerate(read.rules, start=1):
        for condition in (each for each in rule.conditions if form_of(each).scales):
            for term in condition.terms:
                own, known = ruleset.schema.feature(term.feature), schema.feature(term.feature)
                if (own.scaled, own.low, own.high) != (known.scaled, known.low, known.high):
                    raise RuleError(
                        f"rule {number} compares {term.feature!r} on another scale than this policy: compare it with a "
                        "constant instead"
                    )
    guarded = guardrails.guard(read)
    if guarded != read:
        changes = "; ".join(read.diff(guarded).splitlines())
        raise RuleError(f"the rules break the guardrails of this policy, which would change them: {changes}")
    return read
