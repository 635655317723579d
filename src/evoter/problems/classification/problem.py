"""Classification: rule sets whose actions are classes, scored from compiled confusion counts."""

import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evoter.evolution.problem import Capability, Constraint, Evaluation, Objective
from evoter.evolution.settings import Settings
from evoter.genome.arrays import pick
from evoter.genome.deciding import claim_order, row_decider
from evoter.genome.grammar import build_grammar
from evoter.genome.refinement import build_refinement
from evoter.kernels.evaluation.decide import add_applied, decide_rows
from evoter.kernels.layout import ACTION, DEFAULT, WORD, Floats, Grammar, Ints, Population, Refinement, Words
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import Behaviours, sample_behaviours
from evoter.problems.classification.fitness import MEASURES, Counts, expected_cost
from evoter.problems.classification.frequencies import (
    FREQUENCY_MEASURES,
    OBJECTIVES,
    Frequencies,
    counted_by_rule,
    smooth,
)
from evoter.problems.classification.rewards import STEPS, rewards_by_class, sample_by_class, score_range, uncertainty
from evoter.problems.deciding import TableDecisions
from evoter.problems.examples import distinct_values, examples_of, positions_within
from evoter.problems.mask_cache import MASK_BUDGET, MaskCache, Masks
from evoter.problems.secondary import Secondary
from evoter.renamed import renamed_to
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import Task, check_mode, mode_of
from evoter.rules.schema import Schema
from evoter.rules.shorten import plain_constants
from evoter.rules.simplify import prune_inactive, simplify
from evoter.tables.panel import Panel

MAX_DENSE = 64
"""Among more classes than this, individuals are counted by the few classes that they can predict."""

MAX_LOG_LOSS = 500
"""The most classes for log-loss, which is counted by all pairs of classes: a gigabyte for 500 individuals."""

MAX_REWARDS = 20_000_000
"""How many rewards, one for each row and class, refinement may look at; it samples rows where there are more."""

Predictor = Callable[[Ints, Floats], float]
"""A score for one individual from its predicted class and certainty for every row, in the order of the data."""


class ClassificationProblem:
    """Rows of a table, or instances of a panel, with known classes; the schema's actions are the classes, in order.

    `data` is a table given feature by feature, or a panel whose instances are decided at their last steps.
    `measure` is a name from `OBJECTIVES`, a cost matrix `costs[true, predicted]` whose mean is minimised, or a pair of
    an objective and a function that scores one individual from its predictions (any measure, much slower).
    `secondary` objectives come after the measure, in their order; `limits` are numbers that must not be exceeded, each
    by the name and the score of a secondary objective.
    `targets[row, class]` are probabilities to score rows by instead of their classes (see `preparation`): a row counts
    once for each class that it may have, with that weight. A measure that looks at single predictions takes none.
    `score_range` is how far decisions can move the score, `uncertainty` how far chance may, and `n_distinct` the number
    of rows that differ. `ignores_actions` says that the measure depends on which rows each rule decides, and not on its
    action (see `frequencies`).
    """

    stake = renamed_to("score_range")

    def __init__(
        self,
        schema: Schema,
        data: Floats | Panel,
        classes: Ints,
        *,
        measure: str | Floats | tuple[Objective, Predictor] = "accuracy",
        sample_weight: Floats | None = None,
        class_weight: Floats | None = None,
        mode: Mode = Mode.FIRST,
        targets: Floats | None = None,
        mask_budget: int = MASK_BUDGET,
        secondary: Sequence[Secondary] = (),
        limits: Sequence[tuple[Secondary, float]] = (),
    ) -> None:
        check_mode(mode, Task.CLASSIFICATION)
        self.schema = schema
        self.mode = mode
        self._examples = examples_of(schema, data)
        self.classes = classes
        self._measure = measure
        self._secondary = tuple(secondary)
        self._limits = tuple(limits)
        self._data = data
        self._mask_budget = mask_budget
        self._with_log_loss = isinstance(measure, str) and measure == "log_loss"
        self.ignores_actions = isinstance(measure, str) and measure in FREQUENCY_MEASURES
        if self.ignores_actions and mode_of(mode).needs_active_rules:
            raise ValueError(
                f"the metric {measure} is computed from the rows that each rule decides alone, and in mode {mode} "
                "rules decide together: use mode first or hardmax, or another metric"
            )
        n_classes = len(schema.actions)
        if self._with_log_loss and n_classes > MAX_LOG_LOSS:
            raise ValueError(
                f"log_loss takes memory in proportion to the square of the number of classes, which is {n_classes:,}, "
                f"more than {MAX_LOG_LOSS:,}; optimise another metric, such as accuracy, or join rare classes"
            )
        self._class_weight = np.ones(n_classes) if class_weight is None else np.asarray(class_weight, np.float64)
        if targets is not None and isinstance(measure, tuple):
            raise ValueError("a measure that is computed from single predictions takes no soft targets")
        self._targets = targets
        self._sample_weight = sample_weight
        weights = sample_weight
        origins, judged_as = np.arange(len(classes)), classes
        if targets is not None:
            origins, judged_as = np.nonzero(targets)
            weights = targets[origins, judged_as]
            if sample_weight is not None:
                weights = weights * sample_weight[origins]
        positions, self._segments = _sorted_by_class(judged_as, n_classes)
        present = positions >= 0
        self._rows = self._examples.rows(np.where(present, origins[positions], -1))
        self._positions = np.where(present, origins[positions], -1)
        self._weights = np.empty(0) if weights is None else np.where(present, weights[positions], 0.0)
        n_by_class = np.bincount(judged_as, weights=weights, minlength=n_classes).astype(np.float64)
        self._totals = self._class_weight * n_by_class
        self._rewards = rewards_by_class(measure, self._class_weight, n_by_class)
        self.score_range = score_range(self._rewards, n_by_class)
        self.n_distinct = self._examples.count_distinct(classes)
        self.uncertainty = uncertainty(self._rewards, n_by_class, self.n_distinct)
        self._cache = MaskCache(self._rows, mask_budget)
        self.sample_weight = np.ones(len(classes)) if sample_weight is None else sample_weight
        names = [objective.name for objective in self.objectives]
        if len(set(names)) < len(names):
            raise ValueError(f"objectives must have different names, got {names}: leave out those that are repeated")

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this task supports, with its measure and its mode."""
        supported = {Capability.NOVELTY, Capability.MISSING_VALUES}
        if not isinstance(self._measure, tuple):
            supported.add(Capability.SOFT_TARGETS)
            if not self.relative:
                supported.add(Capability.SAMPLES)
        if self._rewards is not None and mode_of(self.mode).in_printed_order:
            supported.add(Capability.REFINEMENT)
        for_accuracy = isinstance(self._measure, str) and self._measure == "accuracy" and not self._secondary
        if for_accuracy and not mode_of(self.mode).depends_on_actions:
            supported.add(Capability.FINAL_PRUNING)
        return frozenset(supported)

    @property
    def data_name(self) -> str:
        """What the examples are called where counts of rules are about them."""
        return "training series" if isinstance(self._data, Panel) else "training rows"

    @property
    def rewards(self) -> Floats:
        """What an action adds to the score on a row of weight 1, by class, or whether it is right."""
        return np.eye(len(self.schema.actions)) if self._rewards is None else self._rewards

    @property
    def takes_targets(self) -> bool:
        """Whether rows can be scored by probabilities of their classes."""
        return not isinstance(self._measure, tuple)

    @property
    def n_lines(self) -> int:
        """The number of features, each counted once for each lag."""
        return len(self.schema.features) * (self.schema.max_lag + 1)

    def lines(self, rows: Ints) -> tuple[Floats, list[bool]]:
        """Return what conditions can read of some rows, a line for each feature and lag, and which have numbers."""
        lines, is_number = self._examples.lines()
        return lines[:, rows], is_number

    def class_weights(self, rows: NDArray[np.bool_] | None = None) -> Floats:
        """Return the weight of each class among some rows, or among all, by the targets of the rows."""
        chosen = np.ones(len(self.classes), np.bool_) if rows is None else rows
        if self._targets is None:
            counted = np.bincount(self.classes[chosen], self.sample_weight[chosen], len(self.schema.actions))
            return counted * self._class_weight
        totals: Floats = (self.sample_weight[chosen] @ self._targets[chosen]) * self._class_weight
        return totals

    @property
    def columns(self) -> Floats:
        """All values that conditions can read, by feature, of the table or of the steps of a panel within reach."""
        return self._examples.values

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """The objective of the measure, and the secondary ones."""
        return (self._measured, *(each.objective for each in self._secondary))

    @property
    def _measured(self) -> Objective:
        if isinstance(self._measure, str):
            return OBJECTIVES[self._measure]
        if isinstance(self._measure, tuple):
            return self._measure[0]
        return Objective("cost", maximise=False)

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The limits by name."""
        return tuple(Constraint(each.objective.name, most) for each, most in self._limits)

    @property
    def relative(self) -> tuple[int, ...]:
        """The columns of the scores that depend on the rest of the population."""
        return tuple(column for column, each in enumerate(self._secondary, start=1) if each.relative)

    def grammar(self, settings: Settings) -> Grammar:
        """Return the grammar, with constants that lie between the values of each feature."""
        return build_grammar(
            self.schema,
            self.columns,
            operators=settings.operators,
            max_power=settings.max_power,
            comparison_rate=settings.comparison_rate,
            sum_rate=settings.sum_rate,
            set_rate=settings.set_rate,
            missing_rate=settings.missing_rate,
            uniform_constants=settings.uniform_constants,
            constant_coefficients=settings.constant_coefficients,
            evolve_certainty=mode_of(self.mode).uses_certainty or self._with_log_loss,
        )

    def refinement(self, grammar: Grammar, settings: Settings) -> Refinement | None:
        """Return the rows with their rewards, where the measure adds up over rows and the first rule decides."""
        if self._rewards is None or not mode_of(self.mode).in_printed_order or not self._rewards.any():
            return None
        # Whole numbers, so that sums are exact and do not depend on the order of rows.
        steps = STEPS / np.abs(self._rewards).max()
        values = np.rint(self._rewards * steps)
        n_rows = min(settings.refinement_rows, max(MAX_REWARDS // len(self.schema.actions), WORD))
        drawn, counts = sample_by_class(self.classes, n_rows)
        targets = (
            np.eye(len(self.schema.actions))[self.classes[drawn]] if self._targets is None else self._targets[drawn]
        )
        if self._sample_weight is not None:
            counts = counts * self.sample_weight[drawn]
        padding = -len(drawn) % WORD
        rewards = np.zeros((len(drawn) + padding, len(self.schema.actions)))
        rewards[: len(drawn)] = np.rint(counts[:, None] * np.rint(targets @ values))
        rows = self._examples.rows(np.pad(drawn, (0, padding), constant_values=-1))
        return build_refinement(
            rows,
            grammar,
            rewards,
            price=settings.parsimony * steps,
            temperature=settings.refinement_temperature * self.uncertainty * steps,
            n_moves=settings.refinement_moves,
            n_tries=settings.refinement_tries,
        )

    def fingerprint(self) -> str:
        """Return a digest of the data, the weights, the measure and the schema."""
        digest = hashlib.sha256()
        for array in (
            self._rows.values,
            self._rows.history,
            self._rows.steps,
            self.classes,
            self._weights,
            self._class_weight,
        ):
            digest.update(np.ascontiguousarray(array).data)
        measure = self._measure if isinstance(self._measure, str) else repr((self._measured,))
        if isinstance(self._measure, np.ndarray):
            digest.update(np.ascontiguousarray(self._measure).data)
        digest.update(f"{measure} {self.mode} {self.schema!r}".encode())
        for each in self._secondary:
            digest.update(f"{each.objective!r} {each.details}".encode())
        for each, most in self._limits:
            digest.update(f"at most {most!r} {each.objective!r} {each.details}".encode())
        return digest.hexdigest()

    def decide(self, ruleset: RuleSet) -> TableDecisions:
        """Decide on every row, in the order of the data, by a rule set over the problem's schema."""
        return self._examples.decide(ruleset)

    def evaluate(self, population: Population, threads: Threads, seed: int = 0) -> Evaluation:
        """Score a population on all rows."""
        n, max_rules = population.size, population.max_rules
        n_classes = len(self.schema.actions)
        decider = row_decider(self.mode)
        order = claim_order(population, self.mode)
        decided = np.zeros((n, max_rules + 1), np.int64)
        applied = np.zeros((n, max_rules), np.int64)
        judged_as, predicted, n_counted, class_weight = population, None, n_classes, self._class_weight
        if self.ignores_actions:
            # Weighted afterwards, so that sums over rows of weight 1 are exact, and equal ones tie.
            judged_as, n_counted, class_weight = counted_by_rule(population), max_rules + 1, np.ones(n_classes)
        elif n_classes > MAX_DENSE and not self._with_log_loss:
            judged_as, predicted = renumbered(population)
            n_counted = predicted.shape[1]
        confusion = np.zeros((n, n_counted, n_classes))
        log_loss = np.zeros(n)
        outputs = (class_weight, self._with_log_loss, decided, confusion, log_loss)
        for masks in self._cache.chunks(population, threads):
            add_applied(population, masks.mask_rows, masks.applied, applied)
            inputs = (decider.code, order, masks.mask_rows, masks.words, *self._view(masks))
            work = float(population.n_rules.sum()) * masks.words.shape[1] * decider.cost
            threads.run(decider.tally, n, work, judged_as, *inputs, *outputs)
        scores = self._score(Counts(confusion, log_loss, self._totals, predicted), population, threads)
        evaluation = Evaluation(scores[:, None], applied, decided[:, :max_rules], decided[:, max_rules])
        judged = [*self._secondary, *(each for each, _ in self._limits)]
        if not judged:
            return evaluation
        others = [each.score(population, evaluation) for each in judged]
        return evaluation._replace(scores=np.column_stack([scores, *others]))

    def final_form(self, ruleset: RuleSet, counts: Sequence[int]) -> RuleSet:
        """Return a rule set without rules that never decide, simplified so that the measure stays the same."""
        plain = plain_constants(prune_inactive(ruleset, counts), distinct_values(self.schema, self.columns))
        return simplify(plain, same_deciders=self.ignores_actions)

    def compare(self, population: Population, evaluation: Evaluation) -> Floats:
        """Return the scores, with those that depend on the rest of the population computed again."""
        scores = evaluation.scores.copy()
        for column in self.relative:
            scores[:, column] = self._secondary[column - 1].score(population, evaluation)
        return scores

    def behaviours(self, population: Population, threads: Threads) -> Words:
        """Return what each individual decides on a sample of the rows, as bits."""
        return self._behaviours.planes(population, threads)

    @cached_property
    def _behaviours(self) -> Behaviours:
        return sample_behaviours(self.schema, self._data, self.mode)

    def sampled(self, share: float, start: float = 0.0) -> Self | None:
        """Return the problem with a share of the rows of each class, by their labels; larger shares hold smaller ones.

        A measure that is computed from single predictions needs all rows, so it returns None.
        """
        if isinstance(self._measure, tuple):
            return None
        chosen = _spread(self.classes)[positions_within(len(self.classes), share, start)]
        data = self._data[chosen] if isinstance(self._data, Panel) else self._data[:, chosen]
        return self._with(data, self.classes[chosen], self.sample_weight[chosen], None)

    def with_targets(self, targets: Floats) -> Self:
        """Return the problem with rows that are scored by the probabilities of their classes."""
        return self._with(self._data, self.classes, self.sample_weight, targets)

    def _with(self, data: Floats | Panel, classes: Ints, weights: Floats, targets: Floats | None) -> Self:
        return type(self)(
            self.schema,
            data,
            classes,
            measure=self._measure,
            sample_weight=None if self._sample_weight is None else weights,
            class_weight=self._class_weight,
            mode=self.mode,
            targets=targets,
            mask_budget=self._mask_budget,
            secondary=self._secondary,
            limits=self._limits,
        )

    def predict(self, population: Population, i: int, threads: Threads) -> tuple[Ints, Floats]:
        """Return the class and certainty that individual `i` gives each row, in the order of the data."""
        one = pick(population, np.array([i]))
        code, order = row_decider(self.mode).code, claim_order(one, self.mode)
        classes = np.empty(len(self._positions), np.int64)
        certainties = np.empty(len(self._positions))
        deciders = np.empty(len(self._positions), np.int64)
        for masks in self._cache.chunks(one, threads):
            span = slice(masks.first_word * WORD, (masks.first_word + masks.words.shape[1]) * WORD)
            outputs = (len(self.schema.actions), classes[span], certainties[span], deciders[span])
            decide_rows(one, 0, code, order, masks.mask_rows, masks.words, *outputs)
        present = self._positions >= 0
        back = np.empty(len(self.classes), np.int64)
        back[self._positions[present]] = np.flatnonzero(present)
        return classes[back], certainties[back]

    def _view(self, masks: Masks) -> tuple[Words, Ints, Floats]:
        """Return the valid bits, class segments and weights of the rows that some masks cover."""
        last_word = masks.first_word + masks.words.shape[1]
        if masks.words.shape[1] == len(self._rows.valid):
            return self._rows.valid, self._segments, self._weights
        return (
            self._rows.valid[masks.first_word : last_word],
            np.clip(self._segments, masks.first_word, last_word) - masks.first_word,
            self._weights[masks.first_word * WORD : last_word * WORD],
        )

    def _score(self, counts: Counts, population: Population, threads: Threads) -> Floats:
        if isinstance(self._measure, str) and self._measure in FREQUENCY_MEASURES:
            weights = counts.confusion * self._class_weight
            smoothed = smooth(weights, self.class_weights(), len(self.classes))
            return FREQUENCY_MEASURES[self._measure][1](Frequencies(weights, smoothed), threads)
        if isinstance(self._measure, str):
            return MEASURES[self._measure][1](counts)
        if isinstance(self._measure, tuple):
            predictor = self._measure[1]
            return np.array([predictor(*self.predict(population, i, threads)) for i in range(population.size)])
        return expected_cost(counts, self._measure)


def renumbered(population: Population) -> tuple[Population, Ints]:
    """Return a population whose actions are numbered within each individual, and the action of each number, or -1.

    Actions that an individual does not have get no number; the others keep their order.
    """
    used = np.arange(population.max_rules) < population.n_rules[:, None]
    defaults = population.header[:, DEFAULT, None]
    actions = np.hstack([np.where(used, population.rules[:, :, ACTION], defaults), defaults])
    order = np.argsort(actions, axis=1, kind="stable")
    ascending = np.take_along_axis(actions, order, axis=1)
    is_new = np.diff(ascending, axis=1, prepend=-1) > 0
    numbers = np.empty_like(actions)
    np.put_along_axis(numbers, order, np.cumsum(is_new, axis=1) - 1, axis=1)
    known = np.full((population.size, int(is_new.sum(axis=1).max(initial=1))), -1, np.int64)
    individuals, places = np.nonzero(is_new)
    known[individuals, (np.cumsum(is_new, axis=1) - 1)[individuals, places]] = ascending[individuals, places]
    rules, header = population.rules.copy(), population.header.copy()
    rules[:, :, ACTION], header[:, DEFAULT] = numbers[:, :-1], numbers[:, -1]
    return population._replace(rules=rules, header=header), known


def _spread(classes: Ints) -> Ints:
    """Return all rows in an order whose every prefix has about the class proportions of the whole."""
    # A fixed seed: the sample belongs to the task, not to the search.
    shuffled = np.random.default_rng(0).permutation(len(classes))
    quantiles = np.empty(len(classes))
    for c in np.unique(classes):
        members = shuffled[classes[shuffled] == c]
        quantiles[members] = (np.arange(len(members)) + 0.5) / len(members)
    return np.argsort(quantiles, kind="stable")


def _sorted_by_class(classes: Ints, n_classes: int) -> tuple[Ints, Ints]:
    """Return the rows sorted by class, each class padded with -1 to whole words, and the word each class begins at."""
    parts = []
    segments = [0]
    for c in range(n_classes):
        members = np.flatnonzero(classes == c)
        n_words = -(-len(members) // WORD)
        part = np.full(n_words * WORD, -1)
        part[: len(members)] = members
        parts.append(part)
        segments.append(segments[-1] + n_words)
    return np.concatenate(parts), np.array(segments, dtype=np.int64)
