"""Tests of `evoter predict`: the table comes back with decisions, to a pipe or a file."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import polars as pl
import pytest

from commands import ENVIRONMENT, QUICK, fails, patients, process, run, run_json, write_rows
from evoter.cli.predict import write_table

RULES = "patients.rules.json"


def test_the_table_comes_back_with_decisions(fitted: Path) -> None:
    result = run("predict", RULES, "patients.csv")
    assert result.exit_code == 0, result.output
    table = pl.read_csv(io.StringIO(result.stdout), infer_schema=False)
    given = pl.read_csv("patients.csv", infer_schema=False)
    assert table.columns == [*given.columns, "prediction", "rule"]
    assert table.select(given.columns).equals(given), "every cell as it was written"


def test_decisions_are_those_of_the_interpreter(fitted: Path) -> None:
    import evoter
    from evoter.rules.interpreter import decide_table

    decided = run_json("predict", RULES, "patients.csv")["predictions"]
    rows = [
        {
            "age": None if row["age"] == "NA" else float(row["age"]),
            "region": row["region"],
            "smoker": row["smoker"] == "1",
            "ward": float(row["ward"]),
        }
        for row in patients()
    ]
    verdict = decide_table(evoter.load(RULES), rows)
    assert [each["prediction"] for each in decided] == list(verdict.actions)


def test_probabilities_are_those_of_the_model(folder: Path) -> None:
    """The columns are what the classifier says, and the counts are those of the training rows."""
    import numpy as np
    from sklearn.datasets import load_iris

    import evoter

    data = load_iris(as_frame=True)
    data.data.to_csv("iris.csv", index=False)
    for mode in ("first", "vote"):
        model = evoter.EvoterClassifier(random_state=1, mode=mode, generations=5, population_size=50)
        model.fit(data.data, data.target_names[data.target])
        evoter.save(model.ruleset_, "iris.json")
        result = run("predict", "iris.json", "iris.csv", "--probability", "--only")
        assert result.exit_code == 0, result.output
        table = pl.read_csv(io.StringIO(result.stdout))
        shares = table.select([f"probability_{name}" for name in model.classes_]).to_numpy()
        np.testing.assert_array_equal(shares, model.predict_proba(data.data))
        if mode == "first":
            right = table["prediction"].to_numpy() == data.target_names[data.target]
            for number in table["rule"].unique():
                rows = table["rule"].to_numpy() == number
                assert table["rule_cases"].to_numpy()[rows].tolist() == [rows.sum()] * rows.sum()
                assert table["rule_right"].to_numpy()[rows].tolist() == [right[rows].sum()] * rows.sum()


def test_probabilities_need_a_record(folder: Path) -> None:
    (folder / "r.rules").write_text("a > 2 -> q; Default -> p", encoding="utf-8")
    (folder / "t.csv").write_text("a\n1\n3\n", encoding="utf-8")
    message, hint = fails("predict", "r.rules", "t.csv", "--probability")
    assert message == "r.rules says nothing about training rows, from which probabilities come"
    assert "`evoter fit`" in hint


def test_decisions_depend_on_the_rule_file_alone(folder: Path) -> None:
    """The rules are as good away from the record of their fit, with a damaged record, and as text."""
    cells = ["-9", "-9.0", "k.A."]
    rows = [
        {
            "x": cells[n % 3] if n % 7 == 0 else f"{n % 50},5",
            "c": "none" if n % 5 == 0 else "ab"[n % 2],
            "y": "no" if n % 7 == 0 or n % 50 < 20 else "yes",
        }
        for n in range(400)
    ]
    with Path("t.csv").open("w", encoding="utf-8") as file:
        file.write("x;c;y\n" + "".join(f"{row['x']};{row['c']};{row['y']}\n" for row in rows))
    assert run("fit", "t.csv", "--target", "y", "--missing=-9", "--missing=none", *QUICK).exit_code == 0
    expected = run_json("predict", "t.rules.json", "t.csv")
    assert expected["predictions"][0]["prediction"] == "no", "-9 is missing, not a small number"
    for content in (None, b"", b"{", b"[]", b'{"format": "evoter-fit", "version": 1}'):
        if content is None:
            Path("t.rules.fit.json").unlink()
        else:
            Path("t.rules.fit.json").write_bytes(content)
        assert run_json("predict", "t.rules.json", "t.csv") == expected
        assert run_json("predict", "t.rules.txt", "t.csv") == expected


def test_only_the_decisions_and_why(fitted: Path) -> None:
    lines = run("predict", RULES, "patients.csv", "--only", "--because", "--quiet").output.splitlines()
    assert lines[0] == "prediction,rule,because"
    assert len(lines) == 241
    assert "->" in lines[1]


@pytest.mark.parametrize("suffix", ["csv", "tsv", "parquet", "xlsx"])
def test_files_are_written_by_their_ending(suffix: str, fitted: Path, tmp_path: Path) -> None:
    path = tmp_path / f"out.{suffix}"
    result = run("predict", RULES, "patients.csv", "--output", str(path))
    assert (result.exit_code, result.stdout) == (0, "")
    assert run_json("predict", RULES, "patients.csv", "--output", str(path))["rows"] == len(pl.read_csv("patients.csv"))
    read = {"csv": pl.read_csv, "tsv": lambda p: pl.read_csv(p, separator="\t"), "parquet": pl.read_parquet}
    frame = read.get(suffix, pl.read_excel)(path)
    assert (
        frame["prediction"].to_list()[:3]
        == [e["prediction"] for e in run_json("predict", RULES, "patients.csv")["predictions"]][:3]
    )


ODD = {
    "list": pl.Series([[1, 2], None]),
    "record": pl.Series([{"a": 1}, {"a": 2}]),
    "bytes": pl.Series([b"x", b"\xff"]),
    "duration": pl.Series([timedelta(hours=1), None]),
}
"""Columns of a Parquet file that have no text of their own."""


@pytest.mark.parametrize("suffix", ["csv", "xlsx", "parquet"])
def test_columns_of_any_type_come_back(suffix: str, folder: Path) -> None:
    pl.DataFrame({"a": [1.0, 3.0], **ODD}).write_parquet("odd.parquet")
    (folder / "some.rules").write_text("a > 2 -> q; Default -> p", encoding="utf-8")
    result = run("predict", "some.rules", "odd.parquet", "-o", f"out.{suffix}")
    assert result.exit_code == 0, result.output
    readers: dict[str, Callable[[str], pl.DataFrame]] = {"csv": pl.read_csv, "parquet": pl.read_parquet}
    read = readers.get(suffix, pl.read_excel)(f"out.{suffix}")
    assert read.columns == ["a", *ODD, "prediction", "rule"]
    assert read["prediction"].to_list() == ["p", "q"]
    assert run("predict", "some.rules", "odd.parquet").stdout.startswith(
        'a,list,record,bytes,duration,prediction,rule\n1.0,"[1, 2]",'
    )


@pytest.mark.parametrize("suffix", ["csv", "parquet", "xlsx"])
def test_a_table_is_replaced_whole_or_not_at_all(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / f"out.{suffix}"
    path.write_text("what was there", encoding="utf-8")

    def full_disk(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(OSError, match="no space left"):
        write_table(pl.DataFrame({"x": [1]}), str(path))
    assert path.read_text(encoding="utf-8") == "what was there"


def test_new_columns_take_names_that_are_free(fitted: Path, tmp_path: Path) -> None:
    path = write_rows(tmp_path / "odd.csv", [row | {"prediction": "old"} for row in patients(20)])
    header = run("predict", RULES, str(path)).stdout.splitlines()[0]
    assert header.endswith("risk,prediction,prediction_,rule")


def test_a_pipe_in_and_a_pipe_out(fitted: Path) -> None:
    command = f'cat patients.csv | "{sys.executable}" -m evoter predict {RULES} - | head -n 3'
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=fitted,
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT,
    )
    assert len(done.stdout.splitlines()) == 3
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


def test_values_that_are_no_numbers_count_as_missing_and_are_told(fitted: Path, tmp_path: Path) -> None:
    rows = patients(20)
    rows[3]["age"] = "old"
    path = write_rows(tmp_path / "odd.csv", rows)
    result = run("predict", RULES, str(path), "--only")
    assert result.exit_code == 0
    assert "warning: 'age': 1 of 20 values is not a number, such as 'old'; counted as missing" in result.stderr


def test_wrong_input_gives_one_line(fitted: Path, tmp_path: Path) -> None:
    other = write_rows(tmp_path / "other.csv", [{"Age": "3", "b": "x"}, {"Age": "4", "b": "y"}])
    message, hint = fails("predict", RULES, str(other))
    assert "other.csv has no column 'age', which the rules read" in message
    assert hint == "did you mean 'Age'?"
    assert fails("predict", "patients.csv", RULES) == (
        "patients.csv looks like a table, not a rule file",
        "name the rules before the table",
    )
    assert fails("predict", RULES, "patients.csv", "-o", "out.docx")[1] == "use .csv, .tsv, .parquet, .xlsx"
    assert "is JSON, not a table" in fails("predict", RULES, RULES)[0]


def test_standard_input_that_is_a_terminal_is_not_waited_for(fitted: Path) -> None:
    main, side = os.openpty()
    done = process("predict", RULES, "-", folder=fitted, stdin=side)
    os.close(main)
    os.close(side)
    assert done.returncode == 2
    assert "standard input is a terminal" in done.stderr


def test_json_of_a_process_is_json_alone(fitted: Path) -> None:
    done = process("predict", RULES, "patients.csv", "--json", folder=fitted)
    assert json.loads(done.stdout)["rows"] == 240


def test_semicolons_stay_so_that_decimal_commas_are_read_back(folder: Path) -> None:
    (folder / "rules.txt").write_text("x > 1.5 -> up; Default -> down", encoding="utf-8")
    (folder / "new.csv").write_text("x;name\n1,625;a, b\n0,875;c\n", encoding="utf-8")
    written = "x;name;prediction;rule\n1,625;a, b;up;1\n0,875;c;down;2\n"
    assert run("predict", "rules.txt", "new.csv").stdout == written
    assert run("predict", "rules.txt", "new.csv", "-o", "decided.csv").exit_code == 0
    assert (folder / "decided.csv").read_text(encoding="utf-8") == written
    again = run_json("predict", "rules.txt", "decided.csv")["predictions"]
    assert [each["prediction"] for each in again] == ["up", "down"]
