"""The statistics of rules in a terminal: nothing is cut off, whatever its width and whatever it can show."""

import io

import pytest
from rich.console import Console

import evoter
from evoter.analysis.rule_statistics import measure
from evoter.analysis.rule_statistics_terminal import bar

RULES = evoter.parse("age > 60 AND weight <= 3.25 -> 0.9*old; age > 99 -> old; Default -> young")
ROWS = [{"age": 36, "weight": 1}, {"age": 81, "weight": 2}, {"age": 65, "weight": 3}, {"age": 20, "weight": 4}]
LABELS = ["young", "old", "young", "young"]


def shown(labels: list[str] | None, width: int) -> str:
    console = Console(width=width, file=io.StringIO())
    console.print(measure(RULES, ROWS, labels))
    return str(console.file.getvalue())  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_rules_and_shares_are_shown_at_any_width(width: int) -> None:
    text = shown(LABELS, width)
    assert all(len(line) <= width for line in text.splitlines())
    assert "…" not in text
    for word in ("coverage", "precision", "lift", "support", "50%", "2.0", "100%", "0%", "-"):
        assert word in text
    together = " ".join(text.split())
    assert "weight" in together
    assert "Default -> young" in together


def test_bars_are_drawn_where_there_is_room() -> None:
    assert "███" in shown(LABELS, 120)
    assert "█" not in shown(LABELS, 60)


def test_without_labels_there_is_no_precision() -> None:
    text = shown(None, 80)
    assert "precision" not in text
    assert "coverage" in text


def test_a_terminal_without_unicode_shows_it_as_well() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Console(width=100, file=stream).print(measure(RULES, ROWS, LABELS))
    stream.flush()
    assert b"###" in stream.buffer.getvalue()


def test_what_is_little_is_not_nothing() -> None:
    assert bar(1e-9, 6).strip()
    assert bar(1e-9, 6, ascii_only=True).strip()
    assert not bar(0.0, 6).strip()
