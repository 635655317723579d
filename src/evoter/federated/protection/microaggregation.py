"""Microaggregation: a table in which rows have the values of groups of rows, so that no question singles one out."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats, Ints
from evoter.rules.schema import Feature, Kind
from evoter.tables.columns import CodedCells, Column, any_category, distinct, read_numbers
from evoter.tables.sources import Table

_STEPS: Final = 8
"""How often the direction in which rows differ most is improved."""


class Grouped(NamedTuple):
    """A table of group values, and which rows of the original table it has: those whose group is large enough."""

    table: Table
    rows: NDArray[np.bool_]


def microaggregate(table: Table, kinds: Mapping[str, Kind | None], classes: Ints, least: int) -> Grouped:
    """Replace the values of rows by those of groups of `least` or more similar rows of the same class.

    A group has the mean of numbers and the most frequent of categories, truth values, and numbers that are 0 or 1; a
    value is missing where it is for most of the group. Rows of a class with fewer than `least` rows are left out.
    Whatever is counted in the result, alone or by the difference of any two counts, are whole groups.
    """
    read = [_Read.of(table.column(name), kind) for name, kind in kinds.items()]
    groups = group_rows(np.array([_ranks(each.codes) for each in read]), classes, least)
    rows = groups >= 0
    grouped = [each.grouped(groups[rows], rows) for each in read]
    return Grouped(Table(int(rows.sum()), len(grouped), tuple(kinds), lambda position, name: grouped[position]), rows)


def group_rows(ranks: Floats, classes: Ints, least: int) -> Ints:
    """Return the number of the group of each row, -1 for rows of a class that has too few; `ranks[feature, row]`.

    Rows of a class are divided in halves, across the direction in which they differ most, as long as both halves have
    enough rows.
    """
    groups = np.full(ranks.shape[1], -1, np.int64)
    n_groups = 0
    for each in np.unique(classes):
        waiting = [np.flatnonzero(classes == each)]
        while waiting:
            members = waiting.pop()
            if len(members) >= 2 * least:
                ordered = members[np.argsort(_positions(ranks[:, members]), kind="stable")]
                waiting += [ordered[: len(members) // 2], ordered[len(members) // 2 :]]
            elif len(members) >= least:
                groups[members] = n_groups
                n_groups += 1
    return groups


def _positions(ranks: Floats) -> Floats:
    """Return where rows lie in the direction in which they differ most (the first principal component, nearly)."""
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    direction = np.zeros(len(ranks))
    direction[int(np.argmax(np.square(centred).sum(axis=1)))] = 1.0
    for _ in range(_STEPS):
        improved = centred @ (direction @ centred)
        length = float(np.sqrt(np.square(improved).sum()))
        if length == 0.0:
            break
        direction = improved / length
    positions: Floats = direction @ centred
    return positions


def _ranks(codes: Floats) -> Floats:
    """Return the ranks of values from 0 to 1, equal ones their mean; missing values come first."""
    _, inverse, counts = np.unique(np.where(np.isnan(codes), -np.inf, codes), return_inverse=True, return_counts=True)
    ranks: Floats = ((np.cumsum(counts) - counts / 2.0) / len(codes))[inverse]
    return ranks


class _Read(NamedTuple):
    """A column as numbers: values, or codes of categories; NaN where missing."""

    name: str
    kind: Kind | None
    codes: Floats
    categories: Sequence[str] = ()

    @classmethod
    def of(cls, column: Column, kind: Kind | None) -> "_Read":
        if kind is None:  # no value at all
            return cls(column.name, None, np.full(len(column.cells), np.nan))
        if kind is not Kind.CATEGORICAL:
            return cls(column.name, kind, read_numbers(column, Feature(column.name, kind)))
        readings, positions = distinct(column, any_category(column.name))
        names = sorted({str(reading) for reading in readings if reading is not None})
        lookup = np.array([np.nan if reading is None else float(names.index(str(reading))) for reading in readings])
        return cls(column.name, kind, lookup[positions], names)

    def grouped(self, groups: Ints, rows: NDArray[np.bool_]) -> Column:
        """Return the column with the values of groups."""
        codes = self.codes[rows]
        present = ~np.isnan(codes)
        n_groups = int(groups.max(initial=-1)) + 1
        sizes, n_present = np.bincount(groups, minlength=n_groups), np.bincount(groups, present, n_groups)
        is_number = self.kind is Kind.NUMERIC and not np.isin(codes[present], (0.0, 1.0)).all()
        if is_number:
            sums = np.bincount(groups[present], codes[present], n_groups)
            values = np.divide(sums, n_present, out=np.full(n_groups, np.nan), where=n_present > 0)
        else:
            values = _most_frequent(groups[present], codes[present], n_groups)
        values[2 * n_present < sizes] = np.nan
        cells = values[groups]
        if self.kind is not Kind.CATEGORICAL:
            return Column(self.name, cells, self.kind)
        missing = len(self.categories)
        coded = np.where(np.isnan(cells), missing, cells).astype(np.int64)
        return Column(self.name, CodedCells((*self.categories, None), coded), self.kind)


def _most_frequent(groups: Ints, codes: Floats, n_groups: int) -> Floats:
    """Return the most frequent code of each group, of equally frequent ones the least."""
    values = np.full(n_groups, np.nan)
    pairs, counts = np.unique(np.column_stack([groups, codes]), axis=0, return_counts=True)
    order = np.lexsort([-pairs[:, 1], counts])  # the last that is written is the most frequent and least
    values[pairs[order, 0].astype(np.int64)] = pairs[order, 1]
    return values
