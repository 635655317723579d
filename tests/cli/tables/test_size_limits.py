"""Tests that a small file cannot become a huge table, and that the limits can be raised."""

import gzip
import zipfile
from pathlib import Path

import polars as pl
import pytest

from evoter.cli.output import Failure
from evoter.cli.tables.files import ReadingOptions, read_source
from evoter.cli.tables.size_limits import BYTES_VARIABLE, CELLS_VARIABLE


def refusal(path: Path, options: ReadingOptions | None = None) -> Failure:
    with pytest.raises(Failure) as caught:
        read_source(str(path), options)
    assert "\n" not in caught.value.message
    return caught.value


def test_gzipped_text_is_counted_while_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,2\n" * 2_000_000))
    monkeypatch.setenv(BYTES_VARIABLE, "7000000")
    failure = refusal(path)
    assert failure.message == "t.csv.gz holds more than 7,000,000 bytes once it is unpacked"
    assert BYTES_VARIABLE in failure.hint
    monkeypatch.setenv(BYTES_VARIABLE, "9000000")
    assert read_source(str(path)).n_rows == 2_000_000


def test_short_lines_count_as_rows_of_all_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    columns, values = ",".join(f"c{n}" for n in range(1_000)), ",".join("1" * 1_000)
    path.write_text(f"{columns}\n{values}\n" + "1\n" * 499, encoding="utf-8")
    monkeypatch.setenv(CELLS_VARIABLE, "499999")
    failure = refusal(path)
    assert failure.message == "t.csv has 500 rows and 1,000 columns, more than 499,999 cells"
    assert CELLS_VARIABLE in failure.hint
    monkeypatch.setenv(CELLS_VARIABLE, "500000")
    assert read_source(str(path)).n_rows == 500


def test_cells_of_several_lines_are_one_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n"1\n\n\n\n",2\n' * 1, encoding="utf-8")
    monkeypatch.setenv(CELLS_VARIABLE, "2")
    assert read_source(str(path)).n_rows == 1


def test_a_stray_cell_in_the_last_row_and_column(tmp_path: Path) -> None:
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "t.xlsx"
    with xlsxwriter.Workbook(path) as book:
        pl.DataFrame({"a": [1, 2]}).write_excel(book, worksheet="table")
        stray = book.add_worksheet("stray")
        stray.write("A1", "a")
        stray.write("XFD1048576", 5)
    assert read_source(str(path)).n_rows == 2
    failure = refusal(path, ReadingOptions(sheet="stray"))
    assert failure.message == "t.xlsx has 1,048,576 rows and 16,384 columns, more than 200,000,000 cells"
    assert "delete stray cells" in failure.hint


def test_a_workbook_is_measured_before_it_is_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", b" " * 3_000_000)
    monkeypatch.setenv(BYTES_VARIABLE, "2999999")
    assert "holds more than 2,999,999 bytes" in refusal(path).message


def test_rows_and_columns_of_a_parquet_file_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": [0] * 1_000, "b": [0] * 1_000}).write_parquet(path)
    monkeypatch.setenv(CELLS_VARIABLE, "1999")
    assert refusal(path).message == "t.parquet has 1,000 rows and 2 columns, more than 1,999 cells"


def test_a_limit_that_is_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t.csv").write_text("a\n1\n", encoding="utf-8")
    monkeypatch.setenv(CELLS_VARIABLE, "many")
    assert refusal(tmp_path / "t.csv").message == f"{CELLS_VARIABLE} is 'many', which is not a whole number above 0"
