"""Tests of `evoter demo`: all of the idea, and a report that can be opened."""

import re
from pathlib import Path

import pytest

from commands import run
from project import ROOT


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return what the demo prints, and the report it writes, beside which lies the picture."""
    page = tmp_path_factory.mktemp("demo") / "demo.html"
    result = run("demo", "--output", str(page), "--svg", str(page.with_suffix(".svg")))
    assert result.exit_code == 0, result.output
    return result.stdout, page


def test_it_learns_tests_explains_and_simplifies(shown: tuple[str, Path]) -> None:
    output, _ = shown
    for part in (
        "Breast cancer: 4 rules, 6 conditions",
        "unseen tumours (95% interval",
        "Why this diagnosis?",
        "decided: benign",
        "Heart failure, as evolved in the paper: 46 rules, 88 conditions",
        "Simplified: 1 rule, 1 condition",
        "same action and certainty for 2,000 of 2,000 random patients",
        "evoter fit data.csv --target COLUMN",
    ):
        assert part in output


def test_it_says_where_the_report_is(shown: tuple[str, Path]) -> None:
    output, page = shown
    assert str(page) in output
    text = page.read_text(encoding="utf-8")
    assert "Breast cancer: evoter demo" in text
    assert not re.search(r'(src|href)="https?://', text), "it opens without a network"


def test_the_picture_shows_what_the_demo_prints(shown: tuple[str, Path]) -> None:
    drawn = shown[1].with_suffix(".svg")
    kept = ROOT / "docs" / "_static" / "demo.svg"

    def words(picture: Path) -> list[str]:
        return re.sub(r"<[^>]*>", " ", picture.read_text(encoding="utf-8")).split()

    assert words(drawn) == words(kept), "draw it again with `make picture`"
