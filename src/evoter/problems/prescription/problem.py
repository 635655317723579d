"""Prescription: rule sets whose actions are scored by the outcomes that a model predicts."""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Self

import numpy as np

from evoter.evolution.problem import Capability, Constraint, Evaluation, Objective
from evoter.evolution.settings import Settings
from evoter.evolution.sharding import Tally
from evoter.genome.arrays import bit_per_row, table_rows
from evoter.genome.refinement import build_refinement
from evoter.kernels.layout import WORD, Floats, Grammar, Ints, Population, Refinement, Words
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import Behaviours, sample_behaviours
from evoter.problems.classification.rewards import STEPS
from evoter.problems.deciding import TableDecisions, decide_columns
from evoter.problems.examples import distinct_values, positions_within
from evoter.problems.grammars import grammar_of
from evoter.problems.guarding import allowed_actions, allowed_defaults, as_masks, pinned_decisions
from evoter.problems.mask_cache import MASK_BUDGET
from evoter.problems.prescription.counting import OutcomeShards
from evoter.problems.secondary import Secondary
from evoter.renamed import renamed_to
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import Task, check_mode, mode_of
from evoter.rules.schema import Schema
from evoter.rules.shorten import plain_constants

_SAMPLE_SEED = 0
"""A fixed seed: the rows that exact moves see belong to the task, not to the search."""


class Prescription(ABC):
    """What prescription tasks share: the table of contexts, guardrails, and other objectives.

    `columns` holds the contexts feature by feature, as `evoter.tables.encode` makes them; the schema's actions are what
    can be prescribed. `goals` are the objectives for outcomes; `secondary` objectives come after them, and `limits` are
    upper bounds on scores of secondary objectives.
    """

    evolve_certainty = False

    def __init__(
        self,
        schema: Schema,
        columns: Floats,
        goals: Sequence[Objective],
        *,
        mode: Mode,
        guardrails: Guardrails | None,
        secondary: Sequence[Secondary],
        limits: Sequence[tuple[Secondary, float]],
    ) -> None:
        self.schema = schema
        self.mode = mode
        self.columns = columns
        self.guardrails = guardrails or Guardrails(schema, mode)
        self._goals = tuple(goals)
        self._secondary = tuple(secondary)
        self._limits = tuple(limits)
        names = [objective.name for objective in self.objectives]
        if len(set(names)) < len(names):
            raise ValueError(f"objectives must have different names, got {names}: leave out those that are repeated")
        self._allowed = as_masks(allowed_actions(self.guardrails, self.decide))
        self._defaults = allowed_defaults(self.guardrails)

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """The goals and the secondary objectives."""
        return (*self._goals, *(each.objective for each in self._secondary))

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What every task of prescription supports, with its mode and its objectives."""
        supported = {Capability.MISSING_VALUES}
        if not self.relative:
            supported.add(Capability.SAMPLES)
        if not mode_of(self.mode).several_actions:
            supported.add(Capability.NOVELTY)
        return frozenset(supported)

    def behaviours(self, population: Population, threads: Threads) -> Words:
        """Return which action the rules of each individual take on a sample of the rows, as bits.

        Guardrails and amounts are left out: rule sets that differ only there count as equal.
        """
        return self._behaviours.planes(population, threads)

    @cached_property
    def _behaviours(self) -> Behaviours:
        return sample_behaviours(self.schema, self.columns, self.mode)

    def _sampled_rows(self, share: float, start: float) -> Ints:
        """Return the rows of a sample; larger shares hold smaller ones."""
        n_rows = self.columns.shape[1]
        order = np.random.default_rng(_SAMPLE_SEED).permutation(n_rows)
        rows: Ints = np.sort(order[positions_within(n_rows, share, start)])
        return rows

    @property
    @abstractmethod
    def spreads(self) -> Floats:
        """How far actions move the first score on each of some rows."""

    @property
    def score_range(self) -> float:
        """How far decisions can move the first score."""
        return float(self.spreads.mean())

    stake = renamed_to("score_range")

    @property
    def uncertainty(self) -> float:
        """How far chance may move the first score, the root of the mean square of the spreads over that of rows."""
        return float(np.sqrt((self.spreads**2).mean() / self.columns.shape[1]))

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The limits by name."""
        return tuple(Constraint(each.objective.name, most) for each, most in self._limits)

    @property
    def relative(self) -> tuple[int, ...]:
        """The columns of the scores that depend on the rest of the population."""
        return tuple(column for column, each in enumerate(self._secondary, len(self._goals)) if each.relative)

    def compare(self, population: Population, evaluation: Evaluation) -> Floats:
        """Return the scores, with those that depend on the rest of the population computed again."""
        scores = evaluation.scores.copy()
        for column in self.relative:
            scores[:, column] = self._secondary[column - len(self._goals)].score(population, evaluation)
        return scores

    def grammar(self, settings: Settings) -> Grammar:
        """Return the grammar, with constants that lie between the values of each feature."""
        return grammar_of(
            settings,
            self.schema,
            self.columns,
            evolve_certainty=self.evolve_certainty or mode_of(self.mode).uses_certainty,
            guardrails=self.guardrails,
        )

    def decide(self, ruleset: RuleSet) -> TableDecisions:
        """Decide on every row by a rule set that respects the guardrails."""
        return decide_columns(ruleset, self.columns)

    def final_form(self, ruleset: RuleSet, counts: Sequence[int]) -> RuleSet:
        """Return an evolved rule set in the form that users get, given how often each of its rules decided."""
        plain = plain_constants(ruleset, distinct_values(self.schema, self.columns))
        return self.guardrails.final_form(plain, counts)

    def _with_others(self, population: Population, evaluation: Evaluation) -> Evaluation:
        """Add the scores of secondary objectives and limits."""
        judged = [*self._secondary, *(each for each, _ in self._limits)]
        if not judged:
            return evaluation
        others = [each.score(population, evaluation) for each in judged]
        return evaluation._replace(scores=np.column_stack([evaluation.scores, *others]))

    def _digest(self, *arrays: Floats) -> str:
        digest = hashlib.sha256()
        for array in (self.columns, *arrays):
            digest.update(np.ascontiguousarray(array).data)
        rails = (self.guardrails.pinned, self.guardrails.forbidden, self.guardrails.fallback)
        digest.update(f"{self.mode} {self.schema!r} {self._goals!r} {rails!r}".encode())
        if self.guardrails.forbidden_features or self.guardrails.monotone:
            digest.update(repr(self.guardrails).encode())
        for each in self._secondary:
            digest.update(f"{each.objective!r} {each.details}".encode())
        for each, most in self._limits:
            digest.update(f"at most {most!r} {each.objective!r} {each.details}".encode())
        return digest.hexdigest()


class PrescriptionProblem(Prescription):
    """One action of several for each row, with a table of the outcomes of each.

    `outcomes[row, action, goal]` are the scores of every action on every row: the model is asked beforehand and never
    during evolution. An individual's score is the mean over rows. They are rounded to a grid of 24 binary digits, so
    that sums are exact and equal decisions have equal scores. `score_ranges` are how far decisions can move each score.
    """

    stakes = renamed_to("score_ranges")

    def __init__(
        self,
        schema: Schema,
        columns: Floats,
        outcomes: Floats,
        goals: Sequence[Objective],
        *,
        mode: Mode = Mode.FIRST,
        guardrails: Guardrails | None = None,
        secondary: Sequence[Secondary] = (),
        limits: Sequence[tuple[Secondary, float]] = (),
        mask_budget: int = MASK_BUDGET,
    ) -> None:
        check_mode(mode, Task.PRESCRIPTION)
        n_rows, n_actions = columns.shape[1], len(schema.actions)
        if outcomes.shape != (n_rows, n_actions, len(goals)) or not np.isfinite(outcomes).all():
            raise ValueError(
                f"outcomes must be finite numbers [row, action, goal] of shape {(n_rows, n_actions, len(goals))}, got "
                f"shape {outcomes.shape}: give every action on every row a score for every goal"
            )
        super().__init__(
            schema, columns, goals, mode=mode, guardrails=guardrails, secondary=secondary, limits=limits
        )  # fmt: skip
        self.outcomes = outcomes
        largest = np.abs(outcomes).max(axis=(0, 1), initial=0.0)
        self._steps = STEPS / np.where(largest > 0.0, largest, 1.0)
        values = np.rint(outcomes * self._steps)
        # The outcomes of rows that a pinned rule decides do not depend on evolved rules.
        pinned = pinned_decisions(self.guardrails, self.decide)
        self._free = pinned.free
        given = np.flatnonzero(~self._free)
        self._given: Floats = values[given, pinned.actions[given]].sum(axis=0)
        self._rows = table_rows(columns, schema)
        self._rows = self._rows._replace(valid=bit_per_row(self._free))
        padded = np.zeros((n_actions, len(self._rows.valid) * WORD, len(goals)))
        padded[:, :n_rows] = values.transpose(1, 0, 2)
        self.shards = OutcomeShards(self._rows, padded, self._allowed, self._defaults, mode, mask_budget=mask_budget)
        self.score_ranges: Floats = np.ptp(outcomes, axis=1).mean(axis=0)
        self._rewards: Floats = np.empty((0, n_actions, len(goals)))

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this task supports; refinement only where the first rule decides."""
        refinable = {Capability.REFINEMENT} if mode_of(self.mode).in_printed_order else set()
        return super().capabilities | refinable

    @property
    def spreads(self) -> Floats:
        """How far actions move the first score on each row."""
        spreads: Floats = np.ptp(self.outcomes[:, :, 0], axis=1)
        return spreads

    def fingerprint(self) -> str:
        """Return a digest of the contexts, the outcomes, the guardrails and the schema."""
        return self._digest(self.outcomes)

    def evaluate(self, population: Population, threads: Threads, seed: int = 0) -> Evaluation:
        """Score a population on all rows."""
        return self.evaluation(population, self.shards.total(population, threads), threads)

    def evaluation(self, population: Population, tally: Tally, threads: Threads) -> Evaluation:
        """Score a population by what was counted on all rows."""
        applied, decided = tally.counts
        totals, max_rules = tally.sums[0][0], population.max_rules
        scores = (totals + self._given) / self._steps / self.columns.shape[1]
        evaluation = Evaluation(scores, applied, decided[:, :max_rules], decided[:, max_rules])
        return self._with_others(population, evaluation)

    def sampled(self, share: float, start: float = 0.0) -> Self:
        """Return the problem with a share of the rows."""
        rows = self._sampled_rows(share, start)
        return type(self)(
            self.schema,
            np.ascontiguousarray(self.columns[:, rows]),
            self.outcomes[rows],
            self._goals,
            mode=self.mode,
            guardrails=self.guardrails,
            secondary=self._secondary,
            limits=self._limits,
        )

    def refinement(self, grammar: Grammar, settings: Settings) -> Refinement | None:
        """Return the rows with their rewards, where the first rule decides and decisions matter.

        With several goals the rewards are those of the first; see `reweighted`.
        """
        rows = free = np.flatnonzero(self._free)
        if not mode_of(self.mode).in_printed_order or not (self.score_ranges > 0.0).any() or len(rows) == 0:
            return None
        if len(rows) > settings.refinement_rows:
            chosen = np.random.default_rng(_SAMPLE_SEED).choice(rows, settings.refinement_rows, replace=False)
            rows = np.sort(chosen)
        positions = np.pad(rows, (0, -len(rows) % WORD), constant_values=-1)
        signs = np.array([1.0 if goal.maximise else -1.0 for goal in self._goals])
        worth = signs / np.where(
            self.score_ranges > 0.0, self.score_ranges, 1.0
        )  # each goal by how far decisions can move it
        rewards: Floats = np.zeros((len(positions), len(self.schema.actions), len(worth)))
        rewards[: len(rows)] = self.outcomes[rows] * worth
        for goal in range(len(worth)):
            table = rewards[: len(rows), :, goal]
            low, spread = table.min(axis=1), np.ptp(table, axis=1)
            forbidden = ~allowed_actions(self.guardrails, self.decide)[:, rows].T
            table[forbidden] = np.broadcast_to((low - spread)[:, None], table.shape)[forbidden]
        self._rewards = rewards
        # The sum of all rewards is the score, in units of its range, times this number of rows.
        n_rows = len(rows) * self.columns.shape[1] / len(free)
        unit = n_rows * _resolution(rewards[:, :, 0]) / (self.score_ranges[0] or 1.0)
        return build_refinement(
            table_rows(self.columns, self.schema, positions),
            grammar,
            _whole_numbers(rewards[:, :, 0]),
            price=settings.parsimony * unit,
            temperature=settings.refinement_temperature * self.uncertainty * unit,
            n_moves=settings.refinement_moves,
            n_tries=settings.refinement_tries,
        )

    def reweighted(self, refinement: Refinement, seed: int, generation: int) -> Refinement:
        """Return the same with rewards that are a sum of all goals, with random weights in every generation."""
        n_goals = self._rewards.shape[2]
        if n_goals == 1:
            return refinement
        weights = np.random.default_rng([seed, generation]).dirichlet(np.ones(n_goals))
        mixed = self._rewards @ weights
        factor = _resolution(mixed) / _resolution(self._rewards[:, :, 0])
        return refinement._replace(
            rewards=_whole_numbers(mixed),
            price=refinement.price * factor,
            temperature=refinement.temperature * factor,
        )

    def chosen_outcomes(self, actions: Ints) -> Floats:
        """Return the scores [row, goal] of an action for each row."""
        chosen: Floats = self.outcomes[np.arange(len(actions)), actions]
        return chosen


def _resolution(rewards: Floats) -> float:
    return float(STEPS / (np.abs(rewards).max() or 1.0))


def _whole_numbers(rewards: Floats) -> Floats:
    """Scale rewards to whole numbers, so that sums are exact and do not depend on the order of rows."""
    whole: Floats = np.rint(rewards * _resolution(rewards))
    return np.ascontiguousarray(whole)
