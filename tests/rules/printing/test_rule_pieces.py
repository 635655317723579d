"""A comparison of scaled features says so on its line, in every form, and reads back as it was."""

import io
import re
from typing import get_args

import pandas as pd
import pytest
from hypothesis import given
from rich.console import Console

from evoter.analysis.rule_statistics import measure
from evoter.rules.condition import Term
from evoter.rules.errors import RuleSyntaxError
from evoter.rules.explain import explain
from evoter.rules.forms.registry import form_of
from evoter.rules.interpreter import decide_now
from evoter.rules.model import Format, RuleSet
from evoter.rules.parser import parse, parse_condition
from evoter.rules.text import print_condition, print_ruleset
from laws import examples
from strategies import rulesets

WHERE = """
where
  sepal width (cm): numeric [2..4.4] cm, scaled
  petal length (cm): numeric [1..6.9] cm, scaled
  "odd (name": numeric [0..1], scaled
  raw: numeric
  actions: a | b
  lags: 0..2"""
MARKED = "1. 0.93*scaled(sepal width (cm))^2[1] <= scaled(petal length (cm)) -> a\n2. Default -> b"
UNMARKED = MARKED.replace("scaled(sepal width (cm))", "sepal width (cm)").replace(
    "scaled(petal length (cm))", "petal length (cm)"
)
RULES = parse(MARKED + WHERE)
SCHEMA = RULES.schema


def test_text_with_and_without_the_mark_is_the_same_rule_set() -> None:
    assert parse(UNMARKED + WHERE) == RULES
    assert print_ruleset(RULES, declarations=False) == MARKED
    assert parse(MARKED, SCHEMA) == RULES
    assert RULES.rules[0].conditions[0].left == Term("sepal width (cm)", 0.93, power=2, lag=1)


@examples(400)
@given(ruleset=rulesets())
def test_marks_are_read_back_and_texts_of_before_are_still_read(ruleset: RuleSet) -> None:
    marked = print_ruleset(ruleset)
    assert parse(marked) == ruleset
    conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
    for condition in conditions:
        before = print_condition(condition)  # without a schema there is nothing to mark
        assert parse_condition(before, ruleset.schema) == condition
        is_scaled = form_of(condition).scales and any(
            ruleset.schema.feature(term.feature).scaled for term in condition.terms
        )
        assert (print_condition(condition, ruleset.schema).count("scaled(") > before.count("scaled(")) is is_scaled


@pytest.mark.parametrize("form", get_args(Format))
def test_every_form_marks_both_sides(form: Format) -> None:
    mark = "relative level" if form == "plain" else "scaled("
    assert print_ruleset(RULES, form, declarations=False).count(mark) == 2


def test_terminal_explanation_and_statistics_mark_it() -> None:
    written = io.StringIO()
    Console(file=written, width=200).print(RULES)
    assert written.getvalue().count("scaled(") == 2
    history = [{"sepal width (cm)": 3.3, "petal length (cm)": 6.0, "odd (name": 0.5, "raw": 1.0}] * 2
    assert "scaled(petal length (cm))" in str(explain(RULES, history))
    plain = parse("scaled(sepal width (cm)) <= scaled(petal length (cm)) -> a; Default -> b", SCHEMA)
    table = {name: [row[name] for row in history] for name in SCHEMA.names}
    assert "scaled(petal length (cm))" in str(measure(plain, pd.DataFrame(table)))


def test_an_explanation_says_it_in_own_units() -> None:
    rules = parse("0.93*scaled(sepal width (cm)) <= scaled(petal length (cm)) -> a; Default -> b", SCHEMA)
    row = {"sepal width (cm)": 3.3, "petal length (cm)": 6.0, "odd (name": 0.5, "raw": 1.0}
    assert str(explain(rules, row)).endswith(
        "(sepal width (cm) = 3.3 cm, petal length (cm) = 6 cm: scaled, 0.50375 against 0.847458; "
        "in own units about sepal width (cm) <= 0.4374*petal length (cm) + 1.563)"
    )
    # The line of the inequality is where the decision changes.
    for length in (1.0, 2.5, 4.0, 6.9):
        width = 0.4374 * length + 1.563
        decided = [
            decide_now(rules, [row | {"sepal width (cm)": width + by, "petal length (cm)": length}]).action
            for by in (-0.01, 0.01)
        ]
        assert decided == ["a", "b"]


def test_a_mark_may_stand_before_a_quoted_name_or_a_feature_called_scaled() -> None:
    condition = parse_condition('scaled("odd (name") < scaled(sepal width (cm))', SCHEMA)
    assert print_condition(condition, SCHEMA) == 'scaled("odd (name") < scaled(sepal width (cm))'
    rules = parse(
        "(scaled(scaled) < x) -> a; scaled > 3 -> b; Default -> b\nwhere\n scaled: numeric [0..9], scaled\n x: numeric\n actions: a | b"
    )
    assert rules.rules[0].conditions[0].left == Term("scaled")
    assert parse(str(rules)) == rules


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ("scaled(sepal width (cm)) > 0.5", "scaled(...) is for comparisons with another feature"),
        ("scaled(sepal width (cm)) is missing", "scaled(...) is for comparisons with another feature"),
        ("scaled(raw) < scaled(sepal width (cm))", "'raw' is not scaled in the schema: write it without 'scaled(...)'"),
        ("scaled(sepal width (cm)) < petal length (cm)", "'petal length (cm)' is scaled in the schema"),
        ("scaled(sepal width (cm) < raw", "expected ')' after 'scaled(sepal width (cm)'"),
        ("scaled() < raw", "expected a feature, got ')'"),
    ],
)
def test_a_mark_that_would_mislead_is_refused(condition: str, message: str) -> None:
    with pytest.raises(RuleSyntaxError, match=re.escape(message)):
        parse_condition(condition, SCHEMA)


def test_without_a_schema_a_mark_needs_the_range() -> None:
    assert parse("scaled(x) < y AND x > 1 [0..4] -> a; Default -> b").schema.feature("x").scaled
    with pytest.raises(RuleSyntaxError, match=re.escape("scaled(x) needs the range of 'x': declare it after 'where'")):
        parse("scaled(x) < y -> a; Default -> b")
