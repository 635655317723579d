"""Rehearsal: a policy is improved in episodes that cost little, by the best of all single changes, again and again."""

from collections.abc import Iterator
from dataclasses import replace

from evoter.kernels.layout import Ints
from evoter.problems.control import ControlProblem
from evoter.rules.model import Condition, Operator, Rule, RuleSet, Term

SPARSENESS = 8
"""New rules are tried with one of so many constants; later changes find the others."""


def rehearse(problem: ControlProblem, ruleset: RuleSet, seeds: Ints, n_moves: int) -> list[RuleSet]:
    """Make up to `n_moves` changes, each the one that earns most in the episodes of `seeds`, while it earns more.

    What stands after each change is returned: where the episodes are imagined, a change too many may be wrong.
    """
    stages: list[RuleSet] = []
    score = float(problem.try_out([ruleset], seeds).returns.mean())
    for _ in range(n_moves):
        changed = [*other_constants(problem, ruleset), *one_rule_more(problem, ruleset)]
        scores = problem.try_out(changed, seeds).returns.mean(axis=1)
        best = int(scores.argmax())
        if scores[best] <= score:
            break
        ruleset, score = changed[best], float(scores[best])
        stages.append(ruleset)
    return stages


def other_constants(problem: ControlProblem, ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield the rule sets in which one condition has another constant."""
    for i, rule in enumerate(ruleset.rules):
        for j, condition in enumerate(rule.conditions):
            if isinstance(condition.right, Term) or condition.right is None:
                continue
            for constant in problem.constants(condition.left.feature):
                moved = Condition(Term(condition.left.feature, lag=condition.left.lag), condition.operator, constant)
                conditions = (*rule.conditions[:j], moved, *rule.conditions[j + 1 :])
                yield _with_rules(ruleset, i, replace(rule, conditions=conditions), i + 1)


def one_rule_more(problem: ControlProblem, ruleset: RuleSet) -> Iterator[RuleSet]:
    """Yield the rule sets that begin with a new rule of one condition."""
    for name in problem.schema.names:
        for constant in problem.constants(name)[SPARSENESS // 2 :: SPARSENESS]:
            for operator in (Operator.LE, Operator.GT):
                for action in problem.schema.actions:
                    rule = Rule((Condition(Term(name), operator, constant),), action)
                    yield _with_rules(ruleset, 0, rule, 0)


def _with_rules(ruleset: RuleSet, first: int, rule: Rule, last: int) -> RuleSet:
    """Return a rule set with a rule in the place of those from `first` to before `last`."""
    return ruleset.replace(rules=(*ruleset.rules[:first], rule, *ruleset.rules[last:]))
