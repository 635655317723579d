"""Files of a fit of numbers: all are written or none is lost, and rules that are worth nothing are said to be."""

import json
from pathlib import Path

import numpy as np
import pytest

from commands import QUICK, fails, run_json


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the name of a table whose numbers do not depend on anything."""
    monkeypatch.chdir(tmp_path)
    draw = np.random.default_rng(0)
    rows = zip(draw.integers(18, 90, 120), draw.normal(size=120), strict=True)
    lines = [f"{age},{number:.3f}" for age, number in rows]
    (tmp_path / "noise.csv").write_text("\n".join(["age,number", *lines]) + "\n", encoding="utf-8")
    return "noise.csv"


def test_worthless_rules_are_said_to_be_and_earlier_files_are_kept(table: str, tmp_path: Path) -> None:
    start = ("fit", table, "--target", "number", *QUICK)
    record = run_json(*start)
    assert "these rules are no better than always predicting the mean" in record["warnings"]
    assert "distillation" not in record
    (tmp_path / "noise.rules.txt").write_text("edited by hand", encoding="utf-8")
    again = run_json(*start, "--seed", "1")
    assert "edited by hand" in [Path(kept).read_text(encoding="utf-8") for kept in again["kept"]]
    assert json.loads((tmp_path / "noise.rules.fit.json").read_text(encoding="utf-8"))["settings"]["random_state"] == 1


def test_an_export_that_fails_takes_nothing_with_it(table: str, tmp_path: Path) -> None:
    message, _ = fails("fit", table, "--target", "number", "--export", "leaf", "--quiet", *QUICK)
    assert "has no numeric actions" in message
    for name in ("noise.rules.json", "noise.rules.txt", "noise.rules.html", "noise.rules.fit.json"):
        assert (tmp_path / name).exists(), name
