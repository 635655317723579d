"""Recommendations as text."""

from evoter import explain, parse
from evoter.estimators.prescription.recommendation import Alternative, Recommendation
from evoter.evolution.problem import Objective


def test_a_reader_sees_what_to_do_why_and_what_else_there_is() -> None:
    rules = parse("glucose > 140 -> insulin; Default -> diet")
    told = Recommendation(
        "insulin",
        explain(rules, {"glucose": 180.0}),
        (Objective("cured"), Objective("cost", maximise=False)),
        (Alternative("insulin", (0.61234, 3.0)), Alternative("metformin", (0.7, 1.0), allowed=False)),
    )
    assert str(told).splitlines() == [
        "recommended: insulin",
        "rule 1 decided: insulin",
        "  glucose > 140   (180)",
        "predicted                cured ↑  cost ↓",
        "insulin (recommended)     0.6123       3",
        "metformin (not allowed)      0.7       1",
    ]
