"""The results of single fits, kept in a file as soon as they are had and never measured twice."""

from collections.abc import Iterator
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path

from evoter.experiments.records import Journal


@dataclass(frozen=True, slots=True)
class Record:
    """One model, fitted once; `failure` says why there are no figures.

    `features` names what the model looks at, where models are asked for it.

    `version` and `digest` say what was measured, so that another version or other rows are measured anew.
    """

    data: str
    protocol: str
    split: int
    model: str
    version: str
    digest: str
    n_train: int
    n_test: int
    train_accuracy: float = 0.0
    test_accuracy: float = 0.0
    complexity: int = 0
    aic: float = 0.0
    bic: float = 0.0
    seconds: float = 0.0
    majority: float = 0.0
    prior: float = 0.0
    rules: str = ""
    failure: str = ""
    features: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, int, str, str, str]:
        """What the record is a result of."""
        return self.data, self.protocol, self.split, self.model, self.version, self.digest


class Store:
    """Records in a file of JSON lines, the last one of a key counting."""

    def __init__(self, path: Path) -> None:
        self._journal = Journal(path)
        self._records = {record.key: record for record in _read(self._journal)}

    def get(self, key: tuple[str, str, int, str, str, str]) -> Record | None:
        """Return what is known of a fit, or None."""
        return self._records.get(key)

    def add(self, record: Record) -> None:
        """Write a record down at once."""
        self._records[record.key] = record
        self._journal.append(asdict(record))


def _read(journal: Journal) -> Iterator[Record]:
    known = {field.name for field in fields(Record)}
    needed = {field.name for field in fields(Record) if field.default is MISSING}
    for values in journal:
        if needed <= set(values) <= known:
            yield Record(**{**values, "features": tuple(values.get("features", ()))})
