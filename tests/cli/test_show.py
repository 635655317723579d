"""Tests of `evoter show`: every format, statistics on a table, and pipes."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import evoter
from commands import ENVIRONMENT, Terminal, fails, run, run_json
from evoter.export import FORMATS

RULES = "patients.rules.json"


def test_text_in_a_pipe_is_complete(fitted: Path) -> None:
    assert evoter.parse(run("show", RULES).stdout) == evoter.load(RULES)


@pytest.mark.parametrize("name", [form.name for form in FORMATS.values() if form.name != "leaf" and not form.binary])
def test_every_format_is_written(name: str, fitted: Path, tmp_path: Path) -> None:
    result = run("show", RULES, "--as", name)
    assert result.exit_code == 0, result.output
    place = tmp_path / f"rules{FORMATS[name].suffix}"
    assert run("show", RULES, "--as", name, "--output", str(place)).exit_code == 0
    assert place.read_text(encoding="utf-8").strip() == result.stdout.strip()


@pytest.mark.parametrize("name", [form.name for form in FORMATS.values() if form.binary])
def test_binary_formats_go_to_files_and_pipes(name: str, fitted: Path, tmp_path: Path) -> None:
    place = tmp_path / f"rules{FORMATS[name].suffix}"
    assert run("show", RULES, "--as", name, "-o", str(place)).exit_code == 0
    piped = run("show", RULES, "--as", name)
    assert piped.stdout_bytes == place.read_bytes()


def test_options_of_a_format(fitted: Path) -> None:
    assert 'FROM "ward_b"' in run("show", RULES, "--as", "sql", "--option", "table=ward_b").stdout


def test_options_of_the_formats_for_programs_and_spreadsheets(fitted: Path) -> None:
    assert "export function decide" in run("show", RULES, "--as", "javascript", "--option", "module=true").stdout
    assert (
        "#ifndef JUDGE_H"
        in run("show", RULES, "--as", "c", "--option", "header=true", "--option", "function=judge").stdout
    )
    assert (
        'name="next_step" label="next step"' in run("show", RULES, "--as", "dmn", "--option", "name=next step").stdout
    )
    assert "rows must be a whole number" in fails("show", RULES, "--as", "excel", "--option", "rows=many")[0]


def test_what_rules_do_on_a_table(fitted: Path) -> None:
    shown = run("show", RULES, "patients.csv").stdout
    assert "coverage" in shown
    assert "correct for" in shown
    described = run_json("show", RULES, "patients.csv")
    assert described["n_rows"] == 240
    assert 0.8 < described["accuracy"] < 1.0
    assert sum(rule["decided"] for rule in described["rules"]) == 240


def test_json_is_the_rule_file(fitted: Path) -> None:
    assert json.loads(run("show", RULES, "--json").stdout) == json.loads((fitted / RULES).read_text(encoding="utf-8"))


def test_json_tells_of_the_file_in_the_format_asked_for(fitted: Path, tmp_path: Path) -> None:
    place = tmp_path / "rules.sql"
    told = run_json("show", RULES, "--as", "sql", "--output", str(place))
    assert told == {"file": str(place), "format": "sql"}
    assert place.read_text(encoding="utf-8") == run("show", RULES, "--as", "sql").stdout


def test_rules_may_come_in_by_a_pipe(fitted: Path) -> None:
    assert "-> low" in run("show", "-", stdin="x > 1 -> high; Default -> low").stdout


def test_a_reader_who_stops_early_sees_no_traceback(fitted: Path) -> None:
    command = f'"{sys.executable}" -m evoter show {RULES} | head -n 1'
    done = subprocess.run(
        ["bash", "-c", command], cwd=fitted, capture_output=True, text=True, check=True, env=ENVIRONMENT
    )
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_a_terminal_shows_aligned_rules(fitted: Path) -> None:
    terminal = Terminal("show", RULES, folder=fitted)
    assert terminal.end() == 0
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]m", terminal.said), "NO_COLOR is set"
    assert "Default" in terminal.said


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        ([RULES, "--output", "nowhere/r.txt"], "there is no directory 'nowhere' to write to", "mkdir -p nowhere"),
        ([RULES, "--as", "sqll"], "unknown format 'sqll'", "did you mean 'sql'?"),
        ([RULES, "--as", "sql", "--json"], "--json and --as sql are two formats", "omit one of them"),
        (
            ["patients.rules.fit.json"],
            "is the record of a fit, not its rules",
            "the rules are in 'patients.rules.json'",
        ),
        (["patients.rule.json"], "there is no file 'patients.rule.json'", "did you mean 'patients.rules.json'?"),
        ([RULES, "--as", "sql", "--option", "tabel=x"], "tabel", ""),
        ([RULES, "--as", "leaf"], "as leaf-common JSON", ""),
        ([RULES, "patients.csv", "--as", "sql"], "--as has no effect with a table", "omit the table"),
        ([RULES, "patients.csv", "--target", "rsk"], "patients.csv has no column 'rsk'", "did you mean 'risk'?"),
    ],
)
def test_wrong_use_gives_one_line(arguments: list[str], message: str, hint: str, fitted: Path) -> None:
    said, hinted = fails("show", *arguments)
    assert message in said
    assert hint in hinted
