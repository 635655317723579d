"""The pages say what was found, what the paper says, and why they differ."""

import io
import json
from pathlib import Path

from rich.console import Console

from evoter.experiments.blocks import Cell, to_markdown
from evoter.experiments.pages import (
    MAX_LINES,
    details,
    figures_table,
    overview,
    summary_table,
    terminal_table,
    write_pages,
)
from evoter.experiments.records import Record, runs_of
from evoter.experiments.results import Result, summarise
from evoter.experiments.runners import Outcome
from trials import small_iris


def made(problem: str = "", n_records: int = 12, rules: str = "1. x") -> Result:
    experiment = small_iris()
    records = [
        Record(run, {run.models[0]: Outcome({"accuracy": 0.9 + run.seed / 100, "parameters": 4.0}, rules=rules)})
        for run in runs_of(experiment, "quick", 0)[:n_records]
    ]
    return summarise(experiment, records, 12, problem)


def test_figures_stand_beside_the_papers() -> None:
    table = figures_table(made())
    variants = ("clean split", "the paper's protocol")
    assert table.head == ("model", "measure", "paper", *(f"{v}{p}" for v in variants for p in ("", ", preset paper")))
    first = table.rows[0]
    assert first[:3] == ("EVOTER", "accuracy on test rows", "0.99")
    assert isinstance(first[3], Cell)
    assert first[3].mark == "not reached"
    assert first[3].text.startswith("0.905 ± ")
    assert 0 in table.strong


def test_long_rules_stand_on_the_page_without_declarations() -> None:
    declared = "\n\nwhere\n  x: numeric"
    long = "\n".join(["x > 1 -> a"] * MAX_LINES)
    assert "x: numeric" in to_markdown(details(made(rules=f"x > 1 -> a{declared}"), ()))
    page = to_markdown(details(made(rules=long + declared), ()))
    assert "x: numeric" not in page
    assert "the file of the rules declares their features" in page
    assert page.count("x > 1 -> a") >= MAX_LINES


def test_what_differs_is_explained() -> None:
    text = to_markdown(details(made(), []))
    assert "Differences from the paper" in text
    assert "full trees of the same depth" in text
    assert "Not comparable: the paper counts full trees" in text
    assert "The rules of the first run, clean split" in text


def test_what_was_not_done_is_said() -> None:
    text = to_markdown(details(made("no data: put them there", 0), []))
    assert "**Not run:** no data: put them there" in text
    assert "0 of 12 runs are done" in text
    assert "| EVOTER |" not in text


def test_quick_is_called_quick() -> None:
    quick, full = (to_markdown(overview({"iris": made()}, effort, 0, {})) for effort in ("quick", "full"))
    assert "This is the **quick** reproduction" in quick
    assert "quick" not in full


def test_verdicts_are_counted() -> None:
    (row,) = summary_table({"iris": made()}, "full").rows
    assert row[0] == "[Iris](#iris)"
    assert row[2:6] == ("2", "2", "", "4")
    assert row[6] == "12 of 12, full"
    console = Console(file=io.StringIO(), width=100)
    console.print(terminal_table({"iris": made()}))
    assert "Iris" in console.file.getvalue()  # type: ignore[attr-defined]


def test_everything_is_written(tmp_path: Path) -> None:
    write_pages(tmp_path, {"iris": made()}, "quick", 5, {"iris": ["curves.png"]})
    document = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert (document["effort"], document["seed"]) == ("quick", 5)
    assert document["experiments"]["iris"]["runs"] == 12
    assert "![Iris](curves.png)" in (tmp_path / "iris" / "README.md").read_text(encoding="utf-8")
    assert "![Iris](iris/curves.png)" in (tmp_path / "index.md").read_text(encoding="utf-8")
    assert 'src="iris/curves.png"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert (tmp_path / "iris" / "clean.rules.txt").read_text(encoding="utf-8") == "1. x\n"
