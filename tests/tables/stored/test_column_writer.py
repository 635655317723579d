"""A column that was written in batches is read as it was, with as few bytes as it takes."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evoter.tables.coding import code_cells
from evoter.tables.columns import CodedCells, Column
from evoter.tables.intake.kinds import ColumnKind, UnreadableColumnError
from evoter.tables.stored import column_writer
from evoter.tables.stored.column_writer import ColumnWriter
from evoter.tables.stored.table import StoredColumn, StoredTable

NUMBERS = st.lists(st.lists(st.floats(width=64) | st.integers(-9, 9).map(float), min_size=1, max_size=9), min_size=1)


def stored(folder: Path, batches: list[Column]) -> tuple[StoredColumn, StoredTable]:
    writer = ColumnWriter("x", folder / "0.bin")
    for batch in batches:
        writer.add(batch)
    column, _ = writer.finish()
    return column, StoredTable(folder, sum(len(batch.cells) for batch in batches), (column,))


def texts(cells: Sequence[str | None]) -> Column:
    coded = code_cells(pl.Series(cells, dtype=pl.String))
    assert coded is not None
    return Column("x", coded)


@given(NUMBERS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_numbers_are_exact(tmp_path: Path, batches: list[list[float]]) -> None:
    column, table = stored(tmp_path, [Column("x", np.array(batch)) for batch in batches])
    whole = np.concatenate([np.array(batch) for batch in batches])
    loaded = table.load(0, "x").cells
    assert isinstance(loaded, np.ndarray)
    assert np.array_equal(loaded, whole, equal_nan=True)
    with np.errstate(over="ignore"):
        fits = ((whole.astype(np.float32) == whole) | np.isnan(whole)).all()
    assert column.dtype == ("<f4" if fits else "<f8")


@given(st.lists(st.lists(st.none() | st.text(max_size=2), min_size=1, max_size=9), min_size=1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_texts_are_the_same(tmp_path: Path, batches: list[list[str | None]]) -> None:
    _, table = stored(tmp_path, [texts(batch) for batch in batches])
    loaded = table.load(0, "x").cells
    assert isinstance(loaded, CodedCells)
    assert loaded.to_list() == [cell for batch in batches for cell in batch]


def test_codes_take_one_byte_and_then_two(tmp_path: Path) -> None:
    many = [f"t{n}" for n in range(300)]
    column, table = stored(tmp_path, [texts(many[:200]), texts(many[200:])])
    assert column.dtype == "<u2"
    assert (tmp_path / "0.bin").stat().st_size == 600
    assert stored(tmp_path, [texts(many[:256])])[0].dtype == "|u1"
    assert len(table) == 300


def test_too_many_texts_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_writer, "MAX_VALUES", 5)
    column, table = stored(tmp_path, [texts(["a", "b", "c"]), texts(["d", "e", "f"]), texts(["g"])])
    assert column.column_kind is ColumnKind.TEXT
    assert not list(tmp_path.iterdir())
    with pytest.raises(UnreadableColumnError, match="more than 4 different texts, such as 'a': drop it"):
        table.load(0, "x")


def test_whole_numbers_keep_their_type_unless_some_are_missing_or_too_large(tmp_path: Path) -> None:
    whole, missing = Column("x", np.array([1, 2])), Column("x", CodedCells((None,), np.zeros(2, np.uint8)))
    assert stored(tmp_path, [whole])[0].is_whole
    assert not stored(tmp_path, [missing, whole])[0].is_whole
    assert not stored(tmp_path, [Column("x", np.array([2**60 + 1]))])[0].is_whole
    loaded = stored(tmp_path, [missing, whole])[1].load(0, "x").cells
    assert np.array_equal(loaded, [np.nan, np.nan, 1.0, 2.0], equal_nan=True)  # type: ignore[arg-type]


def test_a_column_without_values_needs_no_file(tmp_path: Path) -> None:
    _, table = stored(tmp_path, [Column("x", [None, None]), Column("x", [None])])
    assert table.load(0, "x").cells.to_list() == [None] * 3  # type: ignore[union-attr]
    assert not list(tmp_path.iterdir())


def test_objects_are_refused(tmp_path: Path) -> None:
    _, table = stored(tmp_path, [Column("x", [object()])])
    with pytest.raises(UnreadableColumnError, match="Python objects"):
        table.load(0, "x")
