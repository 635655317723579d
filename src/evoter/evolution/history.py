"""What happened generation by generation, one step from a data frame."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

COLUMNS = ("generation", "best", "mean", "n_conditions", "n_rules", "evaluations", "seconds")


@dataclass(frozen=True, slots=True)
class Record:
    """One generation: best and mean score, the size of the best rule set, evaluations and seconds so far."""

    generation: int
    best: float
    mean: float
    n_conditions: int
    n_rules: int
    evaluations: int
    seconds: float


class History(Mapping[str, NDArray[np.generic]]):
    """The records of a run, as a mapping from column names to arrays.

    `pandas.DataFrame(dict(history))` and `polars.DataFrame(dict(history))` are the data frame.
    """

    def __init__(self, columns: Mapping[str, NDArray[np.generic]] | None = None) -> None:
        self._columns: dict[str, list[float]] = {name: [] for name in COLUMNS}
        if columns is not None:
            self._columns = {name: columns[name].tolist() for name in COLUMNS}

    def append(self, record: Record) -> None:
        """Add the record of a generation."""
        for name in COLUMNS:
            self._columns[name].append(getattr(record, name))

    @property
    def first(self) -> Record:
        """The oldest record."""
        return self._record(0)

    @property
    def last(self) -> Record:
        """The newest record."""
        return self._record(-1)

    def _record(self, position: int) -> Record:
        return Record(**{name: values[position] for name, values in self._columns.items()})  # type: ignore[arg-type]

    @property
    def n_generations(self) -> int:
        """The number of records."""
        return len(self._columns["generation"])

    def __getitem__(self, name: str) -> NDArray[np.generic]:
        return np.array(self._columns[name])

    def __iter__(self) -> Iterator[str]:
        return iter(COLUMNS)

    def __len__(self) -> int:
        return len(COLUMNS)

    def __repr__(self) -> str:
        if self.n_generations == 0:
            return "History(empty)"
        last = self.last
        return (
            f"History({self.n_generations} generations, best {last.best:.6g}, {last.n_conditions} conditions, "
            f"{last.evaluations} evaluations in {last.seconds:.3g} s)"
        )
