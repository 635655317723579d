"""Smaller rule sets that decide the same: everywhere in the domain (simplify), or on given data (prune_inactive)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from evoter.rules.errors import RuleError
from evoter.rules.logic import redundant
from evoter.rules.model import Condition, Rule, RuleSet
from evoter.rules.modes import Outcome, Procedure, mode_of
from evoter.rules.printing.rule_pieces import is_interval
from evoter.rules.reasoning.canonical import canonical, merged
from evoter.rules.reasoning.facts import Facts
from evoter.rules.schema import Schema


def simplify(ruleset: RuleSet, *, times_applied: Sequence[int] | None = None, same_deciders: bool = False) -> RuleSet:
    """Return a rule set with fewer or plainer conditions that decides the same at every point of the domain.

    The same means the same actions and certainty; in mode vote, also the same mean certainty for every action.
    Pinned rules stay as they are. In rule sets of thousands, each rule is compared with the thousand nearest ones only
    (`evoter.rules.modes.mode.MAX_COMPARED`), so that the time grows with the number of rules and not with its square.
    With `times_applied`, rules that never applied are dropped first, see `prune_inactive`: then the decisions are the
    same on those data only.
    With `same_deciders`, rules with equal actions are not merged: points that different rules decide are still decided
    by different rules, so that what is known of each rule, such as class frequencies, stays the same. This is for modes
    in which one rule decides.

    >>> from evoter.rules.model import Term
    >>> from evoter.rules.schema import Feature
    >>> schema = Schema([Feature("y", low=0, high=900)], actions=["Flap", "No flap"])
    >>> rules = [
    ...     Rule([Condition(Term("y", 0.5), "<=", 84), Condition(Term("y"), "<", 500)], "Flap"),
    ...     Rule([Condition(Term("y"), "<=", 100)], "Flap"),
    ...     Rule([Condition(Term("y"), ">", 200)], "No flap"),
    ... ]
    >>> simple = simplify(RuleSet(rules, "No flap", schema))
    >>> simple.n_conditions, simple.rules[0].conditions[0].right
    (1, 168.0)
    """
    if times_applied is not None:
        ruleset = prune_inactive(ruleset, times_applied)
    mode = mode_of(ruleset.mode)
    default = Outcome(ruleset.default, ruleset.default_certainty)
    if same_deciders and mode.procedure is not Procedure.IN_ORDER:
        raise RuleError(f"in mode {ruleset.mode} several rules decide: leave same_deciders out")
    judged = [
        _judged(rule, ruleset.schema, number if same_deciders else default.number)
        for number, rule in enumerate(ruleset.rules)
    ]
    candidates = [candidate for candidate in judged if candidate.rule.pinned or not candidate.facts.impossible]
    kept, default = mode.reduce(candidates, default)
    while len(kept) < len(candidates):  # what goes may make other rules needless
        candidates = kept
        kept, default = mode.reduce(candidates, default)
    simple = ruleset.replace(
        rules=tuple(candidate.rule for candidate in kept), default=default.action, default_certainty=default.certainty
    )
    return ruleset if simple == ruleset else simple  # the same rules keep their track records


def prune_inactive(ruleset: RuleSet, times_applied: Sequence[int]) -> RuleSet:
    """Return the rule set without the rules that never applied, pinned ones excepted.

    It decides the same on the data behind the counts, but not necessarily on others.
    """
    if len(times_applied) != len(ruleset.rules):
        raise RuleError(
            f"times_applied has {len(times_applied)} counts for {len(ruleset.rules)} rules; give one per rule, "
            "without the default's"
        )
    counted = zip(ruleset.rules, times_applied, strict=True)
    return ruleset.replace(rules=tuple(rule for rule, count in counted if count or rule.pinned))


def simplify_conditions(conditions: Sequence[Condition], schema: Schema) -> tuple[Condition, ...]:
    """Return fewer or plainer conditions that hold together at the same points; none if they always do."""
    current = tuple(canonical(condition, schema) for condition in conditions)
    while True:
        superfluous = redundant(current, schema)
        fewer = merged([c for index, c in enumerate(current) if index not in superfluous], schema)
        if len(fewer) == len(current):
            return _with_intervals(fewer)
        current = fewer


def _with_intervals(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """Return the conditions with the two ends of an interval in a row, the lower one first, as they are printed."""
    left = list(conditions)
    for lower in conditions:
        upper = next((each for each in left if is_interval(lower, each)), None)
        if upper is not None:
            first = min(left.index(lower), left.index(upper))
            left = [each for each in left if each not in (lower, upper)]
            left[first:first] = [lower, upper]
    return tuple(left)


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A rule with plain conditions, and what is known where it holds."""

    rule: Rule
    facts: Facts
    always_holds: bool
    outcome: Outcome

    def implies(self, other: "_Candidate") -> bool:
        return other.always_holds or self.facts.entail_all(other.facts)

    def contradicts(self, other: "_Candidate") -> bool:
        return self.facts.contradict(other.facts)


def _judged(rule: Rule, schema: Schema, number: int) -> _Candidate:
    facts = Facts(rule.conditions, schema)
    outcome = Outcome(rule.action, rule.certainty, number)
    if facts.impossible:
        return _Candidate(rule, facts, False, outcome)
    conditions = simplify_conditions(rule.conditions, schema)
    if not rule.pinned:
        # A rule that always holds has no condition left, but must show one unless it becomes the default.
        rule = replace(rule, conditions=conditions or rule.conditions[:1])
        facts = Facts(rule.conditions, schema)
    return _Candidate(rule, facts, not conditions, outcome)
