"""Exact moves without rows: the best change of one condition, from histograms that all sites have added up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from evoter.federated.coordinator import Coordinator
from evoter.federated.messages import EXTEND, INSERT, n_bins
from evoter.federated.populations import CodedRuleSets
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.refinement.refine import FRESH_RATE
from evoter.kernels.variation.single_conditions import MIN_SET_CATEGORIES
from evoter.rules.condition import Condition, Operator, Term
from evoter.rules.forms.membership import MAX_SET_CATEGORIES
from evoter.rules.logic import consistent, redundant
from evoter.rules.model import Rule, RuleSet
from evoter.rules.schema import Feature, Kind, Schema

STEPS: Final = 2**24
"""The resolution of rewards, as whole numbers: sums are then exact in any order."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What decisions and conditions are worth: `rewards[class, action]` in whole numbers, and prices in their unit."""

    rewards: Ints
    price: float
    temperature: float

    @classmethod
    def of(cls, rewards: Floats, *, price: float, temperature: float) -> "Worth":
        """Return rewards in whole numbers; prices are in the unit of the score."""
        unit = STEPS / float(np.abs(rewards).max())
        return cls(np.rint(rewards * unit).astype(np.int64), price * unit, temperature * unit)


@dataclass(frozen=True, slots=True)
class Limits:
    """What rule sets may look like: their size, and which conditions are tried."""

    max_rules: int
    max_conditions: int
    sets: bool
    missing: bool


class Cuts(NamedTuple):
    """All cuts of all numeric features: constant, name of the feature, the bin below, and the bins of the feature.

    `first_bins` is the first bin of a cut's feature, `last_bins` the one after its last, that of missing values.
    """

    constants: Floats
    names: list[str]
    bins: Ints
    first_bins: Ints
    last_bins: Ints

    @classmethod
    def of(cls, schema: Schema, cuts: Sequence[Floats], starts: Ints) -> "Cuts":
        """Lay out the cuts of each numeric feature."""
        numeric = [n for n, feature in enumerate(schema.features) if feature.kind is Kind.NUMERIC]
        sizes = [len(some) for some in cuts]
        first = np.repeat(starts[numeric], sizes)
        within = np.concatenate([np.empty(0, np.int64), *(np.arange(size) for size in sizes)])
        names = [schema.features[n].name for n, size in zip(numeric, sizes, strict=True) for _ in range(size)]
        return cls(
            np.concatenate([np.empty(0), *cuts]), names, first + within, first, first + np.repeat(sizes, sizes) + 1
        )


class Candidate(NamedTuple):
    """A changed rule set, and what the change gains after prices."""

    gain: float
    ruleset: RuleSet


class Moving:
    """Makes refined children: in each round every child asks about one of its rules and one new rule."""

    def __init__(
        self, coordinator: Coordinator, schema: Schema, cuts: tuple[Floats, ...], worth: Worth, limits: Limits
    ) -> None:
        self._coordinator = coordinator
        self._schema = schema
        self._grid = cuts
        self._worth = worth
        self._limits = limits
        self._starts = np.cumsum([0, *n_bins(schema, cuts)])
        self._cuts = Cuts.of(schema, cuts, self._starts)

    def refine(self, parents: Sequence[RuleSet], n_moves: int, seed: int) -> list[RuleSet]:
        """Return a child for each parent, after some rounds of moves; the same for the same seed and sums."""
        streams = [np.random.default_rng([seed, number]) for number in range(len(parents))]
        heats = [self._worth.temperature * rng.random() for rng in streams]
        children = [
            parent.replace(rules=()) if rng.random() < FRESH_RATE else parent
            for parent, rng in zip(parents, streams, strict=True)
        ]
        for move in range(n_moves):
            asked = [list(self._contexts(child, rng)) for child, rng in zip(children, streams, strict=True)]
            contexts = np.array(
                [(number, *context) for number, some in enumerate(asked) for context in some], dtype=np.int64
            )
            population = CodedRuleSets.of_rulesets(children, self._schema, with_actions=True)
            histograms = iter(self._coordinator.moves(self._grid, population, contexts.reshape(-1, 3)))
            for number, (child, rng) in enumerate(zip(children, streams, strict=True)):
                heat = heats[number] * (1.0 - (move + 1) / n_moves)
                found = [(context, next(histograms)) for context in asked[number]]
                children[number] = self._moved(child, found, heat, rng)
        return children

    def _contexts(self, child: RuleSet, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
        """Yield what to ask about: a rule with and without each of its conditions, and a place for a new one."""
        n_rules = len(child.rules)
        if n_rules > 0:
            rule = int(rng.integers(n_rules))
            yield rule, EXTEND
            for left_out in range(len(child.rules[rule].conditions)):
                yield rule, left_out
        if n_rules < self._limits.max_rules:
            yield int(rng.integers(n_rules + 1)), INSERT

    def _moved(
        self, child: RuleSet, found: Sequence[tuple[tuple[int, int], Ints]], heat: float, rng: np.random.Generator
    ) -> RuleSet:
        """Return the child after the best move, or after another one that chance accepts."""
        present = 0.0
        best: list[Candidate] = []
        for (rule, left_out), histogram in found:
            if left_out == EXTEND:
                own = self._action(child.rules[rule].action)
                present = float(self._totals(histogram)[own])
            candidates = list(self._candidates(child, rule, left_out, histogram, present))
            if candidates:
                best.append(max(candidates, key=lambda each: each.gain))
        if not best:
            return child
        top = max(best, key=lambda each: each.gain)
        if top.gain > 0.0:
            return top.ruleset
        other = best[int(rng.integers(len(best)))]
        accepted = heat > 0.0 and rng.random() < np.exp(other.gain / heat)
        return other.ruleset if accepted else child

    def _candidates(
        self, child: RuleSet, rule: int, left_out: int, histogram: Ints, present: float
    ) -> Iterator[Candidate]:
        """Yield changes of a rule set at one context; `present` is what its rule gains as it is."""
        price = self._worth.price
        totals = self._totals(histogram)
        kept: tuple[Condition, ...] = ()
        size = 0
        if left_out != INSERT:
            old = child.rules[rule]
            kept = tuple(c for n, c in enumerate(old.conditions) if n != left_out)
            size = old.n_conditions
            if left_out == EXTEND:
                yield Candidate(price * size - present, _with_rule(child, rule, None, replaced=True))
            shorter = int(np.argmax(totals))
            if kept and (left_out != EXTEND or self._schema.actions[shorter] != old.action):
                changed = Rule(kept, self._schema.actions[shorter])
                gain = float(totals[shorter]) - present - price * (changed.n_conditions - size)
                yield Candidate(gain, _with_rule(child, rule, changed, replaced=True))
        for action, (gained, condition) in enumerate(self._best_conditions(histogram)):
            if condition is None or (left_out >= 0 and condition == child.rules[rule].conditions[left_out]):
                continue
            conditions = self._joined(kept, condition)
            if conditions is None:
                continue
            changed = Rule(conditions, self._schema.actions[action])
            gain = gained - present * (left_out != INSERT) - price * (changed.n_conditions - size)
            yield Candidate(gain, _with_rule(child, rule, changed, replaced=left_out != INSERT))

    def _joined(self, kept: tuple[Condition, ...], condition: Condition) -> tuple[Condition, ...] | None:
        """Return conditions together, without those that follow from others; None if they cannot all hold."""
        conditions = (*kept, condition)
        if condition in kept or not consistent(conditions, self._schema):
            return None
        superfluous = redundant(conditions, self._schema)
        joined = tuple(c for n, c in enumerate(conditions) if n not in superfluous)
        return joined if 1 <= len(joined) <= self._limits.max_conditions else None

    def _totals(self, histogram: Ints) -> Ints:
        """Return what all rows of a context gain by each action instead of what follows.

        Every row is in one bin of each feature, so any feature tells; the one tells most of which least is suppressed.
        """
        parts = [histogram[first:last] for first, last in pairwise(self._starts.tolist())]
        fullest = max(range(len(parts)), key=lambda n: int(parts[n].sum()))
        totals: Ints = self._gains(parts[fullest]).sum(axis=0)
        return totals

    def _gains(self, histogram: Ints) -> Ints:
        """Return what the rows of each bin gain by each action instead of what follows [bin, action]."""
        rewards = self._worth.rewards
        by_class = histogram.sum(axis=2) @ rewards
        following: Ints = np.einsum("bcf,cf->b", histogram, rewards)
        gains: Ints = by_class - following[:, None]
        return gains

    def _best_conditions(self, histogram: Ints) -> list[tuple[float, Condition | None]]:
        """Return for each action the condition that gains most by it, of any feature."""
        gains = self._gains(histogram)
        best = self._best_cuts(gains, histogram)
        for feature, (first, last) in zip(self._schema.features, pairwise(self._starts.tolist()), strict=True):
            found = [] if feature.kind is Kind.NUMERIC else self._best_categories(feature, gains[first:last])
            if feature.missing and self._limits.missing:
                found += _presence(feature, gains[first:last])
            for action, gain, condition in found:
                if gain > best[action][0]:
                    best[action] = (gain, condition)
        return best

    def _best_cuts(self, gains: Ints, histogram: Ints) -> list[tuple[float, Condition | None]]:
        """Return for each action the best side of the best cut of any numeric feature.

        Of cuts between the same rows, the middle one is taken: it is farthest from both.
        """
        if len(self._cuts.constants) == 0:
            return [(-np.inf, None)] * gains.shape[1]
        upto = np.concatenate([np.zeros((1, gains.shape[1]), np.int64), np.cumsum(gains, axis=0)])
        below = upto[self._cuts.bins + 1] - upto[self._cuts.first_bins]
        above = upto[self._cuts.last_bins] - upto[self._cuts.bins + 1]
        is_empty = histogram.sum(axis=(1, 2)) == 0
        best: list[tuple[float, Condition | None]] = []
        for action, number in enumerate(np.argmax(np.concatenate([below, above]), axis=0).tolist()):
            first = last = number % len(below)
            while self._cuts.bins[last] + 2 < self._cuts.last_bins[last] and is_empty[self._cuts.bins[last] + 1]:
                last += 1
            operator, side = (Operator.LE, below) if number < len(below) else (Operator.GT, above)
            constant = float(self._cuts.constants[(first + last) // 2])
            best.append((float(side[first, action]), Condition(Term(self._cuts.names[first]), operator, constant)))
        return best

    def _best_categories(self, feature: Feature, gains: Ints) -> list[tuple[int, float, Condition]]:
        """Return for each action the best category, the best to exclude, and the best set."""
        names: tuple[str | bool, ...] = (False, True) if feature.kind is Kind.BOOLEAN else feature.categories
        listed, present = gains[: len(names)], gains[:-1].sum(axis=0)
        found = []
        for action in range(gains.shape[1]):
            own = listed[:, action]
            top, least = int(np.argmax(own)), int(np.argmin(own))
            found.append((action, float(own[top]), Condition(Term(feature.name), Operator.EQ, names[top])))
            if feature.kind is Kind.BOOLEAN:
                continue
            without = float(present[action] - own[least])
            found.append((action, without, Condition(Term(feature.name), Operator.NE, names[least])))
            chosen = [str(name) for name, gain in zip(names, own, strict=True) if gain > 0]
            may_be_set = self._limits.sets and MIN_SET_CATEGORIES <= len(names) <= MAX_SET_CATEGORIES
            if may_be_set and 1 < len(chosen) < len(names) - 1:
                gained = float(own[own > 0].sum()) - self._worth.price
                found.append((action, gained, Condition(Term(feature.name), Operator.IN, tuple(chosen))))
        return found

    def _action(self, action: str) -> int:
        return self._schema.actions.index(action)


def _with_rule(child: RuleSet, k: int, rule: Rule | None, *, replaced: bool) -> RuleSet:
    """Return a rule set with another rule at place `k`, or without it."""
    rules = list(child.rules)
    rules[k : k + replaced] = [] if rule is None else [rule]
    return child.replace(rules=tuple(rules))


def _presence(feature: Feature, gains: Ints) -> list[tuple[int, float, Condition]]:
    """Return for each action what tests for a missing value gain."""
    is_missing = Condition(Term(feature.name), Operator.IS_MISSING, None)
    is_present = Condition(Term(feature.name), Operator.IS_PRESENT, None)
    present = gains[:-1].sum(axis=0)
    found = []
    for action in range(gains.shape[1]):
        found.append((action, float(present[action]), is_present))
        found.append((action, float(gains[-1, action]), is_missing))
    return found


def settle_actions(ruleset: RuleSet, table: Ints, rewards: Ints) -> RuleSet:
    """Give every rule, and the default, the action that rewards most on the rows it decides, `table[rule, class]`.

    Of equal ones, the present action stays.
    """
    schema = ruleset.schema
    worth = table @ rewards

    def best(row: Ints, present: str) -> str:
        own = schema.actions.index(present)
        return present if row[own] == row.max() else schema.actions[int(np.argmax(row))]

    rules = tuple(
        replace(rule, action=best(row, rule.action)) for rule, row in zip(ruleset.rules, worth[:-1], strict=True)
    )
    return ruleset.replace(rules=rules, default=best(worth[-1], ruleset.default))
