"""The report on rules with numbers: what it says, and what it refuses."""

import re
from pathlib import Path

import pytest

from evoter import parse, write_report
from evoter.analysis.report.writing import report_page

RULES = parse(
    "age > 60 -> 2 + 0.5*age; Default -> 10.5; where age: numeric [0..99] years; actions: numeric, target <weight>".replace(
        "<weight>", '"<b>weight</b>"'
    )
)
ROWS = [{"age": 80.0}, {"age": 62.0}, {"age": 55.0}, {"age": 20.0}]
TRUTH = [43.0, 33.0, 20.0, 14.0]


def test_it_tells_how_far_off_the_rules_are(tmp_path: Path) -> None:
    path = write_report(
        tmp_path / "report.html", RULES, ROWS, TRUTH, unseen=True, title="Ages <&>", warnings=["beware"]
    )
    page = path.read_text(encoding="utf-8")
    text = re.sub("<[^>]+>", " ", page)
    for said in (
        "On unseen rows:",
        "on average 3.5 off",
        "Beware",
        "rule 1 decided: 2 + 0.5*age = 42 (age 80 years)",
    ):
        assert said in text, said
    assert "Ages &lt;&amp;&gt;" in page
    assert "<b>weight" not in page
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "").replace("http://www.w3.org", "")


def test_what_is_about_classes_is_refused() -> None:
    with pytest.raises(ValueError, match="costs is about classes"):
        report_page(RULES, ROWS, TRUTH, costs={("a", "b"): 1.0})
    assert "rows given" in report_page(RULES, ROWS)
