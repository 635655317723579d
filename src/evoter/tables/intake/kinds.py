"""What a column turned out to be: its kind, its values in brief, and what is questionable about it."""

from dataclasses import dataclass
from enum import StrEnum

from evoter.rules.errors import SchemaError
from evoter.rules.schema import Kind


class ColumnKind(StrEnum):
    """What a column holds; rules read the first three."""

    NUMERIC = "number"
    CATEGORICAL = "category"
    BOOLEAN = "yes/no"
    DATE = "date"
    TEXT = "text"
    IDENTIFIER = "identifier"
    CONSTANT = "constant"
    EMPTY = "empty"
    OTHER = "other"

    @property
    def is_feature(self) -> bool:
        """Whether rules should read such a column."""
        return self in (ColumnKind.NUMERIC, ColumnKind.CATEGORICAL, ColumnKind.BOOLEAN)


class ColumnConcern(StrEnum):
    """What a warning about a column is about."""

    IDENTIFIER = "identifier"
    DATES = "dates"
    SPELLING = "spelling"
    TARGET = "target"
    THOUSANDS = "thousands"
    UNITS = "units"
    BINARY = "binary"


_REMEDIES = {
    ColumnConcern.IDENTIFIER: "drop it, unless its values mean something",
    ColumnConcern.DATES: "turn them into numbers, such as days since a date, or drop the column",
    ColumnConcern.SPELLING: "rules would tell them apart; correct the table if they are the same",
    ColumnConcern.TARGET: "drop it, unless it is known before the target is",
    ColumnConcern.THOUSANDS: "remove the points if they separate thousands",
    ColumnConcern.UNITS: "correct the table if they are in another unit",
    ColumnConcern.BINARY: "correct the value, or fit again with such values among the training rows",
}


class ColumnWarning(UserWarning):
    """Something about a column that a person should look at before rules are learnt from it.

    `finding` completes a sentence that begins with the name of the column.
    """

    def __init__(self, column: str, concern: ColumnConcern, finding: str) -> None:
        super().__init__(f"the column {column!r} {finding}: {_REMEDIES[concern]}")
        self.column = column
        self.concern = concern
        self.finding = finding

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.column, self.concern, self.finding)


class UnreadableColumnError(SchemaError):
    """A column of dates or of other values that rules cannot read."""

    def __init__(self, message: str, kind: ColumnKind = ColumnKind.OTHER, reason: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.reason = reason

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.kind, self.reason)


@dataclass(frozen=True, slots=True)
class ColumnReport:
    """One column: its kind, what it holds, why rules should not read it, and warnings.

    `read_as` is the kind of feature that its values have, also where rules should not read it; None if it has neither
    values nor a type. `reason` says why rules should not read it, and `note` how it was read. `low` and `high` are the
    range of numbers, `examples` the most frequent values of other columns, `n_distinct` the number of distinct values
    where they were counted. `infinite_row` is the index of the first infinite number.
    """

    name: str
    kind: ColumnKind
    read_as: Kind | None = None
    n_rows: int = 0
    n_missing: int = 0
    n_distinct: int | None = None
    low: float | None = None
    high: float | None = None
    share_true: float | None = None
    examples: tuple[str, ...] = ()
    reason: str = ""
    note: str = ""
    warnings: tuple[ColumnWarning, ...] = ()
    infinite_row: int | None = None

    @property
    def summary(self) -> str:
        """The range of numbers, or the most frequent values."""
        if self.share_true is not None:
            return f"{self.share_true:.0%} yes"
        if self.low is not None and self.kind is not ColumnKind.CONSTANT:
            return f"{self.low:g} .. {self.high:g}"
        shown = ", ".join(text if len(text) <= 20 else f"{text[:19]}…" for text in self.examples)
        n_more = (self.n_distinct or 0) - len(self.examples)
        return f"{shown} + {n_more:,} more" if n_more > 0 and shown else shown
