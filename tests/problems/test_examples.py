"""Examples: a panel of single steps is a table, and the copies of a series are series of the same length."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evoter.kernels.layout import WORD, Floats, Ints
from evoter.problems.classification.smoothing import count_copies
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
@given(st.integers(0, 2**32), st.integers(1, 90), st.sampled_from([0.0, 0.2]))
def test_a_panel_of_single_steps_is_a_table(seed: int, n: int, amount: float) -> None:
    panel = random_series(seed, n, longest=1)
    schema = Schema(XY, ["go", "stop"])
    classes = np.random.default_rng(seed).integers(0, 2, len(panel))
    both = [examples_of(schema, data) for data in (panel.values, panel)]
    assert [type(one) for one in both] == [TableExamples, PanelExamples]
    assert np.array_equal(both[0].values, both[1].values, equal_nan=True)
    (numbers, n_distinct), other = (one.numbered(classes) for one in both)
    assert numbers.tolist() == other[0].tolist()
    assert n_distinct == other[1]
    (table, origins), (copies, same_origins) = (one.with_copies(numbers, amount) for one in both)
    assert origins.tolist() == same_origins.tolist()
    positions = in_order(len(origins))
    assert np.array_equal(table.rows(positions).values, copies.rows(positions).values, equal_nan=True)


@examples(50)
@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(0, 7))
def test_copies_are_series_near_their_origins(seed: int, n: int, max_lag: int) -> None:
    panel = random_series(seed, n)
    examples = PanelExamples(Schema(XY, ["go"], max_lag), panel)
    numbers, n_distinct = examples.numbered(np.zeros(len(panel), np.int64))
    judged, origins = examples.with_copies(numbers, 0.1)
    assert isinstance(judged, PanelExamples)
    assert len(judged.panel) == len(panel) * count_copies(n_distinct)
    reached = panel.recent(max_lag + 1)
    assert judged.panel.lengths.tolist() == reached.lengths[origins].tolist()
    for i, origin in enumerate(origins):
        copy, original = judged.panel[i], reached[int(origin)]
        assert np.array_equal(np.isnan(copy), np.isnan(original))
        if i < len(panel):
            assert np.array_equal(copy, original, equal_nan=True), "the instances themselves come first"
        else:
            assert np.nanmax(np.abs(copy - original), initial=0.0) < 0.1 * 0.5 * 6.5
    again = examples.with_copies(numbers, 0.1)[0]
    positions = in_order(len(origins))
    assert np.array_equal(judged.rows(positions).values, again.rows(positions).values, equal_nan=True)


def test_equal_instances_move_alike() -> None:
    panel = random_series(3, 30)
    examples = PanelExamples(Schema(XY, ["go"], 5), panel)
    numbers, n_distinct = examples.numbered(np.zeros(40, np.int64))
    assert n_distinct == 30
    assert numbers[30:].tolist() == numbers[:10].tolist()
    judged, _ = examples.with_copies(numbers, 0.3)
    assert isinstance(judged, PanelExamples)
    for copy in range(10):
        for i in range(10):
            first, second = judged.panel[40 * copy + i], judged.panel[40 * copy + 30 + i]
            assert np.array_equal(first, second, equal_nan=True)


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
