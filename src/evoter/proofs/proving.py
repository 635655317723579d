"""How a claim is settled: by intervals, random points, then the solver; every counterexample is tried on the rules."""

import math
from dataclasses import dataclass

from evoter.proofs.budget import Budget
from evoter.proofs.points.plain_values import with_plain_values
from evoter.proofs.points.sampling import sampled_witness
from evoter.proofs.points.witness import N_NEIGHBOURS, Witness, first_witness, in_part, near_borders
from evoter.proofs.problem import Problem
from evoter.proofs.result import Method, ProofResult, Status
from evoter.proofs.search import refuting_parts
from evoter.proofs.solving.asking import has_powers, question
from evoter.proofs.solving.solver import Arithmetic, has_z3, load_z3

MAX_PARTS = 5_000
"""How many parts of the space interval logic looks at before the solver is asked, if there is one."""

FOR_ROUNDING = 5.0
"""Seconds, or as long as the proof took, to extend a proof for real numbers to doubles."""

STOPPED = "stopped by Ctrl-C"

MAX_BORDERS = 3
"""Near how many borders neighbouring doubles are tried."""


@dataclass(frozen=True)
class _Finding:
    """How a claim was settled, before it is put into words."""

    status: Status
    method: Method
    witness: Witness | None = None
    reason: str = ""
    exact: bool = True


def settle(problem: Problem, claim: str, budget: Budget) -> ProofResult:
    """Prove or refute a claim, or say why neither was possible."""
    method: Method = "intervals"
    try:
        finding = _by_intervals(problem, budget)
        if finding is None and (found := sampled_witness(problem, budget)) is not None:
            finding = _Finding(Status.REFUTED, "samples", found)
        if finding is None:
            method = "solver"
            finding = _by_solver(problem, budget)
    except TimeoutError:
        finding = _Finding(Status.UNKNOWN, method, reason=f"undecided after {budget.max_seconds:g} s")
    except KeyboardInterrupt:
        finding = _Finding(Status.UNKNOWN, method, reason=STOPPED)
    witness = finding.witness
    if witness is not None and finding.exact:  # otherwise the last digits matter
        witness = with_plain_values(problem, witness)
    points = witness.points if witness else ()
    return ProofResult(
        claim,
        finding.status,
        counterexample=points[0] if points else None,
        compared_with=points[1] if len(points) > 1 else None,
        decisions=tuple(decision.actions for decision in witness.decisions) if witness else (),
        reason=finding.reason,
        seconds=budget.seconds,
        method=finding.method,
        exact=finding.exact,
    )


def _by_intervals(problem: Problem, budget: Budget) -> _Finding | None:
    """Settle a claim by dividing the space; None if that takes too long or relations of features matter too much."""
    solver = has_z3()
    budget.doing = "dividing the space"
    unclear = False
    try:
        for masks in refuting_parts(problem, budget, MAX_PARTS if solver else math.inf):
            if (found := in_part(problem, masks)) is not None:
                return _Finding(Status.REFUTED, "intervals", found)
            unclear = True
            if solver:
                break
    except TimeoutError:
        if not solver or budget.left <= 0.0:
            raise
        return None
    return None if unclear else _Finding(Status.PROVED, "intervals")


def _by_solver(problem: Problem, budget: Budget) -> _Finding:
    load_z3()
    powers = has_powers(problem)
    if powers and _by_truth_values(problem, budget):
        return _Finding(Status.PROVED, "solver")
    asked = question(problem, Arithmetic.REAL, budget)
    for candidate in asked.candidates():
        if (found := candidate.witness()) is not None:
            return _Finding(Status.REFUTED, "solver", found)
        return _clear_of_borders(problem, budget)
    if asked.reason:
        return _Finding(Status.UNKNOWN, "solver", reason=asked.reason)
    if not problem.space.relations or (not powers and _by_truth_values(problem, budget)):
        return _Finding(Status.PROVED, "solver")
    return _with_rounding(problem, budget)


def _by_truth_values(problem: Problem, budget: Budget) -> bool:
    """Tell whether a claim holds whatever relations of features mean: then rounding does not matter either."""
    asked = question(problem, Arithmetic.FREE, budget)
    return not any(True for _ in asked.candidates()) and not asked.reason


def _clear_of_borders(problem: Problem, budget: Budget) -> _Finding:
    """Look for a counterexample that rounding leaves alone, after one in real numbers was lost when it was rounded."""
    asked = question(problem, Arithmetic.CLEAR, budget)
    for candidate in asked.candidates():
        if (found := candidate.witness()) is not None:
            return _Finding(Status.REFUTED, "solver", found)
        break
    reason = "there is a counterexample in real numbers, but the doubles near it do not confirm it"
    return _Finding(Status.UNKNOWN, "solver", reason=reason)


def _with_rounding(problem: Problem, budget: Budget) -> _Finding:
    """Extend a proof for real numbers to doubles, or try the doubles where these may differ."""
    asked = question(problem, Arithmetic.ROUNDED, budget.part(max(FOR_ROUNDING, budget.seconds)))
    n_tried = 0
    found: Witness | None = None
    try:
        for candidate in asked.candidates():
            n_tried += N_NEIGHBOURS
            found = candidate.witness()
            if found is not None or n_tried >= MAX_BORDERS * N_NEIGHBOURS:
                break
    except TimeoutError:
        asked.reason = "no time was left"
    if not n_tried and not asked.reason:
        return _Finding(Status.PROVED, "solver")
    if found is None:
        n_tried += N_NEIGHBOURS
        found = first_witness(problem, near_borders(problem, N_NEIGHBOURS))
    if found is not None:
        reason = "by rounding in double precision; it holds for real numbers"
        return _Finding(Status.REFUTED, "solver", found, reason, exact=False)
    reason = "for real numbers; where two sides are as good as equal, doubles could differ by rounding"
    return _Finding(Status.PROVED, "solver", reason=f"{reason}; {n_tried:,} of them do not", exact=False)
