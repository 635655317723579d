"""The order in which the conditions of a rule are said: the most important first, and intervals in one piece."""

from collections.abc import Mapping, Sequence

from evoter.rules.condition import Condition, Operator
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.model import RuleSet
from evoter.rules.printing.rule_pieces import Clause, is_interval


def importances_of(ruleset: RuleSet, given: Mapping[str, float] | None) -> dict[str, float]:
    """Return how important each feature is.

    Without figures from elsewhere, such as those of an estimator, it is the number of decisions that rest on a feature:
    of the rules that read it, where it is known how many cases each of them decided, otherwise the number of rules.

    >>> from evoter.rules.parser import parse
    >>> importances_of(parse("a > 1 AND b > 1 -> x; b > 0 -> y; Default -> z"), None)
    {'a': 1.0, 'b': 2.0}
    """
    if given is not None:
        for name in given:
            if name not in ruleset.schema:
                raise SchemaError(f"importances: unknown feature {name!r}{did_you_mean(name, ruleset.schema.names)}")
        return {name: float(given.get(name, 0.0)) for name in ruleset.schema.names}
    counts = ruleset.counts
    decided = () if counts is None else counts.times_decided or counts.times_applied
    found = dict.fromkeys(ruleset.schema.names, 0.0)
    for index, rule in enumerate(ruleset.rules):
        for name in {term.feature for condition in rule.conditions for term in condition.terms}:
            found[name] += decided[index] if decided else 1.0
    return found


def ordered_clauses(conditions: Sequence[Condition], importances: Mapping[str, float]) -> list[Clause]:
    """Return what is said of each condition, the most important first; those of equal importance keep their order."""
    clauses = _joined(conditions)
    return sorted(clauses, key=lambda clause: -max(importances[term.feature] for term in clause.condition.terms))


def _joined(conditions: Sequence[Condition]) -> list[Clause]:
    """Make intervals of lower and upper bounds, also where they are apart."""
    clauses: list[Clause] = []
    for condition in conditions:
        for at, other in enumerate(clauses):
            pair = (other.condition, condition)
            lower, upper = pair if pair[0].operator in (Operator.GT, Operator.GE) else pair[::-1]
            if other.lower is None and is_interval(lower, upper):
                clauses[at] = Clause(upper, lower)
                break
        else:
            clauses.append(Clause(condition))
    return clauses
