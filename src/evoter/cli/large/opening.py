"""Which tables are read in batches: Parquet files and folders with many rows, recognised before they are read."""

import hashlib
from pathlib import Path
from typing import Final

from evoter.cli.tables.files import ReadingOptions, folder_digest
from evoter.cli.tables.size_limits import max_cells
from evoter.rules.errors import SchemaError
from evoter.tables.stored.batches import Batches, open_parquet, parquet_files

LARGE_ROWS: Final = 1_000_000
"""A Parquet table with this many rows is read in batches; one with fewer at once, unless it has too many columns."""

LARGE_BYTES: Final = 2**24
"""Smaller files are always read at once, by a process of its own, which a damaged file may end."""

_MAGIC = b"PAR1"


def open_large(path: str, options: ReadingOptions) -> Batches | None:
    """Open a Parquet table that is to be read in batches; None for all others, which are read at once."""
    place = Path(path).expanduser()
    if path == "-" or not (place.is_dir() or _is_parquet(place)):
        return None
    try:
        if sum(file.stat().st_size for file in parquet_files(place)) < LARGE_BYTES:
            return None
        batches = open_parquet(place)
    except (SchemaError, ImportError):
        return None  # what reads tables at once says what is wrong with it
    if (batches.n_rows or 0) < LARGE_ROWS and fits_memory(batches):
        return None
    options.refuse_ignored(place.name, has_sheets=False, is_text=False)
    return batches


def fits_memory(batches: Batches) -> bool:
    """Tell whether a table may be read at once as well, for what cannot be done in batches."""
    return (batches.n_rows or 0) * len(batches.names) <= max_cells()


def sha256_of(batches: Batches) -> str:
    """Return the checksum of a file; that of a folder is made of the names and checksums of its files."""
    digests = []
    for path in batches.files:
        with path.open("rb") as file:
            digests.append((path.name, hashlib.file_digest(file, "sha256").hexdigest()))
    return digests[0][1] if len(digests) == 1 else folder_digest(digests)


def _is_parquet(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False
