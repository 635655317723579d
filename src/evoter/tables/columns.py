"""One column of a table: what kind of feature it is, and its values as the rule language reads them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.rules.errors import SchemaError
from evoter.rules.model import Constant
from evoter.rules.schema import Feature, Kind
from evoter.rules.values import category_name, is_missing, plain_value, read_value
from evoter.tables.intake.kinds import ColumnKind, UnreadableColumnError


@dataclass(frozen=True, slots=True, eq=False)
class CodedCells:
    """Cells that are numbered values: no object is made for a cell, however many there are.

    `codes` are positions among the `values`, of which some may occur in no cell; the last value may be None for missing
    cells.
    """

    values: tuple[Any, ...]
    codes: NDArray[Any]

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.to_list())

    def to_list(self) -> list[Any]:
        """Return the cells as objects."""
        return [self.values[code] for code in self.codes.tolist()]

    def in_use(self) -> "CodedCells":
        """Return the same cells with the values that occur, in the same order."""
        used = np.flatnonzero(np.bincount(self.codes, minlength=len(self.values)))
        if len(used) == len(self.values):
            return self
        numbers = np.zeros(len(self.values), self.codes.dtype)
        numbers[used] = np.arange(len(used))
        return CodedCells(tuple(self.values[code] for code in used.tolist()), numbers[self.codes])


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """A named column: an array of numbers (NaN where missing) or truth values, a list of anything, or coded cells.

    `kind` is what the column's type says, None where only the cells can tell; `categories` are those that the type
    declares, in its order. `from_array` tells that it is part of an array, whose columns have no names, and
    `from_text_array` that numpy may have turned numbers into text to make the array.
    """

    name: str
    cells: NDArray[Any] | list[Any] | CodedCells
    kind: Kind | None = None
    categories: tuple[object, ...] = ()
    from_text_array: bool = False
    from_array: bool = False


def kind_of(column: Column) -> Kind | None:
    """Return the kind of feature that a column's values have, or None if all are missing and its type does not say."""
    if column.kind is not None:
        return column.kind
    if isinstance(column.cells, np.ndarray):
        return Kind.BOOLEAN if column.cells.dtype.kind == "b" else Kind.NUMERIC
    cells = column.cells.in_use().values if isinstance(column.cells, CodedCells) else column.cells
    examples: dict[Kind, object] = {}
    for example in _one_of_each_type(cells):
        examples.setdefault(_kind_of_value(example, column.name), example)
    if len(examples) > 1:
        (first, one), (second, other) = list(examples.items())[:2]
        raise UnreadableColumnError(
            f"the column {column.name!r} mixes {first} and {second} values, such as {one!r} and {other!r}: convert it "
            f"to one type, or name it in categorical=[...] to read every value as a category",
            reason=f"mixes {first} and {second} values",
        )
    return next(iter(examples), None)


def _one_of_each_type(cells: Sequence[object]) -> list[object]:
    """Return, for each type among the cells, the first one that is not missing."""
    examples = []
    for type_ in dict.fromkeys(map(type, cells)):
        examples += [next((cell for cell in cells if type(cell) is type_ and not is_missing(cell)), None)]
    return [example for example in examples if example is not None]


def _kind_of_value(value: object, name: str) -> Kind:
    plain = plain_value(value)
    if isinstance(plain, str):
        return Kind.CATEGORICAL
    if isinstance(plain, bool):
        return Kind.BOOLEAN
    if isinstance(plain, Real | Decimal):
        return Kind.NUMERIC
    if isinstance(plain, date | datetime | time | timedelta):
        raise refused_dates(f"the column {name!r}", f"such as {value!r}")
    kind = type(value).__name__
    raise UnreadableColumnError(
        f"the column {name!r} holds the {kind} {value!r}: make it numbers, text or booleans",
        reason=f"holds values of the type {kind}, which rules cannot read",
    )


def refused_dates(where: str, what: str) -> UnreadableColumnError:
    """Return the error for dates and times, which rules cannot read."""
    remedy = "turn them into numbers first, such as days since a date, or drop them"
    return UnreadableColumnError(f"{where} holds dates or times, {what}: {remedy}", ColumnKind.DATE, "dates")


def declared_categories(column: Column) -> tuple[str, ...]:
    """Return the names of the categories that a column's type declares, in its order."""
    names = []
    for category in column.categories:
        name = category_name(plain_value(category))
        if name is None:
            raise UnreadableColumnError(
                f"the column {column.name!r} has the category {category!r}, which is neither text nor a number: "
                f"rename its categories to text",
                reason=f"has the category {category!r}, which rules cannot read",
            )
        names.append(name)
    return tuple(names)


def any_category(name: str) -> Feature:
    """Return a feature with which any category of a column can be read; its own categories do not matter."""
    return Feature(name, Kind.CATEGORICAL, categories=("any",))


def read_numbers(column: Column, feature: Feature) -> NDArray[np.float64]:
    """Return a numeric or boolean feature's values as numbers, NaN where missing."""
    cells = column.cells
    if isinstance(cells, np.ndarray):
        numbers = cells.astype(np.float64)
        if feature.kind is Kind.BOOLEAN and cells.dtype.kind != "b":
            for number in np.flatnonzero(~(np.isnan(numbers) | (numbers == 0.0) | (numbers == 1.0))):
                _read_cell(column.name, feature, int(number), cells[number])  # refuses it, in the interpreter's words
        return numbers
    if isinstance(cells, list) and feature.kind is Kind.NUMERIC and set(map(type, cells)) <= {int, float, type(None)}:
        try:
            return np.array(cells, dtype=np.float64)
        except OverflowError:  # a whole number beyond all floats, which `distinct` refuses by name
            pass
    readings, codes = distinct(column, feature)
    lookup = np.array([np.nan if reading is None else float(reading) for reading in readings])
    return lookup[codes] if codes.size else np.empty(0)


def distinct(column: Column, feature: Feature) -> tuple[list[Constant | None], NDArray[np.intp]]:
    """Return the column's distinct values as the interpreter reads them, and for each row the index of its value.

    Numbers are in ascending order, anything else in order of appearance; two values may have equal readings.
    """
    if isinstance(column.cells, np.ndarray):
        values, inverse = np.unique(column.cells, return_inverse=True)
        return [read_value(feature, value) for value in values], inverse.reshape(-1)
    if isinstance(column.cells, CodedCells):
        coded = column.cells.in_use()
        return [_read_coded(column.name, feature, value, coded) for value in coded.values], coded.codes.astype(np.intp)
    numbered = number_cells(column.cells)
    if numbered is not None:
        return [_read_first(column.name, feature, cell, column.cells) for cell in numbered[0]], numbered[1]
    # Together with its type, because Python's True equals 1 while the language tells them apart.
    indices: dict[tuple[type, object], int] = {}
    readings: list[Constant | None] = []
    codes = np.empty(len(column.cells), dtype=np.intp)
    for number, cell in enumerate(column.cells):
        key = (type(cell), cell)
        try:
            index = indices.get(key)
        except TypeError:  # cannot be hashed
            key = (type(cell), id(cell))
            index = indices.get(key)
        if index is None:
            index = indices[key] = len(readings)
            readings.append(_read_cell(column.name, feature, number, cell))
        codes[number] = index
    return readings, codes


def number_cells(cells: Sequence[Any]) -> tuple[list[Any], NDArray[np.intp]] | None:
    """Return the distinct cells in order of appearance, and for each cell its number among them.

    None if equal cells may mean different things, or cannot be found by their hash: only text, whole numbers or truth
    values, all of one type, can be told apart so quickly.

    >>> number_cells(["f", "m", "f", None])
    (['f', 'm', None], array([0, 1, 0, 2]))
    """
    types = set(map(type, cells)) - {type(None)}
    if len(types) > 1 or not types <= {str, int, bool}:
        return None
    numbers = {cell: number for number, cell in enumerate(dict.fromkeys(cells))}
    return list(numbers), np.fromiter(map(numbers.__getitem__, cells), np.intp, len(cells))


def _read_first(name: str, feature: Feature, cell: object, cells: list[Any]) -> Constant | None:
    try:
        return read_value(feature, cell)
    except SchemaError:
        return _read_cell(name, feature, cells.index(cell), cell)  # which names the row


def _read_coded(name: str, feature: Feature, value: object, cells: CodedCells) -> Constant | None:
    try:
        return read_value(feature, value)
    except SchemaError:
        return _read_cell(name, feature, int(np.argmax(cells.codes == cells.values.index(value))), value)


def _read_cell(name: str, feature: Feature, number: int, cell: object) -> Constant | None:
    try:
        return read_value(feature, cell)
    except SchemaError as error:
        raise SchemaError(f"row {number} of the column {name!r}: {error}") from None
