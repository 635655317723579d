"""Tests of sets of categories beyond the laws of all forms: how they are written, their limits, and what is refused."""

import pytest

import evoter
from evoter.rules.condition import Condition, Term
from evoter.rules.errors import RuleError, RuleFileError, SchemaError
from evoter.rules.explain import explain
from evoter.rules.forms.membership import MAX_SET_CATEGORIES
from evoter.rules.json_codec import dumps, loads
from evoter.rules.leaf import dumps_leaf
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse, parse_condition
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.text import print_condition, print_ruleset

MONTHS = ("jan", "feb", "mar", "apr")
SCHEMA = Schema([Feature("month", Kind.CATEGORICAL, categories=MONTHS), Feature("x")], ["go", "stop"])


def rules(text: str) -> RuleSet:
    return parse(f"{text} -> go; Default -> stop", SCHEMA)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("month in {feb, jan}", "month in {jan, feb}"),
        ("month NOT IN { jan ,apr }", "month not in {jan, apr}"),
        ("month ∈ {mar, jan}", "month in {jan, mar}"),
        ('month ∉ {"mar",jan}', "month not in {jan, mar}"),
        ("month\nin\n{feb,jan}", "month in {jan, feb}"),
        ("month in {jan}", "month = jan"),
        ("month not in {jan}", "month != jan"),
    ],
)
def test_sets_are_read_and_printed_in_the_order_of_the_schema(text: str, printed: str) -> None:
    condition = parse_condition(text, SCHEMA)
    assert print_condition(condition, SCHEMA) == printed
    assert parse_condition(printed, SCHEMA) == condition


def test_other_notations() -> None:
    condition = parse_condition("month not in {jan, feb}", SCHEMA)
    assert print_condition(condition, SCHEMA, "unicode") == "month ∉ {jan, feb}"
    latex = r"\textit{month} \notin \text{\{}\text{jan}\text{, }\text{feb}\text{\}}"
    assert print_condition(condition, SCHEMA, "latex") == latex


def test_a_schema_is_inferred_from_sets() -> None:
    schema = parse("month in {jan, feb} -> go; month = mar -> go; Default -> stop").schema
    assert schema.feature("month").categories == ("jan", "feb", "mar")


def test_names_may_contain_the_word() -> None:
    """`in` ends a name only before a set, so that texts of the first edition are read as before."""
    text = "days in hospital > 3 AND kind in hand = in -> go; Default -> stop"
    assert parse(text).features_used == ("days in hospital", "kind in hand")
    assert parse("days in hospital in {a, b} -> go; Default -> stop").features_used == ("days in hospital",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("month in {}", "expected a category"),
        ("month in {jan, }", "expected a category after ','"),
        ("month in {jan feb mar}", "has no category 'jan feb mar'"),
        ("month in {jan, feb", "expected ',' or '}' after the category"),
        ("month in {jan, jan}", "the set after 'in' has 'jan' twice"),
        ("month in {jan, fab}", "has no category 'fab'; did you mean 'feb'?"),
        ("x in {jan, feb}", "'x' is numeric: only categorical features have sets of categories"),
        ("2*month in {jan, feb}", "a coefficient or power fits comparisons of numeric features only"),
    ],
)
def test_errors_name_the_place_and_the_remedy(text: str, message: str) -> None:
    with pytest.raises(RuleError, match="line 1, column") as caught:
        rules(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("right", ["jan", 5, None, (), ("jan", 1), Term("x")])
def test_only_names_make_a_set(right: object) -> None:
    with pytest.raises(RuleError, match="'in' takes"):
        Condition(Term("month"), "in", right)  # type: ignore[arg-type]
    with pytest.raises(RuleError, match="a constant must be a finite number"):
        Condition(Term("month"), "=", ("jan", "feb"))


def test_the_number_of_categories_is_limited() -> None:
    names = [f"c{number}" for number in range(MAX_SET_CATEGORIES + 1)]
    largest = Feature("a", Kind.CATEGORICAL, categories=tuple(names[:-1]))
    schema = Schema([largest, Feature("b", Kind.CATEGORICAL, categories=tuple(names))], ["go", "stop"])
    assert parse_condition("a in {c0, c103}", schema).right == ("c0", "c103")
    message = f"'b' has 105 categories, and sets are for features with at most {MAX_SET_CATEGORIES}"
    with pytest.raises(SchemaError, match=message):
        evoter.RuleSet([evoter.Rule([Condition(Term("b"), "in", ("c0", "c104"))], "go")], "stop", schema)


def test_files_with_sets_are_of_version_2() -> None:
    document = dumps(rules("month in {jan, feb}"))
    assert '"version": 2' in document
    assert '"version": 1' in dumps(rules("month in {jan}"))
    with pytest.raises(RuleFileError, match="sets of categories need version 2 of the format"):
        loads(document.replace('"version": 2', '"version": 1'))


def test_leaf_common_has_no_sets_but_can_exclude_categories() -> None:
    assert "month" in dumps_leaf(rules("month not in {jan, feb}").restricted().replace(mode="vote"))
    with pytest.raises(
        RuleError, match=r"leaf-common has no sets of categories \('month' in ...\): write a rule for each"
    ):
        dumps_leaf(rules("month in {jan, feb}").restricted().replace(mode="vote"))


def test_an_explanation_names_the_value() -> None:
    text = str(explain(rules("month in {jan, feb}"), {"month": "mar", "x": 1.0}))
    assert "month in {jan, feb}" in text
    assert "mar" in text


def test_aligned_text_reads_back() -> None:
    ruleset = rules("month in {jan, feb} AND x > 5")
    assert parse(print_ruleset(ruleset, "aligned")) == ruleset
