"""Exported Python decides as the interpreter does."""

import math
import runpy
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from domains import random_schema
from evoter.export.python import to_python
from evoter.rules.interpreter import decide_series
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from laws import examples
from tasks import as_rows, random_columns, random_ruleset


@examples(200)
@given(st.integers(0, 2**32), st.integers(0, 2), st.sampled_from(Mode))
def test_source_decides_as_the_interpreter_does(seed: int, max_lag: int, mode: Mode) -> None:
    rng = Random(seed)
    schema = Schema(random_schema(rng).features, ["go", "stop"], max_lag)
    ruleset = random_ruleset(rng, schema, mode)
    rows = as_rows(random_columns(rng, schema, 8), schema)
    decide = run(to_python(ruleset))
    points = [list(row.values()) for row in rows]
    n_before = decide.__code__.co_flags & 4 and len(points)  # whether it takes earlier points
    taken = [decide(point, *points[:k][::-1][:n_before]) for k, point in enumerate(points)]
    decisions = decide_series(ruleset, rows).decisions
    assert taken == [list(each.actions) if mode is Mode.ALL else each.action for each in decisions]


def test_actions_may_be_anything_with_a_repr() -> None:
    source = to_python(parse("x > 1 -> up; Default -> down"), actions=[[-1.0], 7])
    assert "return [-1.0]" in source
    assert "return 7" in source


def test_hostile_names_stay_in_comments() -> None:
    name = 'x"""\nimport os\n"""'
    rule = Rule([Condition(Term(name), ">", 1.0)], "up")
    hostile = RuleSet([rule], "down", Schema([Feature(name)], ["up", "down"]))
    with TemporaryDirectory() as folder:
        path = Path(folder, "policy.py")
        path.write_text(to_python(hostile), encoding="utf-8")
        names = runpy.run_path(str(path))
    assert names["decide"]([2.0]) == "up"
    assert "os" not in names


def run(source: str) -> Callable[..., Any]:
    """Run source from a file of its own, as its user will, and return the function that it defines."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "policy.py")
        path.write_text(source, encoding="utf-8")
        decide: Callable[..., Any] = runpy.run_path(str(path))["decide"]
    return decide


def test_names_with_a_meaning_in_python_are_no_obstacle() -> None:
    names = ["class", "now", "number", "float", "x y", "x_y", "x.y", "1", "Größe", "_", "before", "match", "None"]
    rules = [Rule([Condition(Term(name), ">", 0.0)], name) for name in names]
    decide = run(to_python(RuleSet(rules, names[0], Schema([Feature(name) for name in names], names))))
    rows = [[float(name == other) for other in names] for name in names]
    assert [decide(row) for row in rows] == names


def test_numbers_of_other_types_are_read_as_doubles() -> None:
    """Exact whole numbers and single precision would decide otherwise."""
    decide = run(to_python(parse(f"x^3 > {300_001.0**3!r} -> more; Default -> same")))
    assert 300_001**3 > 300_001.0**3
    assert decide([300_001]) == "same"
    decide = run(to_python(parse("x > 0.1 -> more; Default -> same")))
    assert decide([np.float32(0.1)]) == "more"


def test_categories_may_be_numbers_and_truth_values() -> None:
    source = to_python(parse('c = "3" -> three; c = "true" -> yes; Default -> no; where c: one of "3" | "true"'))
    assert [run(source)([value]) for value in (3, 3.0, np.int64(3), "3", True, np.True_, "x", None, math.nan)] == [
        *("three", "three", "three", "three", "yes", "yes", "no", "no", "no"),
    ]


def test_an_infinite_value_of_a_constant_feature_is_scaled_to_zero() -> None:
    schema = Schema([Feature("x", low=4, high=4, scaled=True), Feature("y", low=0, high=1)], ["a", "b"])
    ruleset = RuleSet([Rule([Condition(Term("x"), "<", Term("y"))], "a")], "b", schema)
    assert [run(to_python(ruleset))([x, 1.0]) for x in (math.inf, 4.0, None)] == ["a", "a", "b"]


def test_long_questions_are_broken_into_lines() -> None:
    names = [f"a rather long name of a feature, number {place}" for place in range(4)]
    rule = Rule([Condition(Term(name), ">", 1.0) for name in names], "yes")
    source = to_python(RuleSet([rule], "no", Schema([Feature(name) for name in names], ["yes", "no"])))
    assert "    if (\n        a_rather" in source
    assert run(source)([2.0] * 4) == "yes"


def test_missing_values_are_none_or_nan() -> None:
    decide = run(to_python(parse("x is missing -> wait; Default -> go")))
    assert (decide([math.nan]), decide([None]), decide([1.0])) == ("wait", "wait", "go")


def test_variables_keep_the_letters_of_other_languages() -> None:
    source = to_python(parse('"Rückstände (€)" > 1 AND "x²" > 2 AND "日本" > 3 AND "٣" > 4 -> up; Default -> down'))
    for variable in ("Rückstände", "x2", "日本"):
        assert f"    {variable} = number(" in source
    assert run(source)([2, 3, 4, 5]) == "up"
    assert run(source)([2, 3, 4, None]) == "down"
