"""Tests of the parser's errors: each names line, column and remedy."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evoter.rules.errors import RuleError, RuleSyntaxError
from evoter.rules.model import Mode, RuleSet
from evoter.rules.parser import parse, parse_condition, parse_rule
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.text import print_ruleset
from laws import examples
from strategies import rulesets

SCHEMA = Schema(
    [
        Feature("age", low=0, high=100, unit="years"),
        Feature("height"),
        Feature("race", Kind.CATEGORICAL, categories=("Asian", "Hispanic")),
        Feature("smoker", Kind.BOOLEAN),
    ],
    actions=["Left", "Right"],
    max_lag=2,
)

WITH_SCHEMA = [
    ("agee < 5 -> Left", 1, "unknown feature 'agee'; did you mean 'age'?"),
    ("age < 5 AND\nheight > heigth -> Left", (2, 10), "unknown feature 'heigth'; did you mean 'height'?"),
    ("age < 5 -> 0.5*Lfet", 16, "unknown action 'Lfet'; did you mean 'Left'?"),
    ("race = Asiann -> Left", 8, "has no category 'Asiann'; did you mean 'Asian'?"),
    ("race < Asian -> Left", 8, "'race' is categorical: only = and != apply, not <"),
    ("race = 5 -> Left", 8, "compare it with one of its categories, not 5.0"),
    ("2*race = Asian -> Left", 1, "a coefficient or power fits comparisons of numeric features only"),
    ("age^2 is missing -> Left", 1, "a coefficient or power fits comparisons of numeric features only"),
    ("smoker = maybe -> Left", 10, "'smoker' is boolean: compare it with true or false, not 'maybe'"),
    ('smoker = "true" -> Left', 10, "'smoker' is boolean: compare it with true or false"),
    ("height < race -> Left", 10, "cannot be compared with 'race', which is categorical"),
    ("age[3] < 5 -> Left", 1, "lag 3 is beyond the schema's max_lag 2"),
    ("age < height[3] -> Left", 7, "lag 3 is beyond the schema's max_lag 2"),
    ("age < 5 cm -> Left", 9, "'age' has the unit 'years', not 'cm'"),
    ("height < 5cm -> Left", 11, "'height' has no unit, not 'cm'"),
    ("age < 5 [0..99] -> Left", 9, "'age' has the range [0.0..100.0], not [0.0..99.0]"),
    ("age < 1e999 -> Left", 7, "a constant must be a finite number"),
    ("1e999*age < 1 -> Left", 1, "the coefficient must be a finite number"),
    ("age^4 < 5 -> Left", 1, "the power must be 1 to 3, not 4"),
    ("age^9999999999 < 5 -> Left", 4, "a power of 10 digits; at most 9 are read"),
    ("age^2^2 < 5 -> Left", 6, "a second power of 'age'"),
    ("age[1][1] < 5 -> Left", 7, "a second lag of 'age'"),
    ("age < 5 -> 1.5*Left", 12, "the certainty must be above 0 and at most 1, not 1.5"),
    ('" x": age < 5 -> Left', 1, "must not be empty or start or end with a space, got ' x'"),
    ("age < 5 ADN height > 3 -> Left", 20, "expected AND or '->' after the condition, got '>'; did you mean 'AND'?"),
    ("age < 5\nheight > 3 -> Left", (2, 1), "expected AND or '->' after the condition, got 'height'"),
    (
        "age < 5 OR height > 3 -> Left",
        9,
        "OR is not in the language: write two rules, 'age < 5 -> Left' and 'height > 3 -> Left'",
    ),
    (
        "height = 1 AND (age < 5 OR height > 3) AND age > 1 -> Left",
        25,
        "write two rules, 'height = 1 AND age < 5 AND age > 1 -> Left' and 'height = 1 AND height > 3 AND age > 1 -> Left'",
    ),
    ("(age < 5 OR height > 3) OR age > 9 -> Left", 10, "OR is not in the language: write the alternative as a rule"),
    ("NOT age < 5 -> Left", 1, "NOT is not in the language: write the opposite, 'age >= ...'"),
    (
        "height > 1 AND not age is missing -> Left",
        16,
        "NOT is not in the language: write the opposite, 'age is present ...'",
    ),
    ("NOT age -> Left", 1, "NOT is not in the language: write 'age = false', or 'age = 0' if it is a number"),
    ("NOT (age < 5) -> Left", 1, "NOT is not in the language: write the opposite of each condition"),
    ("5 < age -> Left", 1, "the feature comes first"),
    ("age + race <= 3 -> Left", 7, "'race' is categorical: a sum adds numeric features only"),
    ("smoker + age <= 3 -> Left", 1, "'smoker' is boolean: a sum adds numeric features only"),
    ("age + heigth <= 3 -> Left", 7, "unknown feature 'heigth'; did you mean 'height'?"),
    (
        "age-height <= 3 -> Left",
        1,
        "unknown feature 'age-height'; a difference has spaces around its minus: 'age - height'",
    ),
    ("age + height + age[1] <= 3 -> Left", 14, "a sum has two terms"),
    ("age + height -2*age[1] <= 3 -> Left", 14, "a sum has two terms"),
    ("age + height = 3 -> Left", 16, "compared with <, <=, > or >=, not with '='"),
    ("age + height != 3 -> Left", 17, "compared with <, <=, > or >=, not with '!='"),
    ("age^2 + height <= 3 -> Left", 19, "feature 'age': a sum has no powers; write it without ^2"),
    ("age + 0.5*height^3 <= 3 -> Left", 23, "feature 'height': a sum has no powers"),
    ("age + 0*height <= 3 -> Left", 19, "feature 'height': a sum has no coefficient of 0; leave the feature out"),
    ("age + 2*age <= 3 -> Left", 16, "a sum reads two features, or one at two lags, not 'age' twice"),
    ("age + height <= age[1] -> Left", 17, "a sum is compared with a number, as in 'a + 0.5*b <= 3'"),
    ("age + height <= 3 years -> Left", 19, "the constant of a sum has neither a unit nor a range"),
    ("age + height <= 3 [0..1] -> Left", 19, "the constant of a sum has neither a unit nor a range"),
    ("age + height <= 3 + age[1] -> Left", 19, "a sum has both features on the left"),
    ("age + 3 <= height -> Left", 7, "a sum adds two features: write the number after the operator"),
    ("age -3 <= height -> Left", 5, "a sum adds two features: write the number after the operator"),
    ("age <= height + 3 -> Left", 15, "a sum has its features on the left and a number on the right"),
    ("age <= 3 - height -> Left", 10, "a sum has its features on the left and a number on the right"),
    ("3 < age + height <= 5 -> Left", 9, "an interval has one feature: write a sum once for each bound"),
    ("age + height -> Left", 14, "expected an operator such as '<=' after the sum, got '->'"),
    (
        "age + is missing -> Left",
        7,
        "a feature after '+' (a name with a '+' in it goes in double quotes), got 'is'",
    ),
    ("age+ > 3 -> Left", 6, "a feature after '+' (a name with a '+' in it goes in double quotes), got '>'"),
    ("age + height in {a, b} -> Left", 14, "expected an operator such as '<=' after the sum"),
    ("age + height[3] <= 3 -> Left", 7, "lag 3 is beyond the schema's max_lag 2"),
    ("5 < age > 3 -> Left", 1, "an interval has '<' or '<=' twice"),
    ("5 = age = 3 -> Left", 1, "an interval has '<' or '<=' twice"),
    ("5 age -> Left", 3, "an operator after the number that begins an interval"),
    ("age => 5 -> Left", 5, "got '='; did you mean '>=' or '->'?"),
    ("age =< 5 -> Left", 6, "got '<'; did you mean '<='?"),
    ("age > 2,000 -> Left", 8, "got ','; numbers have a decimal point and nothing else, as in 2000.5"),
    ("age is mising -> Left", 8, "expected 'missing' or 'present' after 'is', got 'mising'; did you mean 'missing'"),
    ("age -> Left", 5, "expected an operator such as '<=' or 'is missing' after the feature, got '->'"),
    ("mean()-X < 5 -> Left", 5, "got '('; a name with other characters than letters"),
    ("age < 5 -> if", 12, "expected an action, got 'if'; a name that contains the word 'if' goes in double quotes"),
    ("age < 5 -> 0.5 Left", 12, "expected an action, with '*' between its certainty and its name, got '0.5'"),
    ("age < 5 -> Left Right < 3", 23, "expected the end of the rule"),
    ("(age < 5 -> Left", 1, "this parenthesis is never closed"),
    ("(" * 1001 + "age < 5", 1001, "more than 1,000 parentheses are open"),
    ("age < 5) -> Left", 8, "expected AND or '->' after the condition, got ')'"),
    ("age < 5 ->", 11, "expected an action, got the end of the text"),
    ('age < "x', 7, "this quoted name does not end on its line"),
    (r'"\x" < 5 -> Left', 1, "wrong escape in a quoted name"),
    ("age: 5 -> Left", 1, "a rule's name goes in double quotes"),
    ('"age" nailed: 5 < 3 -> Left', 7, "expected ':' after the rule's name"),
    ("age < 5 -> Left; ~", 18, "expected the end of the rule, got '~'"),
]


@pytest.mark.parametrize(("text", "place", "message"), WITH_SCHEMA)
def test_errors_of_a_rule(text: str, place: int | tuple[int, int], message: str) -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        parse_rule(text, SCHEMA)
    check(caught.value, text, place, message)


def check(error: RuleSyntaxError, text: str, place: int | tuple[int, int], message: str) -> None:
    assert message in error.message
    assert (error.line, error.column) == (place if isinstance(place, tuple) else (1, place))
    assert error.source == text.split("\n")[error.line - 1]
    if len(error.source) < 100:
        assert str(error).endswith(f"\n  {error.source}\n  {' ' * (error.column - 1)}^")


WITHOUT_SCHEMA = [
    ("", 1, "the default is missing: end the rules with a line such as 'Default -> action'"),
    ("x < 5 -> A", 11, "the default is missing"),
    ("x < 5 -> A\nwhere\n x: numeric", (2, 1), "the default is missing"),
    ("DEFALT -> A", 8, "did you mean 'Default'?"),
    ("Default -> A\nx < 5 -> B", (2, 1), "after the default, which is the last rule, got 'x'"),
    ("Default -> A ! B", 14, "expected the end of the default"),
    ("Default -> 0*A", 12, "the default: the certainty must be above 0"),
    ('"" < 5 -> A; Default -> A', 1, "a name must not be empty"),
    ('x = "" -> A; Default -> A', 1, "category of feature 'x': a name must not be empty"),
    ('x < 5 -> ""; Default -> A', 25, "action: a name must not be empty"),
    (r'"\ud800" < 5 -> A; Default -> A', 1, "a name must be valid Unicode"),
    (
        "x < 5 [0..1] AND\n x < 3[0..2] -> A; else A",
        (2, 7),
        "'x' has the range [0.0..1.0] in line 1 and [0.0..2.0] here",
    ),
    ("x < 5 [2..1] -> A; else A", 1, "low 2.0 is above high 1.0"),
    ("x < 5 cm AND x < 3 mm -> A; else A", 20, "'x' is given in 'cm' before and in 'mm' here"),
    ("x = red AND x < 5 -> A; else A", 17, "'x' is categorical: only = and != apply"),
    (
        "x = red AND x > 5 cm -> A; else A",
        1,
        "only numeric features have a range, a step, a unit, a scale or a decimal comma",
    ),
    ("x < 1 -> A; else A\nwhere\n x: numerc", (3, 5), "unknown kind of feature 'numerc'; did you mean 'numeric'?"),
    (
        "x < 1 -> A; else A\nwhere\n x: numeric, scald",
        (3, 14),
        "unknown property 'scald' of a feature; did you mean 'scaled'?",
    ),
    ("x < 1 -> A; else A\nwhere\n x: numeric, scaled", (3, 2), "feature 'x' is scaled, which needs both low and high"),
    (
        "x < 1 -> A; else A\nwhere\n x: yes/no, scaled",
        (3, 2),
        "only numeric features have a range, a step, a unit, a scale or a decimal comma",
    ),
    ("x < 1 -> A; else A\nwhere\n x: one of a | a", (3, 2), "feature 'x' has the category 'a' twice"),
    ("x < 1 -> A; else A\nwhere\n x: numeric\n x: numeric", (4, 2), "feature 'x' is declared twice"),
    ("x < 1 -> A; else A\nwhere\n x numeric", (3, 11), "expected ':' after 'x numeric', got the end of the text"),
    ("x < 1 -> A; else A\nwhere\n x: 5", (3, 5), "expected 'numeric', 'binary', 'one of' or 'yes/no', got '5'"),
    ("x < 1 -> A; else A\nwhere\n x: numeric [0..1] cm 5", (3, 23), "expected the end of the declaration"),
    ("x < 1 -> A; else A\nwhere\n y: numeric", 1, "unknown feature 'x'; known: 'y'"),
    ("x < 1 -> A; else A\nwhere\n actions: B | C", 10, "unknown action 'A'"),
    ("x < 1 -> A; else A\nwhere\n actions: A | A", (3, 2), "the schema has the action 'A' twice"),
    ("x < 1 -> A; else A\nwhere\n actions: A\n actions: A", (4, 2), "'actions' is declared twice"),
    ("x < 1 -> A; else A\nwhere\n actions: A |", (3, 14), "expected an action after '|', got the end of the text"),
    ("x[2] < 1 -> A; else A\nwhere\n lags: 0..1", 1, "lag 2 is beyond the schema's max_lag 1"),
    ("x < 1 -> A; else A\nwhere\n lags: 1.5", (3, 8), "expected the largest lag, as in '0..3', got '1.5'"),
    ("x < 1 -> A; else A\nwhere\n lags: 0..²", (3, 11), "expected the largest lag"),
    ("x < 1 -> A; else A\nwhere\n decide: hardmx", (3, 10), "unknown way to decide 'hardmx'; did you mean 'hardmax'?"),
]


@pytest.mark.parametrize(("text", "place", "message"), WITHOUT_SCHEMA)
def test_errors_of_a_rule_set(text: str, place: int | tuple[int, int], message: str) -> None:
    with pytest.raises(RuleSyntaxError) as caught:
        parse(text)
    check(caught.value, text, place, message)


DISAGREEMENTS = [
    ("age: numeric [0..99] years", "this disagrees with the schema given, which has Feature(name='age'"),
    ("weight: numeric", "the schema given has no feature 'weight'; did you mean 'height'?"),
    ("actions: Right | Left", "this disagrees with the schema given, which has the actions Left, Right"),
    ("lags: 0..1", "this disagrees with the schema given, whose largest lag is 2"),
    ("decide: vote", "the text says 'decide: vote', which disagrees with the requested mode 'all'"),
]


@pytest.mark.parametrize(("declaration", "message"), DISAGREEMENTS)
def test_a_where_block_must_agree_with_the_schema_given(declaration: str, message: str) -> None:
    text = f"Default -> Left\nwhere\n{declaration}"
    with pytest.raises(RuleSyntaxError) as caught:
        parse(text, SCHEMA, mode=Mode.ALL)
    check(caught.value, text, (3, 1), message)


def test_one_condition_is_one() -> None:
    with pytest.raises(RuleSyntaxError, match="expected one condition, got several joined by AND"):
        parse_condition("age < 5 AND age > 3", SCHEMA)
    with pytest.raises(RuleSyntaxError, match="expected the end of the condition, got '->'"):
        parse_condition("age < 5 -> Left", SCHEMA)


def refusal(text: str) -> RuleError | None:
    """Return what is wrong with the text, if anything."""
    try:
        parse(text)
    except RuleError as error:
        return error
    return None


SNIPPETS = [
    *'xy1.5 <=>!-*^²[]()"\\|:;,#&%\n',
    "x < 1",
    " AND ",
    " is ",
    " missing",
    " -> A\n",
    "Default -> A\n",
    "where\n",
    "x: ",
    "numeric",
]


@examples(500)
@given(text=st.lists(st.sampled_from(SNIPPETS)).map("".join))
@example("Default -> A\nwhere\nx: one of")
def test_any_text_gives_a_rule_set_or_a_placed_error(text: str) -> None:
    error = refusal(text)
    if error is not None:
        assert isinstance(error, RuleSyntaxError)
        assert 1 <= error.line <= text.count("\n") + 1
        assert 1 <= error.column <= len(error.source) + 1


@examples(100)
@given(ruleset=rulesets(), data=st.data())
def test_damaged_text_gives_a_rule_set_or_a_placed_error(ruleset: RuleSet, data: st.DataObject) -> None:
    text = print_ruleset(ruleset)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    error = refusal(text[:start] + data.draw(st.text(max_size=3)) + text[end:])
    assert error is None or isinstance(error, RuleSyntaxError)
