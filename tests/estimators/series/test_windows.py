"""Windows end at the decision, their names are readable, and their statistics come from their own steps."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from evoter.estimators.series.windows import WindowStatistics, statistic_name
from evoter.kernels.layout import Floats
from evoter.kernels.windows import STATISTICS
from evoter.rules.errors import SchemaError
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.parsing.tokens import is_bare_name
from evoter.tables.panel import infer_panel_schema
from evoter.tables.series import read_panel
from laws import examples
from panels import instances
from strategies import names


@examples(200)
@given(instances(max_steps=20), st.integers(1, 6), st.none() | st.integers(1, 8))
def test_windows_end_at_the_decision(series: list[Floats], window: int, step: int | None) -> None:
    windows = WindowStatistics(window, ("max", "mean"), step)
    panel = windows.fit_transform(series)
    assert panel.names == tuple(windows.get_feature_names_out())
    for i, instance in enumerate(series):
        ends = list(range(instance.shape[1], window - 1, -(step or window))) or [instance.shape[1]]
        expected = []
        for channel in instance:
            parts = [channel[max(0, end - window) : end] for end in reversed(ends)]
            present = [part[~np.isnan(part)] for part in parts]
            expected.append([part.max() if len(part) else np.nan for part in present])
            expected.append([part.mean() if len(part) else np.nan for part in present])
        np.testing.assert_allclose(panel[i], expected, rtol=1e-12, atol=1e-9)


@examples(50)
@given(instances(max_steps=20), st.integers(1, 6), st.integers(1, 6))
def test_threads_and_company_change_nothing(series: list[Floats], window: int, step: int) -> None:
    windows = WindowStatistics(window, step=step).fit(series)
    together = windows.transform(series)
    shared = clone(windows).set_params(n_jobs=2).fit(series).transform(series)
    np.testing.assert_array_equal(shared.values, together.values)
    for i, instance in enumerate(series):
        np.testing.assert_array_equal(windows.transform([instance])[0], together[i])


@examples(200)
@given(instances(max_steps=20), st.integers(1, 6), st.none() | st.integers(1, 8), st.randoms())
def test_instances_that_share_steps_share_windows(
    series: list[Floats], window: int, step: int | None, rng: Random
) -> None:
    panel = read_panel(series)
    many = panel[[rng.randrange(len(panel)) for _ in range(30)]]
    many = many.until([rng.randint(1, length) for length in many.lengths.tolist()]).recent(rng.randint(1, 20))
    windows = WindowStatistics(window, step=step).fit(panel)
    shared, apart = windows.transform(many), windows.transform([many[i] for i in range(len(many))])
    for i in range(len(many)):
        np.testing.assert_array_equal(shared[i], apart[i])
    whole = many.lengths >= window
    assert shared.values.shape[1] <= many.n_observations + (~whole).sum()


def test_many_windows_are_shared_between_threads() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2, 400))
    values = [WindowStatistics(16, step=4, n_jobs=n).fit_transform(X).values for n in (1, 2)]
    np.testing.assert_array_equal(*values)


@given(names(), st.sampled_from(STATISTICS))
def test_names_of_statistics_need_quotes_only_where_the_channel_does(channel: str, statistic: str) -> None:
    name = statistic_name(channel, statistic)
    assert statistic in name
    assert is_bare_name(name) or not is_bare_name(channel)


def test_rules_about_windows_print_and_parse() -> None:
    panel = read_panel(np.arange(12.0).reshape(1, 2, 6), channels=["gyro.x", "pressure (MAP)"], units={"gyro.x": "g"})
    statistics = WindowStatistics(2, ("mean", "kurtosis", "slope", "energy")).fit_transform(panel)
    assert statistics.units == ("g", "", "g per step", "g squared", "", "", "", "")
    schema = infer_panel_schema(statistics, actions=["Low", "High"])
    conditions = [
        Condition(Term("gyro.x.mean", lag=2), "<", 72.75),
        Condition(Term("pressure.kurtosis (MAP)"), "<", 4.09),
    ]
    ruleset = RuleSet([Rule(conditions, "Low")], "High", schema)
    assert str(ruleset).startswith("1. gyro.x.mean[2] < 72.75 g AND pressure.kurtosis (MAP) < 4.09 -> Low")
    assert parse(str(ruleset)) == ruleset


def test_the_whole_unit_is_squared() -> None:
    panel = read_panel(np.ones((1, 2, 4)), channels=["x", "y"], units={"x": "g", "y": "rad/s"})
    assert WindowStatistics(2, ("energy",)).fit_transform(panel).units == ("g squared", "squared rad/s")


def test_channels_are_those_of_training() -> None:
    panel = read_panel(np.ones((1, 2, 4)), channels=["x", "y"])
    windows = WindowStatistics(2, ("mean",)).fit(panel)
    swapped = read_panel(np.zeros((1, 3, 4)), channels=["y", "z", "x"])
    assert windows.transform(swapped).names == ("x.mean", "y.mean")
    assert windows.transform(np.ones((3, 2, 4))).names == ("x.mean", "y.mean")
    with pytest.raises(SchemaError, match="the panel lacks 1 of the channels: 'x'"):
        windows.transform(panel.select(["y"]))
    with pytest.raises(SchemaError, match="3 channels, but there are 2 names"):
        windows.transform(np.ones((3, 3, 4)))


def test_windows_of_windows_in_a_pipeline() -> None:
    panel = make_pipeline(WindowStatistics(2, ("mean",)), WindowStatistics(2, ("max",))).fit_transform(
        [[1.0, 3.0, 5.0, 9.0]]
    )
    assert panel.names == ("x0.mean.max",)
    assert panel[0].tolist() == [[7.0]]


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"window": 0}, "'window' parameter"),
        ({"step": 0}, "'step' parameter"),
        ({"statistics": ("means",)}, "no statistic 'means'; did you mean 'mean'"),
        ({"statistics": ()}, "statistics must be different ones"),
        ({"statistics": ("mean", "mean")}, "statistics must be different ones"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        WindowStatistics(**parameters).fit([[1.0, 2.0]])


def test_infinite_values_and_unfitted_windows_are_refused() -> None:
    with pytest.raises(SchemaError, match="instance 0, channel 'x0', step 1: the value is inf"):
        WindowStatistics().fit_transform([[1.0, np.inf]])
    with pytest.raises(NotFittedError):
        WindowStatistics().transform([[1.0]])
