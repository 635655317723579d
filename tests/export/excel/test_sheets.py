"""Sheets write text as text, whatever it begins with."""

import io

import polars as pl
import pytest
from xlsxwriter import Workbook

from evoter.export.excel.sheets import Sheet, make_styles


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "{=1}", "https://example.org", "1", "_x0041_"])
def test_text_stays_what_it_is(text: str) -> None:
    file = io.BytesIO()
    with Workbook(file) as workbook:
        sheet = Sheet(workbook, "a", make_styles(workbook))
        sheet.text(0, 0, text, "cell")
        sheet.value(0, 1, text)
        sheet.value(0, 2, None)
        sheet.value(0, 3, 2.5)
    (row,) = pl.read_excel(file, sheet_name="a", has_header=False).rows()
    assert [value for value in row if value is not None] == [text, text, 2.5]
