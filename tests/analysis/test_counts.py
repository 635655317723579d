"""Tests of counts with their nouns."""

from evoter.analysis.counts import counted


def test_counts() -> None:
    assert [counted(n, "row") for n in (0, 1, 2, 12_345)] == ["0 rows", "1 row", "2 rows", "12,345 rows"]
