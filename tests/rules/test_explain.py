"""Explanations: their words in each mode, and that they agree with the decision they explain."""

from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import SchemaError
from evoter.rules.explain import explain
from evoter.rules.interpreter import decide_now
from evoter.rules.model import Mode
from evoter.rules.parser import parse
from evoter.rules.text import print_condition
from strategies import rows, rulesets

IRIS = parse("""
1. petal length (cm) <= 2.45 cm -> setosa
2. petal width (cm) > 1.7 AND petal length (cm) > 4 cm -> 0.9*virginica
3. "wide" pinned: petal width (cm) > 1 AND petal length (cm) < 4 cm -> versicolor
4. petal width (cm) > 0 -> 0.8*virginica
5. Default -> 0.4*versicolor

where
  petal length (cm): numeric [1..6.9] cm
  petal width (cm): numeric, may be missing
  actions: setosa | versicolor | virginica
""")
FLOWER = {"petal length (cm)": 5.9, "petal width (cm)": 2.1}


def explained(rules: str, row: Any, mode: str = "first") -> str:
    return str(explain(parse(rules, mode=mode), row))


def test_mode_first() -> None:
    assert (
        str(explain(IRIS, FLOWER))
        == """\
rule 2 decided: virginica (certainty 0.9)
  petal width (cm) > 1.7     (2.1)
  petal length (cm) > 4 cm   (5.9 cm)
rule 4 held as well, but comes later: virginica (certainty 0.8)
  petal width (cm) > 0   (2.1)
rule 1 did not hold: setosa
  petal length (cm) <= 2.45 cm   (5.9 cm)"""
    )


def test_the_default_and_missing_values() -> None:
    assert (
        str(explain(IRIS, {"petal length (cm)": 3, "petal width (cm)": None}))
        == """\
the default decided: versicolor (certainty 0.4)
rule 1 did not hold: setosa
  petal length (cm) <= 2.45 cm   (3 cm)
rule 2 did not hold: virginica (certainty 0.9)
  petal width (cm) > 1.7     (no value)
  petal length (cm) > 4 cm   (3 cm)
rule 3 "wide" did not hold: versicolor
  petal width (cm) > 1   (no value)
rule 4 did not hold: virginica (certainty 0.8)
  petal width (cm) > 0   (no value)"""
    )


POLL = "1. x > 0 -> 0.4*Left; 2. x > 9 -> Left; 3. x > 1 -> 0.9*Right; 4. x > 2 -> Left; Default -> Right"


def test_mode_hardmax() -> None:
    assert (
        explained(POLL, {"x": 1.5}, "hardmax")
        == """\
rule 3 decided: Right (certainty 0.9)
  x > 1   (1.5)
rule 1 held as well, but is not more certain: Left (certainty 0.4)
  x > 0   (1.5)
rule 2 did not hold: Left
  x > 9   (1.5)
rule 4 did not hold: Left
  x > 2   (1.5)"""
    )


def test_mode_vote() -> None:
    assert (
        explained(POLL, {"x": 3}, "vote")
        == """\
rule 3 decided: Right (certainty 0.9)
  x > 1   (3)
mean certainties: Right 0.9, Left 0.7
rule 1 held as well, but was outvoted: Left (certainty 0.4)
  x > 0   (3)
rule 4 held as well, but was outvoted: Left
  x > 2   (3)
rule 2 did not hold: Left
  x > 9   (3)"""
    )


def test_mode_all() -> None:
    assert (
        explained(POLL, {"x": 1.5}, "all")
        == """\
rule 1 decided: Left (certainty 0.4)
  x > 0   (1.5)
rule 3 decided: Right (certainty 0.9)
  x > 1   (1.5)
rule 2 did not hold: Left
  x > 9   (1.5)
rule 4 did not hold: Left
  x > 2   (1.5)"""
    )


@pytest.mark.parametrize(
    ("condition", "row", "values"),
    [
        ("x > 1", {"x": 2.5}, "2.5"),
        ("x > 1", {"x": float("inf")}, "inf"),
        ("x is present", {"x": 2}, "2"),
        ("x is missing", {"x": None}, "no value"),
        ("x[1] is missing", {"x": 1}, "too little history"),
        ("0.17*y <= 84.48", {"y": 300}, "y = 300 m: 51 against 84.48"),
        ("y^2 > 1", {"y": 3}, "y = 3 m: 9 against 1"),
        ("y^2 > 1", {"y": None}, "y has no value"),
        ("x < y", {"x": 1, "y": 2}, "x = 1, y = 2 m"),
        ("x < 0.87*y", {"x": 1, "y": 3}, "x = 1, y = 3 m: 1 against 2.61"),
        ("x < x[1]", {"x": 1}, "x = 1, x[1] has too little history"),
        ("s < 0.5*x", {"s": 20, "x": 3}, "s = 20, x = 3: scaled, 2 against 1.5; in own units about s < 5*x"),
        ("s < x", {"s": 20, "x": None}, "s = 20, x has no value"),
        ("s < 5", {"s": 20}, "20"),
        ("0.1*x < 0.3", {"x": 3}, "x = 3: 0.30000000000000004 against 0.3"),
        ("0*x < 0.3", {"x": float("inf")}, "x = inf: nan against 0.3"),
        ("race != Asian", {"race": "Martian"}, "Martian"),
        ("race = Asian", {"race": "African\nAmerican"}, r'"African\nAmerican"'),
        ("race = Asian", {"race": ""}, '""'),
        ("wild = true", {"wild": 0}, "false"),
        ("wild = true", {"wild": True}, "true"),
    ],
)
def test_values(condition: str, row: dict[str, Any], values: str) -> None:
    where = "where\nx: numeric, may be missing\ny: numeric m\ns: numeric [0..10], scaled\nrace: one of Asian\nwild: yes/no\nactions: a\nlags: 0..1"
    text = explained(f"1. {condition} -> a\n2. Default -> a\n{where}", row)
    assert text.splitlines()[-1].endswith(f"   ({values})")


def test_a_history_is_explained_at_its_end() -> None:
    rules = "1. x > x[1] -> up\n2. Default -> down"
    assert explained(rules, [{"x": 5}, {"x": 1}, {"x": 2}]) == "rule 1 decided: up\n  x > x[1]   (x = 2, x[1] = 1)"
    with pytest.raises(SchemaError, match="'x'"):
        explained(rules, {"y": 1})


def test_no_rules() -> None:
    assert explained("Default -> down", {}) == "the default decided: down"


class _Texts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.data())
def test_an_explanation_agrees_with_the_decision(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    history = data.draw(st.lists(rows(ruleset.schema), min_size=1, max_size=4))
    explanation = explain(ruleset, history)
    decision = decide_now(ruleset, history)
    assert explanation.decision == decision
    assert tuple(outcome.index for outcome in explanation.rules if outcome.is_active) == decision.active
    assert tuple(outcome.index for outcome in explanation.deciding) == decision.deciding
    for outcome in explanation.failed:
        assert outcome.failing
        assert ruleset.mode is not Mode.FIRST or all(outcome.index < index for index in decision.deciding)


@given(st.data())
def test_every_view_shows_the_same(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    explanation = explain(ruleset, data.draw(rows(ruleset.schema)))
    text = str(explanation)
    assert text.isprintable() or all(line.isprintable() for line in text.split("\n"))
    for outcome in (*explanation.deciding, *explanation.failed):
        for shown in outcome.conditions if outcome.decided else outcome.failing:
            assert print_condition(shown.condition, ruleset.schema) in text
    page = _Texts()
    page.feed(explanation._repr_html_())
    page.close()
    assert page.tags <= {"div", "p", "b", "ul", "li", "code"}
    assert "".join(page.text.split()) == "".join(text.split())


def test_lags_are_times_where_a_step_takes_some() -> None:
    rules = parse("MAP > 0.5*MAP[2] -> rising; MAP[1] <= 60 -> low; Default -> normal")
    text = explain(rules, [{"MAP": value} for value in (90.0, 58.0, 40.0)]).to_text(time_step=(30, "min"))
    assert text.splitlines()[1] == "  MAP[30 min] <= 60   (58)"
    assert text.splitlines()[3] == "  MAP > 0.5*MAP[60 min]   (MAP = 40, MAP[60 min] = 90: 40 against 45)"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (0.30000001192092896, "0.3"),
        (1234567.5, "1234567.5"),
        (-0.035584039986133575, "-0.035584"),
        (0.25000000000000006, "0.25000000000000006"),
        (float("inf"), "inf"),
    ],
)
def test_long_values_are_shortened_where_they_compare_alike(value: float, shown: str) -> None:
    assert explained("angle > 0.25 -> a; Default -> b", {"angle": value}).endswith(f"angle > 0.25   ({shown})")


def test_two_long_values_never_look_equal() -> None:
    text = explained("x < y -> a; Default -> b", {"x": 0.29999999999999, "y": 0.30000001192092896})
    assert text.endswith("x < y   (x = 0.29999999999999, y = 0.30000001192092896)")
