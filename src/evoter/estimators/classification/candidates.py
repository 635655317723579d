"""What a classifier keeps of each candidate of a front, so that it can switch between them without refitting."""

from dataclasses import replace
from typing import NamedTuple

from evoter.evolution.fronts.front import Front
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.support import majority_actions, measure_support, smoothed_frequencies
from evoter.rules.model import RuleSet


class Settled(NamedTuple):
    """Rules over the features they read, and what each of them, and the default, does on the training rows."""

    ruleset: RuleSet
    times_applied: Ints
    times_decided: Ints
    probabilities: Floats


def settle(ruleset: RuleSet, problem: ClassificationProblem) -> Settled:
    """Count what the rules do on the rows of a problem, whose schema is theirs.

    Where actions do not matter to the measure, evolution has left them to chance: they become those that the
    probabilities suggest.
    """
    if problem.ignores_actions:
        ruleset = majority_actions(ruleset, problem)
    support = measure_support(ruleset, problem)
    frequencies = smoothed_frequencies(support, problem)
    return Settled(ruleset.restricted(), support.times_applied, support.times_decided, frequencies)


def settle_front(front: Front, problem: ClassificationProblem) -> tuple[Front, tuple[Settled, ...]]:
    """Settle all candidates; those of the front get the same rules, and what they decide on the training rows."""
    settled = tuple(settle(candidate.ruleset, problem) for candidate in front)
    candidates = tuple(
        replace(
            candidate,
            ruleset=one.ruleset,
            behaviour=problem.decide(one.ruleset.replace(schema=problem.schema)).actions,
        )
        for candidate, one in zip(front, settled, strict=True)
    )
    return replace(front, candidates=candidates), settled
