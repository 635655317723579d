"""Choosing the winner of a run with one objective: the rule sets that are nearly as good as the best, as candidates."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from evoter.evolution.engine import Evolution, Finalist
from evoter.evolution.fronts.front import Candidate, Front
from evoter.evolution.problem import Problem
from evoter.genome.codec import encode
from evoter.kernels.threads import Threads
from evoter.problems.secondary import COMPLEXITY
from evoter.rules.model import RuleSet

DISTANCE: Final = 0.5
"""How far below the best a finalist may be, as a part of the uncertainty of the score.

For accuracy that is 0.5 over the root of the number of distinct rows: the largest standard error of a proportion.
"""

MAX_FINALISTS: Final = 100
"""The most rule sets to choose among, the best of them."""


def near_best(evolution: Evolution) -> tuple[Finalist, ...]:
    """Return the rule sets of a run to choose from; on a problem of no uncertainty, those as good as the best."""
    uncertainty: float = getattr(evolution.problem, "uncertainty", 0.0)
    return evolution.finalists(DISTANCE * uncertainty, MAX_FINALISTS)


def candidates_of(
    finalists: Sequence[Finalist], problem: Problem, finish: Callable[[Finalist], RuleSet], n_threads: int
) -> Front:
    """Return the finalists as a user gets them, with the score and the number of conditions that they then have.

    The order stays, and of those that have become equal the first stays, so that the first candidate is the best.
    """
    rulesets = list(dict.fromkeys(map(finish, finalists)))
    threads = Threads(n_threads)
    try:
        scores = problem.evaluate(encode(rulesets, problem.schema), threads, 0).scores[:, 0].tolist()
    finally:
        threads.close()
    objectives = (problem.objectives[0], COMPLEXITY.objective)
    return Front(
        tuple(
            Candidate(ruleset, {objectives[0].name: score, objectives[1].name: float(ruleset.n_conditions)})
            for ruleset, score in zip(rulesets, scores, strict=True)
        ),
        objectives,
    )


def mark_chosen(model: Any, candidate: Candidate | int, *, needs: str) -> int:
    """Mark the candidate of a model's front, or of its finalists, that it becomes, and return its number."""
    name = next((each for each in ("front_", "finalists_") if hasattr(model, each)), None)
    if name is None:
        raise ValueError(f"this model has no candidates to switch between: fit it with {needs} first")
    marked: Front = getattr(model, name).choose(candidate)
    setattr(model, name, marked)
    assert marked.chosen is not None
    return marked.chosen


def unmark_chosen(model: Any) -> None:
    """Mark no candidate of a model's front or finalists as chosen, because its rules are none of them."""
    for name in ("front_", "finalists_"):
        if hasattr(model, name):
            setattr(model, name, replace(getattr(model, name), chosen=None))
