"""Simplification beyond boxes: rules and conditions that provably make no difference, however they interact."""

from dataclasses import replace

from evoter.proofs.budget import Budget, Progress
from evoter.proofs.claims import NoDifference
from evoter.proofs.problem import Problem
from evoter.proofs.proving import STOPPED, settle
from evoter.proofs.questions import MAX_SECONDS
from evoter.rules.model import RuleSet
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.simplify import simplify as simplify_boxes

PER_PROOF = 5.0
"""Seconds after which a single rule or condition is kept because nothing was proved about it."""


def simplify(
    ruleset: RuleSet,
    *,
    within_ranges: bool = True,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> RuleSet:
    """Return a rule set with fewer rules and conditions that provably decides the same, with the same certainty.

    Begins with `evoter.simplify`, which looks at single rules, and goes on with rules that several others make
    superfluous together, and conditions that follow from sums and comparisons. As there, the domain is that of the
    schema; without `within_ranges` it is every input, and only what can be proved for that is done. Pinned rules stay.
    When the time is up or Ctrl-C is pressed, what has been reached is returned.

    >>> from evoter import parse
    >>> rules = parse("a + b > 10 AND a > b AND a > 4 -> high; Default -> low")
    >>> print(simplify(rules).to_text(declarations=False))
    1. a + b > 10 AND a > b -> high
    2. Default -> low
    """
    budget = Budget(max_seconds, progress)
    simple = simplify_boxes(ruleset) if within_ranges else ruleset
    before: RuleSet | None = None
    try:
        while simple != before:  # what goes may make other conditions needless
            before, at = simple, 0
            while at <= sum(1 + len(rule.conditions) for rule in simple.rules):
                shorter = _without(simple, at)
                if shorter is not None and _same(simple, shorter, within_ranges, budget):
                    simple = shorter
                else:
                    at += 1
    except (TimeoutError, KeyboardInterrupt):
        pass
    return ruleset if simple == ruleset else simple


def _same(one: RuleSet, other: RuleSet, within_ranges: bool, budget: Budget) -> bool:
    """Tell whether two rule sets provably decide the same, rounding included."""
    budget.check()
    problem = Problem(NoDifference(certainties=True), [one, other], within_ranges=within_ranges)
    result = settle(problem, "", budget.part(PER_PROOF, f"{one.n_conditions} conditions"))
    if result.reason == STOPPED:
        raise KeyboardInterrupt
    return result.proved and result.exact


def _without(ruleset: RuleSet, at: int) -> RuleSet | None:
    """Return one of the ways to leave something out, by number; None where it has to stay.

    First the default, in whose place the last rule decides; then each rule; then each condition.
    """
    rules = list(ruleset.rules)
    if at == 0:
        return _without_default(ruleset)
    at -= 1
    if at < len(rules):
        return None if rules[at].pinned else ruleset.replace(rules=[*rules[:at], *rules[at + 1 :]])
    at -= len(rules)
    for index, rule in enumerate(rules):
        if at < len(rule.conditions):
            if rule.pinned or len(rule.conditions) == 1:
                return None
            rules[index] = replace(rule, conditions=(*rule.conditions[:at], *rule.conditions[at + 1 :]))
            return ruleset.replace(rules=rules)
        at -= len(rule.conditions)
    return None


def _without_default(ruleset: RuleSet) -> RuleSet | None:
    plan = mode_of(ruleset.mode).plan(ruleset)
    if not ruleset.rules or plan.procedure is not Procedure.IN_ORDER or ruleset.rules[plan.order[-1]].pinned:
        return None
    last = ruleset.rules[plan.order[-1]]
    rules = [rule for at, rule in enumerate(ruleset.rules) if at != plan.order[-1]]
    return ruleset.replace(rules=rules, default=last.action, default_certainty=last.certainty)
