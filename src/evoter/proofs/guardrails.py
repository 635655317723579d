"""Proofs that a rule set keeps guardrails: what their construction promises, shown again for every input."""

from collections.abc import Iterator

from evoter.proofs.budget import Progress
from evoter.proofs.questions import MAX_SECONDS, monotone, never
from evoter.proofs.result import ProofResult, Status
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.monotone import is_kept_by_form
from evoter.rules.model import Rule, RuleSet
from evoter.rules.schema import Kind


def prove_guardrails(
    ruleset: RuleSet,
    guardrails: Guardrails,
    *,
    within_ranges: bool = False,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> list[ProofResult]:
    """Settle each guardrail for every input: those of every number, category and missing value.

    Pinned rules, features that no rule may read, and monotone truth values can be seen from the rules; forbidden
    actions and monotone numbers are proved from what the rules decide, however they came about. So a rule set that was
    edited may keep a guardrail without being built for it.

    >>> from evoter import parse
    >>> from evoter.rules.guardrails.reading import read_guardrails
    >>> rules = parse("pain > 7 AND age >= 18 -> opioid; pain > 3 -> ibuprofen; Default -> none")
    >>> rails = read_guardrails(rules.schema, forbidden=["age < 18 -> never opioid"])
    >>> print(*prove_guardrails(rules, rails))
    proved: never opioid where age < 18
    """
    # What is forbidden may depend on features that no rule reads.
    unread = [feature for feature in guardrails.schema.features if feature.name not in ruleset.schema]
    schema = ruleset.schema.over([*ruleset.schema.features, *unread])
    asked = ruleset.replace(schema=schema)
    return [
        *_seen(asked, guardrails),
        *(
            never(
                asked,
                each.conditions,
                each.action,
                within_ranges=within_ranges,
                max_seconds=max_seconds,
                progress=progress,
            )
            for each in guardrails.forbidden
        ),
        *(
            monotone(
                asked,
                each.feature,
                order=guardrails.order,
                direction=each.direction.value,
                within_ranges=within_ranges,
                max_seconds=max_seconds,
                progress=progress,
            )
            for each in guardrails.monotone
            if _is_read(asked, each.feature) and asked.schema.feature(each.feature).kind is Kind.NUMERIC
        ),
    ]


def _is_read(ruleset: RuleSet, feature: str) -> bool:
    return feature in ruleset.features_used


def _seen(ruleset: RuleSet, guardrails: Guardrails) -> Iterator[ProofResult]:
    """Yield the guardrails that the rules themselves show."""
    for number, rule in enumerate(guardrails.pinned, start=1):
        kept = number <= len(ruleset.rules) and _same(ruleset.rules[number - 1], rule)
        yield _judged(f"rule {number} is {guardrails.plain_text(rule)}", kept)
    for name in guardrails.forbidden_features:
        yield _judged(f"no rule reads {name}", not _is_read(ruleset, name))
    for each in guardrails.monotone:
        if not _is_read(ruleset, each.feature):
            yield _judged(f"no rule reads {each.feature}, so that nothing changes with it", True)
        elif ruleset.schema.feature(each.feature).kind is not Kind.NUMERIC:
            kept = is_kept_by_form(each, ruleset, guardrails.order)
            reason = "" if kept else "proofs of what changes with a truth value are not supported"
            status = Status.PROVED if kept else Status.UNKNOWN
            yield ProofResult(each.text(guardrails.order), status, reason=reason, method="form")


def _same(rule: Rule, pinned: Rule) -> bool:
    """Tell whether two rules decide alike; names and marks do not count."""
    deciding = ("conditions", "action", "certainty")
    return all(getattr(rule, name) == getattr(pinned, name) for name in deciding)


def _judged(claim: str, holds: bool) -> ProofResult:
    return ProofResult(claim, Status.PROVED if holds else Status.REFUTED, method="form")
