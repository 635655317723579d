"""Costs are those of the confusion matrix."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import evoter
from evoter import write_report
from evoter.analysis.report.costs_section import read_costs
from pages import read_page

RULES = evoter.parse("x > 5 -> sick; Default -> well")
FRAME = pd.DataFrame({"x": [9, 9, 9, 1, 1, 1, 1, 1]})
LABELS = ["sick", "sick", "well", "well", "well", "well", "sick", "sick"]


def test_what_wrong_decisions_cost(tmp_path: Path) -> None:
    costs = {("sick", "well"): 10, ("well", "sick"): 1}
    page = read_page(write_report(tmp_path / "r.html", RULES, FRAME, LABELS, costs=costs))
    assert not page.mistakes
    assert "A decision costs 2.625 on average (95% interval" in page.text
    assert "together 21." in page.text
    assert "Always answering sick , the cheapest constant answer, would cost 0.5 on average." in page.text
    assert "sick well 10 2 20" in page.text
    assert "well sick 1 1 1" in page.text
    actions = RULES.schema.actions
    matrix = read_costs(costs, actions)
    assert read_page(write_report(tmp_path / "m.html", RULES, FRAME, LABELS, costs=matrix)).text == page.text


def test_labels_are_found_whatever_their_type() -> None:
    assert read_costs({(1, 0.0): 5}, ("0", "1")).tolist() == [[0, 0], [5, 0]]


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ({("sick", "dead"): 1}, "a cost belongs to a pair"),
        ({"sick": 1}, "a cost belongs to a pair"),
        ([[0, 1, 2], [1, 0, 1]], "costs must be 2 x 2 finite numbers"),
        (np.array([[0, np.nan], [1, 0]]), "costs must be 2 x 2 finite numbers"),
    ],
)
def test_wrong_costs_are_refused(costs: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        write_report(tmp_path / "r.html", RULES, FRAME, LABELS, costs=costs)
    assert not list(tmp_path.iterdir())


def test_labels_without_costs_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="never decide: 'dead'; drop these rows"):
        write_report(tmp_path / "r.html", RULES, FRAME, [*LABELS[:-1], "dead"], costs={("sick", "well"): 1})
