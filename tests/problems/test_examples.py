"""Examples: a panel of single steps is a table, and what conditions can read is one line for each feature and lag."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.kernels.layout import WORD, Floats, Ints
from evoter.problems.deciding import decide_columns, decide_panel
from evoter.problems.examples import PanelExamples, TableExamples, examples_of
from evoter.rules.model import Mode
from evoter.rules.schema import Feature, Schema
from evoter.tables.panel import Panel
from evoter.tables.series import read_panel
from laws import examples
from panels import random_panel
from tasks import random_ruleset

XY = [Feature("x", low=0, high=1), Feature("y", low=0, high=1, missing=True)]


def in_order(n: int) -> Ints:
    positions = np.full(-(-n // WORD) * WORD, -1)
    positions[:n] = np.arange(n)
    return positions


def random_series(seed: int, n: int, longest: int = 6) -> Panel:
    """Series of unequal lengths with missing values, some of them twice."""
    rng = np.random.default_rng(seed)
    series: list[Floats] = [rng.random((2, rng.integers(1, longest + 1))) for _ in range(n)]
    for values in series:
        values[1, rng.random(values.shape[1]) < 0.2] = np.nan
    return read_panel([*series, *series[: n // 3]], channels=["x", "y"])


@examples(50)
@given(st.integers(0, 2**32), st.integers(1, 90))
def test_a_panel_of_single_steps_is_a_table(seed: int, n: int) -> None:
    panel = random_series(seed, n, longest=1)
    schema = Schema(XY, ["go", "stop"])
    classes = np.random.default_rng(seed).integers(0, 2, len(panel))
    both = [examples_of(schema, data) for data in (panel.values, panel)]
    assert [type(one) for one in both] == [TableExamples, PanelExamples]
    assert np.array_equal(both[0].values, both[1].values, equal_nan=True)
    assert both[0].count_distinct(classes) == both[1].count_distinct(classes)
    for (lines, is_number), other in [(both[0].lines(), both[1].lines())]:
        assert np.array_equal(lines, other[0], equal_nan=True)
        assert is_number == other[1] == [True, True]
    positions = in_order(len(panel))
    assert np.array_equal(both[0].rows(positions).values, both[1].rows(positions).values, equal_nan=True)


def test_equal_instances_are_counted_once() -> None:
    assert PanelExamples(Schema(XY, ["go"], 5), random_series(3, 30)).count_distinct(np.zeros(40, np.int64)) == 30


def test_a_line_for_each_feature_and_lag() -> None:
    panel = read_panel([[[9.0, 8.0, 1.0, 2.0]], [[3.0]]], channels=["x"])
    lines, is_number = PanelExamples(Schema([Feature("x")], ["go"], 2), panel).lines()
    assert np.array_equal(lines, [[2.0, 3.0], [1.0, np.nan], [8.0, np.nan]], equal_nan=True)
    assert is_number == [True] * 3


def test_of_too_many_lags_evenly_spaced_ones_are_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evoter.problems.examples.MAX_VALUES", 6)
    panel = read_panel([[[0.0, 1.0, 2.0, 3.0, 4.0]]] * 2, channels=["x"])
    lines, _ = PanelExamples(Schema([Feature("x")], ["go"], 4), panel).lines()
    assert lines[:, 0].tolist() == [4.0, 2.0, 0.0]


def test_only_steps_within_reach_are_values() -> None:
    panel = read_panel([[[9.0, 8.0, 1.0, 2.0]], [[3.0]]], channels=["x"])
    assert PanelExamples(Schema([Feature("x")], ["go"], 1), panel).values.tolist() == [[1.0, 2.0, 3.0]]


@examples(100)
@given(st.integers(0, 2**32), st.sampled_from(list(Mode)))
def test_decisions_are_those_of_any_table_or_panel(seed: int, mode: Mode) -> None:
    rng = Random(seed)
    schema = Schema(XY, ["go", "stop"], rng.randint(0, 4))
    panel = random_panel(rng, schema, [rng.randint(1, 6) for _ in range(rng.choice([1, 70]))])
    ruleset = random_ruleset(rng, schema, mode)
    columns = panel.values
    pairs = [
        (PanelExamples(schema, panel).decide(ruleset), decide_panel(ruleset, panel)),
        (TableExamples(schema, columns).decide(ruleset), decide_columns(ruleset, columns)),
    ]
    for decided, expected in pairs:
        assert np.array_equal(decided.actions, expected.actions)
        assert np.array_equal(decided.deciders, expected.deciders)
        assert np.array_equal(decided.active, expected.active)
