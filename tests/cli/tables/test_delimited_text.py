"""Tests of separated text: separators, encodings, names and everything that goes wrong with them."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.cli.output import Failure
from evoter.cli.tables.delimited_text import SEPARATORS, decode, read_text
from laws import examples


def read(text: str, *, header: bool = True) -> list[dict[str, str | None]]:
    return read_text(text.encode(), "t.csv", encoding=None, header=header).frame.to_dicts()


cells = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00", exclude_categories=["Cs", "Cc"]), max_size=8)


@examples(40)
@given(st.lists(st.lists(cells, min_size=3, max_size=3), min_size=1, max_size=6), st.sampled_from(SEPARATORS))
def test_what_is_written_is_read_back(rows: list[list[str]], separator: str) -> None:
    """Quoted cells may hold anything; an empty cell is null, and a row of empty cells is no row."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=separator, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerows([["a", "b", "c"], *rows])
    if not any(any(cell for cell in row) for row in rows):
        return
    found = read_text(stream.getvalue().encode(), "t.csv", encoding=None, header=True)
    assert found.separator == separator
    read_rows = [[cell or "" for cell in row] for row in found.frame.rows()]
    assert [row for row in read_rows if any(row)] == [row for row in rows if any(row)]


@pytest.mark.parametrize("separator", SEPARATORS)
def test_separators_are_found(separator: str) -> None:
    assert read(f"a{separator}b\n1{separator}2\n") == [{"a": "1", "b": "2"}]


def test_decimal_commas_do_not_look_like_separators() -> None:
    assert read("x;y\n1,5;2,5\n3,5;4,5\n") == [{"x": "1,5", "y": "2,5"}, {"x": "3,5", "y": "4,5"}]


def test_names_are_tidied() -> None:
    assert list(read("\ufeff a , ,c\n1,2,3\n")[0]) == ["a", "column 2", "c"]
    assert list(read("1,2\n3,4\n", header=False)[0]) == ["column 1", "column 2"]


def test_a_quoted_header_may_have_several_lines() -> None:
    assert read('"a\nb",c\n1,2\n') == [{"a\nb": "1", "c": "2"}]
    assert read('x;"a\nb"\n1;2\n') == [{"x": "1", "a\nb": "2"}]
    with pytest.raises(Failure, match="line 4: 3 values for 2 columns"):
        read('x;"a\nb"\n1;2\n1;2;3\n')


def test_lines_may_end_as_on_old_machines() -> None:
    assert read("a,b\r1,2\r3,4\r") == [{"a": "1", "b": "2"}, {"a": "3", "b": "4"}]


def test_a_line_for_excel_names_the_separator() -> None:
    assert read("sep=;\r\na;b,c\r\n1;2\r\n") == [{"a": "1", "b,c": "2"}]
    with pytest.raises(Failure, match="line 3: 3 values"):
        read("sep=;\na;b\n1;2;3\n")


def test_encodings() -> None:
    assert decode("grün".encode("utf-16"), "t", None) == "grün"
    assert decode("grün".encode("latin-1"), "t", "latin-1") == "grün"
    with pytest.raises(Failure, match="t, line 2: byte 0xfc is not UTF-8") as caught:
        decode("a\ngrün".encode("latin-1"), "t", None)
    assert "--encoding cp1252" in caught.value.hint
    with pytest.raises(Failure, match="there is no encoding 'utf9'"):
        decode(b"a", "t", "utf9")
    with pytest.raises(Failure, match="t is neither text nor"):
        decode(b"a\0b", "t", None)


def test_a_mark_of_byte_order_is_no_part_of_a_name() -> None:
    table = read_text("\ufeffa,b\n1,2\n".encode(), "t.csv", encoding="utf-8", header=True)
    assert table.frame.columns == ["a", "b"]


def test_a_quote_that_never_ends_is_one_line() -> None:
    with pytest.raises(Failure, match=r"t\.csv cannot be read"):
        read('"a,b\n' + "1,2\n" * 50_000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n\n", "t.csv is empty"),
        ("a,b\n", "t.csv has column names but no rows"),
        ("a,a\n1,2\n", "t.csv: columns 1 and 2 are both named 'a'"),
        ("a,b\n1,2\n1,2,3\n", "t.csv, line 3: 3 values for 2 columns"),
    ],
)
def test_what_goes_wrong_is_named(text: str, message: str) -> None:
    with pytest.raises(Failure) as caught:
        read(text)
    assert caught.value.message == message
    assert caught.value.hint


def test_a_header_of_numbers_is_noticed() -> None:
    assert read_text(b"b,30.83\na,58.67\n", "t", encoding=None, header=True).header_looks_like_data
    assert not read_text(b"a,b\n1,2\n", "t", encoding=None, header=True).header_looks_like_data
