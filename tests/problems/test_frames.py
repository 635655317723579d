"""A rule set alone is enough to decide a frame, an array or a panel, as the interpreter would."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import evoter
from evoter.problems import decide_frame, frame_histories
from evoter.rules.errors import SchemaError
from evoter.rules.interpreter import decide_now
from evoter.tables import Panel

RULES = evoter.parse("age > 60 AND colour = red -> yes; weight is missing -> perhaps; Default -> no")
TABLE = {"colour": ["red", "green", "red"], "age": [70, 80, 20], "weight": [1.0, None, 3.0], "note": ["a", "b", "c"]}


@pytest.mark.parametrize("frame", [pd.DataFrame(TABLE), pl.DataFrame(TABLE)], ids=["pandas", "polars"])
def test_columns_are_found_by_name(frame: object) -> None:
    assert decide_frame(RULES, frame).actions.tolist() == [0, 1, 2]


def test_columns_that_no_rule_reads_need_not_be_there() -> None:
    schema = evoter.Schema([evoter.Feature("age"), evoter.Feature("unused")], ["old", "young"])
    ruleset = evoter.parse("age > 60 -> old; Default -> young", schema)
    assert decide_frame(ruleset, pd.DataFrame({"age": [70, 20]})).actions.tolist() == [0, 1]


def test_a_missing_column_is_named_with_a_remedy() -> None:
    with pytest.raises(SchemaError, match=r"rename columns or add them\): 'age'; did you mean 'Age'"):
        decide_frame(RULES, pd.DataFrame(TABLE).rename(columns={"age": "Age"}))


def test_columns_of_an_array_are_the_features_or_the_numbers_in_their_names() -> None:
    array = np.array([[0.0, 5.0, 1.0], [0.0, 1.0, 1.0]])
    numbered = evoter.parse("x1 > 2 -> yes; Default -> no")
    assert decide_frame(numbered, array).actions.tolist() == [0, 1]
    assert decide_frame(numbered, array[:, [1]]).actions.tolist() == [0, 1]
    with pytest.raises(SchemaError, match="3 columns without names, but the schema has 1 features"):
        decide_frame(evoter.parse("age > 2 -> yes; Default -> no"), array)


@pytest.mark.parametrize("table", [np.zeros((2, 3)), pd.DataFrame({"a": [1, 2]})], ids=["array", "frame"])
def test_a_rule_set_without_features_decides_any_table(table: object) -> None:
    ruleset = evoter.RuleSet([], "no", evoter.Schema([], ["yes", "no"]))
    assert decide_frame(ruleset, table).actions.tolist() == [1, 1]
    assert frame_histories(ruleset, table, [0]) == [[{}]]


def test_rules_that_look_back_need_a_panel() -> None:
    ruleset = evoter.parse("x > x[1] -> up; Default -> down")
    with pytest.raises(SchemaError, match=r"look back 1 step, .*read_panel"):
        decide_frame(ruleset, pd.DataFrame({"x": [1.0, 2.0]}))
    panel = Panel(("x", "y"), np.array([[1.0, 2.0, np.nan, 5.0, 4.0], [0.0] * 5]), [0, 2], [2, 5])
    decisions = decide_frame(ruleset, panel)
    assert decisions.actions.tolist() == [0, 1]
    histories = frame_histories(ruleset, panel, [0, 1])
    assert histories[1] == [{"x": 5.0, "y": 0.0}, {"x": 4.0, "y": 0.0}]
    assert [decide_now(ruleset, history).action for history in histories] == ["up", "down"]
    assert frame_histories(evoter.parse("x[2] is missing -> a; Default -> b"), panel, [1])[0][0] == {
        "x": None,
        "y": 0.0,
    }


def test_histories_are_what_explain_takes() -> None:
    [history] = frame_histories(RULES, pd.DataFrame(TABLE), [1])
    assert history == [{"age": 80.0, "colour": "green", "weight": None}]
    assert evoter.explain(RULES, history).decision.action == "perhaps"


def test_public_names_are_loaded_when_asked_for() -> None:
    import evoter.problems

    for name in evoter.problems.__all__:
        assert getattr(getattr(evoter.problems, name), "__name__", name) == name
    with pytest.raises(AttributeError, match="no attribute 'decide'"):
        evoter.problems.decide  # noqa: B018
