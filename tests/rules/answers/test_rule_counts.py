"""Counts of rules: checked, carried by files, and dropped where rules change."""

import json

import pytest

from evoter import dumps, loads
from evoter.rules.answers.rule_counts import RuleCounts, count_rules
from evoter.rules.errors import RuleError, RuleFileError
from evoter.rules.json_codec import json_schema
from evoter.rules.leaf import dumps_leaf, loads_leaf
from evoter.rules.parser import parse

RULES = parse("x > 1 -> a; y > 1 -> b; Default -> a; where x: numeric [0..2]; y: numeric [0..2]; actions: a | b")
COUNTS = RuleCounts("training rows of some.csv", 30, (12, 7, 15), (12, 3, 15))


def test_they_travel_with_a_file_and_name_their_data() -> None:
    written = dumps(RULES.replace(counts=COUNTS))
    statistics = json.loads(written)["statistics"]
    assert statistics["counts"]["data"] == "training rows of some.csv"
    assert statistics["counts"]["times_applied"] == [12, 7, 15]
    back = loads(written)
    assert back.counts == COUNTS
    assert back == RULES, "they are no part of equality"
    only_applied = RULES.replace(counts=RuleCounts("rows", 30, (1, 2, 3)))
    assert loads(dumps(only_applied)).counts == only_applied.counts
    assert '"version": 1' in dumps(RULES)
    jsonschema = pytest.importorskip("jsonschema")
    for ruleset in (only_applied, RULES.replace(counts=COUNTS)):
        jsonschema.validate(json.loads(dumps(ruleset)), json_schema())


def test_they_are_dropped_where_rules_change_and_refused_beside_others() -> None:
    counted = RULES.replace(counts=COUNTS)
    assert counted.restricted().counts == COUNTS
    assert counted.replace(default="b").counts is None
    edited = dumps(counted).replace('"default": {"action": "a"}', '"default": {"action": "b"}')
    with pytest.raises(RuleFileError, match="these figures are about other rules"):
        loads(edited)
    tree = json.loads(dumps(counted))
    del tree["statistics"]["counts"]
    with pytest.raises(RuleFileError, match="must have 'training' or 'residuals' or 'counts'"):
        loads(json.dumps(tree))
    tree["statistics"]["counts"] = {"data": "x", "cases": 3, "times_applied": [1, 2]}
    with pytest.raises(RuleFileError, match="2 counts for 2 rules"):
        loads(json.dumps(tree))


def test_leaf_common_has_a_place_for_times_applied() -> None:
    ruleset = RULES.replace(mode="vote").replace(counts=COUNTS)
    back = loads_leaf(dumps_leaf(ruleset))
    assert back.counts is not None
    assert back.counts.times_applied == (12, 7, 15)
    assert back.counts.data == "data of the leaf-common file"
    assert loads_leaf(dumps_leaf(RULES.replace(mode="vote"))).counts is None


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (("rows", 3, (4, 0)), "from 0 to the number of cases"),
        (("rows", 3, (1, -1)), "from 0 to the number of cases"),
        (("rows", 3, (1, 2), (1,)), "1 counts of decisions for 2 rules and default"),
        ((" rows", 3, (1, 2)), "counted data"),
    ],
)
def test_impossible_counts_are_refused(counts: tuple[object, ...], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        RuleCounts(*counts)  # type: ignore[arg-type]


def test_counts_of_arrays() -> None:
    numpy = pytest.importorskip("numpy")
    made = count_rules("rows", 3, numpy.array([1, 2]), numpy.array([0, 3]))
    assert made == RuleCounts("rows", 3, (1, 2), (0, 3))
