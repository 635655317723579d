"""Values near to others: in the decimals of the data, in the range, and whole where the data are."""

import pytest

from evoter.rules.answers.nearby_values import NearbyValues, decimals_of, nearest_in
from evoter.rules.parser import parse
from evoter.rules.reasoning.spans import ordinal
from evoter.rules.schema import Feature
from strategies import Row


@pytest.mark.parametrize(
    ("low", "high", "value", "decimals"),
    [
        (18, 95, 50.0, 0),
        (1.0, 6.9, 5.1, 1),
        (0, 1, 0.25, 2),
        (0, 1, 1 / 3, 6),
        (0, 1e9, 0.1, 1),
        (None, None, 3.5, 1),
        (0.1, 2.5, None, 1),
    ],
)
def test_decimals_are_those_of_the_data(low: float, high: float, value: float | None, decimals: int) -> None:
    assert decimals_of(Feature("x", low=low, high=high), value, []) == decimals


def test_a_finer_value_is_taken_only_where_no_coarse_one_fits() -> None:
    assert nearest_in(ordinal(5.25), ordinal(9.0), 5.1, 1) == 5.3
    assert nearest_in(ordinal(5.22), ordinal(5.28), 5.1, 1) == 5.22
    assert nearest_in(ordinal(5.2) + 1, ordinal(5.28), 5.1, 1) == 5.21
    assert nearest_in(ordinal(3.2), ordinal(3.7), 3.0, 0) is None
    assert nearest_in(ordinal(5.25), ordinal(9.0), 5.1, 1, step=0.5) == 5.5
    assert nearest_in(ordinal(5.25), ordinal(5.4), 5.1, 1, step=0.5) is None
    assert nearest_in(ordinal(-1e300), ordinal(-1e299), 0.0, 2) == -1e299


def test_there_is_one_value_for_each_outcome() -> None:
    rules = parse(
        "x > 3 AND x <= 5 -> a; c in {u, v} -> b; Default -> d\nwhere\n x: numeric [0..9]\n c: one of u | v | w"
    )
    row: Row = {"x": 1.0, "c": "w"}
    nearby = NearbyValues(rules, [row], fixed=[])
    assert nearby.free == ("x", "c")
    assert list(nearby.of("x", row)) == [4.0, 6.0]
    assert list(nearby.of("c", row)) == ["u"]
    assert NearbyValues(rules, [row], fixed=["x"]).free == ("c",)


def test_costs_are_parts_of_ranges() -> None:
    rules = parse(
        "x > 3 -> a; y > 3 -> a; c = u -> b; Default -> d\nwhere\n x: numeric [0..10]\n y: numeric\n c: one of u | w"
    )
    nearby = NearbyValues(rules, [{"x": 1.0, "y": 3.0, "c": "w"}], fixed=[])
    assert nearby.cost({"x": 6.0}) == 0.5
    assert nearby.cost({"y": 5.0}) == 0.5
    assert nearby.cost({"c": "u"}) == 1.0
    assert nearby.cost({"x": None, "c": "u"}) == 3.0
