"""Tests that the rule sets of the paper's figures parse, completely and exactly."""

import pytest

from evoter.rules.model import Condition, Mode, Operator, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.simplify import simplify
from evoter.rules.text import print_rule, print_ruleset
from project import PACKAGE

FIGURES = PACKAGE / "rules" / "figures"


def read(name: str) -> RuleSet:
    return parse((FIGURES / f"{name}.rules").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("name", "n_rules", "n_conditions", "n_features", "default"),
    [
        ("flappy_bird", 3, 20, 7, "No flap"),
        ("cart_pole", 1, 1, 2, "Right"),
        ("cart_pole_esp", 1, 1, 2, "Left"),
        ("blood_pressure", 16, 28, 4, "Normal"),
        ("diabetes", 6, 13, 21, "Glipizide"),
        ("heart_failure", 46, 88, 9, "serum.creatinine"),
    ],
)
def test_a_figure_is_complete(name: str, n_rules: int, n_conditions: int, n_features: int, default: str) -> None:
    ruleset = read(name)
    assert (len(ruleset.rules), ruleset.n_conditions, len(ruleset.features_used)) == (n_rules, n_conditions, n_features)
    assert ruleset.default == default
    assert parse(str(ruleset)) == ruleset
    assert parse(print_ruleset(ruleset, "aligned", ranges=True)) == ruleset
    assert parse(print_ruleset(ruleset, "unicode", ranges=True)) == ruleset


def test_every_figure_is_tested() -> None:
    assert len(list(FIGURES.glob("*.rules"))) == 6


def test_flappy_bird_has_the_ranges_of_its_constants() -> None:
    ruleset = read("flappy_bird")
    assert ruleset.rules[0].conditions[-1] == Condition(Term("next.pipe.top.y", 0.17), Operator.LE, 84.48)
    bounds = {
        feature.name: (feature.low, feature.high) for feature in ruleset.schema.features if feature.low is not None
    }
    assert bounds == {"player.vel": (-8.0, 10.0), "next.pipe.top.y": (0.0, 192.0), "next.pipe.bottom.y": (0.0, 292.0)}


def test_cart_pole_compares_a_cube_with_an_angle() -> None:
    condition = Condition(Term("velocity.of.cart", 0.11, power=3), Operator.LT, Term("angle.of.pole", 0.87))
    assert read("cart_pole").rules[0].conditions == (condition,)
    condition = Condition(Term("velocity.of.cart", 0.16, power=3), Operator.GT, Term("angle.of.pole", 0.89))
    assert read("cart_pole_esp").rules[0].conditions == (condition,)


def test_blood_pressure_has_lags_and_a_unit() -> None:
    ruleset = read("blood_pressure")
    assert ruleset.schema.max_lag == 10
    assert ruleset.schema.feature("Mean").unit == "mmHg"
    assert ruleset.rules[3].conditions == (Condition(Term("Mean", lag=10), Operator.LT, 73.1),)
    assert str(ruleset).startswith("1. Mean[4] < 72.75 mmHg AND Kurtosis[3] < 4.09 -> Low\n")


def test_diabetes_has_one_hot_names() -> None:
    ruleset = read("diabetes")
    assert ruleset.rules[1].conditions == (Condition(Term("age[60-70)"), Operator.GE, Term("age[10-20)", 1.2)),)
    assert ruleset.rules[0].conditions[1] == Condition(Term("diag2.neoplasms"), Operator.GT, 33.0)
    assert "admission.Court/Law" in ruleset.schema.names


def test_heart_failure_decides_by_the_largest_certainty() -> None:
    ruleset = read("heart_failure")
    assert ruleset.mode is Mode.HARDMAX
    assert ruleset.default_certainty == 0.13
    assert {(feature.low, feature.high) for feature in ruleset.schema.features} == {(0.0, 1.0)}
    assert ruleset.rules[44].conditions[1] == Condition(
        Term("high.blood.pressure", 0.08, power=3), Operator.LE, Term("diabetes", 0.85)
    )
    assert (ruleset.rules[44].action, ruleset.rules[44].certainty) == ("ejection.fraction", 0.21)


def test_the_one_hot_rules_of_diabetes_become_conditions_on_single_columns() -> None:
    """The paper's expert reads the last conditions of rule 6 as not Asian, not sent by a court, and emergency."""
    ruleset = read("diabetes").replace(mode=Mode.ALL)
    texts = [print_rule(rule) for rule in simplify(ruleset).rules]
    assert texts[1] == '"age[10-20)" = 0 -> Glyburide'
    assert texts[5] == (
        '"age[30-40)" = 0 AND admission.type.id.Newborn = 0 AND diag3.musculoskeletal = 0 AND race.Asian = 0 AND '
        "admission.Court/Law = 0 AND race.Hispanic <= admission.Emergency.Room -> Insulin"
    )
    # In order, rule 6 never decides: rule 5 holds wherever it does.
    assert "Insulin" not in [rule.action for rule in simplify(read("diabetes")).rules]
