"""`evoter fit --protected` compares groups in the report and in the record, whether rules read the column or not."""

import json
from pathlib import Path

from commands import QUICK, fails, patients, run, write_rows


def test_groups_of_columns_that_rules_read_and_of_others(folder: Path) -> None:
    rows = [row | {"sex": "fm"[number % 2]} for number, row in enumerate(patients())]
    write_rows(folder / "p.csv", rows)
    result = run(
        "fit", "p.csv", "--target", "risk", "--drop", "sex", "--protected", "sex", "--protected", "age", *QUICK
    )
    assert result.exit_code == 0, result.output
    record = json.loads((folder / "p.rules.fit.json").read_text(encoding="utf-8"))
    by_sex, by_age = record["groups"]
    assert (by_sex["column"], by_sex["read_by_rules"]) == ("sex", False)
    assert by_age["column"] == "age"
    for described in (by_sex, by_age):
        assert sum(group["rows"] for group in described["groups"]) == 60
        right = sum(group["accuracy"]["rows"] for group in described["groups"])
        assert right == round(record["figures"]["test"]["accuracy"] * 60)
    assert {group["name"] for group in by_sex["groups"]} == {"f", "m"}
    assert len(by_age["groups"]) == 5, "quartiles, and missing"
    page = (folder / "p.rules.html").read_text(encoding="utf-8")
    assert '<section id="groups"' in page
    assert "No rule reads this column" in page


def test_columns_are_checked_before_anything_is_learnt(folder: Path) -> None:
    write_rows(folder / "p.csv", patients(60))
    message, hint = fails("fit", "p.csv", "--target", "risk", "--protected", "agee")
    assert message == "p.csv has no column 'agee'"
    assert "age" in hint
    message, _ = fails("fit", "p.csv", "--target", "risk", "--protected", "risk")
    assert message == "'risk' is the target and cannot be protected as well"
