"""The space of a problem as formulas for z3: cells as truth values, and features that are compared as real numbers."""

import itertools
from collections.abc import Iterable
from enum import Enum
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from threading import Event, Thread
from typing import Any

from evoter.proofs.budget import Budget
from evoter.proofs.cells import RelationCells, TermSpec
from evoter.proofs.space import Box, Space
from evoter.rules.reasoning.spans import double

ROUNDING = Fraction(1, 2**47)
"""More than the error of any comparison in double precision, as a part of the size of what is compared."""

TINY = Fraction(1, 10**250)
"""More than what underflow adds to that error."""

BIG = Fraction(10**200)
"""Terms up to this size do not overflow anywhere in their evaluation."""

REASONABLE = (1e-50, 1e50)
"""The sizes of coefficients for which that is true."""

MARGIN = Fraction(1, 2**30)
"""How far from every border points are looked for that doubles decide as real numbers do."""


class Arithmetic(Enum):
    """What relations of two features mean in a formula."""

    FREE = "truth values"
    """Nothing: relations are as independent of each other as the limits of features leave them."""

    REAL = "real numbers"
    """Exact: the printed decimals, without rounding."""

    ROUNDED = "doubles"
    """Whatever rounding may make of them: more than any double does."""

    CLEAR = "clear of borders"
    """Exact, and further from equality than rounding reaches."""


def load_z3() -> Any:
    """Return z3, or say what to install."""
    try:
        return import_module("z3")
    except ImportError as error:
        raise ImportError(
            'interval logic cannot decide this, and the solver z3 is not installed: pip install "evoter[proofs]"'
        ) from error


def has_z3() -> bool:
    """Tell whether z3 is installed."""
    try:
        load_z3()
    except ImportError:
        return False
    return True


class Formulas:
    """The formulas of one space with one arithmetic; `solver` has what holds everywhere in it."""

    def __init__(self, space: Space, arithmetic: Arithmetic) -> None:
        self.z3 = load_z3()
        self.space = space
        self.arithmetic = arithmetic
        self.context = self.z3.Context()
        self.solver = self.z3.Solver(ctx=self.context)
        self.solver.set("ctrl_c", False)
        self.reals: dict[int, Any] = {}
        self._ladders: dict[int, list[Any]] = {}
        self._present: dict[int, Any] = {}
        self._missing: dict[int, Any] = {}
        self._add_histories()
        for index in space.variables.values():
            self._add_variable(index)
        for index, first, second in space.relations:
            self._add_relation(index, first, second)
        for first, second in space.links:
            self._add_link(first, second)

    @property
    def true(self) -> Any:
        """The formula that always holds."""
        return self.z3.BoolVal(True, self.context)

    def all_of(self, formulas: Iterable[Any]) -> Any:
        """Return the conjunction of formulas."""
        parts = list(formulas)
        return self.z3.And(parts) if parts else self.true

    def any_of(self, formulas: Iterable[Any]) -> Any:
        """Return the disjunction of formulas."""
        parts = list(formulas)
        return self.z3.Or(parts) if parts else self.z3.Not(self.true)

    def box(self, box: Box) -> Any:
        """Return the formula of conditions that hold together."""
        return self.all_of(self._atom(index, mask) for index, mask in box)

    @cached_property
    def active(self) -> list[Any]:
        """For each conjunction of the space, whether it holds."""
        return [self.box(box) for box in self.space.boxes]

    def number(self, value: float | Fraction) -> Any:
        """Return a number; a double means the decimal that is printed for it."""
        exact = value if isinstance(value, Fraction) else Fraction(repr(value))
        return self.z3.RatVal(exact.numerator, exact.denominator, self.context)

    def cell(self, model: Any, index: int) -> int | None:
        """Return the present cell in which a model has a variable, None where it is missing or unavailable."""
        if not self._is_true(model, self._present[index]):
            return None
        return sum(self._is_true(model, step) for step in self._ladders[index])

    def is_missing(self, model: Any, index: int) -> bool:
        """Tell whether a model has a variable missing and not unavailable."""
        return self._is_true(model, self._missing[index]) and not self._is_true(
            model, self._unavailable(self.space.variable(index).key[1])
        )

    def real(self, model: Any, index: int) -> Fraction:
        """Return the number that a model has for a variable, or one very near."""
        value = model.eval(self.reals[index], model_completion=True)
        if self.z3.is_algebraic_value(value):
            value = value.approx(30)
        return Fraction(value.numerator_as_long(), value.denominator_as_long())

    def masks(self, model: Any) -> list[int]:
        """Return the cells in which a model has everything."""
        masks = []
        for index, cells in enumerate(self.space.cells):
            cell = self.cell(model, index)
            if cell is not None:
                masks.append(1 << cell)
            elif isinstance(cells, RelationCells):
                masks.append(cells.absent_cell)
            else:
                masks.append(cells.missing_cell if self.is_missing(model, index) else cells.unavailable_cell)
        return masks

    def step(self, index: int, border: int) -> Any:
        """Return the truth value that tells whether something lies beyond a border of its cells."""
        return self._ladders[index][border]

    def status(self, model: Any, conjunction: int) -> bool:
        """Tell whether a conjunction holds in a model."""
        return self._is_true(model, self.active[conjunction])

    def _is_true(self, model: Any, formula: Any) -> bool:
        return bool(self.z3.is_true(model.eval(formula, model_completion=True)))

    def _atom(self, index: int, mask: int) -> Any:
        cells = self.space.cells[index]
        mask &= cells.whole
        if mask == cells.whole:
            return self.true
        options = []
        if mask & cells.present:
            runs = self.any_of(self._run(index, first, last) for first, last in _runs(mask & cells.present))
            options.append(self.z3.And(self._present[index], runs))
        if isinstance(cells, RelationCells):
            if mask & cells.absent_cell:
                options.append(self.z3.Not(self._present[index]))
        else:
            unavailable = self._unavailable(cells.key[1])
            if mask & cells.missing_cell:
                options.append(self.z3.And(self._missing[index], self.z3.Not(unavailable)))
            if mask & cells.unavailable_cell:
                options.append(unavailable)
        return self.any_of(options)

    def _run(self, index: int, first: int, last: int) -> Any:
        ladder = self._ladders[index]
        ends = [ladder[first - 1]] if first else []
        if last < len(ladder):
            ends.append(self.z3.Not(ladder[last]))
        return self.all_of(ends)

    def _bool(self, name: str) -> Any:
        return self.z3.Bool(name, self.context)

    def _unavailable(self, lag: int) -> Any:
        return self._bool(f"lag {lag}") if lag else self.z3.BoolVal(False, self.context)

    def _add_histories(self) -> None:
        lags = sorted({lag for _, lag, _ in self.space.variables if lag})
        for shorter, longer in itertools.pairwise(lags):
            self.solver.add(self.z3.Implies(self._unavailable(shorter), self._unavailable(longer)))

    def _add_ladder(self, index: int, n_cells: int) -> list[Any]:
        ladder = [self._bool(f"{index} from {cell}") for cell in range(1, n_cells)]
        for lower, higher in itertools.pairwise(ladder):
            self.solver.add(self.z3.Implies(higher, lower))
        self._ladders[index] = ladder
        return ladder

    def _add_variable(self, index: int) -> None:
        cells = self.space.variable(index)
        self._add_ladder(index, cells.n_present)
        false = self.z3.BoolVal(False, self.context)
        self._missing[index] = self._bool(f"{index} missing") if cells.missing else false
        unavailable = self._unavailable(cells.key[1])
        self._present[index] = self.z3.And(self.z3.Not(self._missing[index]), self.z3.Not(unavailable))

    def _real(self, index: int) -> Any:
        """Return the real number of a variable that takes part in a relation, tied to its cells."""
        if index in self.reals:
            return self.reals[index]
        x = self.reals[index] = self.z3.Real(f"x{index}", self.context)
        for at, step in enumerate(self._ladders[index], start=1):
            self.solver.add(self.z3.Implies(step, self.from_cell(index, at)))
            self.solver.add(self.z3.Implies(self.z3.Not(step), self.up_to_cell(index, at - 1)))
        self.solver.add(*self.limits(index))
        return x

    def from_cell(self, index: int, cell: int) -> Any:
        """Return that a variable is in a cell or beyond it."""
        return self.reals[index] >= self.number(double(self.space.variable(index).numbers[cell][0]))

    def up_to_cell(self, index: int, cell: int) -> Any:
        """Return that a variable is in a cell or before it."""
        return self.reals[index] <= self.number(double(self.space.variable(index).numbers[cell][1]))

    def limits(self, index: int) -> list[Any]:
        """Return what is true of a variable everywhere: its range, and the multiples of its step."""
        x, cells = self.reals[index], self.space.variable(index)
        low, high = cells.limits(cells.present)
        limits = [x >= self.number(low), x <= self.number(high)]
        if cells.step is not None and cells.usual.is_binary:
            limits.append(self.any_of([x == self.number(low), x == self.number(high)]))
        elif cells.step is not None:
            whole = self.z3.Int(f"n{index}", self.context)
            limits.append(x == self.number(cells.step) * self.z3.ToReal(whole))
        return limits

    def _term(self, spec: TermSpec) -> Any:
        base: Any = self._real(self.space.variables[spec.key])
        if spec.feature.scaled:
            low, high = (Fraction(repr(end)) for end in spec.feature.bounds)
            base = (base - self.number(low)) * self.number(1 / (high - low)) if low < high else self.number(Fraction(0))
        raised = base
        for _ in range(spec.term.power - 1):
            raised = raised * base
        return self.number(spec.term.coefficient) * raised

    def _size(self, spec: TermSpec) -> Any:
        """Return a number to which the rounding error of a term is in proportion."""
        x = self._absolute(self._real(self.space.variables[spec.key]))
        base = x
        if spec.feature.scaled:
            low, high = (Fraction(repr(end)) for end in spec.feature.bounds)
            if low == high:
                return self.number(Fraction(0))
            width = high - low
            base = (x + self.number(abs(low))) * self.number((1 + (abs(low) + abs(high)) / width) / width)
        raised = base
        for _ in range(spec.term.power - 1):
            raised = raised * base
        return self.number(abs(Fraction(repr(spec.term.coefficient)))) * raised

    def _absolute(self, x: Any) -> Any:
        return self.z3.If(x >= 0, x, -x)

    def _add_relation(self, index: int, first: int, second: int) -> None:
        cells = self.space.relation(index)
        both = self.z3.And(self._present[first], self._present[second])
        if self.arithmetic in (Arithmetic.FREE, Arithmetic.ROUNDED) and cells.may_be_nan:
            both = self.z3.And(both, self._bool(f"{index} is a number"))
        self._present[index] = both
        ladder = self._add_ladder(index, cells.n_present)
        if self.arithmetic is not Arithmetic.FREE:
            for at, step in enumerate(ladder):
                self.solver.add(self.z3.Implies(step, self.beyond(index, at)))
                self.solver.add(self.z3.Implies(self.z3.Not(step), self.before(index, at)))

    def beyond(self, index: int, border: int) -> Any:
        """Return what it takes for a relation to lie beyond one of its borders."""
        return self._side(index, border, is_beyond=True)

    def before(self, index: int, border: int) -> Any:
        """Return what it takes for a relation to lie before one of its borders."""
        return self._side(index, border, is_beyond=False)

    def _side(self, index: int, border: int, *, is_beyond: bool) -> Any:
        cells = self.space.relation(index)
        constant, strict = cells.borders[border]
        one, other = self._term(cells.first), self._term(cells.second)
        total, at = one + other if cells.summed else one - other, self.number(constant)
        if self.arithmetic is Arithmetic.REAL:
            if is_beyond:
                return total > at if strict else total >= at
            return total <= at if strict else total < at
        if self.arithmetic is Arithmetic.ROUNDED and not _is_reasonable(cells):
            return self.true
        part, least = (ROUNDING, TINY) if self.arithmetic is Arithmetic.ROUNDED else (-MARGIN, -MARGIN)
        size = self._size(cells.first) + self._size(cells.second) + self.number(abs(Fraction(repr(constant))))
        error = self.number(part) * size + self.number(least)
        side = total >= at - error if is_beyond else total <= at + error
        return self.z3.Or(self._overflow(cells, one, other), side) if self.arithmetic is Arithmetic.ROUNDED else side

    def _overflow(self, cells: RelationCells, one: Any, other: Any) -> Any:
        """Return where infinities may hide how two terms compare, or how their sum compares with a number."""
        plain = all(spec.term.power == 1 and not spec.feature.scaled for spec in (cells.first, cells.second))
        if plain and max(abs(spec.term.coefficient) for spec in (cells.first, cells.second)) <= 1.0:
            return self.z3.BoolVal(False, self.context)
        big = [self._absolute(each) > self.number(BIG) for each in (one, other)]
        return self.z3.Or(big) if cells.summed else self.z3.And(big)

    def _add_link(self, first: int, second: int) -> None:
        """Let the value at the second point be at least that at the first, and missing where that is."""
        for lower, higher in zip(self._ladders[first], self._ladders[second], strict=True):
            self.solver.add(self.z3.Implies(lower, higher))
        self.solver.add(self._missing[first] == self._missing[second])
        if first in self.reals and second in self.reals:
            self.solver.add(self.reals[first] <= self.reals[second])


def _runs(mask: int) -> list[tuple[int, int]]:
    """Return the runs of bits that are set.

    >>> _runs(0b1101)
    [(0, 0), (2, 3)]
    """
    runs: list[tuple[int, int]] = []
    for at in range(mask.bit_length()):
        if mask >> at & 1:
            if runs and runs[-1][1] == at - 1:
                runs[-1] = (runs[-1][0], at)
            else:
                runs.append((at, at))
    return runs


def _is_reasonable(cells: RelationCells) -> bool:
    """Tell whether the bounds of rounding errors hold for a relation."""
    small, large = REASONABLE
    for spec in (cells.first, cells.second):
        size = abs(spec.term.coefficient)
        if size and not small <= size <= large:
            return False
        low, high = spec.feature.bounds
        if spec.feature.scaled and low < high:
            width = high - low
            if max(abs(low), abs(high)) > 1e40 or width < 1e-20 or (abs(low) + abs(high)) / width > 1e9:
                return False
    return True


def solve(formulas: Formulas, budget: Budget, solver: Any = None, assumptions: Iterable[Any] = ()) -> str:
    """Return `sat`, `unsat`, or the reason why z3 does not know; Ctrl-C reaches the caller, and the solver stops.

    `solver` is another one than that of the formulas, with the same context.
    """
    budget.check()
    solver = formulas.solver if solver is None else solver
    solver.set("timeout", max(1, int(1000 * budget.left)))
    assumed = list(assumptions)
    done = Event()
    answer: list[str] = []

    def run() -> None:
        try:
            found = str(solver.check(*assumed))
            answer.append(found if found != "unknown" else solver.reason_unknown())
        except formulas.z3.Z3Exception as error:
            answer.append(str(error))
        finally:
            done.set()

    thread = Thread(target=run, daemon=True, name="z3")
    thread.start()
    try:
        while not done.wait(0.1):
            budget.check()
    except BaseException:
        formulas.context.interrupt()
        thread.join()
        raise
    thread.join()
    return answer[0]
