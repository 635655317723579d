"""What a regressor keeps of each candidate: its rules with their residuals, counts and importances on training rows."""

from typing import Final, NamedTuple

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.deciding import decide_columns
from evoter.problems.regression.losses import Metric, best_number, row_losses
from evoter.problems.regression.predictions import numbers_of, predict_columns
from evoter.rules.answers.rule_counts import count_rules
from evoter.rules.model import RuleSet
from evoter.rules.numbers.actions import read_action
from evoter.rules.numbers.residuals import Residuals
from evoter.rules.schema import Schema

MOST_OPTIMISM: Final = 2.0
"""How many times as far as in training unseen rows are taken to be off, at most."""


NUMBERS_PER_CONDITION: Final = (2, 4)
"""As how many fitted numbers a condition counts, at least and at most."""


class NumberRows(NamedTuple):
    """Training rows: columns of all features of a schema, numbers and weights, and how they are judged.

    `held_out_loss` is the loss per unit of weight of models on rows that they have not seen, if it is known; `learnt`
    says that rules were found on these rows, and are better on them than on others.
    """

    schema: Schema
    columns: Floats
    numbers: Floats
    weights: Floats
    metric: Metric = "squared"
    quantile: float = 0.5
    level: float = 0.9
    held_out_loss: float | None = None
    learnt: bool = False

    def columns_of(self, ruleset: RuleSet) -> Floats:
        """Return the columns of the features of a rule set."""
        return self.columns[[self.schema.position(name) for name in ruleset.schema.names]]

    def score(self, predicted: Floats) -> float:
        """Return the share of the loss of the best single number that predictions save."""
        single = best_number(self.metric, self.quantile, self.numbers, self.weights)
        most = float(self.weights @ row_losses(self.metric, self.quantile, self.numbers, np.array(single)))
        return 1.0 - self._loss(predicted) / most if most > 0.0 else 0.0

    def _loss(self, predicted: Floats) -> float:
        return float(self.weights @ row_losses(self.metric, self.quantile, self.numbers, predicted))

    def optimism(self, predicted: Floats, ruleset: RuleSet) -> float:
        """Return how many times as far off unseen rows are taken to be as training rows.

        That is what models that are held out tell, within limits: rules may be better than they are, but each condition
        was chosen among many, and has adapted to the rows as several fitted numbers would.
        """
        least, most = (self._adapted(ruleset, each) for each in NUMBERS_PER_CONDITION)
        loss = self._loss(predicted) / self.weights.sum()
        if self.held_out_loss is None or not loss > 0.0:
            return least
        ratio = max(self.held_out_loss / loss, 0.0)
        distance = float(np.sqrt(ratio) if self.metric in ("squared", "poisson") else ratio)
        return min(max(distance, least), most)

    def _adapted(self, ruleset: RuleSet, per_condition: int) -> float:
        """Return the factor of generalised cross-validation, if a condition counts as so many fitted numbers."""
        fitted = len(ruleset.rules) + 1 + per_condition * ruleset.n_conditions
        return 1.0 / max(1.0 - fitted / len(self.numbers), 1.0 / MOST_OPTIMISM)


class Settled(NamedTuple):
    """Rules over the features they read with their residuals and counts, and what is known of them in training."""

    ruleset: RuleSet
    times_applied: Ints
    times_decided: Ints
    importances: Floats
    score: float


def settle(ruleset: RuleSet, rows: NumberRows) -> Settled:
    """Measure rules, whose features the rows have, on training rows."""
    read = ruleset.restricted()
    columns = rows.columns_of(read)
    predicted, decisions = predict_columns(read, columns)
    n_rules = len(read.rules)
    decided = np.bincount(decisions.deciders, minlength=n_rules + 1)
    applied = np.append(decisions.active.sum(axis=0), decided[-1])
    counted = count_rules("training rows", len(rows.numbers), applied, decided)
    known = np.isfinite(predicted)
    residuals = _residuals(read, rows, columns, np.where(known, predicted, 0.0), decisions.deciders, known)
    importances = _importances(read, rows, columns, predicted)
    measured = read.replace(counts=counted, residuals=residuals)
    return Settled(measured, applied, decided, importances, rows.score(np.where(known, predicted, 0.0)))


def _residuals(
    ruleset: RuleSet, rows: NumberRows, columns: Floats, predicted: Floats, deciders: Ints, known: Floats
) -> list[Residuals]:
    """Return the residuals of each rule and the default, each row as if its rule had been fitted without it."""
    errors = (rows.numbers - predicted) / (1.0 - _leverages(ruleset, rows, columns, deciders))
    spread = errors * (rows.optimism(predicted, ruleset) if rows.learnt else 1.0)
    pooled = _ends(spread[known], rows.weights[known], rows.level)
    found = []
    for place in range(len(ruleset.rules) + 1):
        own = np.flatnonzero((deciders == place) & known)
        below, above = pooled
        if len(own):
            enough = (len(own) + 1) * (1.0 - rows.level) / 2.0 >= 1.0
            ends = _ends(spread[own], rows.weights[own], rows.level)
            # Few rows hardly tell how far off others are: they can only add to what all rows tell.
            below, above = ends if enough else (max(ends[0], below), max(ends[1], above))
        error = float(np.average(np.abs(rows.numbers - predicted)[own], weights=rows.weights[own])) if len(own) else 0.0
        found.append(Residuals(len(own), _short(below), _short(above), _short(error), rows.level))
    return found


def _short(number: float) -> float:
    """Return a number to four digits, rounded up in the fifth, so that what is printed is what is used."""
    return float(f"{number:.4g}")


def _ends(errors: Floats, weights: Floats, level: float) -> tuple[float, float]:
    """Return how far below and above predictions an interval reaches, by quantiles that hold for one more row."""
    if not len(errors):
        return 0.0, 0.0
    order = np.argsort(errors, kind="stable")
    reached = np.cumsum(weights[order]) / weights.sum()
    tail = (1.0 - level) / 2.0
    # The rank among n + 1 rows, the last of which is unseen; beyond the ends, the extreme row.
    more = (len(errors) + 1) / len(errors)
    last = len(errors) - 1
    low = int(np.searchsorted(reached, tail * more)) - 1
    high = int(np.searchsorted(reached, min((1.0 - tail) * more, 1.0) - 1e-12))
    ascending = errors[order]
    return max(0.0, -float(ascending[min(max(low, 0), last)])), max(0.0, float(ascending[min(high, last)]))


def _leverages(ruleset: RuleSet, rows: NumberRows, columns: Floats, deciders: Ints) -> Floats:
    """Return how much the number of each row's rule depends on the row itself: the less, the more rows it has."""
    found = np.zeros(len(deciders))
    actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
    for place, action in enumerate(actions):
        own = np.flatnonzero(deciders == place)
        if not len(own):
            continue
        weights = rows.weights[own]
        found[own] = weights / weights.sum()
        if name := read_action(action).feature:
            values = columns[ruleset.schema.position(name), own]
            distance = values - np.average(values, weights=weights)
            spread = float(weights @ distance**2)
            if np.isfinite(spread) and spread > 0.0:
                found[own] += weights * distance**2 / spread
    return np.minimum(found, 0.9)


def _importances(ruleset: RuleSet, rows: NumberRows, columns: Floats, predicted: Floats) -> Floats:
    """Return for each feature of the table how much of the score is lost where it is unknown.

    Conditions that read it are false then, and linear terms read its mean.
    """
    own = rows.score(predicted)
    found = np.zeros(len(rows.schema.features))
    for position, name in enumerate(ruleset.schema.names):
        hidden, filled = columns.copy(), columns.copy()
        values = columns[position]
        hidden[position] = np.nan
        filled[position] = np.average(values, weights=rows.weights) if np.isfinite(values).all() else 0.0
        without = numbers_of(ruleset, filled, decide_columns(ruleset, hidden).actions)
        found[rows.schema.position(name)] = max(own - rows.score(without), 0.0)
    return found
