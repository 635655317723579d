"""Where conditions about series looked, which values satisfy them, and the sentences about them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.analysis.displays.series_marks import Windows, look_of, place_text, time_text, words, zones
from evoter.rules.condition import COMPARISONS
from evoter.rules.explain import explain
from evoter.rules.interpreter import holds
from evoter.rules.model import Condition, Operator, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

WINDOWS = Windows(30, 10, {"MAP.mean": ("MAP", "mean"), "MAP.std": ("MAP", "std")})
MINUTES = (1.0, "min")


def rules(text: str, declared: str) -> RuleSet:
    """A rule for `yes`, its features declared."""
    return parse(f"1. {text} -> yes\n2. Default -> no\nwhere\n{declared}\n  actions: yes | no\n  lags: 0..9")


def said(text: str, declared: str, *steps: dict[str, float | None], windows: Windows | None = None) -> str:
    """The sentence about the only condition of a rule."""
    explanation = explain(rules(text, declared), list(steps))
    return words(explanation.rules[0].conditions[0], explanation.ruleset.schema, windows, MINUTES)


MAP = "  MAP: numeric [20..150] mmHg, may be missing"


def test_a_window_ends_where_its_lag_says_and_begins_a_length_before() -> None:
    explanation = explain(rules("MAP.mean[3] > 60", "  MAP.mean: numeric"), [{"MAP.mean": 70.0}] * 4)
    look = look_of(explanation.rules[0].conditions[0].readings[0], WINDOWS)
    assert (look.channel, look.statistic, look.newest, look.oldest) == ("MAP", "mean", 30, 59)
    assert place_text(look, MINUTES) == "mean of MAP from 60 to 30 min before"
    assert place_text(look, None) == "mean of MAP from 60 to 30 steps before"


def test_sentences_about_single_values() -> None:
    assert said("MAP <= 60 mmHg", MAP, {"MAP": 58.25}) == "MAP now: 58.25 mmHg, at most 60 mmHg"
    assert (
        said("MAP[1] > 60 mmHg", MAP, {"MAP": 58.25}, {"MAP": 1}) == "MAP 1 min before: 58.25 mmHg, not above 60 mmHg"
    )
    assert said("MAP^2 < 100", MAP, {"MAP": 20.0}) == "MAP now: (20 mmHg)² = 400, not below 100"
    assert said("0.5*MAP < 100 mmHg", MAP, {"MAP": 20.0}) == "0.5 × MAP now: 0.5 × 20 mmHg = 10, below 100 mmHg"


def test_a_value_never_looks_like_the_threshold_that_it_misses() -> None:
    assert said("MAP < 60 mmHg", MAP, {"MAP": 59.99999}) == "MAP now: 59.99999 mmHg, below 60 mmHg"


def test_sentences_about_windows() -> None:
    sentence = said("MAP.std > 3 mmHg", "  MAP.std: numeric [0..9] mmHg", {"MAP.std": 4.0}, windows=WINDOWS)
    assert sentence == "standard deviation of MAP in the last 30 min: 4 mmHg, above 3 mmHg"


def test_sentences_about_comparisons() -> None:
    steps: list[dict[str, float | None]] = [{"MAP": 80.0}, {"MAP": 70.0}]
    assert said("MAP < 0.9*MAP[1]", MAP, *steps) == "MAP now: 70 mmHg, below 0.9 × MAP 1 min before: 0.9 × 80 mmHg = 72"
    assert said("MAP > MAP[1]", MAP, *steps) == "MAP now: 70 mmHg, not above MAP 1 min before: 80 mmHg"
    scaled = "  MAP: numeric [20..120] mmHg, scaled"
    assert said("MAP > MAP[1]", scaled, *steps) == (
        "MAP now: 70 mmHg scaled = 0.5, not above MAP 1 min before: 80 mmHg scaled = 0.6"
    )


def test_sentences_about_sums() -> None:
    steps: list[dict[str, float | None]] = [{"MAP": 80.0}, {"MAP": 70.0}]
    assert said("MAP - 0.5*MAP[1] <= 31", MAP, *steps) == (
        "MAP now: 70 mmHg, -0.5 × MAP 1 min before: -0.5 × 80 mmHg = -40; sum 30, at most 31"
    )
    assert said("2*MAP + MAP[1] < 7", MAP, *steps) == (
        "2 × MAP now: 2 × 70 mmHg = 140, MAP 1 min before: 80 mmHg; sum 220, not below 7"
    )
    near: list[dict[str, float | None]] = [{"MAP": 80.0}, {"MAP": 70.000001}]
    assert said("MAP + MAP[1] <= 150", MAP, *near).endswith("sum 150.000001, not at most 150")
    assert said("MAP + MAP[1] <= 150", MAP, {"MAP": 70.0}) == "MAP 1 min before: too little history"


def test_sentences_about_what_is_not_there() -> None:
    assert said("MAP[1] > 60 mmHg", MAP, {"MAP": 70.0}) == "MAP 1 min before: too little history"
    assert said("MAP > 60 mmHg", MAP, {"MAP": None}) == "MAP now: no value"
    assert said("MAP > MAP[1]", MAP, {"MAP": None}, {"MAP": 70.0}) == "MAP 1 min before: no value"
    assert said("MAP > MAP[1]", MAP, {"MAP": 70.0}) == "MAP 1 min before: too little history"
    assert said("MAP is missing", MAP, {"MAP": None}) == "MAP now: missing"
    assert said("MAP is present", MAP, {"MAP": None}) == "MAP now: not present"
    assert said("MAP[1] is missing", MAP, {"MAP": None}) == "MAP 1 min before: too little history"


def test_one_step_is_singular() -> None:
    assert [time_text(n, None) for n in (1, 2)] == ["1 step", "2 steps"]
    assert time_text(3, (0.1, "s")) == "0.3 s"


@given(
    value=st.floats(-1e6, 1e6),
    bound=st.floats(-1e6, 1e6),
    coefficient=st.sampled_from([1.0, 0.5, -2.0]),
    power=st.integers(1, 3),
    operator=st.sampled_from(COMPARISONS),
)
def test_a_condition_holds_exactly_within_its_zones(
    value: float, bound: float, coefficient: float, power: int, operator: Operator
) -> None:
    schema = Schema([Feature("x", low=0, high=1, unit="mmHg")], actions=["yes"])
    condition = Condition(Term("x", coefficient, power), operator, bound)
    inside = any(low <= value <= high for low, high in zones(condition, schema))
    assert inside == holds(condition, [{"x": value}], schema)


@pytest.mark.parametrize("text", ["MAP > MAP[1]", "MAP + MAP[1] > 3", "MAP is missing"])
def test_conditions_without_a_number_have_no_zones(text: str) -> None:
    ruleset = rules(text, MAP)
    assert zones(ruleset.rules[0].conditions[0], ruleset.schema) == []


def test_a_zone_may_be_unbounded() -> None:
    ruleset = rules("MAP > 60 mmHg", MAP)
    ((low, high),) = zones(ruleset.rules[0].conditions[0], ruleset.schema)
    assert low == math.nextafter(60.0, math.inf)
    assert high == math.inf
