"""Track records: checked when made, kept with the rules they are about, and dropped with others."""

import json

import pytest
from jsonschema import Draft202012Validator

from evoter.rules.answers.track_record import RecordPart, TrackRecord
from evoter.rules.condition import Condition, Sum, Term
from evoter.rules.errors import RuleError, RuleFileError
from evoter.rules.json_codec import dumps, json_schema, loads
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse

RECORDS = (TrackRecord((8, 2), (0.1 + 0.2, 0.7)), TrackRecord((0, 5), (0.25, 0.75)))


@pytest.fixture
def rules() -> RuleSet:
    text = "x > 5 -> yes; Default -> no\nwhere\n x: numeric [0..9]\n actions: yes | no"
    return parse(text).replace(records=RECORDS)


@pytest.mark.parametrize(
    ("labels", "shares", "message"),
    [
        ((1, 2), (1.0,), "a probability for each label"),
        ((-1, 2), (0.5, 0.5), "whole numbers, 0 or more"),
        ((1.5, 2), (0.5, 0.5), "whole numbers, 0 or more"),
        ((1, 2), (0.5, 0.6), "add up to 1"),
        ((1, 2), (1.5, -0.5), "between 0 and 1"),
        ((1, 2), (float("nan"), 0.5), "between 0 and 1"),
    ],
)
def test_impossible_figures_are_refused(labels: tuple[int, ...], shares: tuple[float, ...], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        TrackRecord(labels, shares)


def test_there_is_one_for_each_rule_and_the_default(rules: RuleSet) -> None:
    with pytest.raises(RuleError, match="there are 1 track records for 1 rules"):
        rules.replace(records=RECORDS[:1])
    with pytest.raises(RuleError, match="track record 1 has 1 labels, but there are 2 actions"):
        rules.replace(records=[TrackRecord((1,), (1.0,))] * 2)


def test_they_are_no_part_of_equality_and_text(rules: RuleSet) -> None:
    bare = rules.replace(records=())
    assert bare == rules
    assert hash(bare) == hash(rules)
    assert str(bare) == str(rules)


def test_they_stay_with_their_rules_only(rules: RuleSet) -> None:
    assert rules.restricted().records == RECORDS
    assert rules.replace(schema=rules.schema.with_feature("x", unit="cm")).records == RECORDS
    for changes in ({"rules": rules.rules}, {"default": "yes"}, {"mode": "vote"}, {"default_certainty": 0.5}):
        assert rules.replace(**changes).records == ()


def test_files_carry_them_exactly(rules: RuleSet) -> None:
    assert loads(dumps(rules)).records == RECORDS
    assert loads(dumps(rules, indent=None)).records == RECORDS
    assert '"version": 2' in dumps(rules)
    assert not list(Draft202012Validator(json_schema()).iter_errors(json.loads(dumps(rules))))
    assert '"version": 1' in dumps(rules.replace(records=()))


def test_figures_of_other_rules_are_refused(rules: RuleSet) -> None:
    with pytest.raises(RuleFileError, match="if you have edited the rules of the file, remove its 'statistics'"):
        loads(dumps(rules).replace('"right": 5.0', '"right": 6.0'))
    renamed = dumps(rules).replace('"conditions": [', '"name": "tall", "conditions": [')
    assert loads(renamed).records == RECORDS, "a name decides nothing"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"labels": [8, 2]', '"labels": [8, 2.5]', r"statistics.training\[0\].labels\[1\]: must be a whole number"),
        ('"labels": [8, 2]', '"labels": [8, 2, 1]', r"statistics.training\[0\]: a track record has a probability for"),
        ('"labels": [8, 2], ', "", r"statistics.training\[0\]: the key 'labels' is missing"),
        ('"training": [', '"traning": [], "training": [', "unknown key"),
        ('"version": 2', '"version": 1', "unknown key"),
    ],
)
def test_damaged_blocks_are_refused(rules: RuleSet, old: str, new: str, message: str) -> None:
    text = dumps(rules, indent=None)
    assert old in text
    with pytest.raises(RuleFileError, match=message):
        loads(text.replace(old, new))


PARTS = (RecordPart((6, 0), (0.9, 0.1), (Condition(Term("x"), ">", 7),)), RecordPart((2, 2), (0.5, 0.5)))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (PARTS[:1], "every part of a track record has conditions, except the last"),
        (PARTS[::-1], "every part of a track record has conditions, except the last"),
        ((PARTS[0], RecordPart((2, 1), (0.5, 0.5))), "add up to its own"),
        ((PARTS[0], RecordPart((2,), (1.0,))), "add up to its own"),
    ],
)
def test_impossible_parts_are_refused(parts: tuple[RecordPart, ...], message: str) -> None:
    with pytest.raises(RuleError, match=message):
        TrackRecord((8, 2), (0.75, 0.25), parts)


def test_files_carry_parts_exactly(rules: RuleSet) -> None:
    divided = rules.replace(records=[TrackRecord((8, 2), (0.75, 0.25), PARTS), RECORDS[1]])
    for text in (dumps(divided), dumps(divided, indent=None)):
        assert loads(text).records == divided.records
        assert not list(Draft202012Validator(json_schema()).iter_errors(json.loads(text)))


def test_parts_fit_the_schema(rules: RuleSet) -> None:
    sums = (RecordPart((6, 0), (0.9, 0.1), (Condition(Term("x"), ">", Sum(Term("y"), 7)),)), PARTS[1])
    with pytest.raises(RuleError, match="'y'"):
        rules.replace(records=[TrackRecord((8, 2), (0.75, 0.25), sums), RECORDS[1]])
    text = dumps(rules.replace(records=[TrackRecord((8, 2), (0.75, 0.25), PARTS), RECORDS[1]]), indent=None)
    with pytest.raises(RuleFileError, match="'z'"):
        loads(
            text.replace(
                '"conditions": [{"left": {"feature": "x"}, "operator": ">", "right": 7',
                '"conditions": [{"left": {"feature": "z"}, "operator": ">", "right": 7',
            )
        )
