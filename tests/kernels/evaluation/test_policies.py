"""Policies at work decide as the interpreter does, step by step, with lags and missing values."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from domains import random_schema
from evoter.genome.codec import encode
from evoter.kernels.evaluation.policies import Past, decide_each
from evoter.problems.control.rollout import room_for
from evoter.rules.interpreter import decide_series
from evoter.rules.model import Mode
from evoter.rules.schema import Schema
from laws import examples
from tasks import as_rows, random_columns, random_ruleset


def filled(past: Past, columns: np.ndarray, step: int) -> None:
    past.ring[step % len(past.ring)] = columns[:, :, step]


@examples(400)
@given(st.integers(0, 2**32), st.integers(0, 3), st.integers(1, 3), st.integers(1, 3))
def test_every_step_is_decided_as_the_interpreter_does(seed: int, max_lag: int, n: int, n_episodes: int) -> None:
    rng = Random(seed)
    drawn = random_schema(rng)
    schema = Schema(drawn.features, drawn.actions, max_lag)
    rulesets = [random_ruleset(rng, schema, Mode.FIRST) for _ in range(n)]
    n_rows, n_steps = n * n_episodes, 6
    episodes = np.array([random_columns(rng, schema, n_steps) for _ in range(n_rows)])
    population = encode(rulesets, schema)
    past = room_for(schema, n_rows)
    applied = np.zeros((n, population.max_rules), np.int64)
    decided = np.zeros((n, population.max_rules + 1), np.int64)
    actions = np.empty((n_steps, n_rows), np.int64)
    begins = np.arange(n + 1) * n_episodes
    for step in range(n_steps):
        filled(past, episodes, step)
        decide_each(0, n, population, begins, past, step, actions[step], applied, decided)
    for i, ruleset in enumerate(rulesets):
        n_rules = len(ruleset.rules)
        verdicts = [decide_series(ruleset, as_rows(episodes[row], schema)) for row in range(begins[i], begins[i + 1])]
        for row, verdict in enumerate(verdicts, start=begins[i]):
            assert [schema.actions[action] for action in actions[:, row]] == list(verdict.actions)
        assert applied[i, :n_rules].tolist() == [sum(c) for c in zip(*(v.times_applied for v in verdicts), strict=True)]
        assert decided[i, :n_rules].tolist() == [sum(c) for c in zip(*(v.times_decided for v in verdicts), strict=True)]
        assert decided[i, -1] == sum(verdict.default_applied for verdict in verdicts)
