"""Tests that a table which is not like the one of the fit is noticed before its decisions are believed."""

from pathlib import Path

import pytest

from commands import fails, patients, process, run, run_json, write_rows

RULES = "patients.rules.json"


def changed(path: Path, **cells: str | None) -> Path:
    """Write the table with every other cell of some columns replaced; None leaves out the column."""
    rows = patients()
    for index, row in enumerate(rows):
        for name, cell in cells.items():
            if cell is None:
                del row[name]
            elif index % 2:
                row[name] = cell
    return write_rows(path, rows)


def test_a_table_like_that_of_the_fit_has_no_drift(fitted: Path) -> None:
    result = run("predict", RULES, "patients.csv", "--only")
    assert result.stderr == ""
    assert run_json("predict", RULES, "patients.csv")["drift"] == []


def test_more_missing_values_than_in_training(fitted: Path, tmp_path: Path) -> None:
    table = changed(tmp_path / "new.csv", age="")
    result = run("predict", RULES, str(table), "--only")
    assert result.exit_code == 0
    assert "warning: 'age': missing in 51." in result.stderr
    assert "when the rules were fitted" in result.stderr
    (drift,) = run_json("predict", RULES, str(table))["drift"]
    assert (drift["column"], drift["what"]) == ("age", "missing")
    assert drift["share"] == pytest.approx(0.51, abs=0.02)
    assert drift["training_share"] == pytest.approx(0.03, abs=0.03)


def test_unknown_categories_and_values_out_of_range(fitted: Path, tmp_path: Path) -> None:
    table = changed(tmp_path / "new.csv", region="east", age="200")
    found = {(each["column"], each["what"]): each for each in run_json("predict", RULES, str(table))["drift"]}
    assert found["region", "unknown category"]["rows"] == 120
    assert found["age", "out of range"]["share"] == 0.5
    said = run("predict", RULES, str(table), "--only").stderr
    assert (
        "'region': 120 rows with categories unknown to the rules: 'east' (50.0% of the rows, none in training)" in said
    )


def test_the_record_is_needed_for_shares_only(fitted: Path, tmp_path: Path) -> None:
    """Decisions, and what the rule file tells about ranges and categories, do not depend on it."""
    table = changed(tmp_path / "new.csv", region="east", age="")
    with_record = run_json("predict", RULES, str(table))
    (tmp_path / RULES).write_bytes((fitted / RULES).read_bytes())
    for content in (None, "{", "[]"):
        if content is not None:
            (tmp_path / "patients.rules.fit.json").write_text(content, encoding="utf-8")
        without = run_json("predict", str(tmp_path / RULES), str(table))
        assert without["predictions"] == with_record["predictions"]
        assert [each["what"] for each in without["drift"]] == ["unknown category"]


def test_an_unreadable_column_is_an_error(fitted: Path, tmp_path: Path) -> None:
    """Numbers with decimal commas in a comma-separated file were taken as missing, and every row was decided."""
    rows = [row | {"age": f'"{row["age"]},5"'} for row in patients() if row["age"] != "NA"]
    table = str(write_rows(tmp_path / "commas.csv", rows))
    message, hint = fails("predict", RULES, table)
    assert message.startswith(
        f"commas.csv: 'age', which the rules read: {len(rows)} of {len(rows)} values are not numbers, such as"
    )
    assert message.endswith("(a comma is their decimal mark, but here it separates columns)")
    assert hint == "correct the column, or decide as if these values were missing: --allow-missing"
    assert process("predict", RULES, table, folder=fitted).returncode == 2
    result = run("predict", RULES, table, "--allow-missing", "--only")
    assert result.exit_code == 0
    assert "counted as missing" in result.stderr
    described = run_json("predict", RULES, table, "--allow-missing")
    assert described["counted_as_missing"] == [{"column": "age", "what": "unreadable", "rows": len(rows)}]


def test_an_absent_column_is_an_error_unless_it_is_allowed(fitted: Path, tmp_path: Path) -> None:
    table = str(changed(tmp_path / "short.csv", age=None))
    assert fails("predict", RULES, table)[0] == "short.csv has no column 'age', which the rules read"
    allowed = run_json("predict", RULES, table, "--allow-missing")
    emptied = str(write_rows(tmp_path / "empty.csv", [row | {"age": ""} for row in patients()]))
    assert allowed["predictions"] == run_json("predict", RULES, emptied)["predictions"]


def test_another_unit_is_not_read_as_if_it_were_the_same(folder: Path) -> None:
    (folder / "w.rules").write_text(
        'weight > 5 kg -> heavy; Default -> light\nwhere\n  weight: numeric [0..20] kg, read as "amount"',
        encoding="utf-8",
    )
    (folder / "t.csv").write_text("weight\n7 kg\n3 kg\n8\n", encoding="utf-8")
    decided = [each["prediction"] for each in run_json("predict", "w.rules", "t.csv")["predictions"]]
    assert decided == ["heavy", "light", "heavy"]
    (folder / "t.csv").write_text("weight\n7000 g\n300 g\n", encoding="utf-8")
    assert fails("predict", "w.rules", "t.csv")[0].endswith("such as '7000 g', '300 g' (in g; the rules read kg)")
