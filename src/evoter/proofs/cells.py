"""Cells: parts of the values of a feature, or of a comparison of two terms, that no condition tells apart.

A set of cells is a whole number with one bit for each cell.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from evoter.rules.condition import Constant, Operator, Term
from evoter.rules.reasoning.spans import double, ordinal
from evoter.rules.reasoning.steps import admitted_around, admitted_from, fewest_digits_between
from evoter.rules.schema import Feature
from evoter.rules.values import term_value

Key = tuple[str, int, int]
"""A variable: a feature, a lag, and which of the points that are compared it belongs to."""

Border = tuple[float, bool]
"""Where cells of a sum are divided: at a number, which belongs to the cell below where the second part is true."""

Limits = tuple[float, float]


@dataclass(frozen=True)
class VariableCells:
    """The cells of a feature at a lag: numbers or other values, then one for missing and one for too little history."""

    key: Key
    usual: Feature
    numbers: tuple[tuple[int, int], ...] = ()
    values: tuple[tuple[Constant, ...], ...] = ()
    missing: bool = False
    step: float | None = None

    @cached_property
    def n_present(self) -> int:
        """The number of cells that hold values."""
        return len(self.numbers) + len(self.values)

    @cached_property
    def present(self) -> int:
        """The cells that hold values."""
        return (1 << self.n_present) - 1

    @cached_property
    def missing_cell(self) -> int:
        """The cell of a missing value."""
        return 1 << self.n_present

    @cached_property
    def unavailable_cell(self) -> int:
        """The cell of too little history."""
        return 2 << self.n_present

    @cached_property
    def whole(self) -> int:
        """All cells that are in the domain."""
        return self.present | (self.missing_cell if self.missing else 0) | (self.unavailable_cell if self.key[1] else 0)

    def number_mask(self, spans: Sequence[tuple[int, int]]) -> int:
        """Return the cells that lie in spans of ordinals; each lies inside or outside."""
        mask = 0
        for at, (first, _) in enumerate(self.numbers):
            if any(low <= first <= high for low, high in spans):
                mask |= 1 << at
        return mask

    def limits(self, mask: int) -> Limits:
        """Return the least and the greatest number in some cells that hold numbers."""
        lowest = (mask & -mask).bit_length() - 1
        return double(self.numbers[lowest][0]), double(self.numbers[mask.bit_length() - 1][1])

    def example(self, cell: int) -> Constant:
        """Return a value in a cell, as plain as possible."""
        if self.values:
            return self.values[cell][0]
        first, last = self.numbers[cell]
        return plain_number(first, last, self.usual, self.step)


def plain_number(first: int, last: int, usual: Feature, step: float | None) -> float:
    """Return a short number among the doubles from one ordinal to another, in the usual range where possible.

    >>> plain_number(ordinal(65.0) + 1, ordinal(1e300), Feature("age", low=18, high=95), None)
    80.0
    """
    low, high = (ordinal(end) for end in usual.bounds)
    if max(first, low) <= min(last, high):
        first, last = max(first, low), min(last, high)
    start, end = double(first), double(last)
    reach = max(1.0, min(abs(end), abs(start)))
    if end - start > reach:  # unbounded, or as good as: stay near the border, or near 0
        if start <= 0.0 <= end and start < -reach and end > reach:
            start, end = -reach, reach
        elif abs(start) < abs(end):
            end = start + reach
        else:
            start = end - reach
        first, last = max(first, ordinal(start)), min(last, ordinal(end))
    if step is not None:
        found = admitted_around(double(first) / 2 + double(last) / 2, step)[0]
        return found if first <= ordinal(found) <= last else admitted_from(double(first), step)
    low_end, high_end = double(first), double(last)
    found = fewest_digits_between(low_end, high_end, low_end / 2 + high_end / 2)
    return found if first <= ordinal(found) <= last else low_end


class TermSpec(NamedTuple):
    """A term that is read from a variable; the feature has a range only where the term reads it scaled."""

    key: Key
    term: Term
    feature: Feature

    def value(self, x: float) -> float:
        """Return the value of the term, rounded as it is when rules decide."""
        return term_value(x, self.term, self.feature, scale=True)

    def limits(self, ends: Limits) -> Limits | None:
        """Return the least and the greatest value between two ends of the feature; None where it may be NaN."""
        values = [self.value(end) for end in ends]
        if self.term.power == 2:
            low, high = self.feature.bounds if self.feature.scaled else (0.0, 1.0)
            if ends[0] < low < ends[1] and low < high:
                values.append(self.value(low))
        return None if any(map(math.isnan, values)) else (min(values), max(values))

    @property
    def may_be_nan(self) -> bool:
        """Whether a finite number can give NaN, by 0 times infinity or by a range that is too wide to scale."""
        low, high = self.feature.bounds
        return self.term.coefficient == 0.0 or (self.feature.scaled and math.isinf(high - low))


@dataclass(frozen=True)
class RelationCells:
    """The cells of the sum of two terms, or of the comparison of two: below the first border, ..., and no number.

    A comparison is treated as a difference that is compared with 0, which is how doubles compare as well.
    """

    first: TermSpec
    second: TermSpec
    summed: bool
    borders: tuple[Border, ...]

    @cached_property
    def n_present(self) -> int:
        """The number of cells in which the relation can be evaluated."""
        return len(self.borders) + 1

    @cached_property
    def present(self) -> int:
        """The cells in which the relation can be evaluated."""
        return (1 << self.n_present) - 1

    @cached_property
    def absent_cell(self) -> int:
        """The cell of a missing value, too little history, or NaN."""
        return 1 << self.n_present

    @cached_property
    def whole(self) -> int:
        """All cells."""
        return self.present | self.absent_cell

    @cached_property
    def may_be_nan(self) -> bool:
        """Whether the relation may have no value although both features have finite ones."""
        overflow = self.summed and min(abs(term.term.coefficient) for term in (self.first, self.second)) > 1.0
        return overflow or self.first.may_be_nan or self.second.may_be_nan

    def mask(self, operator: Operator, constant: float) -> int:
        """Return the cells in which a condition holds."""
        if operator in (Operator.EQ, Operator.NE):
            equal = self._above((constant, False)) & ~self._above((constant, True))
            return equal if operator is Operator.EQ else self.present & ~equal
        above = self._above((constant, operator in (Operator.LE, Operator.GT)))
        return above if operator in (Operator.GT, Operator.GE) else self.present & ~above

    def _above(self, border: Border) -> int:
        return self.present & ~((2 << bisect_left(self.borders, border)) - 1)

    def possible(self, first: Limits, second: Limits) -> int:
        """Return the present cells that can occur while two features lie between these limits, rounding included."""
        one, other = self.first.limits(first), self.second.limits(second)
        if one is None or other is None:
            return self.present
        if self.summed:
            low, high = one[0] + other[0], one[1] + other[1]
            if math.isnan(low) or math.isnan(high):
                return self.present
            return self._between(self._cell(low), self._cell(high))
        low_cell = 0 if one[0] < other[1] else 1 if one[0] == other[1] else 2
        high_cell = 2 if one[1] > other[0] else 1 if one[1] == other[0] else 0
        return self._between(low_cell, high_cell)

    def _cell(self, value: float) -> int:
        return sum(value > number if strict else value >= number for number, strict in self.borders)

    def _between(self, low: int, high: int) -> int:
        return self.present & ((2 << high) - 1) & ~((1 << low) - 1)
