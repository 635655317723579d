"""Smaller rule sets that decide the same: everywhere in the domain (simplify), or on given data (prune_inactive)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from evoter.rules.errors import RuleError
from evoter.rules.logic import redundant
from evoter.rules.model import Condition, Mode, Rule, RuleSet
from evoter.rules.reasoning.canonical import canonical, merged
from evoter.rules.reasoning.facts import Facts
from evoter.rules.schema import Schema


def simplify(ruleset: RuleSet, *, times_applied: Sequence[int] | None = None) -> RuleSet:
    """Return a rule set with fewer or plainer conditions that decides the same at every point of the domain.

    The same means the same actions and certainty; in mode vote, also the same mean certainty for every action.
    Pinned rules stay as they are. With `times_applied`, rules that never applied are dropped first, see
    `prune_inactive`: then the decisions are the same on those data only.

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
    judged = [_judged(rule, ruleset.schema) for rule in ruleset.rules]
    candidates = [candidate for candidate in judged if candidate.rule.pinned or not candidate.facts.impossible]
    default = _Outcome(ruleset.default, ruleset.default_certainty)
    reduce = _REDUCTIONS[ruleset.mode]
    kept, default = reduce(candidates, default)
    while len(kept) < len(candidates):  # what goes may make other rules needless
        candidates = kept
        kept, default = reduce(candidates, default)
    return ruleset.replace(
        rules=tuple(candidate.rule for candidate in kept), default=default.action, default_certainty=default.certainty
    )


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
            return fewer
        current = fewer


@dataclass(frozen=True, slots=True)
class _Outcome:
    action: str
    certainty: float


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A rule with plain conditions, and what is known where it holds."""

    rule: Rule
    facts: Facts
    always_holds: bool

    @property
    def outcome(self) -> _Outcome:
        return _Outcome(self.rule.action, self.rule.certainty)

    def implies(self, other: "_Candidate") -> bool:
        return other.always_holds or all(self.facts.entail(condition) for condition in other.rule.conditions)

    def contradicts(self, other: "_Candidate") -> bool:
        return Facts((*self.rule.conditions, *other.rule.conditions), self.facts.schema).impossible


def _judged(rule: Rule, schema: Schema) -> _Candidate:
    facts = Facts(rule.conditions, schema)
    if facts.impossible:
        return _Candidate(rule, facts, always_holds=False)
    conditions = simplify_conditions(rule.conditions, schema)
    if not rule.pinned:
        # A rule that always holds has no condition left, but must show one unless it becomes the default.
        rule = replace(rule, conditions=conditions or rule.conditions[:1])
        facts = Facts(rule.conditions, schema)
    return _Candidate(rule, facts, always_holds=not conditions)


def _reduce_first(candidates: Sequence[_Candidate], default: _Outcome) -> tuple[list[_Candidate], _Outcome]:
    """Drop rules that never decide or need not, given in order of precedence; one that always holds is a default."""
    kept: list[_Candidate] = []
    for candidate in candidates:
        if candidate.rule.pinned or not any(candidate.implies(earlier) for earlier in kept):
            kept.append(candidate)
    while kept and kept[-1].always_holds and not kept[-1].rule.pinned:
        default = kept.pop().outcome
    for place in reversed(range(len(kept))):
        if not kept[place].rule.pinned and _is_replaced(kept[place], kept[place + 1 :], default):
            del kept[place]
    return kept, default


def _is_replaced(candidate: _Candidate, later: Sequence[_Candidate], default: _Outcome) -> bool:
    """Tell whether what decides in a rule's place, once it is gone, has the same outcome."""
    for other in later:
        if other.outcome == candidate.outcome:
            if candidate.implies(other):
                return True
        elif not candidate.contradicts(other):
            return False
    return candidate.outcome == default


def _reduce_hardmax(candidates: Sequence[_Candidate], default: _Outcome) -> tuple[list[_Candidate], _Outcome]:
    """Reduce as in mode first, since the surest active rule is the first one in the order of certainty."""
    places = {candidate: place for place, candidate in enumerate(candidates)}
    ordered = sorted(candidates, key=lambda candidate: -candidate.rule.certainty)
    kept, default = _reduce_first(ordered, default)
    return sorted(kept, key=places.__getitem__), default


def _reduce_vote(candidates: Sequence[_Candidate], default: _Outcome) -> tuple[list[_Candidate], _Outcome]:
    """Drop rules that never change a mean."""
    kept = list(candidates)
    for place in reversed(range(len(kept))):
        if not kept[place].rule.pinned and _is_outvoted(kept, place):
            del kept[place]
    return _reduce_all(kept, default)


def _is_outvoted(candidates: Sequence[_Candidate], place: int) -> bool:
    """Tell whether no mean and no tie changes without a rule.

    Wherever it holds, another rule with its outcome must hold, and no voter for its action have another certainty.
    """
    candidate = candidates[place]
    action = candidate.rule.action
    allies = [at for at, other in enumerate(candidates) if at != place and other.rule.action == action]
    equals = [at for at in allies if candidates[at].outcome == candidate.outcome]
    if not _mean_is_exact(candidate.rule.certainty, len(equals) + 1):
        return False
    for at in equals:
        # Ties go to the action that is voted for first: that place must not pass a rule of another action.
        between = candidates[place + 1 : max(at, place + 1)]
        if all(other.rule.action == action for other in between) and candidate.implies(candidates[at]):
            return all(candidate.contradicts(candidates[other]) for other in allies if other not in equals)
    return False


def _mean_is_exact(certainty: float, most: int) -> bool:
    """Tell whether up to `most` equal certainties, added one by one, have that certainty as their mean."""
    total = 0.0
    for count in range(1, most + 1):
        total += certainty
        if total / count != certainty:
            return False
    return True


def _reduce_all(candidates: Sequence[_Candidate], default: _Outcome) -> tuple[list[_Candidate], _Outcome]:
    """Turn a rule that is alone and always holds into the default."""
    if len(candidates) == 1 and candidates[0].always_holds and not candidates[0].rule.pinned:
        return [], candidates[0].outcome
    return list(candidates), default


_REDUCTIONS: dict[Mode, Callable[[Sequence[_Candidate], _Outcome], tuple[list[_Candidate], _Outcome]]] = {
    Mode.FIRST: _reduce_first,
    Mode.HARDMAX: _reduce_hardmax,
    Mode.VOTE: _reduce_vote,
    Mode.ALL: _reduce_all,
}
