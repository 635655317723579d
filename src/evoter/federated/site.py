"""Site: a table that stays where it is, and answers requests with counts."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from evoter.estimators.labels import action_names, read_labels
from evoter.federated.counting import CountedRows
from evoter.federated.errors import MessageError, RefusedError
from evoter.federated.messages import (
    Agreement,
    Answer,
    Counted,
    Describe,
    Refusal,
    check_size,
    n_tables,
    read_request,
    write_answer,
)
from evoter.federated.protection.masks import PairwiseMasks
from evoter.federated.protection.microaggregation import microaggregate as grouped
from evoter.federated.protection.noise import LaplaceNoise, suppressed
from evoter.federated.summaries import MAX_CLASSES, Summary, kinds_of, summarise_columns
from evoter.kernels.layout import Ints, Words
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.schema import Schema, check_name
from evoter.tables.encoding import encode_table
from evoter.tables.sources import name_columns, open_table

MIN_CELL_COUNT = 5
"""Smaller counts are suppressed by default."""


class Site:
    """The rows of one participant of a federated run, which never leave it.

    Requests come as bytes and are answered with counts of rows. `answer` never raises an error: whatever is
    wrong with a request is answered with a refusal that names no value of a row.

    Parameters
    ----------
    X : array, list of rows, or frame of pandas, polars or similar
        The table.
    y : array of shape (n_samples,)
        The class of each row.
    name : str
        What the others call the site.
    features : list of str, optional
        The columns that may be used, by default all. Others are not even described.
    categorical : "auto" or list of str or int
        Columns of numbers that are categories.
    min_cell_count : int
        Counts below it are answered as 0; ranges have at least as many values beyond each end, and categories
        and classes of fewer rows are not told. 1 suppresses nothing.
    microaggregate : bool, optional
        Count groups of at least `min_cell_count` similar rows of one class, each with the mean of its numbers and the
        most frequent of its categories, instead of rows: then no difference of counts is of fewer rows either. Without
        it, counts are suppressed one by one, and their differences tell what was suppressed. None is True unless noise
        is added, which bounds what differences tell.
    noise : LaplaceNoise, optional
        Noise to add to all counts, with its budget.
    masks : PairwiseMasks, optional
        For secure aggregation: all sites have one.
    max_tables : int, optional
        How many tables are answered in sum, after which all requests are refused. A table is one rule set, or one
        feature of a histogram.

    Attributes
    ----------
    n_tables : int
        The number of tables that were answered so far.

    Examples
    --------
    >>> site = Site([[1.0, "a"], [2.0, "b"], [4.0, "b"]], ["no", "no", "yes"], name="north", min_cell_count=1)
    >>> site
    <Site 'north': 2 columns, counts below 1 suppressed>
    """

    def __init__(
        self,
        X: Any,
        y: ArrayLike,
        *,
        name: str,
        features: Sequence[str] | None = None,
        categorical: Literal["auto"] | Iterable[str | int] = "auto",
        min_cell_count: int = MIN_CELL_COUNT,
        microaggregate: bool | None = None,
        noise: LaplaceNoise | None = None,
        masks: PairwiseMasks | None = None,
        max_tables: int | None = None,
    ) -> None:
        check_name("site", name)
        if min_cell_count < 1:
            raise ValueError(f"min_cell_count must be 1 or more, got {min_cell_count!r}: 1 suppresses nothing")
        self.name = name
        self.min_cell_count = min_cell_count
        self.noise = noise
        self.masks = masks
        self.max_tables = max_tables
        self.n_tables = 0
        table = open_table(X)
        names = name_columns(table, None)
        table = replace(table, names=names)
        for each in features or ():
            if each not in names:
                raise SchemaError(f"features: the table has no column {each!r}{did_you_mean(each, names)}")
        self._labels, self._codes = read_labels(y)
        if len(self._codes) != table.n_rows:
            raise ValueError(f"the table has {table.n_rows} rows, and there are {len(self._codes)} labels")
        if len(self._labels) > MAX_CLASSES:
            raise ValueError(f"y has {len(self._labels)} classes, and {MAX_CLASSES} are the most: join rare ones")
        if np.bincount(self._codes).max() < min_cell_count:
            raise ValueError(
                f"no class has {min_cell_count} rows, the least that is ever told: lower min_cell_count, or leave "
                f"{name!r} out"
            )
        self._actions = action_names(self._labels)
        self._kinds = kinds_of(table, features or names, categorical)
        self.microaggregate = min_cell_count > 1 and (noise is None if microaggregate is None else microaggregate)
        if self.microaggregate:
            if noise is not None:
                raise ValueError(
                    "noise is for counts of rows, and one row changes the values of a whole group: leave out "
                    "microaggregate, or noise"
                )
            table, kept = grouped(table, self._kinds, self._codes, min_cell_count)
            self._codes = self._codes[kept]
        self._table = table
        self._columns = summarise_columns(table, self._kinds, min_cell_count)
        if masks is not None:
            masks.belong_to(self._digest())
        self._rows: CountedRows | None = None
        self._last: tuple[bytes, bytes] | None = None
        self._lock = Lock()

    def __repr__(self) -> str:
        how = "groups of {} rows counted" if self.microaggregate else "counts below {} suppressed"
        return f"<Site {self.name!r}: {len(self._columns)} columns, {how.format(self.min_cell_count)}>"

    @property
    def summary(self) -> Summary:
        """What the site tells of itself, such as its columns with their kinds and ranges."""
        counts = np.bincount(self._codes, minlength=len(self._actions)).tolist()
        told = [name for name, n in zip(self._actions, counts, strict=True) if n >= self.min_cell_count]
        kind = {"b": "boolean", "i": "number", "u": "number", "f": "number"}.get(self._labels.dtype.kind, "text")
        return Summary(
            self.name,
            self._columns,
            tuple(told),
            kind,
            self.min_cell_count,
            noisy=self.noise is not None,
            n_tables_left=self.n_tables_left,
            public_key="" if self.masks is None else self.masks.public_key,
            grouped=self.microaggregate,
        )

    @property
    def n_tables_left(self) -> int | None:
        """How many more tables can be answered, by the budget of noise and `max_tables`; None if there is no limit."""
        limits = [] if self.noise is None else [self.noise.n_tables_left]
        if self.max_tables is not None:
            limits.append(self.max_tables - self.n_tables)
        return min(limits, default=None)

    def answer(self, request: bytes) -> bytes:
        """Answer a request."""
        with self._lock:
            return self._answer_alone(request)

    def _answer_alone(self, request: bytes) -> bytes:
        if self._last is not None and request == self._last[0]:
            return self._last[1]  # asked again, because the answer was lost: the same, at no further cost
        try:
            answer = self._answer(request)
        except RefusedError as error:
            answer = Refusal(error.reason, error.is_spent)
        except MessageError as error:
            answer = Refusal(str(error))
        except Exception:  # whatever it is, it must neither end the site nor show a value in its text
            answer = Refusal("the request cannot be answered here")
        message = write_answer(answer)
        if isinstance(answer, Counted):
            self._last = (request, message)
        return message

    def _answer(self, message: bytes) -> Answer:
        request = read_request(message)
        if isinstance(request, Describe):
            if self.noise is not None:
                return self._bare_summary()
            return self.summary
        check_size(request)
        self._check_masks(request.agreement)
        rows = self._rows_for(request.agreement.schema)
        self._spend(n_tables(request))
        counts = rows.count(request)
        if self.noise is not None:
            counts = counts + self.noise.draw(len(counts))
        counts = suppressed(counts, self.min_cell_count)
        return Counted(self._masked(request.agreement, message, counts), self.n_tables_left)

    def _bare_summary(self) -> Summary:
        """Return a summary without anything that depends on rows, which no noise would protect."""
        return replace(self.summary, columns=(), classes=())

    def _rows_for(self, schema: Schema) -> CountedRows:
        if self._rows is None or self._rows.schema != schema:
            for feature in schema.features:
                # Kinds are no secret. Whether single values could be read otherwise is one, so nobody tries.
                if feature.name not in self._kinds:
                    raise RefusedError(
                        f"the schema has the feature {feature.name!r}, which is no column to be used here"
                    )
                kind = self._kinds[feature.name]
                if kind not in (None, feature.kind):
                    raise RefusedError(
                        f"the feature {feature.name!r} is {feature.kind} in the schema, and the column is {kind} here"
                    )
            columns = encode_table(self._table, schema)
            positions = {action: number for number, action in enumerate(schema.actions)}
            of_labels = np.array([positions.get(action, -1) for action in self._actions], dtype=np.int64)
            self._rows = CountedRows(schema, columns, of_labels[self._codes])
        return self._rows

    def _digest(self) -> bytes:
        """Return a digest of the rows and of how they are protected."""
        digest = hashlib.sha256(repr((self.name, self.min_cell_count, self.microaggregate, self._kinds)).encode())
        digest.update(repr(self._actions).encode() + self._codes.tobytes())
        for name in self._kinds:
            cells = self._table.column(name).cells
            digest.update(cells.tobytes() if isinstance(cells, np.ndarray) else repr(list(cells)).encode())
        return digest.digest()

    def _spend(self, n: int) -> None:
        if self.max_tables is not None and self.n_tables + n > self.max_tables:
            raise RefusedError(
                f"{self.n_tables:,} tables were answered, and {self.max_tables:,} are the most: {n:,} more were asked "
                "for",
                is_spent=True,
            )
        if self.noise is not None:
            self.noise.spend(n)
        self.n_tables += n

    def _check_masks(self, agreement: Agreement) -> None:
        if (self.masks is None) == bool(agreement.keys):
            wanted = "only masked" if self.masks is not None else "no masked"
            raise RefusedError(f"this site gives {wanted} counts: let all sites mask them, or none")
        if self.masks is not None:
            self.masks.check(self.name, agreement.keys)

    def _masked(self, agreement: Agreement, request: bytes, counts: Ints) -> Ints | Words:
        return counts if self.masks is None else self.masks.mask(self.name, agreement.keys, request, counts)
