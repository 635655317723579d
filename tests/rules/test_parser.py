"""Tests of the parser: everything it accepts, and that the documented grammar is the one that is written."""

import re
import time

import pytest

from evoter.rules import parser
from evoter.rules.errors import RuleSyntaxError
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.parser import parse, parse_condition, parse_rule
from evoter.rules.parsing import declarations, terms
from evoter.rules.schema import Feature, Schema
from evoter.rules.simplify import simplify
from project import ROOT

SCHEMA = Schema(
    [Feature("x"), Feature("y", unit="cm", low=0, high=9), Feature("petal length (cm)")], ["A", "B"], max_lag=3
)
X_BELOW_5 = Condition(Term("x"), Operator.LT, 5.0)
Y_ABOVE_3 = Condition(Term("y"), Operator.GT, 3.0)
BOTH = RuleSet((Rule((X_BELOW_5, Y_ABOVE_3), "A", 0.5),), "B", SCHEMA)


@pytest.mark.parametrize(
    "text",
    [
        "x < 5 AND y > 3 -> 0.5*A\nDefault -> B",
        "1. x < 5 and y > 3 --> 0.5 * A\n2. default action --> B",
        "1. (x < 5) AND\n   (y > 3 [0..9.0]) -> 0.5*A\n2. Default Action -> B\n",
        "IF x<5 & y>3 THEN .5*A; ELSE B",
        "if (x < 5 && y > 3) then 0.5*A else B",
        "OR IF ((x < 5)) ∧ (y > 3cm) → 0.50·A OR Else ⟶ B",
        "# a comment\n\n; x < 5 # why\n AND # and\n y > 3 cm [0..9] -> # so\n 5e-1*A # done\n\nDEFAULT->B # end",
        "\ufeffx < +5 AND y > 3.0 -> 0.5×A\r\nDefault -> B\r\n",
        "1 . 1*x < 5 and y > 3 -> 0.5*A; default -> B".replace("1 . ", "1. "),
        '"x" < 5 AND "y" > 3 "cm" -> 0.5*"A"; Default -> "B"',
        "x^1 < 5 AND y[0] > 3 -> 0.5*A; Default -> B",
    ],
)
def test_one_rule_set_in_many_spellings(text: str) -> None:
    assert parse(text, SCHEMA) == BOTH


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("x = 5", Condition(Term("x"), Operator.EQ, 5.0)),
        ("x == -5", Condition(Term("x"), Operator.EQ, -5.0)),
        ("x <> 5.", Condition(Term("x"), Operator.NE, 5.0)),
        ("x ≠ −5", Condition(Term("x"), Operator.NE, -5.0)),
        ("x ≤ 1e-3", Condition(Term("x"), Operator.LE, 0.001)),
        ("x ≥ y", Condition(Term("x"), Operator.GE, Term("y"))),
        ("x = y", Condition(Term("x"), Operator.EQ, Term("y"))),
        ("0.11*x^3[2] < -0.87 * y[1]²", Condition(Term("x", 0.11, 3, 2), Operator.LT, Term("y", -0.87, 2, 1))),
        ("x²[3] > y³", Condition(Term("x", power=2, lag=3), Operator.GT, Term("y", power=3))),
        ("petal  length\t(cm) > 3", Condition(Term("petal length (cm)"), Operator.GT, 3.0)),
        ("x is missing", Condition(Term("x"), Operator.IS_MISSING)),
        ("x[2] IS NOT Present", Condition(Term("x", lag=2), Operator.IS_MISSING)),
        ("x is present", Condition(Term("x"), Operator.IS_PRESENT)),
        ("((x is not missing))", Condition(Term("x"), Operator.IS_PRESENT)),
    ],
)
def test_conditions(text: str, condition: Condition) -> None:
    assert parse_condition(text, SCHEMA) == condition


@pytest.mark.parametrize(
    ("label", "name", "pinned"),
    [
        ("", "", False),
        ('"safety limit": ', "safety limit", False),
        ("pinned: ", "", True),
        ('"a \\"b\\"" PINNED: ', 'a "b"', True),
    ],
)
def test_labels(label: str, name: str, pinned: bool) -> None:
    assert parse_rule(f"7. {label}IF x < 5 THEN A;\n", SCHEMA) == Rule((X_BELOW_5,), "A", name=name, pinned=pinned)


INTERVALS = Schema([Feature("age", low=0, high=99), Feature("height", low=0, high=3)], ["0", "1"], max_lag=1)


def test_a_feature_may_be_called_like_a_word_of_the_language() -> None:
    names = ["default", "pinned", "missing", "nothing", "numeric", "one of", "lags", "true"]
    text = "\n".join(f"{name} < 1 -> A" for name in names) + "\nDefault -> B"
    assert parse(text).schema.names == tuple(names)


def test_a_name_that_begins_with_not_is_declared_or_quoted() -> None:
    """Otherwise it is taken for the negation of a condition."""
    assert parse('"not here" < 1 -> A; Default -> B').schema.names == ("not here",)
    declared = parse("not here < 1 -> A; Default -> B\nwhere\n not here: numeric")
    assert parse("not here < 1 -> A; Default -> B", declared.schema) == declared
    assert '"not here" < 1' in str(declared)
    with pytest.raises(RuleSyntaxError, match=r"NOT is not in the language: write the opposite, 'here >= \.\.\.'"):
        parse("not here < 1 -> A; Default -> B")


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("30 < age <= 40", "30 < age <= 40"),
        ("30.5 <= age[1] < 40", "30.5 <= age[1] < 40"),
        ("40 >= age > 30", "30 < age <= 40"),
        ("age > 30 AND age <= 40", "30 < age <= 40"),
        ("age <= 40 AND age > 30", "age <= 40 AND age > 30"),
        ("age > 40 AND age <= 30", "age > 40 AND age <= 30"),
        ("age > 30 AND age <= 40 AND age <= 35", "30 < age <= 40 AND age <= 35"),
        ("age > 30 AND age[1] <= 40", "age > 30 AND age[1] <= 40"),
    ],
)
def test_intervals_are_two_conditions_in_one_piece(text: str, printed: str) -> None:
    ruleset = parse(f"{text} -> 1; Default -> 0", INTERVALS)
    assert str(ruleset).splitlines()[0] == f"1. {printed} -> 1"
    assert ruleset.n_conditions == len(ruleset.rules[0].conditions) >= 2
    assert parse(str(ruleset)) == ruleset


def test_simplification_puts_the_ends_of_an_interval_together() -> None:
    ruleset = parse("age <= 40 AND height > 1 AND age > 30 AND height <= 2 -> 1; Default -> 0", INTERVALS)
    assert str(simplify(ruleset)).splitlines()[0] == "1. 30 < age <= 40 AND 1 < height <= 2 -> 1"


def test_actions_may_be_whole_numbers() -> None:
    text = "x > 1 -> 1; x > 0 -> 0.5*-1; Default -> 0"
    ruleset = parse(text)
    assert ruleset.schema.actions == ("1", "-1", "0")
    assert parse(str(ruleset)) == ruleset
    assert str(ruleset).splitlines()[:3] == ["1. x > 1 -> 1", "2. x > 0 -> 0.5*-1", "3. Default -> 0"]
    assert "actions: 1 | -1 | 0" in str(ruleset)
    assert parse('x > 1 -> "01"; Default -> "1.5"').rules[0].action == "01"
    assert parse("IF x > 1 THEN 1 ELSE 0").default == "0"


def test_the_mode_may_be_given_beside_the_text() -> None:
    text = "x < 5 -> A; Default -> B"
    assert parse(text).mode is Mode.FIRST
    assert parse(text, mode="hardmax").mode is Mode.HARDMAX
    assert parse(f"{text}\nwhere\ndecide: all", mode=Mode.ALL).mode is Mode.ALL


def test_a_default_alone_is_a_rule_set() -> None:
    assert parse("Default -> B") == RuleSet((), "B", Schema([], ["B"]))


def test_long_text_is_read_in_seconds() -> None:
    rule = "0.12*next.pipe.top.y^2 <= 0.34*player.vel[3] AND (0.76*player.vel > -0.98 [-8..10]) -> 0.5*No flap\n"
    actions = "".join(f"player.vel < 3 -> action{number}\n" for number in range(5_000))
    started = time.process_time()
    ruleset = parse(rule * 5_000 + actions + ";" * 100_000 + "Default -> Flap")
    assert ruleset.n_conditions == 15_000
    assert time.process_time() - started < 10  # ten times what it takes


def test_parentheses_nest_without_recursion() -> None:
    assert parse_condition("(" * 1_000 + "x < 5" + ")" * 1_000, SCHEMA) == X_BELOW_5


GRAMMAR = (parser.__doc__ or "").split("```")[1]


def test_each_parse_function_is_documented_by_its_production() -> None:
    functions = {**vars(parser), **vars(declarations), **vars(terms)}
    places = (parser.__name__, declarations.__name__, terms.__name__)
    productions = {
        function.__doc__
        for name, function in functions.items()
        if re.match("_parse_|parse_(where|term|constant)$", name) and function.__module__ in places
    }
    assert len(productions) > 15
    assert productions <= set(GRAMMAR.splitlines())


def test_every_symbol_of_the_grammar_is_defined() -> None:
    defined = re.findall(r"^(\w+) =", GRAMMAR, flags=re.MULTILINE)
    assert len(defined) == len(set(defined))
    formal = "\n".join(line for line in GRAMMAR.splitlines() if not re.match("WORD|STRING", line))
    used = set(re.findall(r"\b[A-Za-z]+\b", re.sub('"[^"]*"', "", formal)))
    assert used - set(defined) == {"NEWLINE", "DIGITS", "LETTERS"}


def test_the_documentation_shows_this_grammar() -> None:
    assert GRAMMAR in (ROOT / "docs" / "rule_language_grammar.md").read_text(encoding="utf-8")
