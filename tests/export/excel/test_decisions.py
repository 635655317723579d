"""The sheet that decides: text where numbers are expected, offered categories, and stored results."""

import io

import polars as pl
import pytest

from evoter.export import to_excel
from evoter.export.excel.decisions import Layout
from evoter.rules.errors import RuleError
from evoter.rules.parser import parse
from evoter.rules.values import Value

RULES = parse("""
    x is missing -> none; b = false -> no; b is missing -> unknown; Default -> rest
    where x: numeric; b: yes/no; actions: none | no | unknown | rest
""")


def test_text_is_missing_where_numbers_or_truth_values_are_expected() -> None:
    table: dict[str, list[Value]] = {"x": ["n/a", 1.0, 1, True, None], "b": [True, "yes", 0, 7, False]}
    frame = pl.read_excel(io.BytesIO(to_excel(RULES, table)), sheet_name="Decide", has_header=False)
    assert [row[3] for row in frame.rows()[1:]] == ["none", "unknown", "no", "unknown", "none"]


def test_what_does_not_fit_on_a_sheet_is_refused() -> None:
    layout = Layout({}, [])
    layout.check(1_048_575)
    for n_rows in (0, 1_048_576):
        with pytest.raises(RuleError, match=f"rows below its head, not {n_rows:,}"):
            layout.check(n_rows)
