"""Prescription on demand: amounts and combinations of actions, whose outcomes a model predicts as they occur."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Self

import numpy as np

from evoter.evolution.problem import Evaluation, Objective
from evoter.genome.arrays import bit_per_row, table_rows
from evoter.genome.deciding import claim_order
from evoter.kernels.evaluation.decide import add_applied
from evoter.kernels.evaluation.prescribe import write_choices, write_sets
from evoter.kernels.layout import ACTION, DEFAULT, WORD, Floats, Ints, Population
from evoter.kernels.threads import Threads
from evoter.problems.deciding import decide_columns
from evoter.problems.guarding import allowed_actions, as_masks
from evoter.problems.mask_cache import MASK_BUDGET, MaskCache, Masks
from evoter.problems.prescription.levels import levels_of
from evoter.problems.prescription.problem import Prescription
from evoter.problems.secondary import Secondary
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import Task, check_mode, mode_of
from evoter.rules.schema import Schema

Ask = Callable[[Ints, Floats], Floats]
"""Returns scores [query, goal] for the rows of some queries and the levels prescribed there [query, action]."""

MOST_ACTIONS: Final = 40
"""Maximum number of actions: a set of actions and a row are stored in one integer of 63 bits."""

BATCH: Final = 2**17
"""Number of queries per call of the model."""

MOST_ANSWERS: Final = 2**23
"""Maximum number of answers in the cache; beyond that, only those of the current call are kept."""

_PROBED: Final = 1_000
"""Number of rows used to measure how much actions matter."""

_GROUP: Final = 2**21
"""Number of decisions looked up at a time."""


class Answers:
    """A cache of model predictions for (row, decision) pairs, requested in batches."""

    def __init__(self, ask: Ask, levels: Callable[[Ints], Floats], n_rows: int, n_goals: int) -> None:
        self._ask = ask
        self._levels = levels
        self._n_rows = n_rows
        self._keys: Ints = np.empty(0, np.int64)
        self._scores = np.empty((0, n_goals))
        self.n_asked = 0

    def look_up(self, rows: Ints, codes: Ints) -> Floats:
        """Return the scores [..., goal] of decisions, given by row and code."""
        asked: Ints = codes * self._n_rows + rows
        keys, inverse = np.unique(asked, return_inverse=True)
        known: Ints = np.searchsorted(self._keys, keys)
        found = np.zeros(len(keys), np.bool_)
        inside = known < len(self._keys)
        found[inside] = self._keys[known[inside]] == keys[inside]
        scores = np.empty((len(keys), self._scores.shape[1]))
        scores[found] = self._scores[known[found]]
        new = keys[~found]
        if len(new):
            scores[~found] = self._answers(new)
            self._remember(keys, scores, new, scores[~found])
        found_scores: Floats = scores[inverse.reshape(asked.shape)]
        return found_scores

    def _answers(self, keys: Ints) -> Floats:
        parts = []
        for start in range(0, len(keys), BATCH):
            codes, rows = np.divmod(keys[start : start + BATCH], self._n_rows)
            part = np.asarray(self._ask(rows, self._levels(codes)), np.float64)
            parts.append(part.reshape(len(rows), self._scores.shape[1]))
        self.n_asked += len(keys)
        return np.concatenate(parts)

    def _remember(self, keys: Ints, scores: Floats, new: Ints, answers: Floats) -> None:
        if len(self._keys) + len(new) > MOST_ANSWERS:
            self._keys, self._scores = keys, scores
            return
        merged = np.concatenate([self._keys, new])
        order = np.argsort(merged, kind="stable")
        self._keys, self._scores = merged[order], np.concatenate([self._scores, answers])[order]


class OnDemandPrescription(Prescription):
    """Amounts of one action for each row, or several actions at once, scored by a model that is called as they occur.

    In mode all, every action of an active rule is taken, and the last action of the schema is doing nothing. Otherwise
    one action is taken, to the amount of the deciding rule's certainty.
    """

    def __init__(
        self,
        schema: Schema,
        columns: Floats,
        ask: Ask,
        goals: Sequence[Objective],
        *,
        mode: Mode = Mode.HARDMAX,
        guardrails: Guardrails | None = None,
        secondary: Sequence[Secondary] = (),
        limits: Sequence[tuple[Secondary, float]] = (),
        details: str = "",
        mask_budget: int = MASK_BUDGET,
    ) -> None:
        check_mode(mode, Task.AMOUNTS, Task.COMBINATIONS)
        self._several = mode_of(mode).several_actions
        if self._several and len(schema.actions) > MOST_ACTIONS:
            raise ValueError(f"at most {MOST_ACTIONS - 1} actions can be combined, got {len(schema.actions) - 1}")
        super().__init__(
            schema, columns, goals, mode=mode, guardrails=guardrails, secondary=secondary, limits=limits
        )  # fmt: skip
        self.evolve_certainty = not self._several
        self._ask = ask
        self._details = details
        self._pairs: dict[tuple[int, float], int] = {}
        n_rows = columns.shape[1]
        self.answers = Answers(ask, self.levels, n_rows, len(goals))
        n_actions = len(schema.actions)
        self._bits = np.where(np.arange(n_actions) < n_actions - 1, 1 << np.arange(n_actions), 0)
        pinned = RuleSet(self.guardrails.pinned, schema.actions[-1], schema, mode=mode)
        decisions = decide_columns(pinned, columns)
        active = np.asarray(decisions.active.any(axis=1))
        self._judged = np.arange(n_rows) if self._several else np.flatnonzero(~active)
        self._given_codes = self._codes(levels_of(pinned, decisions, amounts=not self._several))
        self._is_given = bit_per_row(active) if self._several else np.empty(0, np.uint64)
        self._given = np.zeros(len(goals))
        if not self._several and active.any():
            given = np.flatnonzero(active)
            self._given = self.answers.look_up(given, self._given_codes[given]).sum(axis=0)
        judged = np.ascontiguousarray(columns[:, self._judged])
        self._masks_allowed = as_masks(allowed_actions(self.guardrails, partial(decide_columns, columns=judged)))
        self._cache = MaskCache(table_rows(judged, schema), mask_budget)

    @property
    def spreads(self) -> Floats:
        """How far single actions, each at its full amount, move the first score on a sample of rows."""
        n_actions = len(self.schema.actions)
        rows = np.unique(np.linspace(0, self.columns.shape[1] - 1, _PROBED).astype(np.int64))
        codes = self._codes(np.eye(n_actions))
        answers = self.answers.look_up(rows[:, None], np.broadcast_to(codes, (len(rows), n_actions)))
        spreads: Floats = np.ptp(answers[:, :, 0], axis=1)
        return spreads

    def fingerprint(self) -> str:
        """Return a digest of the contexts, the guardrails, the schema, and some answers of the model."""
        n_rows = min(self.columns.shape[1], 16)
        probe = np.repeat(np.arange(n_rows), len(self.schema.actions))
        answers = self.answers.look_up(probe, np.tile(self._codes(np.eye(len(self.schema.actions))), n_rows))
        return self._digest(answers) + self._details

    def sampled(self, share: float, start: float = 0.0) -> Self:
        """Return the problem with a share of the rows."""
        rows = self._sampled_rows(share, start)
        return type(self)(
            self.schema,
            np.ascontiguousarray(self.columns[:, rows]),
            lambda some, levels: self._ask(rows[some], levels),
            self._goals,
            mode=self.mode,
            guardrails=self.guardrails,
            secondary=self._secondary,
            limits=self._limits,
            details=self._details,
        )

    def levels(self, codes: Ints) -> Floats:
        """Return the levels that codes of decisions mean: how much of each action, from 0 to 1."""
        levels = np.zeros((len(codes), len(self.schema.actions)))
        if self._several:
            levels[:] = (codes[:, None] & self._bits) != 0
            return levels
        pairs = list(self._pairs)
        actions, certainties = np.array([pairs[code] for code in codes]).reshape(-1, 2).T
        levels[np.arange(len(codes)), actions.astype(np.int64)] = certainties
        return levels

    def prescribed(self, ruleset: RuleSet, columns: Floats) -> Floats:
        """Return what a rule set prescribes on each row of a table: how much of each action, from 0 to 1."""
        return levels_of(ruleset, decide_columns(ruleset, columns), amounts=not self._several)

    def chosen_outcomes(self, levels: Floats) -> Floats:
        """Return the scores [row, goal] of what is prescribed on each row."""
        return self.answers.look_up(np.arange(len(levels)), self._codes(levels))

    def evaluate(self, population: Population, threads: Threads, seed: int = 0) -> Evaluation:
        """Score a population on all rows."""
        n, max_rules = population.size, population.max_rules
        decided = np.zeros((n, max_rules + 1), np.int64)
        applied = np.zeros((n, max_rules), np.int64)
        codes = np.empty((n, len(self._judged)), np.int64)
        for masks in self._cache.chunks(population, threads):
            add_applied(population, masks.mask_rows, masks.applied, applied)
            self._write(population, masks, codes, decided, threads)
        scores = np.empty((n, len(self._goals)))
        size = max(1, _GROUP // max(len(self._judged), 1))
        for start in range(0, n, size):
            some = codes[start : start + size]
            answers = self.answers.look_up(np.broadcast_to(self._judged, some.shape), some)
            scores[start : start + size] = answers.sum(axis=1)
        scores = (scores + self._given) / self.columns.shape[1]
        evaluation = Evaluation(scores, applied, decided[:, :max_rules], decided[:, max_rules])
        return self._with_others(population, evaluation)

    def _write(self, population: Population, masks: Masks, codes: Ints, decided: Ints, threads: Threads) -> None:
        n = population.size
        words = slice(masks.first_word, masks.first_word + masks.words.shape[1])
        rows = slice(words.start * WORD, min(words.stop * WORD, codes.shape[1]))
        part = np.empty((n, rows.stop - rows.start), np.int64)
        allowed = self._masks_allowed[:, words]
        work = float(population.n_rules.sum()) * part.shape[1]
        if self._several:
            given = (self._defaults, self._bits, self._given_codes[rows], self._is_given[words])
            threads.run(write_sets, n, work, population, masks.mask_rows, masks.words, allowed, *given, part, decided)
        else:
            order = claim_order(population, self.mode)
            inputs = (population, order, masks.mask_rows, masks.words, allowed, *self._rule_codes(population))
            threads.run(write_choices, n, work, *inputs, part, decided)
        codes[:, rows] = part

    def _rule_codes(self, population: Population) -> tuple[Ints, Ints]:
        """Return a code for the action and amount of each rule, and of each default."""
        actions = np.column_stack([population.rules[:, :, ACTION], self._defaults[population.header[:, DEFAULT]]])
        amounts = np.column_stack([population.certainties, population.default_certainties])
        pairs, inverse = np.unique(np.stack([actions.ravel(), amounts.ravel()]), axis=1, return_inverse=True)
        known = np.array([self._code(int(action), amount) for action, amount in pairs.T])
        codes = known[inverse.reshape(actions.shape)]
        return np.ascontiguousarray(codes[:, :-1]), np.ascontiguousarray(codes[:, -1])

    def _code(self, action: int, amount: float) -> int:
        return self._pairs.setdefault((action, float(amount)), len(self._pairs))

    def _codes(self, levels: Floats) -> Ints:
        if self._several:
            return ((levels > 0.0) @ self._bits).astype(np.int64)
        chosen = levels.argmax(axis=1)
        amounts = levels[np.arange(len(levels)), chosen]
        codes = [self._code(action, amount) for action, amount in zip(chosen.tolist(), amounts.tolist(), strict=True)]
        return np.array(codes, dtype=np.int64)
