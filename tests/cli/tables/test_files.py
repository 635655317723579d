"""Tests that tables are found and their formats told apart."""

import gzip
import hashlib
from pathlib import Path

import polars as pl
import pytest

from evoter.cli.output import Failure
from evoter.cli.tables.files import ReadingOptions, read_source, unknown_column

FRAME = pl.DataFrame({"a": [1, 2], "b": ["x", "y"]})


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.parquet", "t.xlsx", "t.csv.gz", "no_ending"])
def test_the_content_tells_the_format(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name.endswith("parquet"):
        FRAME.write_parquet(path)
    elif name.endswith("xlsx"):
        FRAME.write_excel(path)
    else:
        text = FRAME.write_csv(separator="\t" if name.endswith("tsv") else ",").encode()
        path.write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    source = read_source(str(path))
    assert source.names == ["a", "b"]
    assert source.frame["a"].cast(pl.Int64).to_list() == [1, 2]
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_sheets(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(path) as book:
        FRAME.write_excel(book, worksheet="first")
        FRAME.rename({"a": "other"}).write_excel(book, worksheet="second")
    assert read_source(str(path)).names == ["a", "b"]
    assert read_source(str(path), ReadingOptions(sheet="second")).names == ["other", "b"]
    with pytest.raises(Failure, match="has no sheet 'third'") as caught:
        read_source(str(path), ReadingOptions(sheet="third"))
    assert caught.value.hint == "its sheets are first, second"


def test_names_in_brackets_are_no_json(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("[a b],[c]\n1,2\n", encoding="utf-8")
    assert read_source(str(path)).names == ["[a b]", "[c]"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "t.csv is empty"),
        (b"  \n", "t.csv is empty"),
        (b'{"a": 1}', "t.csv is JSON"),
        (b'[{"a": 1}]', "t.csv is JSON"),
        (b"\x1f\x8b broken", "t.csv cannot be decompressed"),
        (b"PAR1 broken", "t.csv is not a valid Parquet file"),
        (b"PK\x03\x04 broken", "t.csv cannot be read as an Excel file"),
    ],
)
def test_broken_files_are_one_line(content: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(Failure) as caught:
        read_source(str(path))
    assert message in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.hint


def test_files_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "patients.csv").write_text("a\n1\n", encoding="utf-8")
    with pytest.raises(Failure) as caught:
        read_source(str(tmp_path / "patient.csv"))
    assert caught.value.hint.endswith("patients.csv'?")
    with pytest.raises(Failure) as caught:
        read_source(str(tmp_path / "xyz.csv"))
    assert caught.value.hint == "the directory has patients.csv"
    with pytest.raises(Failure) as caught:
        read_source(str(tmp_path / "no" / "xyz.csv"))
    assert caught.value.hint.endswith("no' either")
    with pytest.raises(Failure, match="is a directory"):
        read_source(str(tmp_path))


def test_a_parquet_file_without_rows(tmp_path: Path) -> None:
    FRAME[:0].write_parquet(tmp_path / "t.parquet")
    with pytest.raises(Failure, match=r"t\.parquet has no rows"):
        read_source(str(tmp_path / "t.parquet"))


def test_unknown_columns_come_with_near_ones() -> None:
    assert unknown_column("Agee", ["age", "b"], "t").hint == "did you mean 'age'?"
    assert unknown_column("zzz", [f"c{n}" for n in range(20)], "t").hint.endswith("c11 and 8 more")
