"""Exported Python decides as the interpreter does."""

import math
import runpy
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domains import random_schema
from evoter.export.python import to_python
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import decide_series
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from tasks import as_rows, random_columns, random_ruleset


@settings(max_examples=300)
@given(st.integers(0, 2**32), st.integers(0, 2))
def test_source_decides_as_the_interpreter_does(seed: int, max_lag: int) -> None:
    rng = Random(seed)
    numeric = [feature for feature in random_schema(rng).features if feature.kind is Kind.NUMERIC]
    schema = Schema(numeric or [Feature("x")], ["go", "stop"], max_lag)
    ruleset = random_ruleset(rng, schema, Mode.FIRST)
    columns = random_columns(rng, schema, 8)
    with TemporaryDirectory() as folder:
        path = Path(folder, "policy.py")
        path.write_text(to_python(ruleset), encoding="utf-8")
        decide = runpy.run_path(str(path))["decide"]
    points = columns.T.tolist()
    n_before = decide.__code__.co_flags & 4 and len(points)
    taken = [decide(point, *points[:k][::-1][:n_before]) for k, point in enumerate(points)]
    assert taken == list(decide_series(ruleset, as_rows(columns, schema)).actions)


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


def test_other_modes_and_categories_are_refused() -> None:
    with pytest.raises(RuleError, match="mode first, not for vote"):
        to_python(parse("x > 1 -> up; Default -> down; where decide: vote"))
    with pytest.raises(RuleError, match="'c' is categorical"):
        to_python(parse("c = red -> up; Default -> down; where c: one of red | blue"))


def test_missing_values_are_nan() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "policy.py")
        path.write_text(to_python(parse("x is missing -> wait; Default -> go")), encoding="utf-8")
        decide = runpy.run_path(str(path))["decide"]
    assert (decide([math.nan]), decide([1.0])) == ("wait", "go")
