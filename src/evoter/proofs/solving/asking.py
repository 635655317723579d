"""How a problem is put to the solver: all at once, or truth values first and numbers afterwards."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from evoter.proofs.budget import Budget
from evoter.proofs.points.witness import UNAVAILABLE, Candidate, as_double
from evoter.proofs.problem import NO, YES, Problem
from evoter.proofs.search import statuses
from evoter.proofs.solving.decisions import refutation
from evoter.proofs.solving.solver import Arithmetic, Formulas, solve
from evoter.rules.reasoning.spans import ordinal


class Question(ABC):
    """A problem as it is put to the solver; `reason` says why it has no answer."""

    def __init__(self, problem: Problem, arithmetic: Arithmetic, within: Arithmetic, budget: Budget) -> None:
        self.problem = problem
        self.budget = budget
        self.reason = ""
        budget.doing = f"solving for {arithmetic.value}"
        self.formulas = Formulas(problem.space, within)
        self.formulas.solver.add(refutation(problem, self.formulas))

    def candidates(self) -> Iterator[Candidate]:
        """Yield solutions in which the claim is refuted by the definition of the mode; none proves the claim.

        Unless there is a reason: then the solver does not know.
        """
        formulas = self.formulas
        while True:
            answer = solve(formulas, self.budget)
            if answer == "unsat":
                return
            if answer != "sat":
                self.reason = plainly(answer, self.budget)
                return
            model = formulas.solver.model()
            status = [YES if formulas.status(model, at) else NO for at in range(len(formulas.active))]
            if self.problem.verdict(status) is True:
                candidate = self.candidate(model)
                if candidate is not None:
                    yield candidate
                elif self.reason:
                    return
                else:
                    continue
            differs = [  # these rules active and those not: that was tried, or is decided as it should be
                formulas.z3.Not(active) if state == YES else active
                for active, state in zip(formulas.active, status, strict=True)
            ]
            formulas.solver.add(formulas.any_of(differs))

    @abstractmethod
    def candidate(self, model: Any) -> Candidate | None:
        """Return what a model says; None if it is impossible, which is then added to the formulas, or unknown."""

    def others(self, model: Any, numbers: dict[int, Fraction]) -> dict[int, object]:
        """Return a value for each variable that has no number."""
        values: dict[int, object] = {}
        for index in self.problem.space.variables.values():
            cell = self.formulas.cell(model, index)
            if cell is None:
                values[index] = None if self.formulas.is_missing(model, index) else UNAVAILABLE
            elif index not in numbers:
                values[index] = self.problem.space.variable(index).example(cell)
        return values


class DirectQuestion(Question):
    """A problem that is put to the solver as a whole: the best way as long as no feature is squared or cubed."""

    def __init__(self, problem: Problem, arithmetic: Arithmetic, budget: Budget) -> None:
        super().__init__(problem, arithmetic, arithmetic, budget)

    def candidate(self, model: Any) -> Candidate | None:
        """Return what a model says."""
        numbers, cells = {}, {}
        for index in self.formulas.reals:
            cell = self.formulas.cell(model, index)
            if cell is not None:
                cells[index], numbers[index] = cell, self.formulas.real(model, index)
        return Candidate(self.problem, numbers, cells, self.others(model, numbers))


class StepwiseQuestion(Question):
    """A problem with powers: truth values are chosen first, and then checked for numbers that fit them.

    The few relations that matter are checked together; a conflict among them is learnt, and other truth values are
    tried.
    """

    def __init__(self, problem: Problem, arithmetic: Arithmetic, budget: Budget) -> None:
        super().__init__(problem, arithmetic, Arithmetic.FREE, budget)
        self.numbers = Formulas(problem.space, arithmetic)

    def candidate(self, model: Any) -> Candidate | None:
        """Return numbers that fit the truth values of a model, or learn why there are none."""
        space, theory = self.problem.space, self.numbers
        masks = self.formulas.masks(model)
        self._relax(masks)
        literals, related = self._literals(masks)
        solver = theory.z3.Solver(ctx=theory.context)
        solver.set("ctrl_c", False)
        for index in related:
            solver.add(*theory.limits(index))
        for first, second in space.links:
            if first in related and second in related:
                solver.add(theory.reals[first] <= theory.reals[second])
        names = {f"literal {at}": literal for at, (literal, _) in enumerate(literals)}
        for name, (_, meaning) in zip(names, literals, strict=True):
            solver.add(theory.z3.Implies(theory.z3.Bool(name, theory.context), meaning))
        answer = solve(theory, self.budget, solver, [theory.z3.Bool(name, theory.context) for name in names])
        if answer == "unsat":
            conflict = [names[str(each)] for each in solver.unsat_core()] or list(names.values())
            self.formulas.solver.add(self.formulas.any_of(self.formulas.z3.Not(literal) for literal in conflict))
            return None
        if answer != "sat":
            self.reason = plainly(answer, self.budget)
            return None
        found = solver.model()
        present = [index for index in related if masks[index] & space.cells[index].present]
        numbers = {index: theory.real(found, index) for index in present}
        cells = {index: self._cell(index, number) for index, number in numbers.items()}
        return Candidate(self.problem, numbers, cells, self.others(model, numbers))

    def _relax(self, masks: list[int]) -> None:
        """Forget about relations, and then about limits of their features, as long as the claim is refuted anyway."""
        space = self.problem.space
        features = {at for _, *pair in space.relations for at in pair}
        for index in (*(index for index, *_ in space.relations), *sorted(features)):
            before, cells = masks[index], space.cells[index]
            if not before & cells.present:
                continue
            masks[index] = cells.present if index in features else cells.whole
            if self.problem.verdict(statuses(space, masks)) is not True:
                masks[index] = before

    def _literals(self, masks: list[int]) -> tuple[list[tuple[Any, Any]], list[int]]:
        """Return what is left of a solution: truth values and what they mean, and the features that it is about."""
        space, theory = self.problem.space, self.numbers
        literals: list[tuple[Any, Any]] = []
        related: dict[int, None] = {}
        for index, first, second in space.relations:
            cells = space.relation(index)
            if masks[index] == cells.whole or not masks[index] & cells.present:
                continue
            related |= {first: None, second: None}
            cell = masks[index].bit_length() - 1
            if cell > 0:
                literals.append((self.formulas.step(index, cell - 1), theory.beyond(index, cell - 1)))
            if cell < cells.n_present - 1:
                step = self.formulas.step(index, cell)
                literals.append((self.formulas.z3.Not(step), theory.before(index, cell)))
        for index in related:
            variable = space.variable(index)
            if masks[index] == variable.present:
                continue
            cell = masks[index].bit_length() - 1
            if cell > 0:
                literals.append((self.formulas.step(index, cell - 1), theory.from_cell(index, cell)))
            if cell < variable.n_present - 1:
                step = self.formulas.step(index, cell)
                literals.append((self.formulas.z3.Not(step), theory.up_to_cell(index, cell)))
        return literals, list(related)

    def _cell(self, index: int, number: Fraction) -> int:
        """Return the cell of a number, or the nearest one where it lies between two."""
        at = ordinal(as_double(number))
        numbers = self.problem.space.variable(index).numbers
        return min(range(len(numbers)), key=lambda cell: max(numbers[cell][0] - at, at - numbers[cell][1]))


def question(problem: Problem, arithmetic: Arithmetic, budget: Budget) -> Question:
    """Return a problem as it is best put to the solver."""
    stepwise = arithmetic is not Arithmetic.FREE and has_powers(problem)
    return (StepwiseQuestion if stepwise else DirectQuestion)(problem, arithmetic, budget)


def has_powers(problem: Problem) -> bool:
    """Tell whether some comparison of two features has a square or a cube."""
    relations = (problem.space.relation(index) for index, *_ in problem.space.relations)
    return any(spec.term.power > 1 for each in relations for spec in (each.first, each.second))


def plainly(reason: str, budget: Budget) -> str:
    """Say why the solver has no answer."""
    if reason in ("timeout", "canceled", "interrupted"):
        return f"the solver did not finish within {budget.max_seconds:g} s"
    return f"the solver gave up: {reason}"
