"""Conditions that the rows themselves do not need: left out where the numbers, fitted again, lose less than the price.

A search looks at denoised targets. What it finds at the edges of the data may be due to them, and the rows tell.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evoter.problems.regression.numbers import Fitter
from evoter.problems.regression.problem import RegressionProblem
from evoter.rules.model import Rule, RuleSet

_TIE: Final = 1e-9
"""What is lost by rounding, as a part of the price."""

MAX_CONDITIONS: Final = 80
"""Rule sets with more conditions than this stay as they are: every one of them would be tried again and again."""


def prune_unneeded(ruleset: RuleSet, problem: RegressionProblem, price: float) -> RuleSet:
    """Return a rule set without the conditions that gain less than their price on the rows, one after the other."""
    if ruleset.n_conditions > MAX_CONDITIONS:
        return ruleset
    fitter = Fitter(problem, price)
    holds = _Holding(problem)
    rules = list(ruleset.rules)
    least = _cost(rules, holds, fitter)
    while True:
        costs = [(_cost(fewer, holds, fitter), number, fewer) for number, fewer in enumerate(_shorter(rules))]
        best = min(costs, default=None, key=lambda each: each[:2])
        if best is None or best[0] > least + _TIE * fitter.price:
            return ruleset.replace(rules=rules)
        least, _, rules = best


def _shorter(rules: list[Rule]) -> Iterator[list[Rule]]:
    """Yield the rules without each rule, and without each condition of a longer one."""
    for place, rule in enumerate(rules):
        yield [*rules[:place], *rules[place + 1 :]]
        if len(rule.conditions) > 1:
            for number in range(len(rule.conditions)):
                kept = (*rule.conditions[:number], *rule.conditions[number + 1 :])
                yield [*rules[:place], replace(rule, conditions=kept), *rules[place + 1 :]]


class _Holding:
    """Where rules hold on the rows of a problem; each antecedent is looked at once."""

    def __init__(self, problem: RegressionProblem) -> None:
        self._problem = problem
        self._known: dict[tuple[object, ...], NDArray[np.bool_]] = {}

    def __call__(self, rule: Rule) -> NDArray[np.bool_]:
        if rule.conditions not in self._known:
            label = self._problem.schema.actions[0]
            alone = RuleSet([Rule(rule.conditions, label)], label, self._problem.schema)
            self._known[rule.conditions] = self._problem.decide(alone).active[:, 0]
        return self._known[rule.conditions]


def _cost(rules: list[Rule], holds: _Holding, fitter: Fitter) -> float:
    """Return the loss of rules with their best numbers, and the price of their conditions and linear terms."""
    left = np.ones(fitter.n_rows, np.bool_)
    total = 0.0
    for rule in rules:
        own = left & holds(rule)
        left &= ~own
        total += fitter.cost(own)
    total += fitter.cost(left)
    return total + fitter.price * sum(rule.n_conditions for rule in rules)
