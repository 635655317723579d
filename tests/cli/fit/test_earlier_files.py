"""Tests that a fit does not replace the results of an earlier one, unless it is asked to."""

import json
from pathlib import Path

import pytest

from commands import QUICK, patients, run, run_json, write_rows
from evoter.cli.fit.earlier_files import earlier_files, numbered


@pytest.fixture
def place(folder: Path) -> Path:
    write_rows(folder / "t.csv", patients())
    assert fit() == ""
    return folder


def fit(*options: str) -> str:
    result = run("fit", "t.csv", "-t", "risk", *QUICK, *options)
    assert result.exit_code == 0, result.output
    return "\n".join(line for line in result.stderr.splitlines() if line.startswith("kept"))


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"t.csv"}


FIRST = {"t.rules.json", "t.rules.txt", "t.rules.html", "t.rules.fit.json"}
KEPT = {"t.rules.1.json", "t.rules.1.txt", "t.rules.1.html", "t.rules.1.fit.json"}


def test_other_results_are_kept_under_numbered_names(place: Path) -> None:
    old = (place / "t.rules.json").read_bytes()
    said = fit("--max-rules", "1")
    assert said.startswith("kept the earlier files as t.rules.1.json, t.rules.1.txt")
    assert names(place) == FIRST | KEPT
    assert (place / "t.rules.1.json").read_bytes() == old != (place / "t.rules.json").read_bytes()
    fit("--max-conditions", "1", "--max-rules", "2")
    assert "t.rules.2.fit.json" in names(place)
    for rules in ("t.rules.json", "t.rules.1.json", "t.rules.2.json"):
        findings = run_json("check", rules, "t.csv")["findings"]
        assert {each["level"] for each in findings if each["about"] == "files"} == {"ok"}, rules
        assert any(each["about"] == "rows" for each in findings), "the record is found under its new name"
    record = json.loads((place / "t.rules.1.fit.json").read_text("utf-8"))
    assert record["rules"]["file"] == "t.rules.1.json"
    assert set(record["manifest"]) == {"t.rules.1.json", "t.rules.1.txt", "t.rules.1.html"}


def test_the_same_fit_again_leaves_no_copies(place: Path) -> None:
    assert fit() == ""
    assert names(place) == FIRST


def test_an_edited_text_is_kept_even_if_the_rules_are_the_same(place: Path) -> None:
    path = place / "t.rules.txt"
    path.write_text(path.read_text("utf-8") + "# my remarks\n", encoding="utf-8")
    fit()
    assert (place / "t.rules.1.txt").read_text("utf-8").endswith("# my remarks\n")


def test_force_replaces(place: Path) -> None:
    assert fit("--max-rules", "1", "--force") == ""
    assert names(place) == FIRST


def test_json_names_what_was_kept(place: Path) -> None:
    record = run_json("fit", "t.csv", "-t", "risk", "--max-rules", "1", *QUICK)
    assert {Path(each).name for each in record["kept"]} == KEPT


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"manifest": 3, "rules": []}', b"\xff"])
def test_a_damaged_record_is_kept_as_it_is(content: bytes, tmp_path: Path) -> None:
    rules = tmp_path / "m.json"
    rules.write_bytes(b"old")
    (tmp_path / "m.fit.json").write_bytes(content)
    paths = [rules, tmp_path / "m.fit.json"]
    kept = earlier_files(rules, paths, {rules: b"new"})
    assert kept[tmp_path / "m.1.json"] == b"old"
    record = kept[tmp_path / "m.1.fit.json"]
    assert record == content or json.loads(record) == json.loads(content)


def test_numbers_that_are_taken_are_left_alone(tmp_path: Path) -> None:
    rules = tmp_path / "m.json"
    rules.write_bytes(b"old")
    (tmp_path / "m.1.json").write_bytes(b"precious")
    assert set(earlier_files(rules, [rules], {rules: b"new"})) == {tmp_path / "m.2.json"}
    assert numbered(Path("a/other.sql"), Path("a/m.json"), 3) == Path("a/m.3.other.sql")
