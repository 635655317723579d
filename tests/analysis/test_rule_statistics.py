"""What is measured on a table is what the interpreter says row by row."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evoter
from evoter.analysis.rule_statistics import RuleStatistics, measure
from evoter.rules.errors import SchemaError
from evoter.rules.interpreter import decide_table
from evoter.rules.model import Mode, RuleSet
from laws import examples
from strategies import Row, rows, rulesets, schemas


@st.composite
def measured(draw: st.DrawFn) -> tuple[RuleSet, list[Row], list[str]]:
    """A rule set without lags, some rows, and labels of which some may be no actions."""
    drawn = draw(schemas())
    schema = evoter.Schema(drawn.features, drawn.actions)
    ruleset = draw(rulesets(schema)).replace(mode=draw(st.sampled_from([Mode.FIRST, Mode.HARDMAX, Mode.VOTE])))
    table = draw(st.lists(rows(schema), min_size=1, max_size=12))
    labels = st.sampled_from([*schema.actions, "a label of none"])
    return ruleset, table, draw(st.lists(labels, min_size=len(table), max_size=len(table)))


@examples(200)
@given(measured())
def test_the_statistics_are_the_interpreters(case: tuple[RuleSet, list[Row], list[str]]) -> None:
    ruleset, table, labels = case
    statistics = measure(ruleset, table, labels)
    truth = decide_table(ruleset, table)
    *rules, default = statistics.rules
    assert statistics.n_rows == len(table)
    assert statistics.predictions.tolist() == list(truth.actions)
    assert [rule.held for rule in rules] == list(truth.times_applied)
    assert [rule.decided for rule in rules] == list(truth.times_decided)
    assert default.held == default.decided == truth.default_applied
    for index, rule in enumerate(rules):
        decided = [labels[number] for number, one in enumerate(truth.decisions) if index in one.deciding]
        assert rule.correct == decided.count(rule.action)
    first = [one.deciding[0] if one.deciding else len(rules) for one in truth.decisions]
    assert statistics.decided_by.tolist() == first
    right = sum(action == label for action, label in zip(truth.actions, labels, strict=True))
    assert statistics.accuracy == right / len(table)
    _check_shares(statistics, labels)


def _check_shares(statistics: RuleStatistics, labels: list[str]) -> None:
    assert statistics.confusion is not None
    assert statistics.confusion.matrix.sum() == len(labels)
    for label, row in zip(statistics.confusion.labels, statistics.confusion.matrix, strict=True):
        assert row.sum() == labels.count(label)
    for rule in statistics.rules:
        assert 0.0 <= rule.coverage <= rule.support <= 1.0
        if rule.precision is not None and rule.lift is not None:
            assert math.isclose(rule.lift * labels.count(rule.action) / len(labels), rule.precision)
    if statistics.ruleset.mode is not Mode.VOTE:
        assert sum(rule.decided for rule in statistics.rules) == len(labels)


RULES = evoter.parse('"safety" pinned: age > 60 -> 0.9*"1"; Default -> "0"')
FRAME = pd.DataFrame({"name": ["Ada", "Eve", "Bob"], "age": [36, 81, 65]})


def test_texts_are_those_of_the_rules() -> None:
    statistics = measure(RULES, FRAME)
    assert [rule.text for rule in statistics.rules] == ['"safety" pinned: age > 60 -> 0.9*1', "Default -> 0"]
    assert [rule.number for rule in statistics.rules] == [1, 2]


def test_whole_numbers_are_labels_too() -> None:
    statistics = measure(RULES, FRAME, pd.Series([0, 1, 0]))
    assert statistics.accuracy == 2 / 3
    assert statistics.rules[0].lift == 1.5
    assert statistics.confusion is not None
    low, high = statistics.confusion.interval
    assert low < 2 / 3 < high
    assert statistics.baseline == 2 / 3
    assert statistics.confusion.most_frequent == "0"


def test_without_labels_only_decisions_are_counted() -> None:
    statistics = measure(RULES, FRAME)
    rule = statistics.rules[0]
    assert (rule.held, rule.decided, rule.coverage) == (2, 2, 2 / 3)
    assert rule.correct is rule.precision is rule.lift is rule.base_rate is None
    assert (statistics.accuracy, statistics.confusion, statistics.baseline) == (None, None, None)


def test_a_rule_that_decides_nothing_has_no_precision() -> None:
    rule = measure(evoter.parse("age > 99 -> old; Default -> young"), FRAME, ["old", "young", "young"]).rules[0]
    assert (rule.decided, rule.correct, rule.precision, rule.lift) == (0, 0, None, None)


def test_a_label_that_is_no_action_is_always_wrong() -> None:
    statistics = measure(RULES, FRAME, ["0", "1", "unheard of"])
    assert statistics.confusion is not None
    assert statistics.confusion.labels == ("1", "0", "unheard of")
    assert statistics.confusion.matrix.tolist() == [[1, 0, 0], [0, 1, 0], [1, 0, 0]]


def test_the_dictionary_is_json() -> None:
    document = json.loads(json.dumps(measure(RULES, FRAME, np.array([0, 1, 0])).to_dict()))
    assert document["confusion"] == {"labels": ["1", "0"], "matrix": [[1, 0], [1, 1]]}
    assert document["rules"][0]["precision"] == 0.5
    assert json.loads(json.dumps(measure(RULES, FRAME).to_dict()))["accuracy"] is None


def test_labels_of_other_length_are_refused() -> None:
    with pytest.raises(SchemaError, match="3 rows and 2 labels"):
        measure(RULES, FRAME, [0, 1])


def test_several_actions_at_once_are_refused() -> None:
    with pytest.raises(SchemaError, match="mode all"):
        measure(RULES.replace(mode="all"), FRAME)
