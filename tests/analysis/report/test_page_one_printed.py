"""The first page is one sheet of A4 when a browser prints it, whatever it has to show."""

import shutil
import subprocess
from pathlib import Path

import pandas as pd
import pytest

from evoter import write_report
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Schema

BROWSER, READER = shutil.which("chromium"), shutil.which("pdftotext")
OFFLINE = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run")


@pytest.mark.skipif(BROWSER is None or READER is None, reason="needs chromium and pdftotext")
@pytest.mark.parametrize(
    ("n_rules", "n_labels", "n_warnings", "name"),
    [(3, 2, 0, "x"), (60, 2, 9, "a rather long name of column"), (40, 9, 2, "x"), (16, 7, 9, "column")],
)
def test_the_appendix_begins_on_the_second_page(
    n_rules: int, n_labels: int, n_warnings: int, name: str, tmp_path: Path
) -> None:
    labels = [f"class number {n}" for n in range(n_labels)]
    columns = [f"{name} {n}" for n in range(3)]
    schema = Schema([Feature(each, low=0, high=100) for each in columns], labels)
    rules = [
        Rule([Condition(Term(each), ">", 100.0 - n) for each in columns], labels[n % n_labels]) for n in range(n_rules)
    ]
    frame = pd.DataFrame({each: range(100) for each in columns})
    page = write_report(
        tmp_path / "report.html",
        RuleSet(rules, labels[0], schema),
        frame,
        [labels[n % n_labels] for n in range(100)],
        unseen=True,
        warnings=["a column looks like an identifier, and its rows are either all trained on or all tested on"]
        * n_warnings,
    )
    printed = tmp_path / "report.pdf"
    options = ("--headless", "--no-sandbox", "--disable-gpu", *OFFLINE, f"--user-data-dir={tmp_path / 'profile'}")
    arguments = ("--no-pdf-header-footer", f"--print-to-pdf={printed}", page.as_uri())
    subprocess.run([str(BROWSER), *options, *arguments], check=True, capture_output=True, timeout=60)
    pages = [_text(printed, number) for number in (1, 2)]
    assert "Right and wrong" in pages[0]
    assert pages[1].startswith("Appendix")


def _text(printed: Path, number: int) -> str:
    command = [str(READER), "-f", str(number), "-l", str(number), str(printed), "-"]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout
