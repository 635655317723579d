"""Points drawn at random where rules hold, tried before the solver is asked: they refute many false claims."""

from collections.abc import Iterator
from random import Random

from evoter.proofs.budget import Budget
from evoter.proofs.points.witness import Choice, Witness, draw, first_witness
from evoter.proofs.problem import Problem
from evoter.proofs.search import propagate
from evoter.rules.modes import Procedure

N_DRAWS = {Procedure.IN_ORDER: 100, Procedure.POLL: 300, Procedure.EVERY: 300}
"""How many points are tried: more where rules decide together, since that takes the solver long."""

TELLING = 0.8
"""The share of points that are drawn where a rule holds that only one of the rule sets has, if there are any."""


def sampled_witness(problem: Problem, budget: Budget) -> Witness | None:
    """Return a point that refutes a claim if one of those drawn does; None says nothing about the claim."""
    return first_witness(problem, _drawn(problem, budget))


def _drawn(problem: Problem, budget: Budget) -> Iterator[Choice]:
    """Yield points where a random rule holds, of those first that only one of the rule sets has."""
    rng = Random(0)
    budget.doing = "trying points"
    telling, others = _rules(problem)
    if not telling and not others:
        return
    for attempt in range(1, max(N_DRAWS[decider.procedure] for decider in problem.deciders) + 1):
        budget.check()
        masks = problem.space.whole
        chosen = rng.choice(telling if not others or (telling and rng.random() < TELLING) else others)
        for box in (problem.space.boxes[index] for index in (*problem.given, chosen)):
            for index, accepted in box:
                masks[index] &= accepted
        if propagate(problem.space, masks):
            yield draw(problem, masks, rng, attempt)


def _rules(problem: Problem) -> tuple[list[int], list[int]]:
    """Return the numbers of the conjunctions that are rules: those that one rule set has alone, and the others."""
    rules = [
        (decider.start + at, decider.point, rule)
        for decider in problem.deciders
        for at, rule in enumerate(decider.ruleset.rules)
    ]
    known = [(frozenset(rule.conditions), rule.action, rule.certainty) for _, _, rule in rules]
    telling = [number for (number, _, _), each in zip(rules, known, strict=True) if known.count(each) == 1]
    return telling, [number for number, _, _ in rules if number not in telling]
