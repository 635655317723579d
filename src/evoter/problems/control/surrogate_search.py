"""Local search in the surrogate: a policy is improved step by step, each time by the best of all small changes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.control.problem import ControlProblem
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, Operator, Rule, RuleSet, Term

Improve = Callable[[RuleSet], Sequence[RuleSet]]
"""Returns policies that may be better than a given one."""

SPARSENESS = 8
"""New rules are tried with every n-th constant only; later changes find the others."""

STRIDES = (1, 3, 9)
"""The steps by which two constants are moved together, up or down: one change may only work with the other."""

N_SCREENED = 5
"""Number of episodes in which all changes are tried; the best of them are tried in all episodes."""

N_PROMISING = 40
"""Number of changes that are tried in all episodes."""

N_NEAR = 30
"""Number of the last changes tried that are returned, too: the best in the surrogate need not be the best in fact."""


def local_search(
    problem: ControlProblem, ruleset: RuleSet, seeds: Ints, n_moves: int, max_rules: int | None = None
) -> list[RuleSet]:
    """Make up to `n_moves` changes, each the one with the highest return in the episodes of `seeds`, while it improves.

    Returns the rule set after each change, and the best other changes that were tried last: since the episodes are
    simulated by a surrogate, the last changes may be wrong.
    """
    stages: list[RuleSet] = []
    near: list[RuleSet] = []
    score = float(problem.try_out([ruleset], seeds).returns.mean())
    for _ in range(n_moves):
        changed = list(dict.fromkeys(map(problem.guarded, _changes(problem, ruleset, max_rules))))
        if not changed:
            break
        near, scores = _best(problem, changed, seeds)
        if scores[0] <= score:
            break
        ruleset, score = near[0], scores[0]
        stages.append(ruleset)
    return list(dict.fromkeys([*stages, *near[:N_NEAR]]))


def _changes(problem: ControlProblem, ruleset: RuleSet, max_rules: int | None) -> Iterator[RuleSet]:
    yield from other_constants(problem, ruleset)
    yield from two_other_constants(problem, ruleset)
    if max_rules is None or len(ruleset.rules) < max_rules:
        yield from one_rule_more(problem, ruleset)
    else:
        for k in range(len(ruleset.rules)):
            yield from one_rule_more(problem, ruleset.replace(rules=ruleset.rules[:k] + ruleset.rules[k + 1 :]))


def _best(problem: ControlProblem, rulesets: list[RuleSet], seeds: Ints) -> tuple[list[RuleSet], list[float]]:
    """Return the rule sets with the highest mean returns, the best first, and these means."""
    screened: Floats = problem.try_out(rulesets, seeds[:N_SCREENED]).returns.mean(axis=1)
    promising = [rulesets[i] for i in np.argsort(-screened, kind="stable")[:N_PROMISING]]
    means: Floats = problem.try_out(promising, seeds).returns.mean(axis=1)
    order = np.argsort(-means, kind="stable")
    return [promising[i] for i in order], means[order].tolist()


def other_constants(problem: ControlProblem, ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield the rule sets in which one condition has another constant."""
    for position in _constant_positions(ruleset):
        for constant in problem.constants(_condition(ruleset, position).left.feature):
            yield _with_constant(ruleset, position, constant)


def two_other_constants(problem: ControlProblem, ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield rule sets in which two conditions have constants near to those they had."""
    for positions in combinations(_constant_positions(ruleset), 2):
        for constants in product(*(_near(problem, _condition(ruleset, position)) for position in positions)):
            changed = ruleset
            for position, constant in zip(positions, constants, strict=True):
                changed = _with_constant(changed, position, constant)
            yield changed


def one_rule_more(problem: ControlProblem, ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield the rule sets that begin with a new rule of one condition."""
    for name in problem.schema.names:
        for constant in problem.constants(name)[SPARSENESS // 2 :: SPARSENESS]:
            for operator in (Operator.LE, Operator.GT):
                for action in problem.schema.actions:
                    rule = Rule((Condition(Term(name), operator, constant),), action)
                    if next(problem.guardrails.breaches(rule), None) is None:
                        yield ruleset.replace(rules=(rule, *ruleset.rules))


def _constant_positions(ruleset: RuleSet) -> list[tuple[int, int]]:
    """Return the conditions with a constant, each by its rule and its position in the rule."""
    return [
        (i, j)
        for i, rule in enumerate(ruleset.rules)
        if not rule.pinned
        for j, condition in enumerate(rule.conditions)
        if len(form_of(condition).thresholds(condition)) == 1
    ]


def _condition(ruleset: RuleSet, position: tuple[int, int]) -> Condition:
    return ruleset.rules[position[0]].conditions[position[1]]


def _near(problem: ControlProblem, condition: Condition) -> list[float]:
    """Return constants near to that of a condition."""
    (threshold,) = form_of(condition).thresholds(condition)
    constants = np.array(problem.constants(condition.left.feature))
    here = int(np.abs(constants - threshold).argmin())
    there = np.array([here + sign * stride for stride in STRIDES for sign in (-1, 1)])
    near: list[float] = constants[np.unique(there.clip(0, len(constants) - 1))].tolist()
    return near


def _with_constant(ruleset: RuleSet, position: tuple[int, int], constant: float) -> RuleSet:
    i, j = position
    rule = ruleset.rules[i]
    old = rule.conditions[j]
    moved = form_of(old).with_thresholds(old, [constant])
    rule = replace(rule, conditions=(*rule.conditions[:j], moved, *rule.conditions[j + 1 :]))
    return ruleset.replace(rules=(*ruleset.rules[:i], rule, *ruleset.rules[i + 1 :]))
