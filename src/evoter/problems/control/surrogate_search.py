"""Rehearsal: a policy is improved in episodes that cost little, by the best of all small changes, again and again."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.problems.control.problem import ControlProblem
from evoter.rules.model import Condition, Operator, Rule, RuleSet, Term

SPARSENESS = 8
"""New rules are tried with one of so many constants; later changes find the others."""

STRIDES = (1, 3, 9)
"""How many places two constants move together, up or down: what one of them spoils, the other may mend."""

N_SCREENED = 5
"""All changes are tried in so many episodes, and the best of them in all."""

N_PROMISING = 40
"""So many are the best."""

N_NEAR = 30
"""So many of the last changes that were tried are returned too: what is imagined best need not be best."""


def local_search(
    problem: ControlProblem, ruleset: RuleSet, seeds: Ints, n_moves: int, max_rules: int | None = None
) -> list[RuleSet]:
    """Make up to `n_moves` changes, each the one that earns most in the episodes of `seeds`, while it earns more.

    What stands after each change is returned, and the best other changes that were tried last: where the episodes are
    imagined, a change too many may be wrong.
    """
    stages: list[RuleSet] = []
    near: list[RuleSet] = []
    score = float(problem.try_out([ruleset], seeds).returns.mean())
    for _ in range(n_moves):
        changed = list(dict.fromkeys(_changes(problem, ruleset, max_rules)))
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
    """Return the rule sets that earn most, the best first, and how much."""
    screened: Floats = problem.try_out(rulesets, seeds[:N_SCREENED]).returns.mean(axis=1)
    promising = [rulesets[i] for i in np.argsort(-screened, kind="stable")[:N_PROMISING]]
    means: Floats = problem.try_out(promising, seeds).returns.mean(axis=1)
    order = np.argsort(-means, kind="stable")
    return [promising[i] for i in order], means[order].tolist()


def other_constants(problem: ControlProblem, ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield the rule sets in which one condition has another constant."""
    for place in _places(ruleset):
        for constant in problem.constants(_condition(ruleset, place).left.feature):
            yield _with_constant(ruleset, place, constant)


def two_other_constants(problem: ControlProblem, ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield rule sets in which two conditions have constants near to those they had."""
    for places in combinations(_places(ruleset), 2):
        for constants in product(*(_near(problem, _condition(ruleset, place)) for place in places)):
            changed = ruleset
            for place, constant in zip(places, constants, strict=True):
                changed = _with_constant(changed, place, constant)
            yield changed


def one_rule_more(problem: ControlProblem, ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield the rule sets that begin with a new rule of one condition."""
    for name in problem.schema.names:
        for constant in problem.constants(name)[SPARSENESS // 2 :: SPARSENESS]:
            for operator in (Operator.LE, Operator.GT):
                for action in problem.schema.actions:
                    rule = Rule((Condition(Term(name), operator, constant),), action)
                    yield ruleset.replace(rules=(rule, *ruleset.rules))


def _places(ruleset: RuleSet) -> list[tuple[int, int]]:
    """Return where the conditions with a number stand: the rule, and the place in it."""
    return [
        (i, j)
        for i, rule in enumerate(ruleset.rules)
        for j, condition in enumerate(rule.conditions)
        if isinstance(condition.right, float)
    ]


def _condition(ruleset: RuleSet, place: tuple[int, int]) -> Condition:
    return ruleset.rules[place[0]].conditions[place[1]]


def _near(problem: ControlProblem, condition: Condition) -> list[float]:
    """Return constants near to that of a condition."""
    assert isinstance(condition.right, float)
    constants = np.array(problem.constants(condition.left.feature))
    here = int(np.abs(constants - condition.right).argmin())
    there = np.array([here + sign * stride for stride in STRIDES for sign in (-1, 1)])
    near: list[float] = constants[np.unique(there.clip(0, len(constants) - 1))].tolist()
    return near


def _with_constant(ruleset: RuleSet, place: tuple[int, int], constant: float) -> RuleSet:
    i, j = place
    rule = ruleset.rules[i]
    old = rule.conditions[j]
    moved = Condition(Term(old.left.feature, lag=old.left.lag), old.operator, constant)
    rule = replace(rule, conditions=(*rule.conditions[:j], moved, *rule.conditions[j + 1 :]))
    return ruleset.replace(rules=(*ruleset.rules[:i], rule, *ruleset.rules[i + 1 :]))
