"""Parquet files, folders, datasets and lazy frames are read in batches, and odd ones are refused with a remedy."""

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

from evoter.rules.errors import SchemaError
from evoter.tables.stored import batches
from evoter.tables.stored.batches import is_lazy, open_batches

FRAME = pl.DataFrame({"a": range(10), "b": ["x", None] * 5})


def rows(X: object, names: list[str]) -> list[tuple[object, ...]]:
    opened = open_batches(X)
    found: list[tuple[object, ...]] = []
    for batch in opened.read(names):
        assert len(batch) <= 4
        found += (pl.from_arrow(batch) if isinstance(batch, pa.Table) else batch).rows()  # type: ignore[union-attr]
    return found


@pytest.mark.parametrize("with_arrow", [True, False])
def test_all_sources_give_the_same_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_arrow: bool) -> None:
    monkeypatch.setattr(batches, "BATCH_ROWS", 4)
    monkeypatch.setattr(batches, "_has_arrow", lambda: with_arrow)
    whole, folder = tmp_path / "whole.parquet", tmp_path / "parts" / "deep"
    folder.mkdir(parents=True)
    FRAME.write_parquet(whole)
    FRAME[:3].write_parquet(folder / "1.parquet")
    FRAME[3:].write_parquet(folder / "2.pq")
    FRAME.write_parquet(folder / "_hidden.parquet")
    for X in (whole, str(whole), tmp_path / "parts", FRAME.lazy(), ds.dataset(whole)):
        assert is_lazy(X)
        assert rows(X, ["b", "a"]) == FRAME.select("b", "a").rows()
        assert open_batches(X).names == ("a", "b")
        assert open_batches(X).n_rows == (None if isinstance(X, pl.LazyFrame) else 10)


def test_files_of_a_folder_must_agree(tmp_path: Path) -> None:
    FRAME.write_parquet(tmp_path / "1.parquet")
    FRAME.with_columns(pl.col("a").cast(pl.String)).write_parquet(tmp_path / "2.parquet")
    with pytest.raises(SchemaError, match=r"2\.parquet does not belong to the same table: 'a' is .*string.* there"):
        open_batches(tmp_path)
    FRAME.select("b", "a").write_parquet(tmp_path / "2.parquet")
    (tmp_path / "1.parquet").replace(tmp_path / "0.parquet")
    open_batches(tmp_path / "2.parquet")


def test_odd_paths_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="there is no Parquet file"):
        open_batches(tmp_path / "none.parquet")
    with pytest.raises(SchemaError, match="has no Parquet files"):
        open_batches(tmp_path)
    (tmp_path / "odd.parquet").write_bytes(b"PAR1 nothing PAR1")
    with pytest.raises(SchemaError, match=r"odd\.parquet cannot be read as a Parquet file"):
        open_batches(tmp_path)
    parts = tmp_path / "divided" / "year=2020"
    parts.mkdir(parents=True)
    FRAME.write_parquet(parts / "1.parquet")
    with pytest.raises(SchemaError, match="would be lost; pass pyarrow"):
        open_batches(tmp_path / "divided")


def test_a_damaged_page_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": range(20_000)}).write_parquet(path, compression="zstd")
    content = bytearray(path.read_bytes())
    content[40:400] = bytes(360)
    path.write_bytes(content)
    with pytest.raises(SchemaError, match="cannot be read as a Parquet file"):
        list(open_batches(path).read(["a"]))


def test_names_must_differ() -> None:
    twice = pa.table([[1], [2]], names=["a", "a"])
    with pytest.raises(SchemaError, match="several columns named 'a'"):
        open_batches(ds.dataset(twice))


def test_frames_and_arrays_are_not_lazy() -> None:
    assert not any(map(is_lazy, [FRAME, FRAME.to_arrow(), [[1]], None]))
