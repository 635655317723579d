"""Tests of `evoter diff`: equivalence, regions, shares of rows, exit codes."""

from pathlib import Path

import pytest

from commands import run, run_json

RULES = "1. pain > 7 AND age >= {} -> opioid\n2. pain > 3 -> ibuprofen\n3. Default -> none\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(RULES.format(18), encoding="utf-8")
    Path("b.txt").write_text(RULES.format(21), encoding="utf-8")
    Path("table.csv").write_text("pain,age\n8,19\n2,50\n9,40\n,30\n", encoding="utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_equivalent_rules_end_with_0() -> None:
    same = run("diff", "a.txt", "a.txt")
    assert (same.exit_code, same.stdout) == (0, "proved: both decide the same\n")


@pytest.mark.usefixtures("folder")
def test_regions_with_an_example_and_the_share_of_rows() -> None:
    found = run("diff", "a.txt", "b.txt", "table.csv")
    assert found.exit_code == 1
    assert found.stdout.splitlines() == [
        "1. pain > 7 and age >= 18 and age < 21: opioid by rule 1, ibuprofen by rule 2; for example pain = 10, age = 20 (1 row, 25.0%)",
        "the same decisions everywhere else",
        "1 of 4 rows of the table are decided differently",
    ]


@pytest.mark.usefixtures("folder")
def test_json_and_options() -> None:
    found = run_json("diff", "a.txt", "b.txt", "table.csv", "--within-ranges", "--time", "20", code=1)
    assert (found["equivalent"], found["complete"], found["rows"], found["differing"]) == (False, True, 4, 1)
    assert found["regions"][0]["rows"] == 1
    Path("c.txt").write_text("1. pain > 7 -> opioid\n2. Default -> none\n", encoding="utf-8")
    limited = run_json("diff", "a.txt", "c.txt", "--regions", "1", code=1)
    assert (limited["complete"], limited["reason"]) == (False, "stopped after 1")
    surer = "1. pain > 7 -> 0.5*opioid\n2. Default -> none\n"
    Path("d.txt").write_text(surer, encoding="utf-8")
    assert run("diff", "c.txt", "d.txt").exit_code == 0
    assert run("diff", "c.txt", "d.txt", "--certainties").exit_code == 1


@pytest.mark.usefixtures("folder")
def test_in_mode_all_every_action_counts() -> None:
    where = "where\n  pain: numeric\n  age: numeric\n  actions: a | b\n  decide: all\n"
    Path("one.txt").write_text(f"pain > 1 -> a\nage > 20 -> b\nDefault -> b\n{where}", encoding="utf-8")
    Path("two.txt").write_text(f"pain > 1 -> a\nDefault -> b\n{where}", encoding="utf-8")
    found = run_json("diff", "one.txt", "two.txt", "table.csv", code=1)
    assert (found["differing"], [region["rows"] for region in found["regions"]]) == (2, [2])
