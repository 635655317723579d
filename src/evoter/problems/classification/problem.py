"""Classification: rule sets whose actions are classes, scored from compiled confusion counts."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from evoter.evolution.problem import Capability, Constraint, Evaluation, Objective
from evoter.evolution.settings import Settings
from evoter.evolution.sharding import Tally
from evoter.genome.arrays import bit_per_row, pick
from evoter.genome.deciding import claim_order, row_decider
from evoter.genome.refinement import build_refinement
from evoter.kernels.evaluation.decide import decide_rows
from evoter.kernels.layout import WORD, Floats, Grammar, Ints, Population, Refinement, Words
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import Behaviours, sample_behaviours
from evoter.problems.classification.class_orders import sorted_by_class, spread_by_class
from evoter.problems.classification.counting import Cells, ClassShards, Counted
from evoter.problems.classification.fitness import MEASURES, Counts, expected_cost
from evoter.problems.classification.frequencies import (
    FREQUENCY_MEASURES,
    OBJECTIVES,
    Frequencies,
    smooth,
)
from evoter.problems.classification.group_counts import GroupConfusion, GroupCounter, GroupMeasure
from evoter.problems.classification.group_rewards import draw_group_rewards
from evoter.problems.classification.guarded_rows import GuardedRows, kept_away
from evoter.problems.classification.rewards import STEPS, rewards_by_class, sample_by_class, score_range, uncertainty
from evoter.problems.deciding import TableDecisions
from evoter.problems.examples import distinct_values, examples_of, positions_within
from evoter.problems.grammars import grammar_of
from evoter.problems.mask_cache import MASK_BUDGET
from evoter.problems.secondary import Secondary
from evoter.renamed import renamed_to
from evoter.rules.condition import Term
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Mode, RuleSet
from evoter.rules.modes import Task, check_mode, mode_of
from evoter.rules.schema import Schema
from evoter.rules.shorten import plain_constants
from evoter.rules.simplify import prune_inactive, simplify
from evoter.tables.groups import Groups
from evoter.tables.panel import Panel

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
    by the name and the score of a secondary objective; where more of it is better, it must not be less. `groups` are
    those of the rows that measures of groups compare, by protected column.
    `targets[row, class]` are probabilities to score rows by instead of their classes (see `preparation`): a row counts
    once for each class that it may have, with that weight. A measure that looks at single predictions takes none.
    `score_range` is how far decisions can move the score, `uncertainty` how far chance may, and `n_distinct` the number
    of rows that differ. `ignores_actions` says that the measure depends on which rows each rule decides, and not on its
    action (see `frequencies`).
    With `guardrails`, rows that pinned rules decide are decided for all individuals alike, and rules hold only where
    their class is not forbidden; `final_form` makes rule sets of which that is true.
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
        secondary: Sequence[Secondary | GroupMeasure] = (),
        limits: Sequence[tuple[Secondary | GroupMeasure, float]] = (),
        groups: Sequence[Groups] = (),
        guardrails: Guardrails | None = None,
    ) -> None:
        check_mode(mode, Task.CLASSIFICATION)
        self.schema = schema
        self.mode = mode
        self.guardrails = guardrails or Guardrails(schema, mode)
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
        self._importances: Floats | None = None
        self._sample_weight = sample_weight
        weights = sample_weight
        self._groups = self._group_counter(groups)
        origins, judged_as = np.arange(len(classes)), classes
        if targets is not None:
            # Groups are counted by the labels of rows, whose positions must be there.
            labelled = 0.0 if self._groups is None else np.eye(n_classes)[classes]
            origins, judged_as = np.nonzero(targets + labelled)
            weights = targets[origins, judged_as]
            if sample_weight is not None:
                weights = weights * sample_weight[origins]
        n_groups, cells = 1, judged_as
        if self._groups is not None:
            n_groups = self._groups.n_groups
            cells = judged_as * n_groups + self._groups.codes[origins]
        positions, segments = sorted_by_class(cells, n_classes * n_groups)
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
        self._guarded = GuardedRows.of(self.guardrails, self.decide, self._positions, origins, judged_as, weights)
        self._rows = self._rows._replace(valid=self._guarded.evolved(self._rows.valid))
        by_group = None
        if self._groups is not None:
            counted = present & (judged_as == classes[origins])[positions]
            own = np.empty(0) if sample_weight is None else np.where(counted, sample_weight[origins[positions]], 0.0)
            by_group = Cells(self._guarded.evolved(bit_per_row(counted)), segments, own)
            if self._guarded.pinned is not None:
                self._groups.count_pinned(self._guarded.pinned, classes, sample_weight)
        self._all_shards = ClassShards(
            self._rows,
            Cells(self._rows.valid, segments[::n_groups], self._weights),
            self._counted(),
            by_group,
            mode,
            max_lag=schema.max_lag,
            mask_budget=mask_budget,
        )
        self.sample_weight = np.ones(len(classes)) if sample_weight is None else sample_weight
        names = [objective.name for objective in self.objectives]
        if len(set(names)) < len(names):
            raise ValueError(f"objectives must have different names, got {names}: leave out those that are repeated")

    def _counted(self) -> Counted:
        """Say what is counted on rows."""
        return Counted(
            len(self.schema.actions),
            self._class_weight,
            self._with_log_loss,
            self.ignores_actions,
            self._with_log_loss or bool(self.guardrails.pinned) or self._groups is not None,
            self._guarded.allowed_masks,
            self._guarded.defaults,
        )

    def _group_counter(self, groups: Sequence[Groups]) -> GroupCounter | None:
        """Return what counts decisions by group, None if nothing depends on that."""
        measures = (*self._secondary, *(each for each, _ in self._limits))
        self._group_measures = tuple(dict.fromkeys(each for each in measures if isinstance(each, GroupMeasure)))
        if not self._group_measures:
            return None
        if self.ignores_actions:
            raise ValueError(
                f"{self._group_measures[0].name} is about decisions, and the metric {self._measure} is about "
                "probabilities alone, which leaves decisions open: choose another metric, such as accuracy"
            )
        return GroupCounter(groups, len(self.classes), len(self.schema.actions))

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this task supports, with its measure and its mode."""
        supported = {Capability.NOVELTY, Capability.MISSING_VALUES}
        if self._groups is None and not isinstance(self._data, Panel):
            supported.add(Capability.TABLE_ROWS)
        if not isinstance(self._measure, tuple):
            supported.add(Capability.SOFT_TARGETS)
            if not self.relative:
                supported.add(Capability.SAMPLES)
        if self._rewards is not None and mode_of(self.mode).in_printed_order:
            supported.add(Capability.REFINEMENT)
        for_accuracy = isinstance(self._measure, str) and self._measure == "accuracy" and not self._secondary
        for_accuracy = for_accuracy and not self._group_measures  # other actions might break a constraint
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
        if not self.guardrails.forbidden_features:
            return lines[:, rows], is_number
        features = np.arange(len(lines)) % len(self.schema.features)  # again for each lag
        kept = np.flatnonzero(np.isin(features, self._readable))
        return lines[np.ix_(kept, rows)], [is_number[line] for line in kept]

    @property
    def _readable(self) -> Ints:
        """The positions of the features that rules may read."""
        forbidden = self.guardrails.forbidden_features
        return np.flatnonzero([name not in forbidden for name in self.schema.names])

    def importances_of(self, lines: Floats) -> Floats:
        """Return the importance of each feature, given that of each line."""
        importances = np.zeros(len(self.schema.features))
        importances[self._readable] = lines.reshape(-1, len(self._readable)).sum(axis=0)
        return importances

    def class_weights(self, rows: NDArray[np.bool_] | None = None) -> Floats:
        """Return the weight of each class among some rows, or among all, by the targets of the rows."""
        chosen = np.ones(len(self.classes), np.bool_) if rows is None else rows
        if self._targets is None:
            counted = np.bincount(self.classes[chosen], self.sample_weight[chosen], len(self.schema.actions))
            return counted * self._class_weight
        totals: Floats = (self.sample_weight[chosen] @ self._targets[chosen]) * self._class_weight
        return totals

    def class_table(self, rows: Ints, groups: Ints, n_groups: int) -> Floats:
        """Return the weight of each class in groups of rows [group, class], by the targets of the rows."""
        n_classes = len(self.schema.actions)
        weights = self.sample_weight[rows]
        if self._targets is None:
            cells = groups * n_classes + self.classes[rows]
            table = np.bincount(cells, weights, n_groups * n_classes).reshape(n_groups, n_classes)
        else:
            columns = [np.bincount(groups, weights * column, n_groups) for column in self._targets[rows].T]
            table = np.column_stack(columns)
        return table * self._class_weight

    def target_squares(self, rows: Ints) -> float:
        """Return the weighted sum of the squared class probabilities of rows; for certain classes, their weight."""
        weights = self.sample_weight[rows]
        if self._targets is None:
            return float(weights @ self._class_weight[self.classes[rows]])
        weighted = self._targets[rows] * self._class_weight
        return float(weights @ ((weighted**2).sum(axis=1) / weighted.sum(axis=1)))

    def values_of(self, term: Term) -> Floats:
        """Return the value of a feature that a term reads on each row, in the order of the data."""
        return self._examples.line(term.feature, term.lag)

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
        return tuple(Constraint(each.objective.name, _sign(each) * most) for each, most in self._limits)

    @property
    def relaxes(self) -> bool:
        """Whether constraints are in the way of the measure, as those on groups and recall are."""
        return any(isinstance(each, GroupMeasure) for each, _ in self._limits)

    @property
    def relative(self) -> tuple[int, ...]:
        """The columns of the scores that depend on the rest of the population."""
        return tuple(column for column, each in enumerate(self._secondary, start=1) if each.relative)

    def grammar(self, settings: Settings) -> Grammar:
        """Return the grammar, with constants that lie between the values of each feature."""
        return grammar_of(
            settings,
            self.schema,
            self.columns,
            evolve_certainty=mode_of(self.mode).uses_certainty or self._with_log_loss,
            guardrails=self.guardrails,
        )

    def refinement(self, grammar: Grammar, settings: Settings) -> Refinement | None:
        """Return the rows with their rewards, where the measure adds up over rows and the first rule decides."""
        if self._rewards is None or not mode_of(self.mode).in_printed_order or not self._rewards.any():
            return None
        # Whole numbers, so that sums are exact and do not depend on the order of rows.
        steps = STEPS / np.abs(self._rewards).max()
        values = np.rint(self._rewards * steps)
        # Weights that are small throughout would leave few digits; a power of two changes no others.
        unit = float(2.0 ** np.floor(np.log2(min(1.0, self.sample_weight.mean()))))
        steps /= unit
        drawn, counts = sample_by_class(self.classes, self.n_refinement_rows(settings))
        kept = self._guarded.is_evolved(drawn)
        drawn, counts = drawn[kept], counts[kept]
        if len(drawn) == 0:
            return None
        targets = (
            np.eye(len(self.schema.actions))[self.classes[drawn]] if self._targets is None else self._targets[drawn]
        )
        if self._sample_weight is not None:
            counts = counts * (self.sample_weight[drawn] / unit)
        padding = -len(drawn) % WORD
        rewards = np.zeros((len(drawn) + padding, len(self.schema.actions)))
        rewards[: len(drawn)] = np.rint(counts[:, None] * np.rint(targets @ values))
        rows = self._examples.rows(np.pad(drawn, (0, padding), constant_values=-1))
        self._refined = (drawn, counts, float(np.abs(values).max()))
        return build_refinement(
            rows,
            grammar,
            self._guarded.penalised(rewards, drawn),
            price=settings.parsimony * steps,
            temperature=settings.refinement_temperature * self.uncertainty * steps,
            n_moves=settings.refinement_moves,
            n_tries=settings.refinement_tries,
            importances=self._importances,
        )

    def n_refinement_rows(self, settings: Settings) -> int:
        """Return how many rows exact moves may look at."""
        return min(settings.refinement_rows, max(MAX_REWARDS // len(self.schema.actions), WORD))

    def reweighted(self, refinement: Refinement, seed: int, generation: int) -> Refinement:
        """Return what exact moves need, with rewards for what measures of groups ask for, drawn for a generation."""
        if self._groups is None:
            return refinement
        drawn, counts, unit = self._refined
        rng = np.random.default_rng([seed, generation])
        added = draw_group_rewards(self._group_measures, self._groups, self.classes, drawn, rng)
        rewards = refinement.rewards.copy()
        rewards[: len(drawn)] += np.rint(unit * counts[:, None] * added)
        return refinement._replace(rewards=self._guarded.penalised(rewards, drawn))

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
        if self._groups is not None:
            digest.update(np.ascontiguousarray(self._groups.codes).data)
        if self.guardrails:
            digest.update(repr(self.guardrails).encode())
        return digest.hexdigest()

    def decide(self, ruleset: RuleSet) -> TableDecisions:
        """Decide on every row, in the order of the data, by a rule set over the problem's schema."""
        return self._examples.decide(ruleset)

    def evaluate(self, population: Population, threads: Threads, seed: int = 0) -> Evaluation:
        """Score a population on all rows."""
        return self.evaluation(population, self._all_shards.total(population, threads), threads)

    @property
    def shards(self) -> ClassShards | None:
        """The rows in shards; None for a measure that is computed from single predictions, which needs all of them."""
        return None if isinstance(self._measure, tuple) else self._all_shards

    @property
    def scores_separately(self) -> bool:
        """Whether each individual is scored by its own predictions."""
        return isinstance(self._measure, tuple) and not self.relative

    def evaluation(self, population: Population, tally: Tally, threads: Threads) -> Evaluation:
        """Score a population by what was counted on all rows."""
        max_rules = population.max_rules
        population = self._all_shards.prepared(population)
        applied, decided = tally.counts
        confusion, log_loss, *by_group = (each[0] for each in tally.sums)
        predicted = self._all_shards.counted.judged(population)[1]
        counts = self._guarded.with_pinned(
            Counts(confusion, log_loss, self._totals, predicted),
            self._class_weight,
            by_rule=self.ignores_actions,
            with_log_loss=self._with_log_loss,
        )
        scores = self._score(counts, population, threads)
        evaluation = Evaluation(scores[:, None], applied, decided[:, :max_rules], decided[:, max_rules])
        if not self._secondary and not self._limits:
            return evaluation
        confusions = None if self._groups is None else self._groups.confusion(by_group[0])

        def score(each: Secondary | GroupMeasure) -> Floats:
            if isinstance(each, Secondary):
                return each.score(population, evaluation)
            assert confusions is not None
            return each.score(confusions)

        others = [score(each) for each in self._secondary]
        others += [_sign(each) * score(each) for each, _ in self._limits]
        return evaluation._replace(scores=np.column_stack([scores, *others]))

    def group_values(self, ruleset: RuleSet) -> dict[str, float]:
        """Return what measures of groups, by name, say about a rule set over the problem's schema."""
        if self._groups is None:
            return {}
        weights = None if self._sample_weight is None else self.sample_weight
        confusions: GroupConfusion = self._groups.confusion_of(self.decide(ruleset).actions, self.classes, weights)
        return {each.name: float(each.score(confusions)[0]) for each in self._group_measures}

    def final_form(self, ruleset: RuleSet, counts: Sequence[int]) -> RuleSet:
        """Return a rule set without rules that never decide, simplified so that the measure stays the same."""
        plain = plain_constants(ruleset, distinct_values(self.schema, self.columns))
        if self.guardrails:
            return self.guardrails.final_form(plain, counts, same_deciders=self.ignores_actions)
        return simplify(prune_inactive(plain, counts), same_deciders=self.ignores_actions)

    def compare(self, population: Population, evaluation: Evaluation) -> Floats:
        """Return the scores, with those that depend on the rest of the population computed again."""
        scores = evaluation.scores.copy()
        for column in self.relative:
            relative = self._secondary[column - 1]
            assert isinstance(relative, Secondary)
            scores[:, column] = relative.score(population, evaluation)
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
        chosen = spread_by_class(self.classes)[positions_within(len(self.classes), share, start)]
        data = self._data[chosen] if isinstance(self._data, Panel) else self._data[:, chosen]
        return self._with(data, self.classes[chosen], self.sample_weight[chosen], None, chosen)

    def guided_by(self, targets: Floats | None, importances: Floats | None = None) -> Self:
        """Return the problem with probabilities of classes to score rows by, and with importances of features."""
        guided = self._with(self._data, self.classes, self.sample_weight, targets)
        guided._importances = importances
        return guided

    def _with(
        self,
        data: Floats | Panel,
        classes: Ints,
        weights: Floats,
        targets: Floats | None,
        chosen: Ints | slice = slice(None),
    ) -> Self:
        columns = () if self._groups is None else self._groups.columns
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
            groups=[replace(each, codes=each.codes[chosen]) for each in columns],
            guardrails=self.guardrails,
        )

    def predict(self, population: Population, i: int, threads: Threads) -> tuple[Ints, Floats]:
        """Return the class and certainty that individual `i` gives each row, in the order of the data."""
        one = self._all_shards.prepared(pick(population, np.array([i])))
        code, order = row_decider(self.mode).code, claim_order(one, self.mode)
        classes = np.empty(len(self._positions), np.int64)
        certainties = np.empty(len(self._positions))
        deciders = np.empty(len(self._positions), np.int64)
        for masks in self._all_shards.cache.chunks(one, threads):
            judged, own = kept_away(one, one, masks, self._guarded.allowed_masks)
            span = slice(masks.first_word * WORD, (masks.first_word + masks.words.shape[1]) * WORD)
            outputs = (len(self.schema.actions), classes[span], certainties[span], deciders[span])
            decide_rows(judged, 0, code, order, own.mask_rows, own.words, *outputs)
        present = self._positions >= 0
        back = np.empty(len(self.classes), np.int64)
        back[self._positions[present]] = np.flatnonzero(present)
        return self._guarded.predicted(classes[back], certainties[back])

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


def _sign(each: Secondary | GroupMeasure) -> float:
    """Return what a score is multiplied by so that it has an upper limit."""
    return -1.0 if each.objective.maximise else 1.0
