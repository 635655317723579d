"""DMN documents are tables that people can read: cells, intervals, labels, and what DMN cannot say."""

from decimal import Decimal
from xml.etree import ElementTree

import pytest

from evoter.export import to_dmn
from evoter.export.dmn import feel_number
from evoter.rules.errors import RuleError
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from exporting import HOSTILE, hostile_case, ways

from exported import WAYS  # isort: skip

D = {"d": "https://www.omg.org/spec/DMN/20191111/MODEL/"}
RULES = parse("""
1. petal length (cm) is missing AND 30 < age <= 40 -> test
2. 0.5*insulin > age AND smoker = true -> treat
3. race != Asian AND age > 3 AND age != 5 AND insulin[2] >= 1 -> treat
4. race in {Asian, Hispanic} AND insulin - 2*age <= 1.5 -> wait
5. Default -> wait
where
  petal length (cm): numeric, may be missing
  age: numeric [18..95]
  insulin: numeric [0..900]
  smoker: yes/no
  race: one of Asian | Hispanic
  actions: test | treat | wait
  lags: 0..2
""")


def table_of(ruleset: RuleSet) -> ElementTree.Element:
    (table,) = ElementTree.fromstring(to_dmn(ruleset)).iterfind("d:decision/d:decisionTable", D)
    return table


def cells(ruleset: RuleSet) -> list[list[str]]:
    """The table as a person sees it: labels, then a row for each rule."""
    table = table_of(ruleset)
    rows = [[each.get("label", "") for each in table.iterfind("d:input", D)]]
    for rule in table.iterfind("d:rule", D):
        entries = rule.findall("d:inputEntry/d:text", D) + rule.findall("d:outputEntry/d:text", D)
        rows.append([each.text or "" for each in entries])
    return rows


def test_rules_are_rows_and_features_are_columns() -> None:
    assert cells(RULES) == [
        [
            "petal length (cm)",
            "age",
            "age",
            "0.5*insulin > age",
            "smoker",
            "race",
            "insulin[2]",
            "insulin - 2*age <= 1.5",
        ],
        ["null", "(30..40]", "-", "-", "-", "-", "-", "-", '"test"'],
        ["-", "-", "-", "true", "true", "-", "-", "-", '"treat"'],
        ["-", "> 3", "not(null, 5)", "-", "-", 'not(null, "Asian")', ">= 1", "-", '"treat"'],
        ["-", "-", "-", "-", "-", '"Asian", "Hispanic"', "-", "true", '"wait"'],
        ["-", "-", "-", "-", "-", "-", "-", "-", '"wait"'],
    ]
    assert table_of(RULES).get("hitPolicy") == "FIRST"


def test_inputs_have_names_that_feel_reads_and_labels_that_people_read() -> None:
    document = ElementTree.fromstring(to_dmn(RULES, name="next step"))
    data = {each.get("label"): each.get("name") for each in document.iterfind("d:inputData", D)}
    assert data == {
        "petal length (cm)": "petal_length_cm",
        "age": "age",
        "insulin": "insulin",
        "insulin[2]": "insulin_2",
        "smoker": "smoker",
        "race": "race",
    }
    (decision,) = document.iterfind("d:decision", D)
    assert (decision.get("name"), decision.get("label")) == ("next_step", "next step")
    notes = [each.text for each in document.iterfind(".//d:annotationEntry/d:text", D)]
    assert notes[0] == "1. petal length (cm) is missing AND 30 < age <= 40 -> test"


def test_every_part_of_the_diagram_refers_to_an_element() -> None:
    document = ElementTree.fromstring(to_dmn(RULES))
    known = {each.get("id") for each in document.iter()}
    drawn = [each.get("dmnElementRef") for each in document.iter() if each.get("dmnElementRef")]
    assert len(drawn) == 13
    assert set(drawn) <= known
    identifiers = [each.get("id") for each in document.iter() if each.get("id")]
    assert len(identifiers) == len(set(identifiers))


def test_hostile_names_survive_reading() -> None:
    document = ElementTree.fromstring(to_dmn(hostile_case().ruleset))
    assert {each.get("label") for each in document.iterfind("d:inputData", D)} >= set(HOSTILE)


@pytest.mark.parametrize("number", [1e-310, 5e-324, 1e300, -2.45, 0.1, 1e16, 123456789.125, -0.0])
def test_numbers_have_no_exponent_and_read_back(number: float) -> None:
    assert float(feel_number(number)) == number
    assert Decimal(feel_number(number)) == Decimal(repr(number))
    assert "e" not in feel_number(number).lower()


@pytest.mark.parametrize("way", ways(["DMN in feelin"]))
def test_missing_values_satisfy_no_comparison(way: str) -> None:
    """In FEEL, null equals null: two missing values must not be taken for equal ones."""
    for text in (
        "x = y",
        "2*x = 3*y",
        "x != y",
        "x <= y",
        "x + y <= 9",
        "x != 3",
        "x^2 = 4",
        "0 <= x <= 4",
        "x is present",
    ):
        ruleset = parse(f"{text} -> holds; Default -> no")
        table = {name: [None, None, 1.0] for name in ruleset.schema.names}
        table = {**table, "x": [None, None, None]}
        assert WAYS[way].run(ruleset, table) == ["no"] * 3


def test_what_dmn_cannot_say_is_refused() -> None:
    with pytest.raises(RuleError, match="DMN gives one action per row"):
        to_dmn(RULES.replace(mode="all"))
    with pytest.raises(RuleError, match="DMN lets the first rule that holds decide, but mode vote"):
        to_dmn(RULES.replace(mode="vote"))
    with pytest.raises(RuleError, match=r"XML cannot contain the character '\\x01'"):
        to_dmn(RuleSet([], "a\x01b", Schema([], ["a\x01b"])))
    wide = Schema([Feature("x", low=-1e308, high=1e308, scaled=True), Feature("y")], ["a", "b"])
    with pytest.raises(RuleError, match="too wide to scale in DMN"):
        to_dmn(RuleSet([Rule([Condition(Term("x"), "<", Term("y"))], "a")], "b", wide))
    with pytest.raises(RuleError, match="DMN cannot tell one that is missing from one that does not exist yet"):
        to_dmn(parse("x[1] is missing -> a; Default -> b"))
