"""How much of each action a rule set prescribes."""

from typing import Any

import numpy as np

from evoter import parse
from evoter.problems.deciding import decide_columns
from evoter.problems.prescription.levels import levels_of

RULES = "x > 0 -> 0.3*go; x > 1 -> 0.6*run; Default -> 0.2*stay\nwhere\n  x: numeric\n  actions: go | run | stay"
COLUMNS = np.array([[-1.0, 0.5, 2.0]])


def levels(mode: str, *, amounts: bool = False) -> Any:
    ruleset = parse(RULES, mode=mode)
    return levels_of(ruleset, decide_columns(ruleset, COLUMNS), amounts=amounts).tolist()


def test_one_action_is_taken_whole_or_to_the_amount_of_its_certainty() -> None:
    assert levels("first") == [[0, 0, 1], [1, 0, 0], [1, 0, 0]]
    assert levels("hardmax") == [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    assert levels("hardmax", amounts=True) == [[0, 0, 0.2], [0.3, 0, 0], [0, 0.6, 0]]


def test_in_mode_all_every_active_action_is_taken_and_the_last_is_doing_nothing() -> None:
    assert levels("all") == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
