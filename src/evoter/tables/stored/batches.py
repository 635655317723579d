"""Tables that are read in batches of rows: Parquet files and folders, Arrow datasets, and lazy frames of polars."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import narwhals as nw

from evoter.rules.errors import SchemaError

BATCH_ROWS: Final = 131_072
"""The number of rows that are read at a time: a megabyte for a column of numbers."""

PARQUET_SUFFIXES: Final = (".parquet", ".pq")


@dataclass(frozen=True, slots=True)
class Batches:
    """A table that is read in batches, from the beginning each time.

    `n_rows` is None where it is not known beforehand. `files` are those whose content the table is; other tables, such
    as the result of a query, have none. `types` are the types of the columns by name, as the library writes them.
    """

    types: dict[str, str]
    n_rows: int | None
    files: tuple[Path, ...]
    read: Callable[[Sequence[str]], Iterator[Any]]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return tuple(self.types)


def is_lazy(X: object) -> bool:
    """Tell whether a table is to be read in batches: the path of a Parquet file or folder, a dataset or a lazy frame.

    >>> import polars as pl
    >>> is_lazy("claims.parquet"), is_lazy(pl.LazyFrame()), is_lazy(pl.DataFrame())
    (True, True, False)
    """
    return isinstance(X, str | os.PathLike) or nw.dependencies.is_polars_lazyframe(X) or _is_dataset(X)


def open_batches(X: Any) -> Batches:
    """Open a table that is read in batches."""
    if isinstance(X, str | os.PathLike):
        return open_parquet(Path(X).expanduser())
    if _is_dataset(X):
        files = tuple(map(Path, getattr(X, "files", ())))
        local = files if all(path.is_file() for path in files) else ()
        types = {field.name: str(field.type) for field in X.schema}
        return Batches(_distinct(X.schema.names, types, "the dataset"), X.count_rows(), local, _reader_of_dataset(X))
    schema = X.collect_schema()
    types = {name: str(dtype) for name, dtype in schema.items()}
    return Batches(types, None, (), lambda names: X.select(list(names)).collect_batches(chunk_size=BATCH_ROWS))


def open_parquet(path: Path) -> Batches:
    """Open a Parquet file, or all Parquet files of a folder, which must agree on their columns."""
    files = parquet_files(path)
    opened = [_parquet_facts(file) for file in files]
    (types, _), first = opened[0], files[0]
    for (others, _), file in zip(opened[1:], files[1:], strict=True):
        if others != types:
            odd = next((name for name in {**types, **others} if types.get(name) != others.get(name)), "")
            what = f"{odd!r} is {others.get(odd, 'absent')} there, and {types.get(odd, 'absent')} in {first.name}"
            if not odd:
                what = "its columns are in another order"
            raise SchemaError(f"{file} does not belong to the same table: {what}; write the files with one schema")
    n_rows = sum(n for _, n in opened)

    def read(names: Sequence[str]) -> Iterator[Any]:
        for file in files:
            yield from _read_parquet(file, names)

    return Batches(types, n_rows, tuple(files), read)


def parquet_files(path: Path) -> list[Path]:
    """Return a Parquet file, or those of a folder and its subfolders by name; hidden ones do not count."""
    if not path.is_dir():
        if not path.is_file():
            raise SchemaError(
                f"there is no Parquet file {str(path)!r}; give the path of a file, or of a folder of them"
            )
        return [path]
    found = sorted(file for suffix in PARQUET_SUFFIXES for file in path.rglob(f"*{suffix}"))
    kept = [file for file in found if not file.name.startswith(("_", ".")) and file.is_file()]
    if not kept:
        raise SchemaError(f"the folder {str(path)!r} has no Parquet files; their names end in .parquet or .pq")
    divided = next((file for file in kept if any("=" in part for part in file.relative_to(path).parts[:-1])), None)
    if divided is not None:
        raise SchemaError(
            f"the folders in {str(path)!r} have values in their names, as {divided.relative_to(path)}, and these would "
            f"be lost; pass pyarrow.dataset.dataset(path, partitioning='hive') or polars.scan_parquet(path) instead"
        )
    return kept


def _distinct(names: Sequence[str], types: dict[str, str], what: str) -> dict[str, str]:
    if len(types) < len(names):
        twice = next(name for index, name in enumerate(names) if name in names[:index])
        raise SchemaError(f"{what} has several columns named {twice!r}; rename them")
    return types


def _parquet_facts(file: Path) -> tuple[dict[str, str], int]:
    """Return the types of the columns, and the number of rows."""
    try:
        if _has_arrow():
            import pyarrow.parquet as pq

            with pq.ParquetFile(file) as opened:
                schema = opened.schema_arrow
                types = {field.name: str(field.type) for field in schema}
                return _distinct(schema.names, types, str(file)), opened.metadata.num_rows
        import polars as pl

        found = {name: str(dtype) for name, dtype in pl.read_parquet_schema(file).items()}
        return found, int(pl.scan_parquet(file).select(pl.len()).collect().item())
    except SchemaError:
        raise
    except Exception as error:  # of either library, for damaged files and other formats alike
        raise _not_parquet(file, error) from None


def _read_parquet(file: Path, names: Sequence[str]) -> Iterator[Any]:
    try:
        if _has_arrow():
            import pyarrow as pa
            import pyarrow.parquet as pq

            with pq.ParquetFile(file) as opened:
                for batch in opened.iter_batches(BATCH_ROWS, columns=list(names)):
                    # The library gives columns in the order of the file.
                    yield pa.Table.from_batches([batch]).select(list(names))
            return
        import polars as pl

        yield from pl.scan_parquet(file).select(list(names)).collect_batches(chunk_size=BATCH_ROWS)
    except OSError as error:  # what Arrow raises where a page is damaged
        raise _not_parquet(file, error) from None


def _reader_of_dataset(dataset: Any) -> Callable[[Sequence[str]], Iterator[Any]]:
    def read(names: Sequence[str]) -> Iterator[Any]:
        import pyarrow as pa

        for batch in dataset.to_batches(columns=list(names), batch_size=BATCH_ROWS, batch_readahead=4):
            yield pa.Table.from_batches([batch])

    return read


def _not_parquet(file: Path, error: Exception) -> SchemaError:
    reason = (str(error).strip() or type(error).__name__).splitlines()[0]
    return SchemaError(f"{file} cannot be read as a Parquet file ({reason}); if it is one, write it again")


def _has_arrow() -> bool:
    if find_spec("pyarrow") is not None:
        return True
    if find_spec("polars") is None:
        raise ImportError('reading Parquet files needs pyarrow or polars: pip install "evoter[data]"')
    return False


def _is_dataset(X: object) -> bool:
    if not type(X).__module__.startswith("pyarrow"):
        return False
    import pyarrow.dataset as ds

    return isinstance(X, ds.Dataset)
