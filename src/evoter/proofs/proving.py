"""How a claim is settled: by intervals, then by the solver, and never without running the rules on a counterexample."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from evoter.proofs.budget import Budget
from evoter.proofs.decisions import refutation
from evoter.proofs.problem import NO, YES, Problem
from evoter.proofs.result import Method, ProofResult, Status
from evoter.proofs.search import refuting_parts
from evoter.proofs.solver import Arithmetic, Formulas, has_z3, load_z3, solve
from evoter.proofs.witness import (
    UNAVAILABLE,
    Choice,
    Witness,
    first_witness,
    in_part,
    near_numbers,
)

FOR_INTERVALS = 0.25
"""Seconds that interval logic gets before the solver is asked, if there is one."""

STOPPED = "stopped by Ctrl-C"

N_NEIGHBOURS = 400
MAX_BORDERS = 3
"""How many points with neighbouring doubles are tried near a border, and near how many borders."""


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
        if finding is None:
            method = "solver"
            finding = _by_solver(problem, budget)
    except TimeoutError:
        finding = _Finding(Status.UNKNOWN, method, reason=f"undecided after {budget.max_seconds:g} s")
    except KeyboardInterrupt:
        finding = _Finding(Status.UNKNOWN, method, reason=STOPPED)
    points = finding.witness.points if finding.witness else ()
    return ProofResult(
        claim,
        finding.status,
        counterexample=points[0] if points else None,
        compared_with=points[1] if len(points) > 1 else None,
        decisions=tuple(decision.actions for decision in finding.witness.decisions) if finding.witness else (),
        reason=finding.reason,
        seconds=budget.seconds,
        method=finding.method,
        exact=finding.exact,
    )


def _by_intervals(problem: Problem, budget: Budget) -> _Finding | None:
    """Settle a claim by dividing the space; None if that takes too long or relations of features matter too much."""
    solver = has_z3()
    part = budget.part(FOR_INTERVALS if solver else budget.left, "dividing the space")
    unclear = False
    try:
        for masks in refuting_parts(problem, part):
            if (found := in_part(problem, masks)) is not None:
                return _Finding(Status.REFUTED, "intervals", found)
            unclear = True
            if solver:
                break
    except TimeoutError:
        if solver:
            return None
        raise
    return None if unclear else _Finding(Status.PROVED, "intervals")


def _by_solver(problem: Problem, budget: Budget) -> _Finding:
    load_z3()
    asked = _Question(problem, Arithmetic.REAL, budget)
    for candidate in asked.candidates():
        if (found := candidate.witness()) is not None:
            return _Finding(Status.REFUTED, "solver", found)
        return _clear_of_borders(problem, budget)
    if asked.reason:
        return _Finding(Status.UNKNOWN, "solver", reason=asked.reason)
    if not problem.space.relations:
        return _Finding(Status.PROVED, "solver")
    return _with_rounding(problem, budget)


def _clear_of_borders(problem: Problem, budget: Budget) -> _Finding:
    """Look for a counterexample that rounding leaves alone, after one in real numbers was lost when it was rounded."""
    asked = _Question(problem, Arithmetic.CLEAR, budget)
    for candidate in asked.candidates():
        if (found := candidate.witness()) is not None:
            return _Finding(Status.REFUTED, "solver", found)
        break
    reason = "there is a counterexample in real numbers, but the doubles near it do not confirm it"
    return _Finding(Status.UNKNOWN, "solver", reason=reason)


def _with_rounding(problem: Problem, budget: Budget) -> _Finding:
    """Extend a proof for real numbers to doubles, or try the doubles where these may differ."""
    asked = _Question(problem, Arithmetic.ROUNDED, budget)
    n_tried = 0
    try:
        for candidate in asked.candidates():
            if (found := candidate.witness()) is not None:
                reason = "by rounding in double precision; it holds for real numbers"
                return _Finding(Status.REFUTED, "solver", found, reason, exact=False)
            n_tried += N_NEIGHBOURS
            if n_tried >= MAX_BORDERS * N_NEIGHBOURS:
                break
    except TimeoutError:
        asked.reason = "the time is up"
    if not n_tried and not asked.reason:
        return _Finding(Status.PROVED, "solver")
    tried = f"; none of {n_tried} neighbouring doubles does" if n_tried else f"; {asked.reason}"
    reason = f"for real numbers; where two sides are as good as equal, doubles could differ by rounding{tried}"
    return _Finding(Status.PROVED, "solver", reason=reason, exact=False)


class _Question:
    """A problem as it is put to the solver; `reason` says why it has no answer."""

    def __init__(self, problem: Problem, arithmetic: Arithmetic, budget: Budget) -> None:
        self.problem = problem
        self.budget = budget
        self.reason = ""
        budget.doing = f"solving for {arithmetic.value}"
        self.formulas = Formulas(problem.space, arithmetic)
        self.formulas.solver.add(refutation(problem, self.formulas))

    def candidates(self) -> "Iterator[_Candidate]":
        """Yield solutions in which the claim is refuted by the definition of the mode."""
        formulas = self.formulas
        while True:
            answer = solve(formulas, self.budget)
            if answer == "unsat":
                return
            if answer != "sat":
                self.reason = _plainly(answer, self.budget)
                return
            model = formulas.solver.model()
            status = [YES if formulas.status(model, at) else NO for at in range(len(formulas.active))]
            if self.problem.verdict(status) is True:
                yield _Candidate(self.problem, formulas, model)
            # These rules active and those not: that decides nothing otherwise than it should.
            differs = [
                formulas.z3.Not(active) if state == YES else active
                for active, state in zip(formulas.active, status, strict=True)
            ]
            formulas.solver.add(formulas.any_of(differs))


class _Candidate:
    """A solution of the solver, in real numbers."""

    def __init__(self, problem: Problem, formulas: Formulas, model: Any) -> None:
        self.problem, self.formulas, self.model = problem, formulas, model

    def witness(self) -> Witness | None:
        """Return a point with doubles near the solution that refutes the claim, None if none was found."""
        space = self.problem.space
        others: dict[int, object] = {}
        cells, numbers = {}, {}
        for index in space.variables.values():
            cell = self.formulas.cell(self.model, index)
            if cell is None:
                others[index] = None if self.formulas.is_missing(self.model, index) else UNAVAILABLE
            elif index in self.formulas.reals:
                cells[index], numbers[index] = cell, self.formulas.real(self.model, index)
            else:
                others[index] = space.variable(index).example(cell)
        if not numbers:
            return first_witness(self.problem, [self._ordered(others)])
        near = near_numbers(self.problem, cells, numbers, others, N_NEIGHBOURS)
        return first_witness(self.problem, map(self._ordered, near))

    def _ordered(self, choice: Choice) -> Choice:
        """Return a point whose second part is not below the first: values of one cell may be chosen in any order."""
        changed = dict(choice)
        for first, second in self.problem.space.links:
            one, other = changed[first], changed[second]
            if isinstance(one, float) and isinstance(other, float) and one > other:
                changed[second] = one
        return changed


def _plainly(reason: str, budget: Budget) -> str:
    if reason in ("timeout", "canceled", "interrupted"):
        return f"the solver did not finish within {budget.max_seconds:g} s"
    return f"the solver gave up: {reason}"
