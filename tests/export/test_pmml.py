"""PMML documents are well formed, say what was read, and say what they cannot say."""

import math
import shutil
from xml.etree import ElementTree

import pytest

from evoter.export.pmml import to_pmml
from evoter.rules.errors import RuleError
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from exporting import HOSTILE, hostile_case

NAMESPACE = {"p": "http://www.dmg.org/PMML-4_4"}
MIXED = parse("""
1. colour = red AND 0.5*size^2 > size[1] -> 0.4*stop
2. wild = true AND size != 3 -> 0.9*go
3. Default -> 0.2*wait
where
  colour: one of red | blue
  size: numeric [0..9], may be missing
  wild: yes/no
  actions: stop | go | wait
  lags: 0..1
  decide: hardmax
""")

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="pypmml runs PMML in Java: install a Java runtime")


def test_the_document_names_what_it_reads_and_what_it_decides() -> None:
    document = ElementTree.fromstring(to_pmml(MIXED, target="what to do"))
    fields = {each.get("name"): each for each in document.iterfind("p:DataDictionary/p:DataField", NAMESPACE)}
    assert {name: field.get("dataType") for name, field in fields.items()} == {
        "colour": "string",
        "size": "double",
        "size[1]": "double",
        "wild": "string",
        "what to do": "string",
    }
    assert [value.get("value") for value in fields["colour"]] == ["red", "blue"]
    rules = document.findall(".//p:SimpleRule", NAMESPACE)
    assert [(rule.get("id"), rule.get("score"), rule.get("confidence")) for rule in rules] == [
        ("2", "go", "0.9"),
        ("1", "stop", "0.4"),
    ]
    (found,) = document.iterfind(".//p:RuleSet", NAMESPACE)
    assert (found.get("defaultScore"), found.get("defaultConfidence")) == ("wait", "0.2")


def test_hostile_names_survive_reading() -> None:
    """Also line ends, which XML readers change where they are not escaped."""
    for mode in (Mode.FIRST, Mode.VOTE):
        document = ElementTree.fromstring(to_pmml(hostile_case(mode).ruleset))
        names = {each.get("name") for each in document.iterfind("p:DataDictionary/p:DataField", NAMESPACE)}
        assert names >= set(HOSTILE)
        assert {each.get("value") for each in document.iter()} >= set(HOSTILE)


@needs_java
def test_records_and_tables_are_read_alike() -> None:
    """As they come to pypmml: truth values as such or as numbers, missing ones as None or NaN."""
    import pandas as pd
    from pypmml import Model

    ruleset = parse(
        "b = true -> yes; b != true -> no; x is missing -> unknown; Default -> x; where b: yes/no; x: numeric"
    )
    model = Model.fromString(to_pmml(ruleset))
    records = [(True, 1.0), (1, 1.0), (1.0, 1.0), (False, 1.0), (0, 1.0), (None, None), (None, math.nan), (None, 1.0)]
    expected = ["yes", "yes", "yes", "no", "no", "unknown", "unknown", "x"]
    assert [model.predict({"b": b, "x": x})["predicted_decision"] for b, x in records] == expected
    frame = pd.DataFrame({"b": pd.Series([b for b, _ in records], dtype=object), "x": [x for _, x in records]})
    assert list(model.predict(frame)["predicted_decision"]) == expected


def test_what_pmml_cannot_say_is_refused() -> None:
    with pytest.raises(RuleError, match="PMML gives one action per row"):
        to_pmml(MIXED.replace(mode="all"))
    with pytest.raises(RuleError, match=r"XML cannot contain the character '\\x01' in 'a\\x01b': rename it"):
        to_pmml(RuleSet([], "a\x01b", Schema([], ["a\x01b"])))
    wide = Schema([Feature("x", low=-1e308, high=1e308, scaled=True), Feature("y")], ["a", "b"])
    with pytest.raises(RuleError, match="too wide to scale in PMML"):
        to_pmml(RuleSet([Rule([Condition(Term("x"), "<", Term("y"))], "a")], "b", wide))


def test_more_votes_than_xml_can_nest_are_refused() -> None:
    rules = [Rule([Condition(Term("size"), ">", constant)], "go", 0.5) for constant in range(901)]
    schema = Schema([Feature("size")], ["go", "stop"])
    assert to_pmml(RuleSet(rules[1:], "stop", schema, mode=Mode.VOTE))
    with pytest.raises(RuleError, match="PMML would nest 901 expressions, more than 900"):
        to_pmml(RuleSet(rules, "stop", schema, mode=Mode.VOTE))
