"""From cells and numbers to rows: points that are tried by running the rules on them."""

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from evoter.proofs.cells import RelationCells, VariableCells
from evoter.proofs.problem import Problem
from evoter.proofs.result import Point, point_of
from evoter.rules.modes import Decision
from evoter.rules.reasoning.spans import double, ordinal
from evoter.rules.reasoning.steps import admitted_around
from evoter.rules.schema import Kind
from evoter.rules.values import Row, Value

UNAVAILABLE = object()
"""In place of a value for which there is too little history."""

N_RANDOM = 48
"""How many points are tried in a part of the space that depends on relations of two features."""

N_NEIGHBOURS = 400
"""How many points with neighbouring doubles are tried near a solution in real numbers."""

Choice = Mapping[int, object]
"""A value for each variable of a space, None where it is missing, or UNAVAILABLE."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a solver found: real numbers for some variables, with the cells they are in, and values for the others."""

    problem: Problem
    numbers: Mapping[int, Fraction]
    cells: Mapping[int, int]
    others: Choice

    def witness(self) -> "Witness | None":
        """Return a point with doubles near the solution that refutes the claim, None if none was found."""
        near = self._near() if self.numbers else [self.others]
        return first_witness(self.problem, map(self._ordered, near))

    def _ordered(self, choice: Choice) -> Choice:
        """Return a point whose second part is not below the first: values of one cell may be chosen in any order."""
        changed = dict(choice)
        for first, second in self.problem.space.links:
            one, other = changed[first], changed[second]
            if isinstance(one, float) and isinstance(other, float) and one > other:
                changed[second] = one
        return changed

    def _near(self) -> Iterator[Choice]:
        """Yield points near a solution in real numbers: with few digits, as doubles, and doubles next to these."""
        exact = {index: as_double(number) for index, number in self.numbers.items()}
        for digits in (0, 1, 2, 4, 7):
            yield self._rounded({index: _with_digits(x, digits) for index, x in exact.items()})
        yield self._rounded(exact)
        rng = Random(0)
        for attempt in range(N_NEIGHBOURS):
            width = 2 + 2 * (attempt % 4)
            yield self._rounded({i: double(_shift(ordinal(x), rng.randint(-width, width))) for i, x in exact.items()})

    def _rounded(self, values: Mapping[int, float]) -> Choice:
        variable = self.problem.space.variable
        near = {index: _admitted(variable(index), x, self.cells[index]) for index, x in values.items()}
        return {**self.others, **near}


@dataclass(frozen=True, slots=True)
class Witness:
    """Points at which a claim is refuted, what the rules decide there, and the values from which points are made."""

    points: tuple[Point, ...]
    decisions: tuple[Decision, ...]
    choice: Choice


def try_choice(problem: Problem, choice: Choice) -> Witness | None:
    """Run the rules on a point; return it if it refutes the claim."""
    histories = histories_of(problem, choice)
    if histories is None:
        return None
    decisions = problem.confirms(histories)
    if decisions is None:
        return None
    return Witness(tuple(point_of(history) for history in histories), decisions, choice)


def histories_of(problem: Problem, choice: Choice) -> list[list[Row]] | None:
    """Return a point as the rows that rules are run on; None if they contradict each other about the history."""
    space = problem.space
    lags = [(space.variable(index).key[1], value is UNAVAILABLE) for index, value in choice.items()]
    length = max((lag for lag, absent in lags if not absent), default=0) + 1
    if any(absent and lag < length for lag, absent in lags):
        return None
    names = space.domain.in_order(key[0] for key in space.variables)
    return [
        [{name: _value(problem, choice, name, lag, point) for name in names} for lag in reversed(range(length))]
        for point in range(problem.n_points)
    ]


def _value(problem: Problem, choice: Choice, name: str, lag: int, point: int) -> Value:
    for key in ((name, lag, point), (name, lag, 0)):
        if (index := problem.space.variables.get(key)) is not None:
            value = choice[index]
            assert value is None or isinstance(value, (float, str, bool))
            return value
    domain = problem.space.domain  # not read: any value will do
    if domain.kind(name) is not Kind.NUMERIC:
        return domain.values(name)[0]
    return VariableCells((name, 0, 0), domain.usual(name), domain.numbers(name), step=domain.step(name)).example(0)


def in_part(problem: Problem, masks: Sequence[int]) -> Witness | None:
    """Look for a point in a part of the space: a plain one, or several where relations of features matter."""
    rng = Random(0)
    attempts = range(1 + (N_RANDOM if problem.space.relations else 0))
    return first_witness(problem, (draw(problem, masks, rng, attempt) for attempt in attempts))


def draw(problem: Problem, masks: Sequence[int], rng: Random, attempt: int) -> Choice:
    """Return a point in a part of the space: a plain one at the first attempt, later ones also at the ends of cells."""
    choice: dict[int, object] = {}
    for key, index in problem.space.variables.items():
        cells = problem.space.variable(index)
        choice[index] = _pick(cells, masks[index], rng if attempt else None, exact=attempt > N_RANDOM // 2)
        if key[2] and attempt % 2 == 0:  # the second of two points: not below the first
            first = choice[problem.space.variables[key[0], key[1], 0]]
            choice[index] = _not_below(cells, masks[index], first, choice[index])
    return choice


def _pick(cells: VariableCells, mask: int, rng: Random | None, *, exact: bool) -> object:
    """Return a value in one of some cells: a plain one, or a random one, with `exact` also the ends of a cell."""
    present = mask & cells.present
    if not present:
        return None if mask & cells.missing_cell else UNAVAILABLE
    options = [at for at in range(cells.n_present) if present >> at & 1]
    at = options[len(options) // 2] if rng is None else rng.choice(options)
    if rng is None or cells.values:
        return cells.example(at)
    return rng.choice([cells.example(at), *(_ends(cells, at) if exact else ()), _inside(cells, at, rng, exact=exact)])


def _not_below(cells: VariableCells, mask: int, first: object, second: object) -> object:
    if not isinstance(first, float) or not isinstance(second, float) or second >= first:
        return second
    inside = any(mask >> at & 1 and low <= ordinal(first) <= high for at, (low, high) in enumerate(cells.numbers))
    return first if inside else second


def _in_order(problem: Problem, choice: Choice) -> bool:
    """Tell whether the second of two points is not below the first, and missing just where the first is."""
    for first, second in problem.space.links:
        one, other = choice[first], choice[second]
        if isinstance(one, float) and isinstance(other, float):
            if one > other:
                return False
        elif one is not other:
            return False
    return True


def _ends(cells: VariableCells, at: int) -> list[float]:
    return [double(end) for end in cells.numbers[at] if abs(double(end)) < 1e300]


def _inside(cells: VariableCells, at: int, rng: Random, *, exact: bool) -> float:
    first, last = cells.numbers[at]
    low, high = (ordinal(end) for end in cells.usual.bounds)
    if max(first, low) <= min(last, high):
        first, last = max(first, low), min(last, high)
    far = 1e6 if exact else 100.0
    start, end = max(double(first), -far), min(double(last), far)
    x = start + rng.random() * (end - start) if start <= end else double(first)
    return _admitted(cells, x if exact else round(x, 1 if end - start > 1.0 else 3), at)


def _admitted(cells: VariableCells, x: float, at: int) -> float:
    """Return the value in a cell next to x that the step of the feature admits."""
    first, last = cells.numbers[at]
    x = double(min(max(ordinal(x), first), last))
    if cells.step is not None:
        x = next((each for each in admitted_around(x, cells.step) if first <= ordinal(each) <= last), x)
    return x


def near_borders(problem: Problem, n_points: int) -> Iterator[Choice]:
    """Yield points at which the two sides of some relation are as good as equal."""
    rng = Random(0)
    space = problem.space
    for _ in range(n_points):
        choice = {
            index: _pick(space.variable(index), space.cells[index].whole, rng, exact=True)
            for index in space.variables.values()
        }
        index, first, second = rng.choice(space.relations)
        x, cells = choice[first], space.variable(second)
        if isinstance(x, float) and isinstance(choice[second], float):
            y = _balancing(space.relation(index), x, rng)
            position = _shift(ordinal(y), rng.randint(-3, 3))
            inside = [at for at, (low, high) in enumerate(cells.numbers) if low <= position <= high]
            if inside:
                choice[second] = _admitted(cells, double(position), inside[0])
        yield choice


def _balancing(cells: RelationCells, x: float, rng: Random) -> float:
    """Return about the value of the second feature that makes the two sides of a relation equal, given the first."""
    value, term = cells.first.value(x), cells.second.term
    wanted = rng.choice(cells.borders)[0] - value if cells.summed else value
    root = wanted / term.coefficient if term.coefficient else 0.0
    if not math.isfinite(root):
        return 0.0
    root = math.copysign(abs(root) ** (1 / term.power), root) * (rng.choice([1, -1]) if term.power == 2 else 1)
    low, high = cells.second.feature.bounds
    return low + root * (high - low) if cells.second.feature.scaled else root


def _shift(position: int, by: int) -> int:
    limit = ordinal(math.nextafter(math.inf, 0.0))
    return min(max(position + by, -limit), limit)


def _with_digits(x: float, digits: int) -> float:
    return round(x, digits) if abs(x) < 1e15 else x


def as_double(number: Fraction) -> float:
    """Return the double nearest to a rational number, the largest ones for those beyond."""
    try:
        return float(number)
    except OverflowError:
        return sys.float_info.max if number > 0 else -sys.float_info.max


def first_witness(problem: Problem, choices: Iterable[Choice]) -> Witness | None:
    """Return the first of some points that refutes the claim and keeps the order that points must have."""
    for choice in choices:
        if _in_order(problem, choice) and (found := try_choice(problem, choice)) is not None:
            return found
    return None
