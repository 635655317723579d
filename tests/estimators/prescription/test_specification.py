"""Costs and objectives as users write them."""

import pytest

from evoter import Feature, Schema
from evoter.estimators.prescription.specification import read_aims, read_costs

SCHEMA = Schema([Feature("age"), Feature("creatinine")], ["blood thinner", "diet"])


def test_costs_are_0_where_nothing_is_said() -> None:
    costs = read_costs({"diet": 2}, SCHEMA.actions)
    assert costs is not None
    assert costs.tolist() == [0.0, 2.0]
    assert read_costs(None, SCHEMA.actions) is None
    for wrong, message in (({"dite": 1}, "did you mean 'diet'"), ({"diet": float("nan")}, "a finite number")):
        with pytest.raises(ValueError, match=message):
            read_costs(wrong, SCHEMA.actions)


def test_other_objectives_have_one_direction() -> None:
    assert read_aims(None) == ({}, ())
    assert read_aims({"x": "maximise", "novelty": "maximise"}) == ({"x": "maximise"}, ("novelty",))
    with pytest.raises(ValueError, match="'rules' can only be 'minimise'"):
        read_aims({"rules": "maximise"})
