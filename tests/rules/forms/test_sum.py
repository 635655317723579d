"""Tests of weighted sums beyond the laws of all forms: how they are written, what they mean, and what is refused."""

import math
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import COEFFICIENTS, CONSTANTS, ORDERS, neighbours
from evoter.rules.condition import Condition, Sum, Term
from evoter.rules.errors import RuleError, RuleFileError
from evoter.rules.explain import explain
from evoter.rules.forms.registry import form_of
from evoter.rules.interpreter import holds
from evoter.rules.json_codec import dumps, loads
from evoter.rules.leaf import dumps_leaf
from evoter.rules.logic import Truth, contradicts, equivalent, implies, redundant, truth
from evoter.rules.model import Mode, RuleSet
from evoter.rules.parser import parse, parse_condition
from evoter.rules.reasoning.canonical import canonical
from evoter.rules.schema import Feature, Schema
from evoter.rules.simplify import simplify, simplify_conditions
from evoter.rules.text import print_condition
from laws import examples

SCHEMA = Schema([Feature(name, low=0, high=100, unit="mm") for name in ("a", "b", "c")], ["go", "stop"], max_lag=2)
WIDE = Schema([Feature(name) for name in "ab"], ["go", "stop"])


def condition(text: str, schema: Schema = SCHEMA) -> Condition:
    return parse_condition(text, schema)


def rules(text: str, schema: Schema = SCHEMA) -> RuleSet:
    return parse(f"{text} -> go; Default -> stop", schema)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a + 0.5*b <= 3", "a + 0.5*b <= 3"),
        ("0.5*b + a <= 3", "0.5*b + a <= 3"),
        ("a - b > 0", "a - b > 0"),
        ("a -b > 0", "a - b > 0"),
        ("a- b > 0", "a - b > 0"),
        ("a -0.5*b > 0", "a - 0.5*b > 0"),
        ("a +0.5*b > 0", "a + 0.5*b > 0"),
        ("a - -0.5*b > 0", "a + 0.5*b > 0"),
        ("a − 0.5·b ≥ −3", "a - 0.5*b >= -3"),
        ("2*a + 3*b < 6", "2*a + 3*b < 6"),
        ("-2*a - 3*b < 6", "-2*a - 3*b < 6"),
        ("a[2] - 0.25*a <= 1.5", "a[2] - 0.25*a <= 1.5"),
        ("a\n+\nb <= 3.", "a + b <= 3"),
        ("(a + 1e-05*b >= 1e+20)", "a + 1e-05*b >= 1e+20"),
    ],
)
def test_sums_are_read_and_printed_with_their_sign(text: str, printed: str) -> None:
    made = condition(text)
    assert print_condition(made, SCHEMA) == print_condition(made, SCHEMA, ranges=True) == printed
    assert condition(printed) == made


def test_a_sum_is_a_left_term_one_that_is_added_and_a_constant() -> None:
    assert condition("a - 0.5*b[1] <= 3") == Condition(Term("a"), "<=", Sum(Term("b", -0.5, lag=1), 3))
    assert type(Sum(Term("b"), 3).constant) is float
    with pytest.raises(RuleError, match="a sum is compared with a finite number, not inf"):
        Sum(Term("b"), math.inf)


def test_other_notations() -> None:
    made = condition("a - 0.5*b[1] <= 3")
    assert print_condition(made, SCHEMA, "unicode") == "a - 0.5·b[1] ≤ 3"
    assert print_condition(made, SCHEMA, "latex") == r"\textit{a} - 0.5 \cdot \textit{b}[1] \le 3"
    assert ">a</span> - <span" in print_condition(made, SCHEMA, "html")
    text = rules("a - 0.5*b <= 3 AND c > 7").to_text("aligned", declarations=False)
    assert text.splitlines()[0] == "1. a - 0.5*b <= 3    AND"
    assert text.splitlines()[1] == "   c         >  7 mm -> go"


def test_names_with_a_sign_are_one_name() -> None:
    """A minus without spaces, or in quotes, belongs to the name, as in texts of the first edition."""
    text = 'hours-per-week - "a + b" > 3 -> go; Default -> stop'
    assert parse(text).features_used == ("hours-per-week", "a + b")
    assert parse(str(parse(text))) == parse(text)


def test_it_counts_as_two_conditions() -> None:
    ruleset = rules("a + 0.5*b <= 3 AND c > 7 -> go; a < 0.5*b")
    assert [form_of(each).n_conditions(each) for each in ruleset.rules[0].conditions] == [2, 1]
    assert (ruleset.rules[0].n_conditions, ruleset.n_conditions) == (3, 4)


def test_features_are_read_raw_even_where_comparisons_scale_them() -> None:
    schema = Schema([Feature(name, low=0, high=10, scaled=True) for name in "ab"], ["go"])
    made = condition("a - 0.5*b <= 0", schema)
    assert holds(made, [{"a": 4.0, "b": 9.0}], schema)
    assert not holds(made, [{"a": 5.0, "b": 9.0}], schema)
    assert RuleSet(rules("a + b > 3", SCHEMA).rules, "stop", SCHEMA).restricted().schema.feature("a").scaled is False


def test_a_missing_value_or_too_little_history_makes_it_false() -> None:
    for text in ("a + b[1] <= 3", "a + b[1] > -3"):
        made = condition(text)
        assert holds(made, [{"a": 1.0, "b": 1.0}] * 2, SCHEMA)
        assert not holds(made, [{"a": 1.0, "b": None}, {"a": 1.0, "b": 1.0}], SCHEMA)
        assert not holds(made, [{"a": 1.0, "b": 1.0}, {"a": None, "b": 1.0}], SCHEMA)
        assert not holds(made, [{"a": 1.0, "b": 1.0}], SCHEMA)


def test_products_are_rounded_before_they_are_added() -> None:
    """A fused multiply-add would keep 0.1 * 3 = 0.30000000000000004 apart from what the sum makes of it."""
    made = condition("a - 0.1*b > 0", WIDE)
    assert not holds(made, [{"a": 0.30000000000000004, "b": 3.0}], WIDE)


def test_an_explanation_shows_both_values_and_the_sum() -> None:
    text = str(explain(rules("a + 0.5*b <= 3"), {"a": 1.0, "b": 2.5, "c": 0.0}))
    assert "a + 0.5*b <= 3   (a = 1 mm, b = 2.5 mm: sum 2.25 against 3)" in text
    text = str(explain(rules("a - b[1] > 3"), {"a": 1.0, "b": 2.5, "c": 0.0}))
    assert "(a = 1 mm, b[1] has too little history)" in text
    barely = {"a": 0.1, "b": 0.2, "c": 0.0}
    assert "sum 0.30000000000000004 against 0.3" in str(explain(rules("a + b > 0.3"), barely))


def test_files_of_the_second_version_hold_sums() -> None:
    ruleset = rules("a - 0.5*b[1] <= 3")
    text = dumps(ruleset)
    assert '"version": 2' in text
    assert '"right": {"added": {"feature": "b", "coefficient": -0.5, "lag": 1}, "constant": 3.0}' in text
    assert loads(text) == ruleset
    with pytest.raises(
        RuleFileError, match=r"rules\[0\].conditions\[0\]: a weighted sum needs version 2 of the format"
    ):
        loads(text.replace('"version": 2', '"version": 1'))
    assert '"version": 1' in dumps(rules("a <= 0.5*b"))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"constant": 3.0', '"constant": "3"', r"right.constant: must be a number, not \"3\""),
        (', "constant": 3.0', "", r"right: the key 'constant' is missing; add it"),
        ('"constant": 3.0', '"constant": 3.0, "unit": "mm"', r"right: unknown key \"unit\""),
        ('"feature": "b"', '"feature": "x"', r"right.added.feature: unknown feature 'x'"),
        ('"coefficient": -0.5', '"coefficient": 0', r"conditions\[0\]: feature 'b': a sum has no coefficient of 0"),
        ('"coefficient": -0.5', '"power": 2', r"conditions\[0\]: feature 'b': a sum has no powers"),
        ('"operator": "<="', '"operator": "="', r"conditions\[0\]: a sum of 'a' and 'b' is compared with"),
    ],
)
def test_wrong_files_are_refused_with_their_path(old: str, new: str, message: str) -> None:
    text = dumps(rules("a - 0.5*b <= 3"))
    assert old in text
    with pytest.raises(RuleFileError, match=message):
        loads(text.replace(old, new))


def test_leaf_common_has_no_sums() -> None:
    ruleset = rules("a - 0.5*b <= 3").replace(mode=Mode.VOTE)
    with pytest.raises(RuleError, match=r"leaf-common has no sums \(of 'a' and 'b'\): rewrite the rule"):
        dumps_leaf(ruleset)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("a + b >= 0", Truth.ALWAYS),
        ("a + b > 0", Truth.DEPENDS),
        ("a + b > 200", Truth.NEVER),
        ("a + b >= 200", Truth.DEPENDS),
        ("a - b < -100", Truth.NEVER),
        ("a - 2*b >= -200", Truth.ALWAYS),
        ("-1*a - b <= 0", Truth.ALWAYS),
    ],
)
def test_a_sum_attains_its_ends_at_the_corners_of_the_domain(text: str, verdict: Truth) -> None:
    assert truth(condition(text), SCHEMA) is verdict


def test_sums_of_the_same_terms_imply_and_contradict_each_other() -> None:
    low, high = condition("a + 0.5*b <= 3"), condition("a + 0.5*b < 4")
    assert implies(low, high, SCHEMA)
    assert not implies(high, low, SCHEMA)
    assert contradicts(low, condition("a + 0.5*b > 3"), SCHEMA)
    assert not contradicts(low, condition("a + 0.5*b >= 3"), SCHEMA)
    assert equivalent(low, condition("0.5*b + a <= 3"), SCHEMA)
    assert equivalent(low, condition("-1*a - 0.5*b >= -3"), SCHEMA)
    assert equivalent(low, condition("-0.5*b - a >= -3"), SCHEMA)
    assert not implies(low, condition("a[1] + 0.5*b <= 3"), SCHEMA)
    # Real numbers would say more; a multiple that is rounded elsewhere may differ at the border.
    assert not implies(low, condition("2*a + b <= 6"), SCHEMA)


def test_a_sum_bounds_each_of_its_features() -> None:
    made = condition("a + 0.5*b <= 3")
    assert implies(made, condition("a <= 3 mm"), SCHEMA)
    assert implies(made, condition("b <= 6 mm"), SCHEMA)
    assert not implies(made, condition("b <= 5.9 mm"), SCHEMA)
    assert contradicts(made, condition("a > 3 mm"), SCHEMA)
    both = [made, condition("b >= 4 mm")]
    assert redundant([*both, condition("a <= 1.01 mm")], SCHEMA) == (2,)
    assert redundant([*both, condition("a <= 1 mm")], SCHEMA) == (), "2 and the double after 1 add up to 3, rounded"
    assert simplify_conditions([condition("a <= 50 mm"), made], SCHEMA) == (made,)


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("0.5*b + a <= 3", "a + 0.5*b <= 3"),
        ("0.5*b - a <= 3", "a - 0.5*b >= -3"),
        ("-1*a + 2*b <= 3", "a - 2*b >= -3"),
        ("-1*a + b <= 3", "b - a <= 3"),
        ("2*a + 3*b <= 6", "2*a + 3*b <= 6"),
        ("a - 0.5*b <= 0", "a <= 0.5*b"),
        ("0.5*b - a > 0", "a < 0.5*b"),
        ("2*a - 3*b >= 0", "2*a >= 3*b"),
        ("a + 0.5*b <= 0", "a + 0.5*b <= 0"),
    ],
)
def test_the_plainest_sum(text: str, plain: str) -> None:
    assert print_condition(canonical(condition(text), SCHEMA), SCHEMA) == plain


def test_a_difference_stays_a_sum_where_a_comparison_would_mean_something_else() -> None:
    """Where comparisons scale a feature, and where infinity less infinity is NaN although both sides are equal."""
    scaled = Schema([Feature("a", low=0, high=9, scaled=True), Feature("b", low=0, high=9)], ["go"])
    for schema in (scaled, WIDE):
        made = condition("a - 0.5*b <= 0", schema)
        assert canonical(made, schema) == made
    point = [{"a": math.inf, "b": math.inf}]
    assert holds(condition("a <= 0.5*b", WIDE), point, WIDE)
    assert not holds(condition("a - 0.5*b <= 0", WIDE), point, WIDE)
    huge = Schema([Feature("a", low=0, high=1e308), Feature("b", low=0, high=1e308)], ["go"])
    made = condition("a - 9*b <= 0", huge)
    assert canonical(made, huge) == made, "9*b may overflow to infinity, as a may not: no proof is tried"


def test_a_sum_that_always_holds_asks_for_the_value_that_may_be_missing() -> None:
    schema = Schema([Feature("a", low=0, high=9, missing=True), Feature("b", low=0, high=9)], ["go", "stop"])
    assert print_condition(canonical(condition("a + b >= 0", schema), schema), schema) == "a is present"
    assert simplify(rules("a + b >= 0 AND a > 3", schema)).n_conditions == 1


BORDER_RANGES: list[list[tuple[float | None, float | None]]] = [
    [(0.0, 10.0), (-5.0, 5.0)],
    [(0.0, None), (None, None)],
    [(-1e308, 1e308), (0.0, 1e-308)],
]


@examples(1_000)
@given(st.integers(0, 2**32))
def test_simplifying_keeps_every_decision_at_the_border(seed: int) -> None:
    """Tried where sums are about to change, where features end, and with huge and tiny coefficients."""
    rng = Random(seed)
    ranges = rng.choice(BORDER_RANGES)
    features = [Feature(name, low=low, high=high) for name, (low, high) in zip("ab", ranges, strict=True)]
    schema = Schema(features, ["go"])
    weights = [each for each in COEFFICIENTS if each != 0.0]
    terms = [(Term("a", rng.choice(weights)), Term("b", rng.choice(weights))) for _ in range(2)]
    conditions = []
    for _ in range(rng.randint(1, 4)):
        first, second = rng.choice(terms)
        if rng.random() < 0.3:
            first, second = second, first
        constant = rng.choice([0.0, 0.0, *CONSTANTS])
        conditions.append(Condition(first, rng.choice(ORDERS), Sum(second, constant)))
    if rng.random() < 0.5:
        conditions.append(Condition(Term(rng.choice("ab")), rng.choice(ORDERS), rng.choice(CONSTANTS)))
    simple = simplify_conditions(conditions, schema)
    pools = {
        feature.name: [x for x in _borders(feature) if feature.bounds[0] <= x <= feature.bounds[1]]
        for feature in schema.features
    }
    for _ in range(60):
        row = {name: rng.choice(pool) for name, pool in pools.items()}
        balanced = rng.choice(conditions)
        if isinstance(balanced.right, Sum):
            _balance(rng, balanced, row, schema)
        expected = all(holds(each, [row], schema) for each in conditions)
        assert all(holds(each, [row], schema) for each in simple) == expected, row


def _borders(feature: Feature) -> list[float]:
    seeds = feature.bounds
    return [x for seed in (*seeds, 0.0, 1.0, -2.0, 3.0, 1e-310) for x in neighbours(seed)]


def _balance(rng: Random, made: Condition, row: dict[str, float], schema: Schema) -> None:
    """Set the second feature of a sum to about where the sum equals its constant."""
    assert isinstance(made.right, Sum)
    added = made.right.added
    x = (made.right.constant - made.left.coefficient * row[made.left.feature]) / added.coefficient
    low, high = schema.feature(added.feature).bounds
    near = [each for each in neighbours(x, 3) if low <= each <= high and math.isfinite(each)]
    if near:
        row[added.feature] = rng.choice(near)


def test_neighbouring_constants_differ_by_what_lies_between() -> None:
    """No rounding hides a border: of two neighbouring constants, some sum tells one from the other."""
    constants = sorted(neighbours(0.3))
    for low, high in pairwise(constants):
        a, b = (Condition(Term("a"), "<=", Sum(Term("b", 0.1), each)) for each in (low, high))
        assert implies(a, b, WIDE)
        assert not implies(b, a, WIDE)
