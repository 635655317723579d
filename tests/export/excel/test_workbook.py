"""Workbooks that people can read, whose formulas decide as the rules do, and where text is nothing but text."""

import io
import math
import re
import zipfile
from pathlib import Path

import ironcalc
import polars as pl
import pytest

from evoter.export import to_excel
from evoter.rules.errors import RuleError
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from evoter.rules.values import Value
from exporting import HOSTILE, hostile_case

RULES = parse("""
1. glucose is missing AND age >= 45 -> test
2. 0.5*insulin > glucose AND smoker = true -> treat
3. race != Asian AND glucose > 125.5 AND age[1] > 0 -> treat
4. Default -> wait
where
  age: numeric [18..95]
  glucose: numeric [40..400] mg/dL, may be missing
  insulin: numeric [0..900]
  smoker: yes/no
  race: one of Asian | Hispanic
  actions: test | treat | wait
  lags: 0..1
""")


def computed(workbook: bytes, folder: Path) -> "Sheets":
    (folder / "rules.xlsx").write_bytes(workbook)
    return Sheets(folder / "rules.xlsx")


class Sheets:
    """A workbook in IronCalc, computed."""

    def __init__(self, path: Path) -> None:
        self.model = ironcalc.load_from_xlsx(str(path), "en", "UTC", "en")
        self.model.evaluate()

    def row(self, sheet: int, row: int, columns: int) -> list[str]:
        return [self.model.get_formatted_cell_value(sheet, row, column) for column in range(1, columns + 1)]


def test_a_person_reads_the_rules(tmp_path: Path) -> None:
    sheets = computed(to_excel(RULES), tmp_path)
    assert sheets.row(0, 1, 1) == ["Rules"]
    assert sheets.row(0, 2, 1)[0].startswith("The rules are tried from the top")
    assert sheets.row(0, 4, 3) == ["Rule", "If", "Then"]
    assert sheets.row(0, 5, 3) == ["1", "glucose is missing\nAND age >= 45", "test"]
    assert sheets.row(0, 8, 3) == ["4", "otherwise", "wait"]
    assert sheets.row(0, 12, 3) == ["", "glucose", "numeric [40..400] mg/dL, may be missing"]


def test_formulas_follow_what_a_person_types(tmp_path: Path) -> None:
    """Nothing is decided in an empty row; cells are filled one after the other, as in a spreadsheet."""
    sheets = computed(to_excel(RULES, rows=3), tmp_path)
    head = ["Row", "age", "age[1]", "glucose", "insulin", "smoker", "race", "decision", "rule"]
    assert sheets.row(1, 1, 9) == head
    assert sheets.row(1, 3, 9) == [""] * 9
    expected = [
        (2, "50", "test", "1"),
        (4, "130", "wait", "4"),
        (5, "300", "wait", "4"),
        (6, "TRUE", "treat", "2"),
        (5, "n/a", "wait", "4"),
        (7, "Klingon", "wait", "4"),
        (3, "1", "treat", "3"),
        (7, "Asian", "wait", "4"),
        (7, "asian", "treat", "3"),
        (4, "unknown", "test", "1"),
    ]
    for column, text, decision, rule in expected:
        sheets.model.set_user_input(1, 3, column, text)
        sheets.model.evaluate()
        assert sheets.row(1, 3, 9)[7:] == [decision, rule], (column, text)


def test_a_name_in_the_first_column_lets_a_row_without_values_be_decided(tmp_path: Path) -> None:
    sheets = computed(to_excel(parse("x is missing -> none; Default -> some")), tmp_path)
    assert sheets.row(1, 2, 4) == ["", "", "", ""]
    sheets.model.set_user_input(1, 2, 1, "Ada")
    sheets.model.evaluate()
    assert sheets.row(1, 2, 4) == ["Ada", "", "none", "1"]


def test_results_are_stored_for_programs_that_do_not_compute() -> None:
    table: dict[str, list[Value]] = {
        "age": [50, 30],
        "age[1]": [None, 2],
        "glucose": [None, 130.0],
        "insulin": [None, 1],
        "smoker": [None, 0],
        "race": ["x", "y"],
    }
    frame = pl.read_excel(io.BytesIO(to_excel(RULES, table)), sheet_name="Decide", has_header=False)
    assert [row[7:] for row in frame.rows()[1:]] == [
        ("test", "1", "yes", "no", "no"),
        ("treat", "3", "no", "no", "yes"),
    ]


def test_hostile_text_is_never_a_formula() -> None:
    workbook = zipfile.ZipFile(io.BytesIO(to_excel(hostile_case().ruleset, rows=1)))
    sheets = b"".join(workbook.read(name) for name in workbook.namelist() if name.startswith("xl/worksheets/sheet"))
    formulas = re.findall(rb"<f>(.*?)</f>", sheets, re.DOTALL)
    assert len(formulas) == 2 + 2 * len(HOSTILE)
    assert all(formula.startswith((b"IF(AND(", b"IF(EXACT(", b"IF(COUNTA(", b"IF(")) for formula in formulas)
    without_strings = [re.sub(rb'"(?:[^"]|"")*"', b"", formula) for formula in formulas]
    assert not [formula for formula in without_strings if re.search(rb"DROP|SUM\(|cmd|script", formula)]
    styles = workbook.read("xl/styles.xml")
    assert b'quotePrefix="1"' in styles


def test_the_same_rules_give_the_same_file() -> None:
    assert to_excel(RULES) == to_excel(RULES)


def test_what_excel_cannot_hold_is_refused() -> None:
    for mode, reason in (
        ("all", "Excel gives one action per row"),
        ("vote", "Excel lets the first rule that holds decide, but mode vote"),
    ):
        with pytest.raises(RuleError, match=reason):
            to_excel(RULES.replace(mode=mode))
    simple = parse("x > 1 -> up; Default -> down")
    for table, reason in (
        ({"y": [1]}, "the table has no column 'x', which the rules read: add it"),
        ({"x": [1], "y": [1, 2]}, "must have one length, but: 1, 2"),
        ({"x": [math.inf]}, "a cell of Excel cannot hold inf, a value of 'x'"),
        ({"x": []}, "a sheet has room for 1 to 1,048,575 rows below its head, not 0"),
        ("x", "table must hold columns by name"),
    ):
        with pytest.raises(RuleError, match=reason):
            to_excel(simple, table)  # type: ignore[arg-type]
    with pytest.raises(RuleError, match="rows must be a whole number, not 'many'"):
        to_excel(simple, rows="many")  # type: ignore[arg-type]
    with pytest.raises(RuleError, match=r"XML cannot contain the character '\\x01'"):
        to_excel(RuleSet([], "a\x01b", Schema([], ["a\x01b"])))


def test_more_rules_than_columns_are_refused() -> None:
    rules = [Rule([Condition(Term("x"), ">", float(constant))], "a") for constant in range(16_381)]
    with pytest.raises(RuleError, match="1 features and 16,381 rules need 16,385 columns, and Excel has 16,384"):
        to_excel(RuleSet(rules, "a", Schema([Feature("x")], ["a"])), rows=1)


def test_texts_beyond_the_limit_of_a_cell_are_cut_short(tmp_path: Path) -> None:
    names = [f"{'a' * 990}{place}" for place in range(40)]
    rule = Rule([Condition(Term(name), ">", 1.0) for name in names], "a")
    sheets = computed(
        to_excel(RuleSet([rule], "b", Schema([Feature(name) for name in names], ["a", "b"])), rows=1), tmp_path
    )
    assert sheets.row(0, 5, 2)[1].endswith("...")
