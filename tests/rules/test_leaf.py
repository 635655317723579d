"""Exchange with leaf-common, judged by the released package: the same votes and the same counts."""

import json
import math
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest
from leaf_common.representation.rule_based.evaluation.rule_set_binding_evaluator import RuleSetBindingEvaluator
from leaf_common.representation.rule_based.evaluation.rule_set_evaluator import RuleSetEvaluator
from leaf_common.representation.rule_based.serialization.rule_set_binding_dictionary_converter import (
    RuleSetBindingDictionaryConverter,
)
from leaf_common.representation.rule_based.serialization.rule_set_dictionary_converter import RuleSetDictionaryConverter

from evoter.rules.errors import RuleError, RuleFileError
from evoter.rules.interpreter import decide_series, polls
from evoter.rules.leaf import dumps_leaf, load_leaf, loads_leaf, save_leaf
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.simplify import simplify
from evoter.rules.text import print_rule

N_RULESETS = 120
N_STEPS = 50
"""Each law below is judged on 120 * 50 = 6,000 decisions per form of the file."""

Row = dict[str, float | str | bool | None]
Judgement = tuple[list[list[float]], list[int], int]
"""The mean coefficient of each action at each step, how often each rule was applied, and how often the default."""


def leaf_judges_binding(text: str, columns: Sequence[Sequence[float]]) -> Judgement:
    binding = RuleSetBindingDictionaryConverter().from_dict(json.loads(text))
    votes = RuleSetBindingEvaluator().evaluate(binding, columns)
    return votes, [rule.times_applied for rule in binding.rules.rules], binding.rules.times_applied


def leaf_judges_bare(text: str, columns: Sequence[Sequence[float]], n_actions: int) -> Judgement:
    ruleset = RuleSetDictionaryConverter().from_dict(json.loads(text))
    states = {str(number): "" for number in range(len(columns))}
    evaluator = RuleSetEvaluator(states, {str(number): "" for number in range(n_actions)})
    votes = []
    for step in zip(*columns, strict=True):
        poll = evaluator.evaluate(ruleset, step)
        votes.append(
            [
                poll[str(number)]["action_coefficient"] / max(1, poll[str(number)]["action_count"])
                for number in range(n_actions)
            ]
        )
    return votes, [rule.times_applied for rule in ruleset.rules], ruleset.times_applied


def we_judge(ruleset: RuleSet, rows: Iterable[Row]) -> Judgement:
    verdict = decide_series(ruleset, rows)
    votes = [list(polls(ruleset, decision).values()) for decision in verdict.decisions]
    return votes, list(verdict.times_applied), verdict.default_applied


def encoded(schema: Schema, rows: Sequence[Row]) -> list[list[float]]:
    """The columns that stand for rows: one-hot categories, truth values as 0 and 1, all NaN where missing."""
    columns: list[list[float]] = []
    for feature in schema.features:
        values = [row[feature.name] for row in rows]
        if feature.kind is Kind.CATEGORICAL:
            columns += [
                [math.nan if value is None else float(value == name) for value in values] for name in feature.categories
            ]
        else:
            columns.append([math.nan if value is None else float(value) for value in values])
    return columns


class Source:
    """Random rule sets and rows, made of numbers of one of three sorts.

    Among eighths all arithmetic is exact and values often equal constants. Hundredths are what people write: values equal
    constants, but arithmetic rounds and many a constant has no exact fraction; they stand in plain comparisons. Then there
    are numbers with all their digits.
    """

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.plain = seed % 3 == 1
        self.number: Callable[[float, float], float] = (self.eighths, self.hundredths, self.rng.uniform)[seed % 3]

    def eighths(self, low: float, high: float) -> float:
        return self.rng.randint(round(low * 8), round(high * 8)) / 8

    def hundredths(self, low: float, high: float) -> float:
        return self.rng.randint(round(low * 100), round(high * 100)) / 100

    def feature(self, name: str) -> Feature:
        kind = self.rng.choice(list(Kind))
        missing = self.rng.random() < 0.3
        if kind is Kind.CATEGORICAL:
            return Feature(
                name,
                kind,
                categories=("Asian", "African American", "a_is_b")[: self.rng.randint(1, 3)],
                missing=missing,
            )
        if kind is Kind.BOOLEAN:
            return Feature(name, kind, missing=missing)
        low = self.number(-12, 8)
        return Feature(name, kind, low, low + self.number(0.25, 12), scaled=False, missing=missing)

    def schema(self) -> Schema:
        features = [
            Feature("x", low=-1, high=1),
            *(self.feature(f"feature {n}") for n in range(self.rng.randint(1, 4))),
        ]
        return Schema(features, [f"action {n}" for n in range(self.rng.randint(1, 12))], self.rng.randint(0, 3))

    def term(self, schema: Schema, feature: Feature) -> Term:
        if self.plain:
            return Term(feature.name, lag=self.rng.randint(0, schema.max_lag))
        coefficient = self.rng.choice([1.0, self.number(0.125, 1), self.number(-2, 2)])
        return Term(feature.name, coefficient, self.rng.randint(1, 3), self.rng.randint(0, schema.max_lag))

    def condition(self, schema: Schema) -> Condition:
        feature = self.rng.choice(schema.features)
        plain = Term(feature.name, lag=self.rng.randint(0, schema.max_lag))
        if self.rng.random() < 0.1:
            return Condition(plain, Operator.IS_PRESENT)
        equality = self.rng.choice([Operator.EQ, Operator.NE])
        if feature.kind is Kind.CATEGORICAL:
            return Condition(plain, equality, self.rng.choice(feature.categories))
        if feature.kind is Kind.BOOLEAN:
            return Condition(plain, equality, self.rng.random() < 0.5)
        inequality = self.rng.choice([Operator.LT, Operator.LE, Operator.GT, Operator.GE, Operator.EQ])
        if self.rng.random() < 0.3:
            other = self.rng.choice([other for other in schema.features if other.kind is Kind.NUMERIC])
            return Condition(self.term(schema, feature), inequality, self.term(schema, other))
        low, high = feature.bounds
        left = self.rng.choice([plain, self.term(schema, feature)])
        return Condition(
            left, inequality, self.rng.choice([low, high, self.number(low, high), self.number(low - 3, high)])
        )

    def ruleset(self) -> RuleSet:
        schema = self.schema()
        rules = tuple(
            Rule(
                tuple(self.condition(schema) for _ in range(self.rng.randint(1, 3))),
                self.rng.choice(schema.actions),
                self.rng.randint(1, 100) / 100,
            )
            for _ in range(self.rng.randint(1, 6))
        )
        return RuleSet(rules, self.rng.choice(schema.actions), schema, self.rng.randint(1, 100) / 100, Mode.VOTE)

    def value(self, feature: Feature) -> float | str | bool | None:
        if feature.missing and self.rng.random() < 0.2:
            return None
        if feature.kind is Kind.CATEGORICAL:
            return self.rng.choice(feature.categories)
        if feature.kind is Kind.BOOLEAN:
            return self.rng.random() < 0.5
        low, high = feature.bounds
        return min(max(self.rng.choice([low, high, self.number(low, high), self.number(low, high)]), low), high)

    def rows(self, ruleset: RuleSet, n_steps: int = N_STEPS) -> list[Row]:
        """Random rows; now and then a value is one of the constants that it is compared with."""
        rows = [{feature.name: self.value(feature) for feature in ruleset.schema.features} for _ in range(n_steps)]
        for rule in ruleset.rules:
            for condition in rule.conditions:
                low, high = ruleset.schema.feature(condition.left.feature).bounds
                if isinstance(condition.right, float) and low <= condition.right <= high:
                    for row in self.rng.sample(rows, n_steps // 10):
                        row[condition.left.feature] = condition.right
        return rows

    def leaf_condition(self, tree: dict[str, Any]) -> dict[str, Any]:
        states = list(tree["states"])
        numeric = [key for key in states if "_is_category_" not in tree["states"][key]]
        first = self.rng.choice(states)
        with_state = first in numeric and self.rng.random() < 0.4
        return {
            "first_state_key": first,
            "first_state_coefficient": 1.0 if self.plain else self.rng.choice([1.0, 1, self.number(-1, 2)]),
            "first_state_exponent": 1 if self.plain else self.rng.randint(1, 3),
            "first_state_lookback": self.rng.choice([0, 0, 1, 2]),
            "operator": self.rng.choice(["<", "<=", ">", ">="]),
            "second_state_key": self.rng.choice(numeric if with_state else ["value", "None", "999", None]),
            "second_state_coefficient": self.number(-1, 2),
            "second_state_exponent": 1 if self.plain else self.rng.randint(1, 3),
            "second_state_lookback": self.rng.choice([0, 0, 0, 1, 3]),
            "second_state_value": self.rng.choice([1.0, 1, 0, 0.5, self.rng.randint(0, 100) / 100]),
        }

    def leaf_binding(self) -> dict[str, Any]:
        """A binding such as leaf-common writes, over numeric columns and the one-hot columns of a category."""
        names = [
            "age",
            "race_is_category_Asian",
            "weight",
            "race_is_category_Other",
            "sex_is_category_F",
            "sex_is_category_M",
            "b.m.i.",
        ]
        tree: dict[str, Any] = {
            "key": "RuleSetBinding-1.0",
            "states": {str(number): name for number, name in enumerate(names)},
            "actions": {str(number): f"action {number}" for number in range(self.rng.randint(1, 11))},
        }
        actions = list(tree["actions"])
        min_maxes = {}
        for key, name in tree["states"].items():
            low = self.number(-20, 10)
            bounds = (0.0, 1.0) if "_is_category_" in name else (low, low + self.number(0, 30))
            min_maxes[key] = {"min": bounds[0], "max": bounds[1], "total": 17.5}
        tree["rules"] = {
            "representation_type": "RuleBased",
            "default_action": self.rng.choice(actions),
            "default_action_coefficient": self.rng.randint(1, 100) / 100,
            "min_maxes": min_maxes,
            "times_applied": 0,
            "age_state": 3,
            "rules": [
                {
                    "action": self.rng.choice(actions),
                    "action_coefficient": self.rng.randint(1, 100) / 100,
                    "action_lookback": 0,
                    "times_applied": 0,
                    "conditions": [self.leaf_condition(tree) for _ in range(self.rng.choice([0, 1, 1, 1, 2, 3]))],
                }
                for _ in range(self.rng.randint(1, 6))
            ],
        }
        return tree


@pytest.mark.parametrize("seed", range(N_RULESETS))
def test_leaf_common_decides_by_an_exported_file_as_we_do(seed: int) -> None:
    source = Source(seed)
    ruleset = source.ruleset()
    rows = source.rows(ruleset)
    ours, columns = we_judge(ruleset, rows), encoded(ruleset.schema, rows)
    bound, bare = dumps_leaf(ruleset), dumps_leaf(ruleset, binding=False)
    assert leaf_judges_binding(bound, columns) == ours
    assert leaf_judges_bare(bare, columns, len(ruleset.schema.actions)) == ours
    names = {part: json.loads(bound)[part] for part in ("states", "actions")}
    again = loads_leaf(bound)
    assert we_judge(again, rows) == ours
    assert loads_leaf(bare, **names) == again


@pytest.mark.parametrize("seed", range(N_RULESETS))
def test_we_decide_by_an_imported_file_as_leaf_common_does(seed: int) -> None:
    source = Source(seed)
    tree = source.leaf_binding()
    text = json.dumps(tree)
    ruleset = loads_leaf(text)
    rows = source.rows(ruleset)
    columns = columns_for(tree, rows)
    judged = leaf_judges_binding(text, columns)
    assert we_judge(ruleset, rows) == judged
    as_numbers = loads_leaf(text, categories=False)
    assert we_judge(as_numbers, one_hot_rows(tree, columns)) == judged
    assert leaf_judges_bare(json.dumps(tree["rules"]), columns, len(tree["actions"])) == judged
    assert loads_leaf(json.dumps(tree["rules"]), states=tree["states"], actions=tree["actions"]) == ruleset
    assert leaf_judges_binding(dumps_leaf(ruleset), encoded(ruleset.schema, rows)) == judged


def columns_for(tree: dict[str, Any], rows: Sequence[Row]) -> list[list[float]]:
    columns = []
    for name in tree["states"].values():
        feature, _, category = name.partition("_is_category_")
        columns.append([float(row[feature] == category) if category else float(row[feature] or 0.0) for row in rows])
    return columns


def one_hot_rows(tree: dict[str, Any], columns: Sequence[Sequence[float]]) -> list[Row]:
    return [dict(zip(tree["states"].values(), step, strict=True)) for step in zip(*columns, strict=True)]


def test_a_file_that_leaf_common_saved_after_evaluating_is_read_alike() -> None:
    source = Source(0)
    tree = source.leaf_binding()
    text = json.dumps(tree)
    ruleset = loads_leaf(text)
    evaluated = RuleSetBindingDictionaryConverter().from_dict(tree)
    RuleSetBindingEvaluator().evaluate(evaluated, columns_for(tree, source.rows(ruleset)))
    saved = json.dumps(RuleSetBindingDictionaryConverter().to_dict(evaluated), indent=4, sort_keys=True)
    assert saved != text
    assert loads_leaf(saved) == ruleset


def test_a_lag_is_good_for_as_long_as_leaf_common_remembers() -> None:
    """Two actions make a memory of 200 steps, of which the oldest is never forgotten and then misleads."""
    schema = Schema([Feature("x", low=0, high=600)], ["Left", "Right"], max_lag=200)

    def lagging(lag: int) -> RuleSet:
        condition = Condition(Term("x", lag=lag), Operator.GE, 100.0)
        return RuleSet((Rule((condition,), "Left"),), "Right", schema, mode=Mode.VOTE)

    rows: list[Row] = [{"x": float(step)} for step in range(600)]
    columns = encoded(schema, rows)
    assert leaf_judges_binding(dumps_leaf(lagging(198)), columns) == we_judge(lagging(198), rows)
    with pytest.raises(RuleError, match=r"rule 1: 'x': with 2 actions leaf-common looks back at most 198 steps"):
        dumps_leaf(lagging(199))
    beyond = dumps_leaf(lagging(198)).replace('"first_state_lookback": 198', '"first_state_lookback": 199')
    assert leaf_judges_binding(beyond, columns) != we_judge(lagging(199), rows)
    with pytest.raises(RuleFileError, match="remembers too little for 199") as caught:
        loads_leaf(beyond)
    assert caught.value.path == "rules.rules[0].conditions[0].first_state_lookback"


def binding(**changes: object) -> dict[str, Any]:
    """A small binding with one rule; a change is given by the last part of its place."""
    condition = {
        "first_state_key": "0",
        "first_state_coefficient": 1.0,
        "first_state_exponent": 1,
        "first_state_lookback": 0,
        "operator": "<=",
        "second_state_key": "value",
        "second_state_coefficient": 1.0,
        "second_state_exponent": 1,
        "second_state_lookback": 0,
        "second_state_value": 0.25,
    }
    rule = {
        "action": "1",
        "action_coefficient": 0.5,
        "action_lookback": 0,
        "times_applied": 0,
        "conditions": [condition],
    }
    rules = {
        "representation_type": "RuleBased",
        "rules": [rule],
        "default_action": "0",
        "default_action_coefficient": 0.75,
        "min_maxes": {"0": {"min": 10.0, "max": 30.0, "total": 0.0}, "1": {"min": 0.0, "max": 1.0, "total": 0.0}},
        "times_applied": 0,
        "age_state": 0,
    }
    whole: dict[str, Any] = {
        "key": "RuleSetBinding-1.0",
        "states": {"0": "age", "1": "race_is_category_Asian", "2": "race_is_category_Other"},
        "actions": {"0": "No", "1": "Yes"},
        "rules": rules,
    }
    for name, value in changes.items():
        next(part for part in (condition, rule, rules, whole) if name in part)[name] = value
    return whole


RACE = Feature("race", Kind.CATEGORICAL, categories=("Asian", "Other"))


def test_a_binding_becomes_a_rule_set_of_mode_vote() -> None:
    schema = Schema([Feature("age", low=10, high=30), RACE], ["No", "Yes"])
    rule = Rule((Condition(Term("age"), Operator.LE, 15.0),), "Yes", 0.5)
    assert loads_leaf(json.dumps(binding())) == RuleSet((rule,), "No", schema, 0.75, Mode.VOTE)


def test_a_bare_rule_set_is_named_by_its_keys_or_by_the_caller() -> None:
    bare = json.dumps(binding()["rules"])
    nameless = loads_leaf(bare)
    assert nameless.schema.names == ("0", "1")
    assert nameless.schema.actions == ("0", "1")
    named = loads_leaf(bare, states={"0": "age", "1": "race_is_category_Asian"}, actions={"0": "No", "1": "Yes"})
    assert named.schema.names == ("age", "race")
    assert named.default == "No"


@pytest.mark.parametrize(
    ("operator", "fraction", "coefficient", "conditions"),
    [
        (">=", 1.0, 1.0, [(Operator.EQ, "Asian")]),
        ("<", 1.0, 1.0, [(Operator.NE, "Asian")]),
        (">", 0.5, 1.0, [(Operator.EQ, "Asian")]),
        (">=", 0.0, 1.0, [(Operator.IS_PRESENT, None)]),
        (">", 1.0, 1.0, [(Operator.EQ, "Asian"), (Operator.NE, "Asian")]),
        (">=", 1.0, 0.5, [(Operator.EQ, "Asian"), (Operator.NE, "Asian")]),
    ],
)
def test_a_comparison_of_a_one_hot_column_is_read_by_what_it_says_of_zero_and_one(
    operator: str, fraction: float, coefficient: float, conditions: list[tuple[Operator, str | None]]
) -> None:
    changes = {"first_state_coefficient": coefficient, "operator": operator, "second_state_value": fraction}
    ruleset = loads_leaf(json.dumps(binding(first_state_key="1", **changes)))
    assert ruleset.rules[0].conditions == tuple(Condition(Term("race"), *parts) for parts in conditions)


def test_a_constant_that_waits_for_history_waits_with_us() -> None:
    ruleset = loads_leaf(json.dumps(binding(second_state_lookback=2)))
    assert ruleset.schema.max_lag == 2
    assert ruleset.rules[0].conditions[1] == Condition(Term("age", lag=2), Operator.IS_PRESENT)


def test_what_leaf_common_does_not_read_may_be_missing_or_odd() -> None:
    tree = binding(times_applied=None, age_state="?")
    for unread in ("second_state_coefficient", "second_state_exponent", "second_state_key"):
        del tree["rules"]["rules"][0]["conditions"][0][unread]
    tree["rules"]["min_maxes"]["0"]["total"] = math.nan
    tree["comment"] = "kept by someone"
    assert loads_leaf(json.dumps(tree)) == loads_leaf(json.dumps(binding()))


@pytest.mark.parametrize(
    ("changes", "path", "message"),
    [
        ({"key": "RuleSetBinding-2.0"}, "key", 'must be "RuleSetBinding-1.0", not "RuleSetBinding-2.0"'),
        ({"representation_type": "NNWeights"}, "rules.representation_type", 'must be "RuleBased", not "NNWeights"'),
        ({"states": {"zero": "age"}}, "states", 'keys are numbers such as "0", not "zero"'),
        ({"states": {"0": "age", "1": "age"}}, "states", "the name 'age' twice"),
        ({"states": {"0": "race", "1": "race_is_category_A"}}, "states", "rename it or pass categories=False"),
        ({"states": {"0": "age", "1": "race_is_category_"}}, "states.1", "a name has"),
        ({"states": ["age"]}, "states", "must be an object, not a list of 1"),
        ({"actions": {}}, "rules.rules[0].action", 'unknown action "1"'),
        ({"action": "7"}, "rules.rules[0].action", "unknown action \"7\"; known: '0', '1'"),
        ({"action": 1}, "rules.rules[0].action", "must be text, not 1"),
        ({"action_lookback": 2}, "rules.rules[0].action_lookback", "repeats an earlier action, which leaf-common itself cannot"),
        ({"action_coefficient": 0.0}, "rules.rules[0].action_coefficient", "must be above 0 and at most 1, not 0.0"),
        ({"default_action_coefficient": 1.5}, "rules.default_action_coefficient", "must be above 0 and at most 1, not 1.5"),
        ({"default_action": None}, "rules.default_action", "must be text, not null"),
        ({"first_state_key": "9"}, "rules.rules[0].conditions[0].first_state_key", 'unknown state "9"'),
        ({"first_state_exponent": 4}, "rules.rules[0].conditions[0].first_state_exponent", "from 1 to 3, not 4"),
        ({"first_state_exponent": 0}, "rules.rules[0].conditions[0].first_state_exponent", "from 1 to 3, not 0"),
        ({"first_state_lookback": True}, "rules.rules[0].conditions[0].first_state_lookback", "must be a number, not true"),
        ({"operator": "=="}, "rules.rules[0].conditions[0].operator", 'must be one of "<", "<=", ">", ">=", not "=="'),
        ({"operator": "="}, "rules.rules[0].conditions[0].operator", 'must be one of "<", "<=", ">", ">=", not "="'),
        ({"second_state_key": []}, "rules.rules[0].conditions[0].second_state_key", "must be text, not a list of 0"),
        ({"second_state_key": "1"}, "rules.rules[0].conditions[0]", "pass categories=False to read one-hot columns as numbers"),
        ({"second_state_value": "0.5"}, "rules.rules[0].conditions[0].second_state_value", 'must be a number, not "0.5"'),
        ({"second_state_value": 1e308}, "rules.rules[0].conditions[0].second_state_value", "is not a finite number"),
        ({"min_maxes": {}}, "rules.rules[0].conditions[0].second_state_value", "min_maxes has no range for \"age\""),
        ({"min_maxes": {"0": {"min": 1, "max": 0}}}, "rules.min_maxes.0", "min 1.0 is above max 0.0"),
        ({"min_maxes": {"0": {"min": 1}}}, "rules.min_maxes.0", "the key 'max' is missing"),
        ({"min_maxes": {"0": {"min": 1, "max": math.inf}}}, "rules.min_maxes.0.max", "must be a finite number"),
        ({"rules": []}, "rules", "must be an object, not a list of 0"),
        ({"conditions": [5]}, "rules.rules[0].conditions[0]", "must be an object, not 5"),
        ({"conditions": [], "states": {}}, "rules.rules[0]", "needs a state to refer to"),
    ],
)  # fmt: skip
def test_an_error_names_place_value_and_remedy(changes: dict[str, object], path: str, message: str) -> None:
    tree = binding(**{key: value for key, value in changes.items() if key != "rules"})
    if "rules" in changes:
        tree["rules"] = changes["rules"]
    with pytest.raises(RuleFileError) as caught:
        loads_leaf(json.dumps(tree))
    assert caught.value.path == path
    assert message in caught.value.message


@pytest.mark.parametrize("text", ["", "[]", "{}", "[" * 100_000, '{"key": 1, "key": 1}', b"\xff", '{"key": {}}'])
def test_other_documents_are_refused(text: str | bytes) -> None:
    with pytest.raises(RuleFileError):
        loads_leaf(text)


def test_names_are_for_bare_rule_sets_only() -> None:
    with pytest.raises(RuleFileError, match="names its states and actions itself"):
        loads_leaf(json.dumps(binding()), states={"0": "age"})
    without_ranges = binding(min_maxes={})["rules"]
    with pytest.raises(RuleFileError, match="pass their names as `states`"):
        loads_leaf(json.dumps(without_ranges))


NUMERIC = Feature("x", low=0, high=8)


def ruleset_of(condition: Condition, *features: Feature, mode: Mode = Mode.VOTE) -> RuleSet:
    return RuleSet((Rule((condition,), "go"),), "go", Schema(features, ["go"]), mode=mode)


@pytest.mark.parametrize(
    ("ruleset", "message"),
    [
        (ruleset_of(Condition(Term("x"), Operator.LT, 1.0), NUMERIC, mode=Mode.FIRST), "this rule set's mode is 'first'; use ruleset.replace"),
        (RuleSet((), "go", Schema([NUMERIC], ["go"]), mode=Mode.VOTE), "cannot evaluate a rule set without rules"),
        (ruleset_of(Condition(Term("x"), Operator.NE, 1.0), NUMERIC), "rule 1: 'x': leaf-common has no !=; split the rule"),
        (ruleset_of(Condition(Term("x"), Operator.IS_MISSING), NUMERIC), "rule 1: 'x': leaf-common has no test for a missing value"),
        (ruleset_of(Condition(Term("x"), Operator.LT, Term("y")), NUMERIC, Feature("y", low=0, high=8, scaled=True)), "rule 1: 'y': leaf-common compares raw values only"),
        (ruleset_of(Condition(Term("x"), Operator.LT, 1.0), Feature("x", low=0)), "needs a range for every feature and 'x' has none"),
        (ruleset_of(Condition(Term("x"), Operator.LT, 1.0), Feature("x", low=0, high=0)), "rule 1: 'x': 1.0 is no fraction of the range 0.0 to 0.0"),
        (ruleset_of(Condition(Term("x"), Operator.LT, 1.0), NUMERIC, Feature("a_is_category_b", Kind.BOOLEAN)), "would take 'a_is_category_b' for a category of 'a'"),
        (ruleset_of(Condition(Term("x"), Operator.LT, 1.0), NUMERIC, Feature("a_is_category", Kind.CATEGORICAL, categories=("b",))), "for a category of 'a'"),
    ],
)  # fmt: skip
def test_what_leaf_common_cannot_say_is_refused(ruleset: RuleSet, message: str) -> None:
    with pytest.raises(RuleError) as caught:
        dumps_leaf(ruleset)
    assert message in str(caught.value)


def test_a_scale_from_0_to_1_changes_nothing_and_is_let_through() -> None:
    unit = Feature("y", low=0, high=1, scaled=True)
    ruleset = ruleset_of(Condition(Term("x"), Operator.LT, Term("y", 0.5, 2)), NUMERIC, unit)
    assert loads_leaf(dumps_leaf(ruleset)).rules == ruleset.rules


def test_files_are_written_and_read(tmp_path: Path) -> None:
    ruleset = loads_leaf(json.dumps(binding()))
    save_leaf(ruleset, tmp_path / "rules.json")
    assert load_leaf(tmp_path / "rules.json") == ruleset
    save_leaf(ruleset, tmp_path / "bare.rules", binding=False)
    bare = load_leaf(
        tmp_path / "bare.rules", states={"0": "age", "1": "race_is_category_Asian"}, actions={"0": "No", "1": "Yes"}
    )
    assert bare.rules == ruleset.rules


ONE_HOT = ["race_is_category_Asian", "race_is_category_Other", "race_is_category_none", "sex_is_category_F", "age"]


@pytest.mark.parametrize("seed", range(N_RULESETS))
def test_a_comparison_of_two_one_hot_columns_says_something_about_categories(seed: int) -> None:
    rng = random.Random(seed)
    first, second = rng.randrange(4), rng.randrange(4)
    tree = binding(
        first_state_key=str(first),
        first_state_coefficient=rng.choice([1.0, 0.18, -0.5, rng.randint(1, 100) / 100]),
        first_state_exponent=rng.randint(1, 3),
        first_state_lookback=rng.choice([0, 0, 1]),
        operator=rng.choice(["<", "<=", ">", ">="]),
        second_state_key=str(second),
        second_state_coefficient=rng.choice([1.0, 0.38, -0.5, rng.randint(1, 100) / 100]),
        second_state_exponent=rng.randint(1, 3),
        second_state_lookback=rng.choice([0, 0, 1]),
    )
    tree["states"] = {str(number): name for number, name in enumerate(ONE_HOT)}
    tree["rules"]["min_maxes"] = {key: {"min": 0.0, "max": 1.0, "total": 1.0} for key in tree["states"]}
    rows: list[Row] = [
        {"race": rng.choice(["Asian", "Other", "none"]), "sex": rng.choice(["F", "F"]), "age": 0.5} for _ in range(12)
    ]
    columns = columns_for(tree, rows)
    columns[3] = [float(rng.random() < 0.5) for _ in rows]
    for row, is_female in zip(rows, columns[3], strict=True):
        row["sex"] = "F" if is_female else "M"
    judged = leaf_judges_binding(json.dumps(tree), columns)
    as_numbers = loads_leaf(json.dumps(tree), categories=False)
    assert all(feature.is_binary for feature in as_numbers.schema.features if feature.name != "age")
    assert we_judge(as_numbers, one_hot_rows(tree, columns)) == judged
    assert we_judge(simplify(as_numbers), one_hot_rows(tree, columns))[0] == judged[0]
    as_categories = read_as_categories(json.dumps(tree))
    assert as_categories is None or we_judge(as_categories, rows) == judged


def read_as_categories(text: str) -> RuleSet | None:
    """The rule set, or None where it compares columns in a way that takes OR, such as: F only if Asian."""
    try:
        return loads_leaf(text)
    except RuleFileError:
        return None


def test_one_hot_columns_of_the_paper_become_not_asian() -> None:
    tree = binding(
        first_state_key="0",
        first_state_coefficient=0.18,
        operator=">=",
        second_state_key="1",
        second_state_coefficient=0.38,
    )
    tree["states"] = {"0": "sex_is_category_F", "1": "race_is_category_Asian"}
    tree["rules"]["min_maxes"] = {key: {"min": 0.0, "max": 1.0, "total": 1.0} for key in tree["states"]}
    assert print_rule(loads_leaf(json.dumps(tree)).rules[0]).startswith("race != Asian -> ")
    as_numbers = simplify(loads_leaf(json.dumps(tree), categories=False))
    assert print_rule(as_numbers.rules[0]).startswith("race_is_category_Asian = 0 -> ")
