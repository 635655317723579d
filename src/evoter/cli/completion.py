"""Suggestions for Tab completion: columns of the table on the command line, formats, metrics, data sets."""

import csv
import gzip
from collections.abc import Iterator
from pathlib import Path

import typer

_PREVIEW = 65_536
"""The number of bytes that are read to find the names of the columns."""


def complete_column(context: typer.Context, incomplete: str) -> Iterator[str]:
    """Suggest the columns of the table on the command line."""
    for value in _words(context):
        path = Path(value).expanduser()
        if path.suffix != ".json" and path.is_file():
            yield from (name for name in column_names(path) if name.startswith(incomplete))


def complete_format(incomplete: str) -> Iterator[str]:
    """Suggest formats of rule files."""
    from evoter.export import FORMATS

    yield from (name for name in FORMATS if name.startswith(incomplete))


def complete_metric(incomplete: str) -> Iterator[str]:
    """Suggest compiled metrics."""
    from evoter.problems.classification.frequencies import OBJECTIVES

    yield from (name for name in OBJECTIVES if name.startswith(incomplete))


def complete_dataset(incomplete: str) -> Iterator[str]:
    """Suggest data sets."""
    from evoter.cli.datasets import known_datasets

    yield from (name for name in known_datasets() if name.startswith(incomplete))


def complete_experiment(incomplete: str) -> Iterator[str]:
    """Suggest experiments of the paper."""
    from evoter.experiments import catalogue

    yield from (name for name in catalogue() if name.startswith(incomplete))


def column_names(path: Path) -> list[str]:
    """Return the names of a table's columns, or nothing if they are not found quickly; no errors are raised."""
    try:
        if path.suffix in (".parquet", ".pq"):
            import polars as pl

            return list(pl.read_parquet_schema(path))
        if path.suffix in (".csv", ".tsv", ".txt", ".data", ".gz"):
            return _first_line(path)
    except Exception:  # completion must not show errors
        return []
    return []


def _first_line(path: Path) -> list[str]:
    from evoter.cli.tables.delimited_text import find_separator

    with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
        lines = file.read(_PREVIEW).decode("utf-8-sig", errors="replace").splitlines()[:5]
    return [cell.strip() for cell in next(csv.reader(lines, delimiter=find_separator(lines)))]


def _words(context: typer.Context) -> Iterator[str]:
    """Yield the words given so far; those before an incomplete option are not assigned to parameters yet."""
    yield from context.args
    for value in context.params.values():
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from (each for each in value if isinstance(each, str))
