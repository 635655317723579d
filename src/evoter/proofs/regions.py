"""Where two rule sets differ: which rules decide there, under which conditions, with an example for each region."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from evoter.proofs.budget import Budget, Progress
from evoter.proofs.claims import NoDifference
from evoter.proofs.problem import Problem
from evoter.proofs.proving import settle
from evoter.proofs.questions import MAX_SECONDS, equivalent
from evoter.proofs.result import Point, ProofResult, point_text
from evoter.proofs.statements import printed
from evoter.rules.forms.registry import form_of
from evoter.rules.interpreter import decide_now
from evoter.rules.logic import redundant
from evoter.rules.model import Condition, Operator, Rule, RuleSet, Term
from evoter.rules.modes import Decision, Procedure, mode_of
from evoter.rules.reasoning.facts import Facts
from evoter.rules.schema import Feature, Kind, Schema

MAX_REGIONS = 20
"""How many regions are looked for unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Region:
    """A region in which two rule sets differ because certain rules decide; no rules stand for the default.

    `rules_a` and `rules_b` are the deciding rules, counted from 1. All points of the region fulfil `conditions`, and
    `where` says in words what else they have in common. `actions_a` and `actions_b` are decided there.
    """

    rules_a: tuple[int, ...]
    rules_b: tuple[int, ...]
    conditions: tuple[Condition, ...]
    where: str
    actions_a: tuple[str, ...]
    actions_b: tuple[str, ...]
    example: Point

    def __str__(self) -> str:
        decided = (
            f"{' + '.join(self.actions_a)} by {_by(self.rules_a)}, {' + '.join(self.actions_b)} by {_by(self.rules_b)}"
        )
        return f"{self.where}: {decided}; for example {point_text(self.example)}"


@dataclass(frozen=True, slots=True)
class Difference:
    """Whether two rule sets are equivalent, and the regions in which they are not.

    `complete` tells that they provably agree everywhere else.
    """

    result: ProofResult
    regions: tuple[Region, ...]
    complete: bool
    reason: str = ""

    def __str__(self) -> str:
        if not self.regions:
            return str(self.result)
        rest = "they agree everywhere else" if self.complete else f"there may be more ({self.reason})"
        return "\n".join(["they differ:", *(f"  {region}" for region in self.regions), rest])


def differences(
    a: RuleSet,
    b: RuleSet,
    *,
    certainties: bool = False,
    within_ranges: bool = False,
    max_regions: int = MAX_REGIONS,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> Difference:
    """Find the regions in which two rule sets decide differently.

    >>> from evoter import parse
    >>> a = parse("age > 65 -> high; Default -> low")
    >>> b = parse("age > 60 -> high; Default -> low")
    >>> print(differences(a, b))
    they differ:
      age > 60 and age <= 65: low by the default, high by rule 1; for example age = 62
    they agree everywhere else
    """
    budget = Budget(max_seconds, progress)
    options = {"certainties": certainties, "within_ranges": within_ranges}
    first = last = equivalent(a, b, max_seconds=max_seconds, progress=progress, **options)
    regions: list[Region] = []
    known: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    while last.refuted and len(regions) < max_regions and budget.left > 0.0:
        one, other = (decide_now(ruleset, last.history) for ruleset in (a, b))
        known.add((one.deciding, other.deciding))
        conditions, where = _described([(a, one), (b, other)])
        regions.append(
            Region(
                tuple(index + 1 for index in one.deciding),
                tuple(index + 1 for index in other.deciding),
                conditions,
                where,
                one.actions,
                other.actions,
                last.counterexample or {},
            )
        )
        problem = Problem(NoDifference(certainties, frozenset(known)), [a, b], within_ranges=within_ranges)
        last = settle(problem, "they agree elsewhere", budget.part(budget.left, f"region {len(regions) + 1}"))
    reason = last.reason or f"stopped after {max_regions}"
    return Difference(first, tuple(regions), last.proved, "" if last.proved else reason)


def _described(deciders: Sequence[tuple[RuleSet, Decision]]) -> tuple[tuple[Condition, ...], str]:
    """Return the conditions under which certain rules decide, and the region in words.

    These are their own conditions and, where an earlier rule lacks just one of its conditions to hold, the opposite of
    that one. What they do not say about other rules is said in words.
    """
    schema = _schema([_unbounded(ruleset.schema) for ruleset, _ in deciders])
    known = [
        condition
        for ruleset, decision in deciders
        for at in decision.deciding
        for condition in ruleset.rules[at].conditions
    ]
    earlier = [(name, rule) for name, each in zip("ab", deciders, strict=True) for rule in _earlier_rules(*each)]
    left: list[tuple[str, Rule]] = []
    while len(left) != len(earlier):
        left = earlier
        earlier = []
        for name, rule in left:
            facts = Facts(known, schema)
            if facts.given([*known, *rule.conditions]).impossible:
                continue
            lacking = [condition for condition in rule.conditions if not facts.entail(condition)]
            if len(lacking) == 1 and _is_present(lacking[0], facts):
                known.append(form_of(lacking[0]).negation(lacking[0]))
            else:
                earlier.append((name, rule))
    superfluous = redundant(known, schema)
    conditions = tuple(condition for at, condition in enumerate(known) if at not in superfluous)
    parts = [printed(conditions, _schema([ruleset.schema for ruleset, _ in deciders]))] if conditions else []
    for name, (_, decision) in zip("ab", deciders, strict=True):
        if any(name == each for each, _ in earlier):
            parts.append(f"no {'rule' if decision.by_default else 'earlier rule'} of {name} holds")
    return conditions, " and ".join(parts) or "everywhere"


def _earlier_rules(ruleset: RuleSet, decision: Decision) -> list[Rule]:
    """Return the rules that must not hold for others to decide, where that is so simple."""
    plan = mode_of(ruleset.mode).plan(ruleset)
    if decision.by_default:
        return list(ruleset.rules)
    if plan.procedure is not Procedure.IN_ORDER:
        return []
    return [ruleset.rules[at] for at in plan.order[: plan.order.index(decision.deciding[0])]]


def _is_present(condition: Condition, facts: Facts) -> bool:
    """Tell whether all that a condition reads is certainly there, so that its opposite holds where it does not."""
    tests = [Condition(Term(term.feature, lag=term.lag), Operator.IS_PRESENT) for term in condition.terms]
    return all(map(facts.entail, tests))


def _schema(schemas: Iterable[Schema]) -> Schema:
    """Return the features of several schemas; one that both have is that of the first, with the categories of both."""
    features: dict[str, Feature] = {}
    schemas = list(schemas)
    for feature in (each for schema in schemas for each in schema.features):
        known = features.get(feature.name, feature)
        features[feature.name] = replace(known, categories=tuple(dict.fromkeys(known.categories + feature.categories)))
    return schemas[0].over(features.values(), max(schema.max_lag for schema in schemas))


def _unbounded(schema: Schema) -> Schema:
    """Return a schema without ranges, except where these say what a condition means."""
    features = [
        replace(feature, low=None, high=None, step=None, missing=True)
        if feature.kind is Kind.NUMERIC and not feature.scaled
        else replace(feature, missing=True)
        for feature in schema.features
    ]
    return schema.over(features)


def _by(rules: tuple[int, ...]) -> str:
    if not rules:
        return "the default"
    return f"rule {rules[0]}" if len(rules) == 1 else f"rules {', '.join(map(str, rules))}"
