"""Tests that the record of a fit is found, checked, and used for audits only."""

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import evoter
from commands import fails, run
from evoter.cli.output import Failure
from evoter.cli.rule_files import load_rules

RULES = "patients.rules.json"
RECORD = "patients.rules.fit.json"


@pytest.fixture
def copied(fitted: Path, folder: Path) -> Path:
    """Go to a directory with copies of the table, the rules and the record, which may be changed."""
    for name in ("patients.csv", RULES, RECORD):
        (folder / name).write_bytes((fitted / name).read_bytes())
    return folder


def test_a_record_counts_only_for_the_rules_it_describes(copied: Path) -> None:
    record = load_rules(RULES).record()
    assert record is not None
    assert (record.target, record.split.train_rows, record.split.test_rows) == ("risk", 180, 60)
    evoter.save(evoter.parse("age > 1 -> high; Default -> low"), RULES)
    assert load_rules(RULES).record() is None
    Path(RECORD).unlink()
    assert load_rules(RULES).record() is None


def paths(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the paths of all values in a JSON document, of lists only the first item."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:1]) if isinstance(value, list) else ()
    for key, each in items:
        yield from paths(each, (*path, key))


def test_no_edit_of_a_record_is_a_defect(copied: Path) -> None:
    """Whatever a value is replaced by, there is a record, or one line that names the file and the remedy."""
    original = json.loads(Path(RECORD).read_text(encoding="utf-8"))
    odd_values: list[object] = [None, [], {}, "x", -1, 1e300, True]
    failures, n_cases = [], 0
    for path in paths(original):
        for value in odd_values:
            Path(RECORD).write_text(json.dumps(changed(original, path, value)), encoding="utf-8")
            n_cases += 1
            try:
                load_rules(RULES).record()
            except Failure as failure:
                failures.append((failure.message, failure.hint))
    assert n_cases > 500
    assert len(failures) > 100
    assert all(message.startswith(RECORD) and "\n" not in message for message, _ in failures)
    assert {hint for _, hint in failures} == {"restore the file, or remove it to go without the record"}


def changed(document: Any, path: tuple[str | int, ...], value: object) -> Any:
    if not path:
        return value
    copy = deepcopy(document)
    inner = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda record: record["split"].update(train_rows="many"), 'split.train_rows: must be a number, not "many"'),
        (lambda record: record["data"].update(sha256="0"), "data.sha256: must be a SHA-256 hash"),
        (lambda record: record.update(columns=None), "columns: must be a list, not null"),
        (lambda record: record.pop("target"), "the key 'target' is missing; add it"),
        (lambda record: record.update(version=2), "version: must be a whole number from 1 to 1, not 2"),
    ],
)
def test_commands_that_audit_name_what_is_wrong(
    edit: Callable[[dict[str, Any]], object], message: str, copied: Path
) -> None:
    record = json.loads(Path(RECORD).read_text(encoding="utf-8"))
    edit(record)
    Path(RECORD).write_text(json.dumps(record), encoding="utf-8")
    for command in ("check", "show", "compare"):
        assert fails(command, RULES, "patients.csv")[0].startswith(f"{RECORD}, the record of the fit: {message}")
    for command in ("predict", "explain", "simplify"):
        assert run(command, RULES, "patients.csv").exit_code == 0
