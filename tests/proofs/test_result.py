"""Tests of results: how they read, and counterexamples as rows."""

from evoter.proofs.result import ProofResult, Status, point_of, rows_of
from evoter.rules.values import Row


def test_a_result_reads_well() -> None:
    found = ProofResult("never a", Status.REFUTED, {"x": 1.5, "wild": True}, decisions=(("a",),), reason="by rounding")
    assert repr(found) == "<refuted: never a; not for x = 1.5, wild = true, decided a (by rounding)>"
    both = ProofResult("rises", Status.REFUTED, {"x": 1.0, "y": 2.0}, {"x": 3.0, "y": 2.0}, (("b",), ("a",)))
    assert str(both) == "refuted: rises; not for x = 1, y = 2 and x = 3, decided b and a"


def test_only_what_is_proved_is_true() -> None:
    assert ProofResult("p", Status.PROVED)
    assert not ProofResult("p", Status.REFUTED)
    assert not ProofResult("p", Status.UNKNOWN)


def test_points_are_rows_in_time_order() -> None:
    rows: list[Row] = [{"x": 1.0, "y": None}, {"x": 2.0, "y": "u"}]
    assert rows_of(point_of(rows)) == rows
    assert rows_of(point_of(rows[:1])) == rows[:1]
    assert ProofResult("p", Status.REFUTED, point_of(rows)).history == rows
