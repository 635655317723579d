"""How the rows of a table were divided, so that the same rows are recognised when a project is opened again."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from evoter.rules.editing.chain import read_hash
from evoter.rules.files.document import Reader, read_number, read_object, read_record, read_truth, read_whole

_MAX_ROWS = 10**12
_MAX_SEED = 2**63
_HASH_BYTES = 16


@dataclass(frozen=True, slots=True)
class Split:
    """The shares of validation and test rows that were asked for, and how many rows each part has and which.

    `sha256` has a digest for each part, which is the same whatever the order of its rows.

    >>> hashes = row_hashes({"age": [40, 50, 60, 70], "sex": ["f", "m", "f", None]})
    >>> parts = {"train": [0, 1], "validation": [2], "test": [3]}
    >>> split = Split.of(hashes, parts, seed=0, validation=0.25, test=0.25)
    >>> dict(split.n_rows)
    {'train': 2, 'validation': 1, 'test': 1}
    >>> moved = Split.of(hashes, {"train": [1, 0], "validation": [3], "test": [2]}, seed=0, validation=0.25, test=0.25)
    >>> split.differing_parts(moved)
    ('validation', 'test')
    """

    seed: int
    validation: float
    test: float
    grouped: bool
    n_rows: Mapping[str, int]
    sha256: Mapping[str, str]

    @classmethod
    def of(
        cls,
        hashes: Sequence[bytes],
        parts: Mapping[str, Iterable[int]],
        *,
        seed: int,
        validation: float,
        test: float,
        grouped: bool = False,
    ) -> "Split":
        """Describe parts, given as row numbers from 0, of the table whose rows have these hashes."""
        chosen = {name: sorted(hashes[int(row)] for row in rows) for name, rows in parts.items()}
        return cls(
            seed,
            validation,
            test,
            grouped,
            {name: len(rows) for name, rows in chosen.items()},
            {name: hashlib.sha256(b"".join(rows)).hexdigest() for name, rows in chosen.items()},
        )

    def differing_parts(self, other: "Split") -> tuple[str, ...]:
        """Return the names of parts that do not have the same rows in another split."""
        names = dict.fromkeys([*self.sha256, *other.sha256])
        return tuple(name for name in names if self.sha256.get(name) != other.sha256.get(name))

    def document(self) -> dict[str, Any]:
        """Return the split as a record holds it."""
        return {
            "seed": self.seed,
            "validation": self.validation,
            "test": self.test,
            "grouped": self.grouped,
            "n_rows": dict(self.n_rows),
            "sha256": dict(self.sha256),
        }


def read_split(content: Mapping[str, Any]) -> Split:
    """Read what `Split.document` returned."""
    return read_record(content, "content", Split, _SPLIT, _SPLIT)


def row_hashes(columns: Mapping[str, Any]) -> list[bytes]:
    """Return a hash of each row, from the names and values of its columns, whatever their order.

    Columns are lists or arrays of numbers, texts, truth values, dates or missing values (None or NaN).

    >>> first = row_hashes({"age": [40, 50], "sex": ["f", "m"]})
    >>> first == row_hashes({"sex": ["f", "m"], "age": [40, 50]})
    True
    >>> len(set(first + row_hashes({"age": [40, 50], "sex": ["f", "f"]})))
    3
    """
    names = sorted(columns)
    key = hashlib.blake2b(json.dumps(names).encode(), digest_size=_HASH_BYTES).digest()
    values = [_plain(columns[name]) for name in names]
    return [
        hashlib.blake2b(json.dumps(row, default=str).encode(), digest_size=_HASH_BYTES, key=key).digest()
        for row in zip(*values, strict=True)
    ]


def _plain(column: Any) -> list[object]:
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    return [None if value != value else value for value in values]


def _read_counts(value: object, path: str) -> dict[str, int]:
    counts = read_object(value, path)
    return {name: read_whole(each, f"{path}.{name}", 0, _MAX_ROWS) for name, each in counts.items()}


def _read_hashes(value: object, path: str) -> dict[str, str]:
    return {name: read_hash(each, f"{path}.{name}") for name, each in read_object(value, path).items()}


_SPLIT: dict[str, Reader] = {
    "seed": partial(read_whole, low=0, high=_MAX_SEED),
    "validation": read_number,
    "test": read_number,
    "grouped": read_truth,
    "n_rows": _read_counts,
    "sha256": _read_hashes,
}
