"""Tables are read in batches if they are Parquet and have many rows or cells."""

from pathlib import Path

import polars as pl
import pytest

from evoter.cli.large import opening
from evoter.cli.large.opening import open_large, sha256_of
from evoter.cli.output import Failure
from evoter.cli.tables.files import ReadingOptions, read_source

FRAME = pl.DataFrame({"a": range(10), "b": ["x", "y"] * 5})
PLAIN = ReadingOptions()


@pytest.fixture(autouse=True)
def _small_files_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGE_BYTES", 0)


def test_small_files_are_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FRAME.write_parquet(tmp_path / "t.parquet")
    monkeypatch.setattr(opening, "LARGE_ROWS", 1)
    assert open_large(str(tmp_path / "t.parquet"), PLAIN) is not None
    monkeypatch.setattr(opening, "LARGE_BYTES", 10_000)
    assert open_large(str(tmp_path / "t.parquet"), PLAIN) is None


def test_the_number_of_rows_or_cells_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.parquet"
    FRAME.write_parquet(path)
    assert open_large(str(path), PLAIN) is None
    monkeypatch.setenv("EVOTER_MAX_CELLS", "19")
    assert open_large(str(path), PLAIN) is not None
    monkeypatch.delenv("EVOTER_MAX_CELLS")
    monkeypatch.setattr(opening, "LARGE_ROWS", 9)
    opened = open_large(str(path), PLAIN)
    assert opened is not None
    assert sha256_of(opened) == read_source(str(path)).sha256
    with pytest.raises(Failure, match="--sheet has no effect"):
        open_large(str(path), ReadingOptions(sheet="1"))


def test_other_files_are_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "LARGE_ROWS", 0)
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    (tmp_path / "odd.parquet").write_bytes(b"PAR1 nothing PAR1")
    for path in ("-", str(tmp_path / "t.csv"), str(tmp_path / "none.parquet"), str(tmp_path / "odd.parquet")):
        assert open_large(path, PLAIN) is None


def test_a_folder_has_one_checksum_however_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FRAME[:4].write_parquet(tmp_path / "1.parquet")
    FRAME[4:].write_parquet(tmp_path / "2.parquet")
    small = read_source(str(tmp_path))
    assert small.frame.rows() == FRAME.rows()
    monkeypatch.setattr(opening, "LARGE_ROWS", 9)
    opened = open_large(str(tmp_path), PLAIN)
    assert opened is not None
    assert sha256_of(opened) == small.sha256


def test_folders_without_one_table_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Failure, match=r"is a directory: .*has no Parquet files"):
        read_source(str(tmp_path))
    FRAME.write_parquet(tmp_path / "1.parquet")
    FRAME.rename({"a": "c"}).write_parquet(tmp_path / "2.parquet")
    with pytest.raises(Failure, match="differ in their columns"):
        read_source(str(tmp_path))
