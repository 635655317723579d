"""Exact moves without rows: the best change of one condition, from histograms that all sites have added up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.federated.coordinator import Coordinator
from evoter.federated.messages import EXTEND, INSERT, n_bins
from evoter.federated.populations import CodedRuleSets
from evoter.federated.sums import Sums, draw_sums
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.refinement.refine import FRESH_RATE
from evoter.kernels.variation.single_conditions import MIN_SET_CATEGORIES
from evoter.rules.condition import Condition, Operator, Sum, Term
from evoter.rules.forms.membership import MAX_SET_CATEGORIES
from evoter.rules.logic import consistent, redundant
from evoter.rules.model import Rule, RuleSet
from evoter.rules.schema import Feature, Kind, Schema

STEPS: Final = 2**24
"""The resolution of rewards, as whole numbers: sums are then exact in any order."""


@dataclass(frozen=True, slots=True)
class Worth:
    """What decisions are worth: `rewards[class, action]` in whole numbers, of which `unit` is one of the score."""

    rewards: Ints
    unit: float
    temperature: float

    @classmethod
    def of(cls, rewards: Floats, *, temperature: float) -> "Worth":
        """Return rewards in whole numbers; the temperature is in the unit of the score."""
        unit = STEPS / float(np.abs(rewards).max())
        return cls(np.rint(rewards * unit).astype(np.int64), unit, temperature * unit)


@dataclass(frozen=True, slots=True)
class Limits:
    """What rule sets may look like: their size, and which conditions are tried."""

    max_rules: int
    max_conditions: int
    sets: bool
    missing: bool
    n_sums: int = 0


class Cuts(NamedTuple):
    """All cuts of numeric features and sums: constant, what is compared with it, the bin below, and the bins around.

    `lines` has for each cut what it is compared with: the position of a feature in the schema, or that of a sum after
    all features. `first_bins` is the first bin of that line, `last_bins` the one after its last, that of missing
    values. `starts` are the first bins of all features and sums.
    """

    constants: Floats
    lines: Ints
    bins: Ints
    first_bins: Ints
    last_bins: Ints
    starts: Ints

    @classmethod
    def of(cls, schema: Schema, cuts: tuple[Floats, ...]) -> "Cuts":
        """Lay out the cuts of each numeric feature, and of each sum after them."""
        starts = np.cumsum([0, *n_bins(schema, cuts)])
        numeric = [n for n, feature in enumerate(schema.features) if feature.kind is Kind.NUMERIC]
        lines = np.array([*numeric, *range(len(schema.features), len(starts) - 1)], dtype=np.int64)
        sizes = [len(some) for some in cuts]
        first = np.repeat(starts[lines], sizes)
        within = np.concatenate([np.empty(0, np.int64), *(np.arange(size) for size in sizes)])
        last = first + np.repeat(sizes, sizes) + 1
        constants = np.concatenate([np.empty(0), *cuts])
        return cls(constants, np.repeat(lines, sizes), first + within, first, last, starts)


class Weighed(NamedTuple):
    """What the rows of a context gain by each action instead of what follows: in each bin, and all of them.

    `n_rows` are the rows of each bin.
    """

    gains: Ints
    n_rows: Ints
    totals: Ints


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
        self._sums = Sums.none()
        self._cuts = Cuts.of(schema, cuts)
        self._price = 0.0

    def refine(self, parents: Sequence[RuleSet], prices: Floats, n_moves: int, seed: int) -> list[RuleSet]:
        """Return a child for each parent, after some rounds of moves; the same for the same seed and sums.

        `prices` are what a condition costs each of them, in the unit of the score.
        """
        streams = [np.random.default_rng([seed, number]) for number in range(len(parents))]
        drawing = np.random.default_rng([seed, len(parents)])
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
            grid = self._with_sums(*draw_sums(self._schema, self._grid, self._limits.n_sums, drawing))
            histograms = self._coordinator.moves(grid, population, contexts.reshape(-1, 3), self._sums)
            weighed = iter(self.weigh(histograms))
            for number, (child, rng) in enumerate(zip(children, streams, strict=True)):
                heat = heats[number] * (1.0 - (move + 1) / n_moves)
                found = [(context, next(weighed)) for context in asked[number]]
                self._price = float(prices[number]) * self._worth.unit
                children[number] = self._moved(child, found, heat, rng)
        return children

    def _with_sums(self, sums: Sums, cuts: tuple[Floats, ...]) -> tuple[Floats, ...]:
        """Take up the sums of a round, and return the grids of all features and sums."""
        self._sums = sums
        grid = self._grid + cuts
        self._cuts = Cuts.of(self._schema, grid)
        return grid

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
        self, child: RuleSet, found: Sequence[tuple[tuple[int, int], Weighed]], heat: float, rng: np.random.Generator
    ) -> RuleSet:
        """Return the child after the best move, or after another one that chance accepts."""
        present = 0.0
        best: list[Candidate] = []
        for (rule, left_out), weighed in found:
            if left_out == EXTEND:
                own = self._action(child.rules[rule].action)
                present = float(weighed.totals[own])
            candidates = list(self._candidates(child, rule, left_out, weighed, present))
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
        self, child: RuleSet, rule: int, left_out: int, weighed: Weighed, present: float
    ) -> Iterator[Candidate]:
        """Yield changes of a rule set at one context; `present` is what its rule gains as it is."""
        price = self._price
        totals = weighed.totals
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
        for action, (gained, condition) in enumerate(self._best_conditions(weighed)):
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

    def weigh(self, histograms: Ints) -> list[Weighed]:
        """Return what rows gain at each of some contexts: `histograms[context, bin, class, following action]`.

        Every row is in one bin of each feature, so any feature tells what all rows of a context gain; the one tells
        most of which least is suppressed.
        """
        rewards, starts = self._worth.rewards, self._cuts.starts
        following: Ints = np.einsum("xbcf,cf->xb", histograms, rewards)
        gains: Ints = histograms.sum(axis=3) @ rewards - following[:, :, None]
        filled: Ints = histograms.sum(axis=(2, 3))
        fullest = np.argmax(np.add.reduceat(filled, starts[:-1], axis=1), axis=1).tolist()
        return [
            Weighed(gain, rows, gain[starts[line] : starts[line + 1]].sum(axis=0))
            for gain, rows, line in zip(gains, filled, fullest, strict=True)
        ]

    def _best_conditions(self, weighed: Weighed) -> list[tuple[float, Condition | None]]:
        """Return for each action the condition that gains most by it, of any feature."""
        gains = weighed.gains
        best = self._best_cuts(gains, weighed.n_rows == 0)
        for feature, (first, last) in zip(self._schema.features, pairwise(self._cuts.starts.tolist()), strict=False):
            found = [] if feature.kind is Kind.NUMERIC else self._best_categories(feature, gains[first:last])
            if feature.missing and self._limits.missing:
                found += _presence(feature, gains[first:last])
            for action, gain, condition in found:
                if gain > best[action][0] - self._price_of_second(best[action][1]):
                    best[action] = (gain, condition)
        return best

    def _best_cuts(self, gains: Ints, is_empty: NDArray[np.bool_]) -> list[tuple[float, Condition | None]]:
        """Return for each action the best side of the best cut of any numeric feature or sum.

        Of cuts between the same rows, the middle one is taken: it is farthest from both. A sum counts as two
        conditions, and must gain the price of the second.
        """
        cuts = self._cuts
        if len(cuts.constants) == 0:
            return [(-np.inf, None)] * gains.shape[1]
        upto = np.concatenate([np.zeros((1, gains.shape[1]), np.int64), np.cumsum(gains, axis=0)])
        below = upto[cuts.bins + 1] - upto[cuts.first_bins]
        above = upto[cuts.last_bins] - upto[cuts.bins + 1]
        price = np.where(cuts.lines < len(self._schema.features), 0.0, self._price)[:, None]
        best: list[tuple[float, Condition | None]] = []
        for action, number in enumerate(np.argmax(np.concatenate([below - price, above - price]), axis=0).tolist()):
            first = last = number % len(below)
            while cuts.bins[last] + 2 < cuts.last_bins[last] and is_empty[cuts.bins[last] + 1]:
                last += 1
            operator, side = (Operator.LE, below) if number < len(below) else (Operator.GT, above)
            constant = float(cuts.constants[(first + last) // 2])
            condition = self._comparison(int(cuts.lines[first]), operator, constant)
            best.append((float(side[first, action]), condition))
        return best

    def _price_of_second(self, condition: Condition | None) -> float:
        """Return what a condition costs beyond the price of one."""
        return self._price if condition is not None and isinstance(condition.right, Sum) else 0.0

    def _comparison(self, line: int, operator: Operator, constant: float) -> Condition:
        """Return a feature or a sum compared with a constant."""
        names = self._schema.names
        if line < len(names):
            return Condition(Term(names[line]), operator, constant)
        left, right = self._sums.pairs[line - len(names)].tolist()
        added = Term(names[right], float(self._sums.weights[line - len(names)]))
        return Condition(Term(names[left]), operator, Sum(added, constant))

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
                gained = float(own[own > 0].sum()) - self._price
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
