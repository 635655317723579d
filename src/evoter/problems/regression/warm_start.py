"""Rules with numbers to start a search from: each number becomes the nearest candidate."""

import numpy as np

from evoter.problems.regression.problem import RegressionProblem
from evoter.rules.errors import RuleError
from evoter.rules.model import RuleSet
from evoter.rules.numbers.actions import read_action


def as_candidates(ruleset: RuleSet, problem: RegressionProblem) -> RuleSet:
    """Return a rule set whose actions are candidates of a problem instead of numbers."""
    if not isinstance(ruleset, RuleSet):
        raise TypeError(f"rule sets to start from must be RuleSet, not {type(ruleset).__name__}: use evoter.parse")
    if ruleset.schema.target is None:
        raise RuleError("a rule set to start from has actions that are names: numbers are needed")
    candidates = problem.candidates
    names = [problem.features.names[place] for place in candidates.positions]

    def label(text: str) -> str:
        action = read_action(text)
        term = names.index(action.feature) if action.feature in names else -1
        # The number where the feature is at its mean: candidates have their terms centred.
        at_mean = action.constant
        if term >= 0:
            at_mean += action.coefficient * float(candidates.centres[term])
        suitable = np.flatnonzero(candidates.term_of == term)
        return str(suitable[np.argmin(np.abs(candidates.constants[suitable] - at_mean))])

    rules = [type(rule)(rule.conditions, label(rule.action), name=rule.name) for rule in ruleset.rules]
    schema = ruleset.schema
    return RuleSet(rules, label(ruleset.default), type(schema)(schema.features, problem.schema.actions, schema.max_lag))
