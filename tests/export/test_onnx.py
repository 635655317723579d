"""ONNX models are valid, tell which rule decided, and carry the rule set they were made from."""

import math
import subprocess
import sys

import numpy as np
import onnx
import onnxruntime
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.export.onnx import to_onnx
from evoter.problems.deciding import decide_columns
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import decide_series
from evoter.rules.json_codec import loads
from evoter.rules.model import Mode, RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Schema
from exporting import hostile_case, random_case
from laws import examples
from tasks import MIXED, mixed_columns

from exported import fetch_onnx  # isort: skip


@examples(40)
@given(st.integers(0, 2**32))
def test_models_are_valid_and_name_the_deciding_rule(seed: int) -> None:
    case = random_case(seed)
    model = onnx.load_from_string(to_onnx(case.ruleset))
    onnx.checker.check_model(model, full_check=True)
    assert loads({each.key: each.value for each in model.metadata_props}["ruleset"]) == case.ruleset
    assert fetch_onnx(case.ruleset, case.table) == (case.labels, case.deciders)


RULES = """
1. colour = red AND 0.7*a^2 > b -> 0.3*no
2. colour != blue AND wild = true -> 0.8*yes
3. 0.61*c >= d AND few != 2 -> 0.5*perhaps
4. b is missing AND a < 0.25 -> 0.9*no
5. d is present AND c <= 4.5 -> 0.8*perhaps
6. same = 4 AND 0.9*a <= b AND wild = false -> 0.2*yes
7. Default -> 0.4*no
"""


@pytest.mark.parametrize("mode", Mode)
def test_a_hundred_thousand_rows(mode: Mode) -> None:
    ruleset = parse(RULES, MIXED).replace(mode=mode)
    columns = mixed_columns(np.random.default_rng(5), 100_000)
    session = onnxruntime.InferenceSession(to_onnx(ruleset))
    colours = np.array([*MIXED.feature("colour").categories, ""], dtype=object)
    feeds = {each.name: columns[MIXED.position(each.name)].reshape(-1, 1) for each in session.get_inputs()}
    feeds["colour"] = colours[np.nan_to_num(feeds["colour"], nan=-1).astype(int)]
    labels, rules = session.run(["label", "rule"], feeds)
    expected = decide_columns(ruleset, columns)
    assert len(set(rules.tolist())) > 4
    assert labels.tolist() == [MIXED.actions[place] for place in expected.actions]
    assert rules.tolist() == (expected.deciders + 1).tolist()


def test_outputs_are_found_by_name() -> None:
    session = onnxruntime.InferenceSession(to_onnx(parse("x > 1 -> up; Default -> down")))
    assert [each.name for each in session.get_outputs()] == ["label", "rule"]
    label, rule = session.run(["label", "rule"], {"x": np.array([[2.0], [math.nan]])})
    assert (label.tolist(), rule.tolist()) == (["up", "down"], [1, 2])
    hostile = onnxruntime.InferenceSession(to_onnx(hostile_case().ruleset))
    assert [each.name for each in hostile.get_outputs()] == ["label_1", "rule_2"]


def test_mode_all_tells_which_rules_hold() -> None:
    ruleset = parse("x > 1 -> a; x > 2 -> b; x < 9 -> a; Default -> b; where x: numeric; actions: a|b; decide: all")
    session = onnxruntime.InferenceSession(to_onnx(ruleset))
    label, rule, active = session.run(None, {"x": np.array([[3.0], [1.0], [math.nan]])})
    assert label.tolist() == ["a", "a", "b"]
    assert rule.tolist() == [1, 3, 4]
    assert active.tolist() == [[True, True, True], [False, False, True], [False, False, False]]


def test_earlier_values_are_inputs() -> None:
    ruleset = parse("x > x[1] AND x[2] is present -> rising; Default -> falling")
    values = [1.0, 2.0, 3.0, math.nan, 4.0, 5.0]
    feeds = {
        f"x[{lag}]" if lag else "x": np.array([[math.nan]] * lag + [[x] for x in values[: len(values) - lag]])
        for lag in range(3)
    }
    labels = onnxruntime.InferenceSession(to_onnx(ruleset)).run(["label"], feeds)[0].tolist()
    assert labels == list(decide_series(ruleset, [{"x": x} for x in values]).actions)


def test_a_rule_set_without_rules_decides_for_every_row() -> None:
    empty = parse("c = red -> a; Default -> b; where c: one of red | blue; actions: a | b").replace(rules=())
    session = onnxruntime.InferenceSession(to_onnx(empty))
    label, rule = session.run(None, {"c": np.array([["red"], [""]], dtype=object)})
    assert (label.tolist(), rule.tolist()) == (["b", "b"], [1, 1])
    with pytest.raises(RuleError, match="needs an input, but the rule set has no feature"):
        to_onnx(RuleSet([], "a", Schema([], ["a"])))


def test_without_the_package_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['onnx'] = None\nimport evoter, evoter.export as e\ne.to_onnx(evoter.parse('x > 1 -> a; Default -> b'))"
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "ImportError: to_onnx needs the package onnx: pip install 'evoter[onnx]'" in done.stderr
