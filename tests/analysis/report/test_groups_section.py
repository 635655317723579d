"""Groups of protected columns, from the table or given beside it."""

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import evoter
from evoter import write_report
from evoter.rules.errors import SchemaError
from pages import read_page

HOSTILE = "<script>alert(1)</script>"
RULES = evoter.parse("x > 5 -> sick; Default -> well")
FRAME = pd.DataFrame({"x": [9] * 40 + [1] * 60, "sex": ["f", "m"] * 50, "age": range(100)})
LABELS = ["sick"] * 30 + ["well"] * 70


@pytest.mark.parametrize(
    ("frame", "protected"),
    [
        (FRAME, "sex"),
        (FRAME, ["sex"]),
        (pl.DataFrame(FRAME.to_dict("list")), "sex"),
        (FRAME.drop(columns="sex"), {"sex": FRAME["sex"]}),
    ],
    ids=["pandas", "list", "polars", "mapping"],
)
def test_each_group_has_cases_decisions_and_accuracy(frame: Any, protected: Any, tmp_path: Path) -> None:
    page = read_page(write_report(tmp_path / "r.html", RULES, frame, LABELS, protected=protected))
    assert not page.mistakes
    assert "No rule reads this column, but others may stand for it." in page.text
    assert "The accuracy is between 90.0% and 90.0% ." in page.text.replace("90.0%.", "90.0% .")
    assert "group rows decided sick decided well accuracy f 50 40.0% 27.6% to 53.8% has the label: 30.0%" in page.text


def test_groups_that_differ_by_more_than_chance_are_pointed_out(tmp_path: Path) -> None:
    groups = {"ward": ["a"] * 40 + ["b"] * 60}
    page = read_page(write_report(tmp_path / "r.html", RULES, FRAME, LABELS, protected=groups))
    assert "and the intervals of these two groups do not overlap" in page.text


def test_names_of_groups_are_never_markup(tmp_path: Path) -> None:
    groups = {HOSTILE: [HOSTILE, "b"] * 50}
    path = write_report(tmp_path / "r.html", RULES, FRAME, LABELS, protected=groups)
    assert "<script" not in path.read_text(encoding="utf-8")
    assert read_page(path).text.count(HOSTILE) >= 2


def test_an_unknown_column_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"protected: the rows have no column 'sec'.*did you mean 'sex'.*protected="):
        write_report(tmp_path / "r.html", RULES, FRAME, LABELS, protected="sec")
    with pytest.raises(SchemaError, match="'sex' has 2 values for 100 rows"):
        write_report(tmp_path / "r.html", RULES, FRAME, LABELS, protected={"sex": ["f", "m"]})
