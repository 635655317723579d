"""A stream decides as the whole series does, and a bad observation leaves it as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import SchemaError
from evoter.rules.interpreter import decide_series, decide_table
from evoter.rules.parser import parse
from evoter.rules.stream import Stream, furthest_lag
from laws import examples
from strategies import rows, rulesets

RISING = parse("x > x[2] AND y < 5 -> up; x is missing -> gone; Default -> down")


@examples(300)
@given(st.data())
def test_a_stream_decides_as_the_series(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    steps = data.draw(st.lists(rows(ruleset.schema), max_size=8))
    stream = Stream(ruleset)
    assert tuple(stream.observe(step) for step in steps) == decide_series(ruleset, steps).decisions
    stream.reset()
    in_order = [[step[name] for name in ruleset.schema.names] for step in steps]
    assert tuple(stream.observe(values) for values in in_order) == decide_series(ruleset, steps).decisions


@examples(100)
@given(st.data())
def test_reset_before_each_row_decides_as_the_table(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    table = data.draw(st.lists(rows(ruleset.schema), max_size=5))
    stream = Stream(ruleset)
    for row, decision in zip(table, decide_table(ruleset, table).decisions, strict=True):
        stream.reset()
        assert stream.observe(row) == decision


def test_the_history_is_no_longer_than_the_rules_look_back() -> None:
    assert furthest_lag(RISING) == 2
    stream = Stream(RISING)
    for x in range(10):
        stream.observe({"x": x, "y": 0, "anything else": object()})  # type: ignore[dict-item]
    assert len(stream._history) == 3


@pytest.mark.parametrize(
    ("observation", "message"),
    [
        ({"x": 1.0}, "no value for the feature 'y'"),
        ({"x": "high", "y": 1.0}, "takes a number, not str 'high'"),
        ([1.0], "has 1 values, but there are 2 names: x, y"),
        ("12", "not str '12'"),
        (7.0, "not float 7.0"),
    ],
)
def test_a_bad_observation_changes_nothing(observation: object, message: str) -> None:
    stream = Stream(RISING)
    for x in (1.0, 2.0):
        stream.observe({"x": x, "y": 0.0})
    with pytest.raises(SchemaError, match=message):
        stream.observe(observation)  # type: ignore[arg-type]
    assert stream.observe([3.0, 0.0]).action == "up", "x[2] is still the first observation"


def test_values_without_names_may_be_those_of_other_channels_too() -> None:
    stream = Stream(RISING, names=["unused", "y", "x"])
    assert [stream.observe([9.0, 0.0, x]).action for x in (1.0, 1.0, 2.0)] == ["down", "down", "up"]
