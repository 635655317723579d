"""Decisions as formulas: for every procedure of deciding, when a claim about decisions is refuted.

Polls are described a little too generously: actions whose mean certainties are as good as equal may all win, since
doubles round. What a model says is therefore checked against the definition of the mode.
"""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from evoter.proofs.claims import Impossible, NoDifference, NotDeciding, Taken
from evoter.proofs.problem import Decider, Problem
from evoter.proofs.solving.solver import Formulas
from evoter.rules.modes import Procedure

NEARLY = Fraction(1, 10**12)
"""Mean certainties that differ by less than this may be equal in double precision."""


def refutation(problem: Problem, formulas: Formulas) -> Any:
    """Return the formula that holds where a claim is refuted, and perhaps a little beyond."""
    z3 = formulas.z3
    parts = [formulas.active[index] for index in problem.given]
    parts += [z3.Not(formulas.active[index]) for index in problem.excluded]
    views = [_View(decider, problem, formulas) for decider in problem.deciders]
    claim = problem.claim
    if isinstance(claim, NoDifference):
        parts.append(_difference(views[0], views[1], claim, formulas))
    elif not isinstance(claim, Impossible):
        options = product(*[view.by_key() for view in views])
        refuting = [pair for pair in options if claim.refutes(*[key for key, _ in pair])]
        parts.append(formulas.any_of(formulas.all_of(formula for _, formula in pair) for pair in refuting))
    return formulas.all_of(parts)


class _View:
    """The decisions of one rule set as formulas."""

    def __init__(self, decider: Decider, problem: Problem, formulas: Formulas) -> None:
        self.decider, self.claim, self.formulas = decider, problem.claim, formulas
        self.z3 = formulas.z3
        self.rules = decider.ruleset.rules
        self.active = formulas.active[decider.start : decider.start + len(self.rules)]
        self.is_every = decider.procedure is Procedure.EVERY
        self.none = formulas.all_of(self.z3.Not(active) for active in self.active)

    def by_key(self) -> Iterator[tuple[Hashable, Any]]:
        """Yield each key of a decision and when it is decided so."""
        if self.is_every:
            yield from self._every_by_key()
        elif self.decider.procedure is Procedure.POLL and isinstance(self.claim, NotDeciding):
            rule = self.claim.rule
            wins = self.formulas.all_of([self.active[rule], self.wins(self.rules[rule].action)])
            yield from ((True, wins), (False, self.formulas.true))
        else:
            grouped: dict[Hashable, list[Any]] = {}
            for active, formula in self._singles():
                grouped.setdefault(self.claim.key(self.decider.decision(active)), []).append(formula)
            for key, options in grouped.items():
                yield key, self.formulas.any_of(options)

    def by_action(self) -> dict[str, Any]:
        """Return for each action when it is the one that is decided."""
        grouped: dict[str, list[Any]] = {}
        for active, formula in self._singles():
            grouped.setdefault(self.decider.decision(active).action, []).append(formula)
        return {action: self.formulas.any_of(options) for action, options in grouped.items()}

    def by_certainty(self) -> dict[float, Any]:
        """Return for each certainty when the first active rule has it, in the order of deciding."""
        grouped: dict[float, list[Any]] = {self.decider.ruleset.default_certainty: [self.none]}
        for index, formula in self._in_order(self.decider.order):
            grouped.setdefault(self.rules[index].certainty, []).append(formula)
        return {certainty: self.formulas.any_of(options) for certainty, options in grouped.items()}

    def items(self) -> list[tuple[Any, str]]:
        """Return the sequence of actions in mode all: when each takes part in it."""
        taken = [(active, rule.action) for active, rule in zip(self.active, self.rules, strict=True)]
        return [*taken, (self.none, self.decider.ruleset.default)]

    def decided_by(self, deciding: tuple[int, ...]) -> Any:
        """Return when exactly these rules decide."""
        if not deciding:
            return self.none
        if self.decider.procedure is Procedure.IN_ORDER:
            return next(formula for index, formula in self._in_order(self.decider.order) if index == deciding[0])
        action = self.rules[deciding[0]].action
        concerned = [index for index in range(len(self.rules)) if self.is_every or self.rules[index].action == action]
        exactly = [self.active[at] if at in deciding else self.z3.Not(self.active[at]) for at in concerned]
        return self.formulas.all_of([*exactly, *([] if self.is_every else [self.wins(action)])])

    def votes_like(self, other: "_View") -> bool:
        """Tell whether two rule sets differ in the conditions of their rules only."""
        mine, theirs = self.decider.ruleset, other.decider.ruleset
        outcomes = [
            [each.mode, each.default, each.default_certainty, *((rule.action, rule.certainty) for rule in each.rules)]
            for each in (mine, theirs)
        ]
        return outcomes[0] == outcomes[1]

    def adds_up_like(self, other: "_View") -> bool:
        """Tell whether equal votes for an action are added up in the same order, so that they round alike."""

        def certainties(view: "_View", action: str) -> list[float]:
            return [rule.certainty for rule in view.rules if rule.action == action]

        actions = {rule.action for rule in (*self.rules, *other.rules)}
        ways = [[certainties(view, action) for view in (self, other)] for action in actions]
        rising = [all(each == sorted(each) for each in both) for both in ways]
        falling = [all(each == sorted(each, reverse=True) for each in both) for both in ways]
        return all(up or down for up, down in zip(rising, falling, strict=True))

    def votes(self) -> dict[tuple[str, float], Any]:
        """Return for each action and certainty how many rules vote so."""
        grouped: dict[tuple[str, float], list[Any]] = {}
        for rule, active in zip(self.rules, self.active, strict=True):
            grouped.setdefault((rule.action, rule.certainty), []).append(active)
        return {key: self.z3.Sum([self.z3.If(each, 1, 0) for each in options]) for key, options in grouped.items()}

    def wins(self, action: str) -> Any:
        """Return when an action may win a poll."""
        own = [at for at, rule in enumerate(self.rules) if rule.action == action]
        parts = [self.formulas.any_of(self.active[at] for at in own)]
        for rival in dict.fromkeys(rule.action for rule in self.rules if rule.action != action):
            others = [at for at, rule in enumerate(self.rules) if rule.action == rival]
            ahead = [
                self.z3.If(self.z3.And(self.active[one], self.active[other]), self._weight(one, other), 0)
                for one, other in product(own, others)
            ]
            parts.append(self.z3.Sum(ahead) >= self.formulas.number(-NEARLY * len(own) * len(others)))
        return self.formulas.all_of(parts)

    def _weight(self, one: int, other: int) -> Any:
        mine, theirs = (Fraction(repr(self.rules[at].certainty)) for at in (one, other))
        return self.formulas.number(mine - theirs)

    def _singles(self) -> Iterator[tuple[tuple[int, ...], Any]]:
        """Yield rules one of which stands for every decision, where it does so, and last the default."""
        if self.decider.procedure is Procedure.IN_ORDER:
            for index, formula in self._in_order(self.decider.order):
                yield (index,), formula
        else:
            for action in dict.fromkeys(rule.action for rule in self.rules):
                index = next(at for at, rule in enumerate(self.rules) if rule.action == action)
                yield (index,), self.wins(action)
        yield (), self.none

    def _in_order(self, order: tuple[int, ...]) -> Iterator[tuple[int, Any]]:
        before = self.formulas.true
        for index in order:
            yield index, self.z3.And(before, self.active[index])
            before = self.z3.And(before, self.z3.Not(self.active[index]))

    def _every_by_key(self) -> Iterator[tuple[Hashable, Any]]:
        claim = self.claim
        if isinstance(claim, NotDeciding):
            refuting = self.active[claim.rule]
        elif isinstance(claim, Taken):
            refuting = self.formulas.any_of(formula for formula, action in self.items() if action == claim.action)
        else:
            raise TypeError(f"mode all has no formula for {claim}")
        yield True, refuting
        yield False, self.z3.Not(refuting)


def _difference(one: _View, other: _View, claim: NoDifference, formulas: Formulas) -> Any:
    """Return when two rule sets decide differently."""
    z3 = formulas.z3
    if one.is_every and other.is_every:
        options = [_other_sequence(one.items(), other.items(), formulas)]
    elif one.is_every or other.is_every:
        single, every = (other, one) if one.is_every else (one, other)
        options = [
            z3.And(decided, _other_sequence([(formulas.true, action)], every.items(), formulas))
            for action, decided in single.by_action().items()
        ]
    else:
        mine, theirs = one.by_action(), other.by_action()
        pairs = product(mine.items(), theirs.items())
        options = [z3.And(here, there) for (action, here), (another, there) in pairs if action != another]
    if claim.certainties:
        options.append(_other_certainty(one, other, formulas))
    if Procedure.IN_ORDER not in (one.decider.procedure, other.decider.procedure) and one.votes_like(other):
        # The same rules active would decide the same; polls with equal means need to be told.
        changed = [z3.Xor(here, there) for here, there in zip(one.active, other.active, strict=True)]
        options = [z3.And(formulas.any_of(options), formulas.any_of(changed))]
    known = [z3.And(one.decided_by(here), other.decided_by(there)) for here, there in sorted(claim.known)]
    return formulas.all_of([formulas.any_of(options), *map(z3.Not, known)])


def _other_certainty(one: _View, other: _View, formulas: Formulas) -> Any:
    """Return when certainties may differ: between polls, wherever the votes or the way they are rounded do."""
    z3 = formulas.z3
    procedures = (one.decider.procedure, other.decider.procedure)
    if Procedure.POLL not in procedures:
        pairs = product(one.by_certainty().items(), other.by_certainty().items())
        return formulas.any_of(z3.And(here, there) for (mine, here), (theirs, there) in pairs if mine != theirs)
    if procedures != (Procedure.POLL, Procedure.POLL) or not one.adds_up_like(other):
        return formulas.true
    mine, theirs = one.votes(), other.votes()
    same = [mine.get(key, 0) == theirs.get(key, 0) for key in {**mine, **theirs}]
    same_default = one.decider.ruleset.default_certainty == other.decider.ruleset.default_certainty
    same += [] if same_default else [z3.Not(z3.And(one.none, other.none))]
    return z3.Not(formulas.all_of(same))


def _other_sequence(one: list[tuple[Any, str]], other: list[tuple[Any, str]], formulas: Formulas) -> Any:
    """Return when two sequences of actions differ: in their length, or at some place."""
    z3 = formulas.z3
    places = []
    for name, items in (("a", one), ("b", other)):
        counts = [z3.IntVal(0, formulas.context)]
        for at, (taken, _) in enumerate(items, start=1):
            count = z3.Int(f"{name}{at}", formulas.context)
            formulas.solver.add(count == counts[-1] + z3.If(taken, 1, 0))
            counts.append(count)
        places.append(counts)
    mine, theirs = places
    options = [mine[-1] != theirs[-1]]
    for (at, (taken, action)), (there, (also, another)) in product(enumerate(one), enumerate(other)):
        if action != another:
            options.append(z3.And(taken, also, mine[at] == theirs[there]))
    return formulas.any_of(options)
