"""Decisions on a panel are the interpreter's on each of its instances, for every way to decide."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import random_schema
from evoter.problems.deciding import decide_panel
from evoter.rules.interpreter import decide_series
from evoter.rules.model import Mode
from evoter.rules.schema import Schema
from laws import examples
from panels import random_panel, steps_of
from tasks import random_ruleset


@pytest.mark.parametrize("mode", list(Mode))
@examples(150)
@given(seed=st.integers(0, 2**32))
def test_decisions_are_the_interpreters(mode: Mode, seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    schema = Schema(schema.features, schema.actions, max_lag=rng.choice([0, 1, 3, 8]))
    lengths = rng.choice([[1], [3, 1, 7], [12, 2], [rng.randint(1, 9) for _ in range(66)]])
    panel = random_panel(rng, schema, lengths)
    ruleset = random_ruleset(rng, schema, mode)
    decisions = decide_panel(ruleset, panel)
    truth = [decide_series(ruleset, steps_of(panel, i, schema)).decisions[-1] for i in range(len(panel))]
    assert [schema.actions[action] for action in decisions.actions] == [one.action for one in truth]
    assert decisions.certainties.tolist() == [one.certainty for one in truth]
    assert [tuple(np.flatnonzero(active)) for active in decisions.active] == [one.active for one in truth]


def test_every_time_of_a_series_is_decided_as_in_the_series() -> None:
    rng = Random(1)
    for _ in range(50):
        schema = Schema(random_schema(rng).features, ["go", "stop"], max_lag=3)
        ruleset = random_ruleset(rng, schema, Mode.FIRST)
        panel = random_panel(rng, schema, [9])
        at_each_step = panel[np.zeros(9, np.int64)].until(np.arange(1, 10))
        decided = [schema.actions[action] for action in decide_panel(ruleset, at_each_step).actions]
        assert decided == list(decide_series(ruleset, steps_of(panel, 0, schema)).actions)
