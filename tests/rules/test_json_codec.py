"""Laws of the JSON file format: lossless, described by its published schema, and safe against hostile documents."""

import copy
import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from evoter.rules.errors import RuleFileError
from evoter.rules.files.document import MAX_FILE_BYTES
from evoter.rules.json_codec import dumps, json_schema, load, loads, save
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from strategies import rulesets

MODES = ", ".join(f'"{mode}"' for mode in Mode)

Place = tuple[str | int, ...]


@pytest.fixture(scope="module")
def example() -> RuleSet:
    schema = Schema(
        [
            Feature("velocity", low=-8, high=10, unit="m/s", scaled=True),
            Feature("angle"),
            Feature("race", Kind.CATEGORICAL, categories=("Asian", "African American"), missing=True),
            Feature("anaemia", Kind.BOOLEAN),
        ],
        actions=["Left", "Right"],
        max_lag=2,
    )
    curve = Condition(Term("velocity", 0.11, 3), Operator.LT, Term("angle", 0.87, lag=2))
    race, anaemia = Condition(Term("race"), Operator.NE, "Asian"), Condition(Term("anaemia"), Operator.EQ, True)
    unknown, fast = Condition(Term("race"), Operator.IS_MISSING), Condition(Term("velocity"), Operator.GE, -0.98)
    rules = (
        Rule((curve,), "Left", 0.59, "safety limit", True),
        Rule((race, anaemia), "Right"),
        Rule((unknown, fast), "Left"),
    )
    return RuleSet(rules, "Right", schema, 0.13, Mode.VOTE)


EXAMPLE = """\
{
  "format": "evoter-ruleset",
  "version": 1,
  "mode": "vote",
  "features": [
    {"name": "velocity", "kind": "numeric", "low": -8.0, "high": 10.0, "unit": "m/s", "scaled": true},
    {"name": "angle", "kind": "numeric"},
    {"name": "race", "kind": "categorical", "categories": ["Asian", "African American"], "missing": true},
    {"name": "anaemia", "kind": "boolean"}
  ],
  "actions": ["Left", "Right"],
  "max_lag": 2,
  "rules": [
    {
      "name": "safety limit",
      "pinned": true,
      "conditions": [
        {"left": {"feature": "velocity", "coefficient": 0.11, "power": 3}, "operator": "<", "right": {"feature": "angle", "coefficient": 0.87, "lag": 2}}
      ],
      "action": "Left",
      "certainty": 0.59
    },
    {
      "conditions": [
        {"left": {"feature": "race"}, "operator": "!=", "right": "Asian"},
        {"left": {"feature": "anaemia"}, "operator": "=", "right": true}
      ],
      "action": "Right"
    },
    {
      "conditions": [
        {"left": {"feature": "race"}, "operator": "is missing"},
        {"left": {"feature": "velocity"}, "operator": ">=", "right": -0.98}
      ],
      "action": "Left"
    }
  ],
  "default": {"action": "Right", "certainty": 0.13}
}"""


@cache
def validator(version: int) -> Draft202012Validator:
    return Draft202012Validator(json_schema(version))


def test_the_published_schemas_are_schemas_without_a_host() -> None:
    for version in (1, 2):
        Draft202012Validator.check_schema(json_schema(version))
        assert json_schema(version)["$id"].startswith("urn:")
    with pytest.raises(ValueError, match="there is no version 3 of the format; the newest is 2"):
        json_schema(3)


def test_a_document_is_readable(example: RuleSet) -> None:
    assert dumps(example) == EXAMPLE
    assert loads(EXAMPLE) == example


@examples(2000)
@given(rulesets(max_rules=3, max_conditions=3))
def test_reading_what_was_written_gives_an_equal_rule_set(ruleset: RuleSet) -> None:
    assert loads(dumps(ruleset)) == ruleset
    assert loads(dumps(ruleset, indent=None).encode()) == ruleset


@examples(100)
@given(rulesets(), st.sampled_from([None, 0, 4]))
def test_what_is_written_fits_the_published_schema(ruleset: RuleSet, indent: int | None) -> None:
    document = json.loads(dumps(ruleset, indent=indent))
    assert document == json.loads(dumps(ruleset))
    validator(document["version"]).validate(document)


def test_files_are_written_and_read(example: RuleSet, tmp_path: Path) -> None:
    save(example, tmp_path / "rules.json")
    assert load(str(tmp_path / "rules.json")) == example
    assert (tmp_path / "rules.json").read_text("utf-8") == EXAMPLE + "\n"


# Structural mutations: the schema and the reader must agree wherever a schema can tell.

ODD_VALUES: list[Any] = [
    None, True, False, 0, 1, 2, 3, 4, -1, 0.5, 1.0, 2.0, 1.5, "", " ", "1", "<=", "=", "is missing", "true", "numeric", "boolean",
    "categorical", "first", [], {}, ["a"], ["a", "a"], [1], [[]], {"feature": "x"}, {"action": "a"}, 10**400, -(10**400), 1e308,
    2 * 10**6, "x" * 1001, "x\n", "\x85x", "\u2003", int(sys.float_info.max) + 1, "amount",
    "weekday of year-month-day", "month of day-month-year", "days since 2024-01-31 of day-month-year",
]  # fmt: skip
ODD_KEYS = [
    "format", "version", "mode", "features", "actions", "max_lag", "rules", "default", "name", "kind", "low", "high", "categories",
    "unit", "scaled", "missing", "missing_texts", "decimal_comma", "cells", "column", "pinned", "conditions", "action", "certainty", "left", "operator", "right", "feature",
    "coefficient", "power", "lag", "metadata", "__class__",
]  # fmt: skip


def places(tree: object, path: Place = ()) -> Iterator[Place]:
    yield path
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


@st.composite
def mutants(draw: st.DrawFn) -> Any:
    """A valid document with one to three values replaced, removed, added or moved."""
    tree: Any = json.loads(dumps(draw(rulesets(max_rules=2, max_conditions=2))))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places(tree))))
        holder = tree
        for key in path[:-1]:
            holder = holder[key]
        action = draw(st.sampled_from(["replace", "remove", "add", "copy"]))
        here = holder[path[-1]] if path else tree
        if action == "add" and isinstance(here, dict):
            here[draw(st.sampled_from(ODD_KEYS))] = copy.deepcopy(draw(st.sampled_from(ODD_VALUES)))
        elif action == "add" and isinstance(here, list):
            here.append(copy.deepcopy(draw(st.sampled_from(ODD_VALUES + here))))
        elif not path:
            return copy.deepcopy(draw(st.sampled_from(ODD_VALUES)))
        elif action == "remove":
            del holder[path[-1]]
        elif action == "copy":
            other: Any = tree
            for key in draw(st.sampled_from(list(places(tree)))):
                other = other[key]
            holder[path[-1]] = copy.deepcopy(other)
        else:
            holder[path[-1]] = copy.deepcopy(draw(st.sampled_from(ODD_VALUES)))
    return tree


BEYOND_A_SCHEMA = re.compile(
    r"unknown (feature|action)|has no category|twice$|is above high|beyond the schema's max_lag|"
    r"is (numeric|categorical|boolean)( and cannot|: compare|: only|: a sum adds)|comparisons of numeric features only|"
    r"a sum reads two features"
)


@settings(examples(500), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(mutants())
def test_the_reader_and_the_schema_agree(tree: Any) -> None:
    """The schema's no is the reader's no; the reader's no is the schema's, or concerns what no schema can say."""
    version = tree.get("version") if isinstance(tree, dict) else None
    valid = validator(2 if version == 2 else 1).is_valid(tree)
    try:
        loads(json.dumps(tree))
        complaint = ""
    except RuleFileError as error:
        complaint = error.message
    assert valid or complaint
    assert not valid or not complaint or BEYOND_A_SCHEMA.search(complaint), complaint


def test_the_schema_and_the_reader_trim_the_same_characters() -> None:
    pattern = re.compile(json_schema()["$defs"]["name"]["not"]["pattern"])
    for code in range(sys.maxunicode + 1):
        assert bool(pattern.search(chr(code))) == chr(code).isspace(), hex(code)


# One wrong document after another, and what is said about it.


def edited(old: str, new: str) -> str:
    assert EXAMPLE.count(old) == 1, old
    return EXAMPLE.replace(old, new)


@pytest.mark.parametrize(
    ("old", "new", "path", "message"),
    [
        ('"format": "evoter-ruleset"', '"format": "other"', "format", 'must be "evoter-ruleset", not "other"'),
        ('"format": "evoter-ruleset",', "", "", "the key 'format' is missing"),
        ('"version": 1', '"version": 3', "version", "version 3 of the format, newer than version 2; update evoter"),
        ('"version": 1', '"version": 0', "version", "must be 1 or 2, not 0"),
        ('"version": 1', '"version": true', "version", "must be a number, not true"),
        ('"version": 1', '"version": "1"', "version", 'must be a number, not "1"'),
        ('"mode": "vote"', '"mode": "votes"', "mode", f'must be one of {MODES}, not "votes"'),
        ('"mode": "vote"', '"modes": "vote"', "", "unknown key \"modes\"; did you mean 'mode'"),
        ('"mode": "vote"', '"mode": "vote", "mode": "all"', "", 'the key "mode" occurs more than once'),
        ('"low": -8.0', '"low": true', "features[0].low", "must be a number, not true"),
        ('"low": -8.0', '"low": "-8"', "features[0].low", 'must be a number, not "-8"'),
        ('"low": -8.0', '"low": NaN', "features[0].low", "must be a finite number that fits 64 bits, not NaN"),
        ('"low": -8.0', '"low": -Infinity', "features[0].low", "must be a finite number that fits 64 bits, not -Infinity"),
        ('"low": -8.0', '"low": 1e999', "features[0].low", "must be a finite number that fits 64 bits, not Infinity"),
        ('"low": -8.0', f'"low": -{"9" * 400}', "features[0].low", "must be a finite number that fits 64 bits"),
        ('"low": -8.0', f'"low": -{"9" * 5000}', "features[0].low", "must be a finite number that fits 64 bits"),
        ('"low": -8.0', '"low": 11', "features[0]", "low 11.0 is above high 10.0"),
        ('"low": -8.0, ', "", "features[0]", "which needs both low and high"),
        ('"unit": "m/s"', '"unit": "m/s", "unit": "m/s"', "features[0]", 'the key "unit" occurs more than once'),
        ('"angle", "kind": "numeric"', '"angle", "kind": "number"', "features[1].kind", 'must be one of "numeric"'),
        ('"angle", "kind": "numeric"', '"angle"', "features[1].kind", 'must be one of "numeric"'),
        ('"angle", "kind": "numeric"', '"angle ", "kind": "numeric"', "features[1].name", 'end; got "angle "'),
        ('"angle", "kind": "numeric"', '"\\ud800", "kind": "numeric"', "features[1].name", 'got "\\ud800"'),
        ('"angle", "kind": "numeric"', '"velocity", "kind": "numeric"', "features", "the feature 'velocity' twice"),
        ('"anaemia", "kind": "boolean"', '"anaemia", "kind": "boolean", "low": 0', "features[3]", 'unknown key "low"'),
        ('["Asian", "African American"]', "[]", "features[2]", "list their categories"),
        ('["Asian", "African American"]', '"Asian"', "features[2].categories", 'must be a list, not "Asian"'),
        ('["Asian", "African American"]', '["Asian", 5]', "features[2].categories[1]", "must be text, not 5"),
        ('["Left", "Right"]', "[]", "actions", "at least one action"),
        ('["Left", "Right"]', '["Left", "Right", "Left"]', "actions", "the action 'Left' twice"),
        ('"max_lag": 2', '"max_lag": 2.5', "max_lag", "must be a whole number from 0 to 1000000, not 2.5"),
        ('"max_lag": 2', '"max_lag": 1', "rules[0].conditions[0]", "lag 2 is beyond the schema's max_lag 1"),
        ('"pinned": true', '"pinned": 1', "rules[0].pinned", "must be true or false, not 1"),
        ('"name": "safety limit"', '"name": ""', "rules[0].name", 'got ""'),
        ('"certainty": 0.59', '"certainty": 0', "rules[0].certainty", "must be above 0 and at most 1, not 0"),
        ('"certainty": 0.59', '"certainty": 1.01', "rules[0].certainty", "must be above 0 and at most 1, not 1.01"),
        ('"certainty": 0.13', '"certainty": -1', "default.certainty", "must be above 0 and at most 1, not -1"),
        ('{"action": "Right", "certainty": 0.13}', '"Right"', "default", 'must be an object, not "Right"'),
        ('{"action": "Right", "certainty": 0.13}', '{"action": "right"}', "default.action", "did you mean 'Right'"),
        ('"power": 3', '"power": 4', "rules[0].conditions[0].left.power", "must be a whole number from 1 to 3, not 4"),
        ('"power": 3', '"powers": 3', "rules[0].conditions[0].left", "unknown key \"powers\"; did you mean 'power'"),
        ('"feature": "angle"', '"feature": "angel"', "rules[0].conditions[0].right.feature", "did you mean 'angle'"),
        ('"angle", "coefficient": 0.87', '"race"', "rules[0].conditions[0]", "cannot be compared with 'race'"),
        ('"operator": "!="', '"operator": "<>"', "rules[1].conditions[0].operator", 'must be one of "=", "!="'),
        ('"operator": "!="', '"operator": "<"', "rules[1].conditions[0]", "only = and != apply"),
        ('"right": "Asian"', '"right": "asian"', "rules[1].conditions[0]", "has no category 'asian'; did you mean 'Asian'"),
        ('"right": "Asian"', '"right": null', "rules[1].conditions[0].right", "a number, a list of categories, a category, true, false, a sum or a term"),
        (', "right": -0.98', "", "rules[2].conditions[1]", "needs a right-hand side"),
        ('"operator": "is missing"', '"operator": "is missing", "right": 1', "rules[2].conditions[0]", "takes no right-hand side"),
    ],
)  # fmt: skip
def test_an_error_names_place_value_and_remedy(old: str, new: str, path: str, message: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        loads(edited(old, new))
    assert caught.value.path == path
    assert message in caught.value.message
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("", "the document is empty"),
        (" \n", "the document is empty"),
        ("{", "not valid JSON at line 1, column 2"),
        ("{'format': 1}", "not valid JSON at line 1, column 2"),
        ("[]", "must be an object, not a list of 0"),
        ("null", "must be an object, not null"),
        ('"' + "x" * 1000 + '"', "..."),
        ("\ufeff{}", "byte order mark"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ("{}".encode("utf-16"), "not valid UTF-8"),
        (b'{"format": "\xff"}', "byte 12 is not valid UTF-8"),
        ("[" * 100_000, "nested too deeply"),
        ('{"format":' * 100_000, "nested too deeply"),
        ("[" * 500 + "]" * 500, "must be an object, not a list of 1"),
        (edited('["Left", "Right"]', "[" * 500 + "]" * 500), "must be text, not a list of 1"),
        (b" " * (MAX_FILE_BYTES + 1), "longer than"),
        ("{" + ",".join(f'"{number}": 1' for number in range(100_000)) + ', "7": 1}', 'the key "7" occurs more than once'),
        ("__import__('os').system('true')", "not valid JSON"),
    ],
)  # fmt: skip
def test_hostile_documents_are_refused(document: str | bytes, message: str) -> None:
    with pytest.raises(RuleFileError) as caught:
        loads(document)
    assert message in str(caught.value)
    assert len(str(caught.value)) < 400


@examples(500)
@given(st.one_of(st.binary(max_size=60), st.text(max_size=60)), st.integers(0, len(EXAMPLE)), st.integers(0, 30))
def test_garbage_gives_an_error_of_the_rule_language_or_a_rule_set(noise: str | bytes, start: int, length: int) -> None:
    text = EXAMPLE.encode()
    noise = noise.encode("utf-8", "surrogatepass") if isinstance(noise, str) else noise
    try:
        ruleset = loads(text[:start] + noise + text[start + length :])
    except RuleFileError:
        return
    assert loads(dumps(ruleset)) == ruleset


def test_whole_numbers_may_be_written_either_way(example: RuleSet) -> None:
    assert loads(edited('"power": 3', '"power": 3.0').replace('"version": 1', '"version": 1.0')) == example
    assert loads(edited('"low": -8.0', '"low": -8')) == example


def test_many_rules_load_in_time_that_grows_with_their_number() -> None:
    schema = Schema([Feature("code", Kind.CATEGORICAL, categories=tuple(map(str, range(20_000))))], ["a"])
    rules = tuple(Rule((Condition(Term("code"), Operator.EQ, str(number)),), "a") for number in range(20_000))
    ruleset = RuleSet(rules, "a", schema)
    assert loads(dumps(ruleset)) == ruleset


def test_a_step_needs_version_2() -> None:
    rules = parse("x = 1 -> a; Default -> b; where x: binary; y: numeric, step 0.5; actions: a | b")
    text = dumps(rules)
    assert '"version": 2' in text
    assert '{"name": "x", "kind": "numeric", "low": 0.0, "high": 1.0, "step": 1.0}' in text
    assert loads(text) == rules
    with pytest.raises(RuleFileError, match=r"features\[0\]: unknown key .step."):
        loads(text.replace('"version": 2', '"version": 1'))
    assert '"version": 1' in dumps(parse("x = 1 -> a; Default -> b"))
