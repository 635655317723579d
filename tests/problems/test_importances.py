"""Importances of features: the share of decisions that change if a feature is unknown, against the interpreter."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.problems import feature_importances
from evoter.rules.interpreter import decide
from evoter.rules.model import Mode, RuleSet
from evoter.rules.parser import parse
from evoter.rules.values import Value
from evoter.tables import read_panel
from laws import examples

DECLARED = (
    "where x: numeric [0..9]; y: numeric [0..9]; colour: one of red | blue; z: numeric [0..9]; actions: a | b | c"
)
RULES = parse(
    f"x > 6 AND colour = red -> a; y is missing AND x <= 3 -> b; y > 4 -> c; x is present -> b; Default -> a; {DECLARED}"
)
PLAIN = parse(
    "x > 6 AND colour = red -> a; y <= 3 AND x <= 3 -> b; y > 4 -> 0.4*c; x > 1 -> 0.7*b; colour != blue -> 0.9*c; "
    f"Default -> a; {DECLARED}"
)
VALUES = st.one_of(st.none(), st.integers(0, 9).map(float))
ROWS = st.lists(
    st.fixed_dictionaries({"x": VALUES, "y": VALUES, "colour": st.sampled_from(["red", "blue", None]), "z": VALUES}),
    min_size=1,
    max_size=12,
)


def by_interpreter(ruleset: RuleSet, rows: list[dict[str, Value]], name: str) -> float:
    pairs = [(decide(ruleset, row), decide(ruleset, {**row, name: None})) for row in rows]
    return sum(set(known.actions) != set(unknown.actions) for known, unknown in pairs) / len(rows)


@examples(150)
@given(rows=ROWS, rules=st.sampled_from([RULES, PLAIN]), mode=st.sampled_from(Mode))
def test_the_share_is_what_the_interpreter_decides_with_and_without_the_value(
    rows: list[dict[str, Value]], rules: RuleSet, mode: Mode
) -> None:
    ruleset = rules.replace(mode=mode)
    table = pd.DataFrame(rows).astype({"x": float, "y": float, "z": float, "colour": object})
    measured = feature_importances(ruleset, table)
    assert list(measured) == ["x", "y", "colour", "z"]
    for name, share in measured.items():
        assert share == pytest.approx(by_interpreter(ruleset, rows, name)), name
    assert measured["z"] == 0.0


def test_a_channel_is_unknown_at_all_lags() -> None:
    ruleset = parse("u[1] > 0 -> up; v > 0 -> up; Default -> down; where u: numeric; v: numeric; lags: 0..1")
    values = np.array([[[1, 0], [0, -1]], [[1, 0], [0, 1]], [[-1, 0], [0, 1]], [[-1, 0], [0, -1]]], np.float64)
    assert feature_importances(ruleset, read_panel(values, channels=["u", "v"])) == {"u": 0.25, "v": 0.25}


def test_rules_that_read_nothing_depend_on_nothing() -> None:
    ruleset = parse("Default -> a; where x: numeric; actions: a | b")
    assert feature_importances(ruleset, pd.DataFrame({"x": [1.0, 2.0]})) == {"x": 0.0}
