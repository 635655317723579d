"""A stream through windows decides at each observation as the batch decides on the series up to there."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.estimators.series.windowed_stream import WindowedStream
from evoter.estimators.series.windows import WindowStatistics
from evoter.kernels.layout import Floats
from evoter.kernels.windows import STATISTICS
from evoter.problems.deciding import decide_panel
from evoter.rules.errors import SchemaError
from evoter.rules.model import Mode
from evoter.rules.parser import parse
from evoter.rules.schema import Schema
from evoter.tables.panel import infer_panel_schema
from evoter.tables.series import read_panel
from laws import examples
from panels import instances
from tasks import random_ruleset


@examples(200)
@given(instances(max_instances=1, max_steps=25), st.integers(0, 2**32))
def test_a_stream_decides_as_the_batch(series: list[Floats], seed: int) -> None:
    rng = Random(seed)
    chosen = tuple(rng.sample(STATISTICS, rng.randint(1, 3)))
    windows = WindowStatistics(rng.randint(1, 6), chosen, rng.choice([None, 1, 2, 7])).fit(series)
    schema = infer_panel_schema(windows.transform(series), actions=["go", "stop"], scaled=rng.random() < 0.3)
    schema = Schema(schema.features, schema.actions, rng.randint(0, 4))
    ruleset = random_ruleset(rng, schema, rng.choice(list(Mode)))
    stream = WindowedStream(ruleset, windows)
    steps = series[0].shape[1]
    upto = read_panel(series)[np.zeros(steps, np.int64)].until(np.arange(1, steps + 1))
    expected = decide_panel(ruleset, windows.transform(upto))
    for repetition in range(2):
        decisions = [stream.observe(values) for values in series[0].T]
        assert [schema.actions.index(one.action) for one in decisions] == expected.actions.tolist()
        assert [one.active for one in decisions] == [tuple(np.flatnonzero(active)) for active in expected.active]
        if repetition == 0:
            stream.reset()


RULES = parse("x.mean > x.mean[1] AND y.max < 5 -> up; Default -> down")


def test_a_bad_observation_changes_nothing() -> None:
    windows = WindowStatistics(2, ("mean", "max"), step=2).fit(read_panel(np.ones((1, 2, 1)), channels=["x", "y"]))
    stream = WindowedStream(RULES, windows)
    for x in (1.0, 1.0, 2.0):
        assert stream.observe({"x": x, "y": None}).action == "down"
    for bad, message in (
        ({"x": 1.0}, "no value for the feature 'y'"),
        ({"x": np.inf, "y": 1.0}, "the channel 'x' is inf"),
        ([1.0], "1 values, but there are 2 names"),
    ):
        with pytest.raises(SchemaError, match=message):
            stream.observe(bad)
    assert stream.observe([2.0, 1.0]).action == "up"


def test_rules_about_other_windows_are_refused() -> None:
    windows = WindowStatistics(2, ("mean",)).fit(read_panel(np.ones((1, 1, 1)), channels=["x"]))
    with pytest.raises(SchemaError, match=r"the rules read 'y\.max', which these windows do not have"):
        WindowedStream(RULES, windows)
