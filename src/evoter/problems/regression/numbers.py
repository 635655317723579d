"""The numbers of the winner: the best constant or linear term of each rule on the rows it decides, in few digits."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats, Ints
from evoter.problems.regression.losses import best_number, row_losses
from evoter.problems.regression.problem import RegressionProblem
from evoter.rules.model import RuleSet
from evoter.rules.numbers.actions import NumericAction
from evoter.rules.reasoning.steps import fewest_digits_between
from evoter.rules.schema import Schema, Target

ROUNDING: Final = 0.2
"""How far a number may be rounded, in standard errors: it is not known any better."""

LEAST_ROUNDING: Final = 1e-3
"""How far it may be rounded at least, as a part of the deviation of all numbers."""

MIN_TERM_ROWS: Final = 8
"""The least number of rows that a linear term is fitted to."""


class Fitted(NamedTuple):
    """A number for some rows as an action, and the loss it leaves there."""

    action: NumericAction
    loss: float


def with_numbers(
    ruleset: RuleSet, problem: RegressionProblem, target: Target, price: float, *, added: bool = True
) -> RuleSet:
    """Return a rule set over the problem's actions with the numbers that are best on the rows themselves.

    A linear term stays or, unless `added` is False, is added, where it gains more than its price. The default has the
    best single number where it decides nothing.
    """
    decisions = problem.decide(ruleset)
    fit = Fitter(problem, price)
    actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
    numbers = []
    for place, action in enumerate(actions):
        own = int(problem.candidates.term_of[int(action)])
        terms = None if added else [own] if own >= 0 else []
        numbers.append(fit.best(np.flatnonzero(decisions.deciders == place), terms).action.text)
    schema = Schema(problem.features.features, (), problem.features.max_lag, target)
    rules = [
        type(rule)(rule.conditions, number, name=rule.name, pinned=rule.pinned)
        for rule, number in zip(ruleset.rules, numbers[:-1], strict=True)
    ]
    return RuleSet(rules, numbers[-1], schema)


class Fitter:
    """Finds the best numbers for rows of a problem; `price` is what a condition costs in units of the loss."""

    def __init__(self, problem: RegressionProblem, price: float) -> None:
        self._problem = problem
        self._costs: dict[bytes, float] = {}
        self.n_rows = len(problem.numbers)
        weights, numbers = problem.sample_weight, problem.numbers
        self._deviation = float(
            np.sqrt(np.average((numbers - np.average(numbers, weights=weights)) ** 2, weights=weights))
        )
        single = best_number(problem.metric, problem.quantile, numbers, weights)
        self.price = price * float(weights @ row_losses(problem.metric, problem.quantile, numbers, np.array(single)))

    def cost(self, chosen: NDArray[np.bool_]) -> float:
        """Return the loss of some rows with their best number, and the price of its linear term."""
        key = np.packbits(chosen).tobytes()
        if key not in self._costs:
            rows = np.flatnonzero(chosen)
            found = self.best(rows) if len(rows) else None
            priced = self.price if found is not None and found.action.feature else 0.0
            self._costs[key] = 0.0 if found is None else found.loss + priced
        return self._costs[key]

    def best(self, rows: Ints, terms: Sequence[int] | None = None) -> Fitted:
        """Return the best constant for some rows, or a linear term, any or one of `terms`, that is worth its price."""
        if not len(rows):
            rows = np.arange(len(self._problem.numbers))
            return self._constant(rows)
        best = self._constant(rows)
        if not self._problem.linear or self._count(rows) < MIN_TERM_ROWS:
            return best
        least = best.loss - self.price
        for term in range(len(self._problem.candidates.terms)) if terms is None else terms:
            fitted = self._linear(rows, term)
            if fitted is not None and fitted.loss < least:
                best, least = fitted, fitted.loss
        return best

    def _constant(self, rows: Ints) -> Fitted:
        problem = self._problem
        numbers, weights = problem.numbers[rows], problem.sample_weight[rows]
        exact = best_number(problem.metric, problem.quantile, numbers, weights)
        constant = self._rounded(exact, numbers - exact, rows)
        if problem.metric == "poisson" and constant <= 0.0 < exact:
            constant = exact
        return Fitted(NumericAction(constant), self._loss(rows, np.array(constant)))

    def _linear(self, rows: Ints, term: int) -> Fitted | None:
        problem, candidates = self._problem, self._problem.candidates
        position = int(candidates.positions[term])
        numbers, weights = problem.numbers[rows], problem.sample_weight[rows]
        values, scale = candidates.terms[term, rows], float(candidates.scales[term])
        total = weights.sum()
        mean = float(weights @ values) / total
        spread = float(weights @ (values - mean) ** 2)
        if not spread > 1e-9 * total:
            return None
        exact = float(weights @ ((values - mean) * numbers)) / spread
        left = numbers - exact * (values - mean)
        deviation = float(np.sqrt(weights @ (left - np.average(left, weights=weights)) ** 2 / total))
        slack = float(
            ROUNDING * deviation / np.sqrt(spread * self._count(rows) / total) + LEAST_ROUNDING * self._deviation
        )
        slope = fewest_digits_between((exact - slack) / scale, (exact + slack) / scale, exact / scale)
        if slope == 0.0:
            return None
        column = problem.columns[position, rows]
        rest = numbers - slope * column
        level = float(np.average(rest, weights=weights))
        constant = self._rounded(level, rest - level, rows)
        name = problem.features.names[position]
        action = NumericAction(constant, slope, name)
        return Fitted(action, self._loss(rows, constant + slope * column))

    def _count(self, rows: Ints) -> int:
        """Count the rows that differ: copies make nothing more certain."""
        return len(np.unique(self._problem.distinct[rows]))

    def _rounded(self, exact: float, left: Floats, rows: Ints) -> float:
        """Return a number of few digits near another, given what is left of the rows it is for."""
        deviation = np.sqrt(np.average(left**2, weights=self._problem.sample_weight[rows]))
        slack = float(ROUNDING * deviation / np.sqrt(self._count(rows)) + LEAST_ROUNDING * self._deviation)
        return fewest_digits_between(exact - slack, exact + slack, exact) if slack > 0.0 else exact

    def _loss(self, rows: Ints, predicted: Floats) -> float:
        problem = self._problem
        losses = row_losses(problem.metric, problem.quantile, problem.numbers[rows], predicted)
        return float(problem.sample_weight[rows] @ losses)
