"""Tests of the lossless text forms: what is printed parses back to an equal value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.rules.errors import RuleError
from evoter.rules.model import Condition, Format, Operator, Rule, RuleSet, Term
from evoter.rules.parser import parse, parse_condition, parse_rule
from evoter.rules.schema import Feature, Schema
from evoter.rules.text import print_condition, print_rule, print_ruleset, print_term
from laws import examples
from samples import RULESET
from strategies import rulesets

LOSSLESS: list[Format] = ["compact", "aligned", "unicode"]
FORMS: list[Format] = [*LOSSLESS, "markdown", "latex", "html"]

SCHEMA = RULESET.schema

COMPACT = """\
1. petal length (cm) <= 2.45 cm -> setosa
2. "safety limit" pinned: 0.11*velocity.of.cart^3 < 0.87*angle.of.pole[2] AND race != "a|b" AND glucose^2 >= 1e-07 -> 0.59*Left
3. glucose is missing AND anaemia = true -> Right
4. Default -> 0.13*Right

where
  petal length (cm): numeric [1..6.9] cm, scaled, may be missing
  velocity.of.cart: numeric
  angle.of.pole: numeric [-0.2..0.2]
  race: one of Asian | African American | "a|b", may be missing
  anaemia: yes/no
  glucose: numeric [0..] mg/dL
  actions: setosa | Left | Right
  lags: 0..2
  decide: hardmax"""

ALIGNED = """\
1. petal length (cm)       <= 2.45 cm [1..6.9]      -> setosa      # applied 50 times
2. "safety limit" pinned:
   0.11*velocity.of.cart^3 <  0.87*angle.of.pole[2] AND
   race                    != "a|b"                 AND
   glucose^2               >= 1e-07 [0..]           -> 0.59*Left   # applied 7 times
3. glucose                 is missing               AND
   anaemia                 =  true                  -> Right       # applied 0 times
4. Default                                          -> 0.13*Right  # applied 93 times"""

UNICODE = """\
1. petal length (cm) ≤ 2.45 cm ⟶ setosa
2. "safety limit" pinned: 0.11·velocity.of.cart³ < 0.87·angle.of.pole[2] ∧ race ≠ "a|b" ∧ glucose² ≥ 1e-07 ⟶ 0.59·Left
3. glucose is missing ∧ anaemia = true ⟶ Right
4. Default ⟶ 0.13·Right"""


@examples(400)
@given(ruleset=rulesets())
def test_every_lossless_form_parses_back(ruleset: RuleSet) -> None:
    for form in LOSSLESS:
        for ranges in (False, True):
            assert parse(print_ruleset(ruleset, form, ranges=ranges)) == ruleset
            bare = print_ruleset(ruleset, form, ranges=ranges, declarations=False)
            assert parse(bare, ruleset.schema, mode=ruleset.mode) == ruleset


@examples(40)
@given(ruleset=rulesets(), data=st.data())
def test_counts_are_comments(ruleset: RuleSet, data: st.DataObject) -> None:
    n = len(ruleset.rules) + 1
    applied = data.draw(st.lists(st.integers(0, 10**6), min_size=n, max_size=n))
    for form in LOSSLESS:
        assert parse(print_ruleset(ruleset, form, applied=applied), ruleset.schema) == ruleset


@examples(40)
@given(ruleset=rulesets(), ranges=st.booleans())
def test_single_rules_and_conditions_parse_back(ruleset: RuleSet, ranges: bool) -> None:
    schema = ruleset.schema
    for form in LOSSLESS:
        for rule in ruleset.rules:
            assert parse_rule(print_rule(rule, schema, form, ranges=ranges), schema) == rule
            for condition in rule.conditions:
                assert parse_condition(print_condition(condition, schema, form, ranges=ranges), schema) == condition
                assert parse_condition(print_condition(condition, form=form), schema) == condition


@examples(40)
@given(ruleset=rulesets())
def test_printing_ends_no_line_with_a_blank_and_shows_every_character(ruleset: RuleSet) -> None:
    for form in FORMS:
        for line in print_ruleset(ruleset, form).split("\n"):
            assert line == line.rstrip() or form in ("latex", "html")
            assert line.isprintable()


def test_str_is_the_compact_form() -> None:
    assert str(RULESET) == COMPACT
    assert parse(COMPACT) == RULESET


def test_the_aligned_form_lines_up_operators_and_arrows() -> None:
    text = print_ruleset(RULESET, "aligned", ranges=True, declarations=False, applied=[50, 7, 0, 93])
    assert text == ALIGNED


def test_the_aligned_form_lines_up_declarations() -> None:
    text = print_ruleset(RULESET, "aligned")
    assert "\n  race:              one of Asian |" in text
    assert "\n  decide:            hardmax" in text


def test_one_long_name_does_not_push_all_columns() -> None:
    schema = Schema([Feature("x"), Feature("a " * 50 + "long name")], ["A", "B"])
    rules = [Rule((Condition(Term(name), Operator.LT, 1),), "A") for name in schema.names]
    first, _, default, *_ = print_ruleset(RuleSet(tuple(rules), "B", schema), "aligned").splitlines()
    assert first == "1. x <  1 -> A"
    assert default == "3. Default -> B"


def test_the_unicode_form_has_the_signs_of_the_paper() -> None:
    assert print_ruleset(RULESET, "unicode", declarations=False) == UNICODE


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("compact", '0.11*"a_b$<i>"^3[2]'),
        ("aligned", '0.11*"a_b$<i>"^3[2]'),
        ("unicode", '0.11·"a_b$<i>"³[2]'),
        ("markdown", '`0.11*"a_b$<i>"^3[2]`'),
        ("latex", r"0.11 \cdot \textit{a\_b\$\textless{}i\textgreater{}}^{3}[2]"),
        ("html", '<span class="coefficient">0.11</span>·<span class="feature">a_b$&lt;i&gt;</span><sup>3</sup>[2]'),
    ],
)
def test_a_term_in_every_form(form: Format, expected: str) -> None:
    assert print_term(Term("a_b$<i>", 0.11, power=3, lag=2), form) == expected


def test_a_unit_stands_after_first_powers_only() -> None:
    assert print_condition(Condition(Term("glucose"), Operator.LT, 90), SCHEMA) == "glucose < 90 mg/dL"
    assert print_condition(Condition(Term("glucose", power=2), Operator.LT, 90), SCHEMA) == "glucose^2 < 90"


def test_the_number_of_counts_must_fit() -> None:
    with pytest.raises(RuleError, match="applied has 3 counts; 3 rules and the default need one each"):
        print_ruleset(RULESET, applied=[1, 2, 3])


def test_an_unknown_form_is_refused_with_a_hint() -> None:
    with pytest.raises(RuleError, match="unknown form 'unicod'; did you mean 'unicode'"):
        print_ruleset(RULESET, "unicod")  # type: ignore[arg-type]
    with pytest.raises(RuleError, match="unknown form"):
        print_term(Term("x"), "text")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ("compact", "MAP[60 min]"),
        ("unicode", "MAP[60 min]"),
        ("markdown", "`MAP[60 min]`"),
        ("latex", r"\textit{MAP}[60 \,\text{min}]"),
        ("html", '<span class="feature">MAP</span>[60 min]'),
    ],
)
def test_lags_are_times_where_a_step_takes_some(form: Format, expected: str) -> None:
    assert print_term(Term("MAP", lag=2), form, time_step=(30, "min")) == expected


@pytest.mark.parametrize("form", FORMS)
def test_times_stand_wherever_lags_do(form: Format) -> None:
    text = print_ruleset(RULESET, form, time_step=(0.1, "s"))
    assert text != print_ruleset(RULESET, form)
    assert text.count("0.2 ") == 2  # in the rule, and in the declaration of the lags
    assert print_rule(RULESET.rules[0], SCHEMA, form, time_step=(0.1, "s")) == print_rule(
        RULESET.rules[0], SCHEMA, form
    )


def test_times_are_for_readers_and_lags_for_the_parser() -> None:
    assert RULESET.to_text(time_step=(5, "min")) != str(RULESET)
    with pytest.raises(RuleError):
        parse(RULESET.to_text(time_step=(5, "min")))


@pytest.mark.parametrize("time_step", [(0, "min"), (float("nan"), "min"), (float("inf"), "min"), (-1, "min"), (5, "")])
def test_a_step_takes_a_time_and_has_a_unit(time_step: tuple[float, str]) -> None:
    with pytest.raises(RuleError, match="time_step"):
        print_term(Term("MAP", lag=2), time_step=time_step)
