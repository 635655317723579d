"""What happened generation by generation, one step from a data frame."""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Record:
    """One generation: best and mean score, the size of the best rule set, evaluations and seconds so far.

    With several objectives, scores are those of the first one, and there are the `hypervolume` and size of the front.
    """

    generation: int
    best: float
    mean: float
    n_conditions: int
    n_rules: int
    evaluations: int
    seconds: float
    hypervolume: float = math.nan
    front_size: float = math.nan


COLUMNS = tuple(field.name for field in fields(Record))


class History(Mapping[str, NDArray[Any]]):
    """The records of a run, as a mapping from column names to arrays.

    `pandas.DataFrame(dict(history))` and `polars.DataFrame(dict(history))` are the data frame.

    >>> history = History([Record(0, 0.7, 0.4, 3, 2, 500, 0.01), Record(1, 0.9, 0.5, 4, 2, 990, 0.02)])
    >>> history
    History(2 generations, best 0.9, 4 conditions, 990 evaluations in 0.02 s)
    >>> history["best"]
    array([0.7, 0.9])
    """

    def __init__(self, records: Iterable[Record] = ()) -> None:
        self._records = list(records)

    def append(self, record: Record) -> None:
        """Add the record of a generation, replacing what was recorded for it and later ones."""
        self.cut(record.generation)
        self._records.append(record)

    def cut(self, n_generations: int) -> None:
        """Forget all but the first generations."""
        del self._records[n_generations:]

    @property
    def records(self) -> tuple[Record, ...]:
        """The records, the oldest first."""
        return tuple(self._records)

    @property
    def first(self) -> Record:
        """The oldest record."""
        return self._records[0]

    @property
    def last(self) -> Record:
        """The newest record."""
        return self._records[-1]

    @property
    def n_generations(self) -> int:
        """The number of records."""
        return len(self._records)

    def followed_by(self, later: "History") -> "History":
        """Return this history with that of a later run behind it, whose generations, work and time are counted on.

        >>> once = History([Record(0, 0.7, 0.4, 3, 2, 500, 0.01)])
        >>> once.followed_by(once)
        History(2 generations, best 0.7, 3 conditions, 1000 evaluations in 0.02 s)
        """
        if not self._records:
            return History(later.records)
        last = self.last
        counted_on = (
            replace(
                record,
                generation=record.generation + last.generation + 1,
                evaluations=record.evaluations + last.evaluations,
                seconds=record.seconds + last.seconds,
            )
            for record in later.records
        )
        return History([*self._records, *counted_on])

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in COLUMNS:
            raise KeyError(f"the history has no column {name!r}; its columns are {', '.join(COLUMNS)}")
        return np.array([getattr(record, name) for record in self._records])

    def __iter__(self) -> Iterator[str]:
        return iter(COLUMNS)

    def __len__(self) -> int:
        return len(COLUMNS)

    def __repr__(self) -> str:
        if not self._records:
            return "History(empty)"
        last = self.last
        return (
            f"History({self.n_generations} generations, best {last.best:.6g}, {last.n_conditions} conditions, "
            f"{last.evaluations} evaluations in {last.seconds:.3g} s)"
        )
