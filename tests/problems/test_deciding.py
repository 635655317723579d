"""Decisions on a table are the interpreter's, for tables of any length and rule sets of any size."""

from random import Random

import numpy as np
import pytest

from evoter.problems.deciding import decide_columns
from evoter.rules.interpreter import decide_table
from evoter.rules.model import Mode, RuleSet
from tasks import MIXED, as_rows, mixed_columns, random_ruleset

MODES = list(Mode)


@pytest.mark.parametrize("mode", MODES)
def test_decisions_are_the_interpreters(mode: Mode) -> None:
    rng = Random(3)
    for n_rows in (1, 63, 64, 65, 130):
        columns = mixed_columns(np.random.default_rng(n_rows), n_rows)
        for _ in range(15):
            ruleset = random_ruleset(rng, MIXED, mode)
            decisions = decide_columns(ruleset, columns)
            truth = decide_table(ruleset, as_rows(columns, MIXED)).decisions
            assert [MIXED.actions[action] for action in decisions.actions] == [one.action for one in truth]
            assert decisions.certainties.tolist() == [one.certainty for one in truth]
            assert [tuple(np.flatnonzero(row)) for row in decisions.active] == [one.active for one in truth]
            first = [one.deciding[0] if one.deciding else len(ruleset.rules) for one in truth]
            assert decisions.deciders.tolist() == first


def test_without_rules_the_default_decides() -> None:
    decisions = decide_columns(RuleSet([], "perhaps", MIXED, 0.25), mixed_columns(np.random.default_rng(1), 5))
    assert decisions.actions.tolist() == [2] * 5
    assert decisions.certainties.tolist() == [0.25] * 5
    assert decisions.deciders.tolist() == [0] * 5
    assert decisions.active.shape == (5, 0)


def test_no_rows_are_no_decisions() -> None:
    decisions = decide_columns(random_ruleset(Random(1), MIXED, Mode.FIRST), np.empty((len(MIXED.features), 0)))
    assert len(decisions.actions) == len(decisions.active) == 0
