"""The space in which conditions are compared: every variable and relation that they test, cut into cells."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, assert_never

from evoter.proofs.cells import Border, Key, RelationCells, TermSpec, VariableCells
from evoter.proofs.domain import Domain, as_read
from evoter.rules.condition import MIRRORED, Condition, Operator, Sum, Term
from evoter.rules.forms.registry import form_of
from evoter.rules.interpreter import holds
from evoter.rules.reasoning.spans import GREATEST, LEAST, Spans, double, ordinal
from evoter.rules.reasoning.steps import admitted_around, admitted_from
from evoter.rules.reasoning.variables import solutions
from evoter.rules.schema import Feature, Kind, Schema

Box = tuple[tuple[int, int], ...]
"""Conditions that hold together: the number of a variable or relation, and the cells in which a condition holds."""


class Conjunction(NamedTuple):
    """Conditions that hold together, in the words of a schema, and the point that they are about."""

    conditions: tuple[Condition, ...]
    schema: Schema
    point: int = 0


class _ValueTest(NamedTuple):
    """A test of one variable: a condition on a category, or the numbers that a condition accepts, or presence."""

    key: Key
    condition: Condition
    schema: Schema
    numbers: Spans | None


class _RelationTest(NamedTuple):
    """A test of two terms."""

    first: TermSpec
    second: TermSpec
    summed: bool
    operator: Operator
    constant: float

    @property
    def borders(self) -> tuple[Border, ...]:
        """Where the cells have to be divided."""
        if self.summed:
            return ((self.constant, self.operator in (Operator.LE, Operator.GT)),)
        return (0.0, False), (0.0, True)


_Test = _ValueTest | _RelationTest


class Space:
    """Variables and relations with their cells, and conjunctions as sets of cells.

    `moved` names a feature of which the points that are compared have values of their own.
    """

    def __init__(self, conjunctions: Iterable[Conjunction], domain: Domain, moved: str | None = None) -> None:
        self.domain = domain
        self._moved = moved
        self.cells: list[VariableCells | RelationCells] = []
        self.variables: dict[Key, int] = {}
        self.relations: list[tuple[int, int, int]] = []
        self._possible: dict[tuple[int, int, int], int] = {}
        tests = [[self._test(condition, each) for condition in each.conditions] for each in conjunctions]
        self._add_variables([test for group in tests for test in group])
        relations = self._add_relations([test for group in tests for test in group if isinstance(test, _RelationTest)])
        self.boxes = [self._box(group, relations) for group in tests]
        self.by_lag = sorted((key[1], index) for key, index in self.variables.items())
        self.links = [
            (index, self.variables[name, lag, 1]) for (name, lag, point), index in self.variables.items() if not point
            and (name, lag, 1) in self.variables
        ]  # fmt: skip

    @property
    def whole(self) -> list[int]:
        """All cells of everything."""
        return [each.whole for each in self.cells]

    def variable(self, index: int) -> VariableCells:
        """Return the cells of a variable."""
        cells = self.cells[index]
        assert isinstance(cells, VariableCells)
        return cells

    def relation(self, index: int) -> RelationCells:
        """Return the cells of a relation."""
        cells = self.cells[index]
        assert isinstance(cells, RelationCells)
        return cells

    def possible(self, index: int, first: int, here: int, second: int, there: int) -> int:
        """Return the present cells of a relation while its features are in some cells; what was asked is remembered."""
        asked = index, here, there
        found = self._possible.get(asked)
        if found is None:
            cells = self.relation(index)
            found = cells.possible(self.variable(first).limits(here), self.variable(second).limits(there))
            if first == second and cells.first == cells.second:
                found &= 0b010  # a term compared with itself
            self._possible[asked] = found
        return found

    def _key(self, term: Term, point: int) -> Key:
        return term.feature, term.lag, point if term.feature == self._moved else 0

    def _test(self, condition: Condition, within: Conjunction) -> _Test:
        right = condition.right
        if isinstance(right, (Term, Sum)):
            return self._relation_test(condition, within)
        key = self._key(condition.left, within.point)
        numbers = None
        if isinstance(right, float):
            left = Term(condition.left.feature, condition.left.coefficient, condition.left.power)
            numbers = solutions(left, condition.operator, right, Feature(left.feature), scale=False)
        elif condition.operator is Operator.IS_PRESENT:
            numbers = ((LEAST, GREATEST),)
        elif condition.operator is Operator.IS_MISSING:
            numbers = ()
        return _ValueTest(key, condition, within.schema, numbers)

    def _relation_test(self, condition: Condition, within: Conjunction) -> _RelationTest:
        left, operator, right = condition.left, condition.operator, condition.right
        match right:
            case Term():
                return self._comparison(left, operator, right, within, scale=True)
            case Sum():
                other = right.added
                if right.constant == 0.0 and max(abs(left.coefficient), abs(other.coefficient)) <= 1.0:
                    # Without overflow, doubles add up to less than 0 exactly where the one is below the other negated.
                    negated = replace(other, coefficient=-other.coefficient)
                    return self._comparison(left, operator, negated, within, scale=False)
                first, second = sorted((self._spec(term, within, scale=False) for term in condition.terms), key=_order)
                constant = right.constant
                if first.term.coefficient < 0.0:
                    first, second = _negated(first), _negated(second)
                    operator, constant = MIRRORED[operator], 0.0 - constant
                return _RelationTest(first, second, True, operator, constant)
            case _:
                raise TypeError(f"a comparison of two terms is needed, not {condition}")

    def _comparison(
        self, left: Term, operator: Operator, right: Term, within: Conjunction, *, scale: bool
    ) -> _RelationTest:
        first, second = (self._spec(term, within, scale=scale) for term in (left, right))
        if first.term.coefficient < 0.0 and second.term.coefficient < 0.0:
            first, second, operator = _negated(first), _negated(second), MIRRORED[operator]
        if _order(second) < _order(first):
            first, second, operator = second, first, MIRRORED[operator]
        return _RelationTest(first, second, False, operator, 0.0)

    def _spec(self, term: Term, within: Conjunction, *, scale: bool) -> TermSpec:
        feature = as_read(within.schema.feature(term.feature), scale=scale)
        return TermSpec(self._key(term, within.point), replace(term, lag=0), feature)

    def _add_variables(self, tests: Sequence[_Test]) -> None:
        """Cut the values of each variable wherever some condition changes."""
        readers: dict[tuple[str, int], list[_ValueTest]] = {}
        keys: dict[Key, None] = {}
        for test in tests:
            if isinstance(test, _ValueTest):
                keys[test.key] = None
                readers.setdefault(test.key[:2], []).append(test)
            else:
                keys |= {test.first.key: None, test.second.key: None}
        for name in {key[0] for key in keys}:
            self.domain.check(name)
        if self._moved is not None:  # both points have the same variables
            keys |= {(name, lag, point): None for name, lag, _ in [*keys] if name == self._moved for point in (0, 1)}
        for key in keys:
            self.variables[key] = len(self.cells)
            self.cells.append(self._variable_cells(key, readers.get(key[:2], [])))

    def _variable_cells(self, key: Key, tests: Sequence[_ValueTest]) -> VariableCells:
        name = key[0]
        missing, usual = self.domain.may_be_missing(name), self.domain.usual(name)
        if self.domain.kind(name) is not Kind.NUMERIC:
            alike: dict[tuple[bool, ...], list[str | bool]] = {}
            for value in self.domain.values(name):
                assert isinstance(value, str | bool)
                alike.setdefault(tuple(_accepts(test, value) for test in tests), []).append(value)
            return VariableCells(key, usual, (), tuple(map(tuple, alike.values())), missing)
        starts = sorted({start for test in tests for low, high in test.numbers or () for start in (low, high + 1)})
        step = self.domain.step(name)
        numbers = []
        for low, high in self.domain.numbers(name):
            inside = [low, *(start for start in starts if low < start <= high), high + 1]
            for first, following in itertools.pairwise(inside):
                if (span := _admitted(first, following - 1, step)) is not None:
                    numbers.append(span)
        return VariableCells(key, usual, tuple(numbers), (), missing, step)

    def _add_relations(self, tests: Sequence[_RelationTest]) -> dict[tuple[object, ...], int]:
        borders: dict[tuple[TermSpec, TermSpec, bool], set[Border]] = {}
        for test in tests:
            borders.setdefault((test.first, test.second, test.summed), set()).update(test.borders)
        numbers: dict[tuple[object, ...], int] = {}
        for (first, second, summed), found in borders.items():
            index = numbers[first, second, summed] = len(self.cells)
            self.cells.append(RelationCells(first, second, summed, tuple(sorted(found))))
            self.relations.append((index, self.variables[first.key], self.variables[second.key]))
        return numbers

    def _box(self, tests: Sequence[_Test], relations: dict[tuple[object, ...], int]) -> Box:
        """Return tests as sets of cells, one for each variable and relation, in one order for all."""
        accepted: dict[int, int] = {}
        for index, mask in (self._atom(test, relations) for test in tests):
            accepted[index] = accepted.get(index, self.cells[index].whole) & mask
        return tuple(sorted(accepted.items()))

    def _atom(self, test: _Test, relations: dict[tuple[object, ...], int]) -> tuple[int, int]:
        match test:
            case _RelationTest():
                index = relations[test.first, test.second, test.summed]
                return index, self.relation(index).mask(test.operator, test.constant)
            case _ValueTest():
                index = self.variables[test.key]
                cells = self.variable(index)
                if test.condition.operator is Operator.IS_MISSING:
                    return index, cells.missing_cell
                if test.condition.operator is Operator.IS_PRESENT:
                    return index, cells.present
                if test.numbers is not None:
                    return index, cells.number_mask(test.numbers)
                accepted = (at for at, values in enumerate(cells.values) if _accepts(test, values[0]))
                return index, sum(1 << at for at in accepted)
            case _:
                assert_never(test)


def _accepts(test: _ValueTest, value: str | bool | float) -> bool:
    """Tell whether a condition on one feature holds for a value."""
    if test.condition.operator.tests_missing:
        return test.condition.operator is Operator.IS_PRESENT
    now = Condition(replace(test.condition.left, lag=0), test.condition.operator, test.condition.right)
    assert form_of(now).holds_if_missing(now) is False
    return holds(now, [{test.key[0]: value}], test.schema)


def _admitted(first: int, last: int, step: float | None) -> tuple[int, int] | None:
    """Return the part of a span that begins and ends with multiples of a step; None where there are none."""
    if step is None:
        return first, last
    low, high = ordinal(admitted_from(double(first), step)), ordinal(admitted_around(double(last), step)[0])
    return (low, high) if first <= low <= high <= last else None


def _negated(spec: TermSpec) -> TermSpec:
    return spec._replace(term=replace(spec.term, coefficient=-spec.term.coefficient))


def _order(spec: TermSpec) -> tuple[object, ...]:
    return spec.key, spec.term.power, spec.term.coefficient, spec.feature.scaled, spec.feature.bounds
