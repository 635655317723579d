"""A search problem: rule sets and conditions in one space, and what a point must do to refute a claim about them."""

from collections.abc import Hashable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import product

from evoter.proofs.claims import Claim, NoDifference, NotDeciding, Taken
from evoter.proofs.domain import Domain
from evoter.proofs.space import Conjunction, Space
from evoter.rules.interpreter import decide_now, is_active
from evoter.rules.model import Rule, RuleSet
from evoter.rules.modes import Decision, Procedure, mode_of
from evoter.rules.values import Row

NO, MAYBE, YES = 0, 1, 2
"""Whether the conditions of a rule hold in some part of the space: nowhere, somewhere, or everywhere."""


@dataclass(frozen=True, eq=False)
class Decider:
    """A rule set whose rules are the conjunctions of a problem from `start` on, at one of its points."""

    ruleset: RuleSet
    start: int
    point: int

    @property
    def procedure(self) -> Procedure:
        """How decisions are made."""
        return mode_of(self.ruleset.mode).plan(self.ruleset).procedure

    @property
    def order(self) -> tuple[int, ...]:
        """The rules in the order in which they are tried."""
        return mode_of(self.ruleset.mode).plan(self.ruleset).order

    def decision(self, active: tuple[int, ...]) -> Decision:
        """Return what is decided where these rules are active."""
        if not active:
            return Decision((self.ruleset.default,), self.ruleset.default_certainty, (), ())
        return mode_of(self.ruleset.mode).decide(self.ruleset, active)


class _Possible:
    """The keys of the decisions that a rule set can make, as far as is known which rules are active."""

    def __init__(self, decider: Decider, claim: Claim) -> None:
        self.decider, self.claim = decider, claim
        self.start, self.order = decider.start, decider.order
        self.rules = decider.ruleset.rules
        self.procedure = decider.procedure
        self.keys = [claim.key(decider.decision((index,))) for index in range(len(self.rules))]
        self.default = claim.key(decider.decision(()))

    def __call__(self, status: Sequence[int]) -> tuple[set[Hashable] | None, int | None]:
        """Return the keys, None where too little is known, and the rule to look at next."""
        if self.procedure is Procedure.IN_ORDER:
            return self._in_order(status)
        if self.procedure is Procedure.EVERY and isinstance(self.claim, (Taken, NotDeciding)):
            return self._of_some(self.claim, status)
        open_rules = [self.start + index for index in range(len(self.rules)) if status[self.start + index] == MAYBE]
        active = tuple(index for index in range(len(self.rules)) if status[self.start + index] == YES)
        if not open_rules:
            return {self.claim.key(self.decider.decision(active))}, None
        if self.procedure is Procedure.POLL:
            return self._of_poll(status, active), open_rules[0]
        return None, open_rules[0]

    def _in_order(self, status: Sequence[int]) -> tuple[set[Hashable], int | None]:
        keys: set[Hashable] = set()
        following: int | None = None
        for index in self.order:
            state = status[self.start + index]
            if state == NO:
                continue
            keys.add(self.keys[index])
            if state == YES:
                return keys, following
            if following is None:
                following = self.start + index
        keys.add(self.default)
        return keys, following

    def _of_poll(self, status: Sequence[int], active: tuple[int, ...]) -> set[Hashable] | None:
        """Return the keys where only one action can be voted for, and only the action matters."""
        voters = [index for index in range(len(self.rules)) if status[self.start + index] != NO]
        keys = {self.keys[index] for index in voters}
        one_action = len({self.rules[index].action for index in voters}) == 1
        rounds = isinstance(self.claim, NoDifference) and self.claim.certainties and len(voters) > 1
        if not one_action or len(keys) > 1 or rounds or isinstance(self.claim, NotDeciding):
            return None
        return keys if active else {*keys, self.default}

    def _of_some(self, claim: Taken | NotDeciding, status: Sequence[int]) -> tuple[set[Hashable], int | None]:
        """Tell, in mode all, whether an action is taken or a rule decides, from the rules that matter for it."""
        n_rules = range(len(self.rules))
        if isinstance(claim, NotDeciding):
            state = status[self.start + claim.rule]
            return ({False, True}, self.start + claim.rule) if state == MAYBE else ({state == YES}, None)
        takers = [index for index in n_rules if self.rules[index].action == claim.action]
        if any(status[self.start + index] == YES for index in takers):
            return {True}, None
        undecided = [index for index in takers if status[self.start + index] == MAYBE]
        if not undecided and claim.action == self.decider.ruleset.default:
            if any(status[self.start + index] == YES for index in n_rules):
                return {False}, None
            undecided = [index for index in n_rules if status[self.start + index] == MAYBE]
            return ({False, True}, self.start + undecided[0]) if undecided else ({True}, None)
        return ({False, True}, self.start + undecided[0]) if undecided else ({False}, None)


class Problem:
    """Find a point where all conditions in `given` hold, none of the rules in `excluded`, and a claim is refuted."""

    def __init__(
        self,
        claim: Claim,
        rulesets: Sequence[RuleSet],
        *,
        given: Iterable[Conjunction] = (),
        excluded: Iterable[Conjunction] = (),
        within_ranges: bool = False,
        moved: str | None = None,
    ) -> None:
        self.claim = claim
        self._given, self._excluded = tuple(given), tuple(excluded)
        conjunctions: list[Conjunction] = [*self._given, *self._excluded]
        self.given: Sequence[int] = range(len(self._given))
        self.excluded = range(len(self._given), len(conjunctions))
        deciders = []
        for point, ruleset in enumerate(rulesets):
            deciders.append(Decider(ruleset, len(conjunctions), 0 if moved is None else point))
            conjunctions += [Conjunction(rule.conditions, ruleset.schema, deciders[-1].point) for rule in ruleset.rules]
        self.deciders = tuple(deciders)
        schemas = [ruleset.schema for ruleset in rulesets] + [each.schema for each in conjunctions[: len(self._given)]]
        schemas += [each.schema for each in self._excluded]
        self.space = Space(conjunctions, Domain(list(dict.fromkeys(schemas)), within_ranges=within_ranges), moved)
        self.n_points = 1 if moved is None else 2
        self._possible = [_Possible(decider, claim) for decider in self.deciders]

    def where(self, *rules: int) -> "Problem":
        """Return the problem with rules of its only rule set among the conditions that hold; it shares the space."""
        (decider,) = self.deciders
        narrower = copy(self)
        narrower.given = [*self.given, *(decider.start + rule for rule in rules)]
        conditions = (decider.ruleset.rules[rule].conditions for rule in rules)
        narrower._given = (*self._given, *(Conjunction(each, decider.ruleset.schema) for each in conditions))
        return narrower

    def verdict(self, status: Sequence[int]) -> bool | int:
        """Tell whether all points of some part of the space refute the claim, or none, or which box to decide first.

        The number of a box is returned such that it cannot be taken for a truth value: as its complement.
        """
        undecided: int | None = None
        for index in self.given:
            if status[index] == NO:
                return False
            if status[index] == MAYBE:
                undecided = index
        for index in self.excluded:
            if status[index] == YES:
                return False
            if status[index] == MAYBE:
                undecided = index
        is_given = undecided is None
        sets = []
        for possible in self._possible:
            keys, following = possible(status)
            undecided = following if undecided is None else undecided
            sets.append(keys)
        outcomes = {True, False}
        if None not in sets:
            outcomes = {self.claim.refutes(*keys) for keys in product(*[each for each in sets if each is not None])}
        if outcomes == {False}:
            return False
        if outcomes == {True} and is_given:
            return True
        assert undecided is not None
        return ~undecided

    def confirms(self, histories: Sequence[Sequence[Row]]) -> tuple[Decision, ...] | None:
        """Return the decisions at a point if it refutes the claim, by running the rules on it; None if it does not."""
        for each in self._given:
            if not _holds(each, histories):
                return None
        if any(_holds(each, histories) for each in self._excluded):
            return None
        decisions = tuple(decide_now(decider.ruleset, histories[decider.point]) for decider in self.deciders)
        return decisions if self.claim.refutes(*map(self.claim.key, decisions)) else None


def _holds(each: Conjunction, histories: Sequence[Sequence[Row]]) -> bool:
    return is_active(Rule(each.conditions, "any"), histories[each.point], each.schema) if each.conditions else True
