"""Regression: rules choose among candidate numbers while they evolve, and are scored by the best they could have."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Final, Self

import numpy as np

from evoter.evolution.problem import Capability, Constraint, Evaluation, Objective
from evoter.evolution.settings import Settings
from evoter.evolution.sharding import Tally
from evoter.genome.distinct_rows import number_rows
from evoter.genome.refinement import build_refinement
from evoter.kernels.evaluation.numbers import (
    OF_X,
    OF_XX,
    OF_XY,
    OF_Y,
    WEIGHT,
)
from evoter.kernels.layout import ACTION, DEFAULT, WORD, Floats, Grammar, Ints, Population, Refinement, Words
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import Behaviours, sample_behaviours
from evoter.problems.classification.rewards import STEPS, sample_by_class
from evoter.problems.deciding import TableDecisions
from evoter.problems.examples import TableExamples, distinct_values
from evoter.problems.grammars import grammar_of
from evoter.problems.mask_cache import MASK_BUDGET
from evoter.problems.regression.candidates import Candidates, choose_candidates
from evoter.problems.regression.counting import NumberShards, RowNumbers
from evoter.problems.regression.losses import SCORES, Metric, best_number, row_losses
from evoter.problems.secondary import Secondary
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Kind, Schema
from evoter.rules.shorten import plain_constants
from evoter.rules.simplify import prune_inactive, simplify

MAX_REWARDS: Final = 40_000_000
"""How many rewards, one for each row and candidate number, refinement may look at; it samples rows above that."""

MAX_SORTED: Final = 200_000
"""Quantiles are computed on no more rows than this: they need all rows at once, in ascending order."""

_DIGITS: Final = 10
"""The decimals of scores."""


class RegressionProblem:
    """Rows of a table, given feature by feature, with a number each.

    The schema of the rule sets that evolve has an action for each candidate number (see `candidates`). An individual is
    scored by the numbers that would be best on the rows that its rules decide, with the linear term that the action of
    a rule says, which are computed in compiled code: `score` is 1 less the share of the loss of the best single number
    that is left. `targets` are numbers to score by instead of those of the rows (see `preparation`). Of several
    objectives, `secondary` ones come after the score; `limits` are the most that there may be of something.
    `linear_price` is what a linear term costs, like a condition.
    """

    mode = Mode.FIRST

    def __init__(
        self,
        schema: Schema,
        columns: Floats,
        numbers: Floats,
        *,
        metric: Metric = "squared",
        quantile: float = 0.5,
        sample_weight: Floats | None = None,
        targets: Floats | None = None,
        linear: bool = True,
        linear_price: float = 0.0,
        importances: Floats | None = None,
        secondary: Sequence[Secondary] = (),
        limits: Sequence[tuple[Secondary, float]] = (),
        forbidden_features: Sequence[str] = (),
        mask_budget: int = MASK_BUDGET,
    ) -> None:
        self.features = schema
        self.columns = columns
        self.numbers = numbers
        self.metric: Metric = metric
        self.quantile = 0.5 if metric == "absolute" else quantile
        self.sample_weight = np.ones(len(numbers)) if sample_weight is None else sample_weight
        self.targets = numbers if targets is None else targets
        self.linear = linear and metric == "squared"
        self._given_weights = sample_weight
        self._linear_price = linear_price
        self._importances = importances
        self._secondary = tuple(secondary)
        self._limits = tuple(limits)
        self._forbidden = tuple(forbidden_features)
        self._mask_budget = mask_budget
        self.candidates: Candidates = choose_candidates(
            columns, self._places_of_terms(), self.targets, self.sample_weight, importances
        )
        labels = [str(number) for number in range(len(self.candidates.constants))]
        self.schema = Schema(schema.features, labels, schema.max_lag)
        self.guardrails = Guardrails(self.schema, self.mode, forbidden_features=self._forbidden)
        self._examples = TableExamples(self.schema, columns)
        self._lay_out()
        baseline = best_number(metric, self.quantile, self.targets, self.sample_weight)
        losses = row_losses(metric, self.quantile, self.targets, np.array(baseline))
        self._baseline = float(self.sample_weight @ losses)
        self.score_range = 1.0
        self.n_distinct = int(self.distinct.max()) + 1
        relative = losses / max(float(np.average(losses, weights=self.sample_weight)), np.finfo(float).tiny)
        self.uncertainty = float(np.sqrt(np.average(relative**2, weights=self.sample_weight) / self.n_distinct))
        names = [objective.name for objective in self.objectives]
        if len(set(names)) < len(names):
            raise ValueError(f"objectives must have different names, got {names}: leave out those that are repeated")

    @cached_property
    def distinct(self) -> Ints:
        """A number for each row, the same for rows that are equal in all values and in their target."""
        codes = np.unique(self.numbers, return_inverse=True)[1].astype(np.int64)
        return number_rows(self.columns, codes)

    def _places_of_terms(self) -> Ints:
        """Return the features that linear terms may have: numbers that are never missing and not forbidden."""
        if not self.linear:
            return np.empty(0, np.int64)
        return np.array(
            [
                place
                for place, feature in enumerate(self.features.features)
                if feature.kind is Kind.NUMERIC and not feature.missing and feature.name not in self._forbidden
            ],
            np.int64,
        )

    def _lay_out(self) -> None:
        """Lay out the rows for the kernels, in ascending order of their targets where quantiles are computed."""
        order = np.arange(len(self.numbers))
        if self._by_sorting:
            order = np.argsort(self.targets, kind="stable")
            if len(order) > MAX_SORTED:
                order = order[np.linspace(0, len(order) - 1, MAX_SORTED).astype(np.int64)]
        self._order = order
        padding = -len(order) % WORD
        self._rows = self._examples.rows(np.pad(order, (0, padding), constant_values=-1))
        self._centre = 0.0 if self.metric == "poisson" else float(np.average(self.targets, weights=self.sample_weight))
        self._row_numbers = np.pad(self.targets[order] - self._centre, (0, padding))
        self._row_weights = np.pad(self.sample_weight[order], (0, padding))
        terms = np.pad(self.candidates.terms[:, order], ((0, 0), (0, padding)))
        numbers = RowNumbers(self._row_numbers, self._row_weights, terms, self.candidates.term_of)
        quantile = self.quantile if self._by_sorting else None
        self._all_shards = NumberShards(self._rows, numbers, quantile, mask_budget=self._mask_budget)

    @property
    def _by_sorting(self) -> bool:
        return self.metric in ("absolute", "quantile")

    @property
    def capabilities(self) -> frozenset[Capability]:
        """What this task supports."""
        return frozenset(
            {Capability.REFINEMENT, Capability.NOVELTY, Capability.MISSING_VALUES, Capability.SOFT_TARGETS}
        )

    @property
    def objectives(self) -> tuple[Objective, ...]:
        """The score, and the secondary ones."""
        return (Objective(SCORES[self.metric]), *(each.objective for each in self._secondary))

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The limits by name."""
        return tuple(Constraint(each.objective.name, most) for each, most in self._limits)

    @property
    def n_lines(self) -> int:
        """The number of features."""
        return len(self.features.features)

    def lines(self, rows: Ints) -> tuple[Floats, list[bool]]:
        """Return the columns that rules may read on some rows, and which of them have numbers."""
        readable = self.readable
        lines, is_number = self._examples.lines()
        return lines[np.ix_(readable, rows)], [is_number[line] for line in readable]

    @property
    def readable(self) -> Ints:
        """The positions of the features that rules may read."""
        return np.flatnonzero([name not in self._forbidden for name in self.features.names])

    def grammar(self, settings: Settings) -> Grammar:
        """Build the grammar over the values of each feature."""
        return grammar_of(settings, self.schema, self.columns, guardrails=self.guardrails)

    def refinement(self, grammar: Grammar, settings: Settings) -> Refinement | None:
        """Return the rows with what each candidate number saves on them; None if the numbers are all the same."""
        if self._baseline <= 0.0:
            return None
        n_candidates = len(self.schema.actions)
        levels = np.searchsorted(np.sort(self.candidates.constants[self.candidates.term_of < 0]), self.targets)
        n_rows = min(settings.refinement_rows, max(MAX_REWARDS // n_candidates, WORD))
        drawn, counts = sample_by_class(levels.astype(np.int64), n_rows)
        rewards = -row_losses(self.metric, self.quantile, self.targets[drawn, None], self.candidates.values(drawn))
        rewards -= rewards.mean(axis=1, keepdims=True)  # what all candidates have in common changes nothing
        # Whole numbers, so that sums are exact and do not depend on the order of rows; those of weight 2 count as two.
        steps = STEPS / max(float(np.abs(rewards).max()), np.finfo(float).tiny)
        unit = float(2.0 ** np.floor(np.log2(min(1.0, self.sample_weight.mean()))))
        padding = -len(drawn) % WORD
        weighted = np.rint(rewards * steps) * (counts * self.sample_weight[drawn] / unit)[:, None]
        whole = np.pad(np.rint(weighted), ((0, padding), (0, 0)))
        steps *= self._baseline / unit
        return build_refinement(
            self._examples.rows(np.pad(drawn, (0, padding), constant_values=-1)),
            grammar,
            whole,
            price=settings.parsimony * steps,
            temperature=settings.refinement_temperature * self.uncertainty * steps,
            n_moves=settings.refinement_moves,
            n_tries=settings.refinement_tries,
            importances=self._importances,
            action_sizes=(self.candidates.term_of >= 0).astype(np.float64),
        )

    def fingerprint(self) -> str:
        """Return a digest of the data, the weights, the loss and the schema."""
        digest = hashlib.sha256()
        for array in (self.columns, self.numbers, self.targets, self.sample_weight):
            digest.update(np.ascontiguousarray(array).data)
        facts = (self.metric, self.quantile, self.linear, self._linear_price, self._forbidden)
        digest.update(f"{facts!r} {self.features!r}".encode())
        for each in self._secondary:
            digest.update(f"{each.objective!r} {each.details}".encode())
        for each, most in self._limits:
            digest.update(f"at most {most!r} {each.objective!r} {each.details}".encode())
        return digest.hexdigest()

    def decide(self, ruleset: RuleSet) -> TableDecisions:
        """Decide on every row, in the order of the data, by a rule set over the features of the problem."""
        return self._examples.decide(ruleset)

    def evaluate(self, population: Population, threads: Threads, seed: int = 0) -> Evaluation:
        """Score a population on all rows."""
        return self.evaluation(population, self._all_shards.total(population, threads), threads)

    @property
    def shards(self) -> NumberShards | None:
        """The rows in shards; None for quantiles, which need all rows, in ascending order of their targets."""
        return None if self._by_sorting else self._all_shards

    @property
    def scores_separately(self) -> bool:
        """Whether each individual is scored by itself, by quantiles, for which rows must not be divided."""
        return self._by_sorting and not self.relative

    def evaluation(self, population: Population, tally: Tally, threads: Threads) -> Evaluation:
        """Score a population by what was counted on all rows."""
        n, max_rules = population.size, population.max_rules
        applied, decided = tally.counts
        sums, losses = (each[0] for each in tally.sums)
        n_linear = self._count_linear(population, decided)
        if not self._by_sorting:
            losses = self._losses(sums)
        scale = self._baseline * (self._row_weights.sum() / self.sample_weight.sum())
        # Rounded, so that equal scores tie, whatever the order in which rows were added up.
        scores = np.round(1.0 - losses / scale, _DIGITS) if scale > 0.0 else np.zeros(n)
        evaluation = Evaluation(scores[:, None], applied, decided[:, :max_rules], decided[:, max_rules])
        if not self._secondary and not self._limits:
            priced = np.round(scores - self._linear_price * n_linear, _DIGITS)
            return evaluation._replace(scores=priced[:, None])

        def score(each: Secondary) -> Floats:
            more = n_linear if each.objective.name == "complexity" else 0.0
            return each.score(population, evaluation) + more

        others = [score(each) for each in (*self._secondary, *(each for each, _ in self._limits))]
        return evaluation._replace(scores=np.column_stack([scores, *others]))

    def _count_linear(self, population: Population, decided: Ints) -> Floats:
        """Count the linear terms of each individual, those of rules that decide nothing left out."""
        if not len(self.candidates.terms):
            return np.zeros(population.size)
        used = np.arange(population.max_rules) < population.n_rules[:, None]
        actions = np.where(used, population.rules[:, :, ACTION], 0)
        linear = (self.candidates.term_of[actions] >= 0) & used & (decided[:, :-1] > 0)
        default = (self.candidates.term_of[population.header[:, DEFAULT]] >= 0) & (decided[:, -1] > 0)
        counts: Floats = linear.sum(axis=1) + default.astype(np.float64)
        return counts

    def _losses(self, sums: Floats) -> Floats:
        """Return the loss of each individual if every rule has its best number."""
        weight = np.where(sums[:, :, WEIGHT] > 0.0, sums[:, :, WEIGHT], 1.0)
        of_y = sums[:, :, OF_Y]
        if self.metric == "poisson":
            positive = np.where(of_y > 0.0, of_y, 1.0)
            logarithms = np.where(of_y > 0.0, of_y * np.log(positive / weight), 0.0)
            left: Floats = self._most_saved - logarithms.sum(axis=1)
            return left
        saved = of_y**2 / weight
        spread = sums[:, :, OF_XX] - sums[:, :, OF_X] ** 2 / weight
        along = sums[:, :, OF_XY] - sums[:, :, OF_X] * of_y / weight
        fits = spread > 1e-9 * weight
        saved = saved + np.where(fits, along**2 / np.where(fits, spread, 1.0), 0.0)
        losses: Floats = np.maximum(self._most_saved - saved.sum(axis=1), 0.0)
        return losses

    @cached_property
    def _most_saved(self) -> float:
        """What rules would save that predict every row exactly."""
        numbers, weights = self._row_numbers, self._row_weights
        if self.metric == "poisson":
            return float(
                weights @ np.where(numbers > 0.0, numbers * np.log(np.where(numbers > 0.0, numbers, 1.0)), 0.0)
            )
        return float(weights @ numbers**2)

    def final_form(self, ruleset: RuleSet, counts: Sequence[int]) -> RuleSet:
        """Return a rule set without rules that never decide, simplified so that the same rows are decided together."""
        plain = plain_constants(ruleset, distinct_values(self.schema, self.columns))
        return simplify(prune_inactive(plain, counts), same_deciders=True)

    @property
    def relative(self) -> tuple[int, ...]:
        """The columns of the scores that depend on the rest of the population."""
        return tuple(column for column, each in enumerate(self._secondary, start=1) if each.relative)

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
        return sample_behaviours(self.schema, self.columns, self.mode)

    def changed(
        self,
        *,
        targets: Floats | None = None,
        importances: Floats | None = None,
        linear_price: float | None = None,
    ) -> Self:
        """Return the problem with other targets, importances of features, or another price of linear terms."""
        return type(self)(
            self.features,
            self.columns,
            self.numbers,
            metric=self.metric,
            quantile=self.quantile,
            sample_weight=self._given_weights,
            targets=self.targets if targets is None else targets,
            linear=self.linear,
            linear_price=self._linear_price if linear_price is None else linear_price,
            importances=self._importances if importances is None else importances,
            secondary=self._secondary,
            limits=self._limits,
            forbidden_features=self._forbidden,
            mask_budget=self._mask_budget,
        )
