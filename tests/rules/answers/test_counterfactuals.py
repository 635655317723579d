"""What would have to change: every change alters the decision, and none needs more features than necessary."""

from itertools import combinations, product
from random import Random

import pytest

from domains import neighbours, random_condition, random_histories, random_ruleset
from evoter.rules.answers.changes import Counterfactual
from evoter.rules.answers.counterfactuals import counterfactuals
from evoter.rules.errors import SchemaError
from evoter.rules.interpreter import decide, decide_now
from evoter.rules.model import Condition, Mode, Rule, RuleSet
from evoter.rules.parser import parse
from evoter.rules.reasoning.steps import admitted_around
from evoter.rules.schema import Feature, Kind, Schema
from laws import n_cases
from strategies import Row, Value

SMALL = Schema(
    [
        Feature("a", low=0, high=4),
        Feature("b", low=0, high=4, missing=True, step=1),
        Feature("c", Kind.CATEGORICAL, categories=("u", "v", "w")),
        Feature("d", Kind.BOOLEAN),
    ],
    ["go", "stop", "wait"],
)
"""So few values that all rows can be tried."""

VALUES: dict[str, list[Value]] = {
    "a": [0.0, 1.0, 2.0, 3.0, 4.0],
    "b": [0.0, 1.0, 2.0, 3.0, 4.0, None],
    "c": ["u", "v", "w"],
    "d": [False, True],
}
LOANS = parse(
    """
    1. age < 25 AND income <= 30000 -> refuse
    2. debts > 2 -> refuse
    3. Default -> grant
    where
      age: numeric [18..90] years
      income: numeric [0..200000]
      debts: numeric [0..9]
    """
)
APPLICANT = {"age": 22.0, "income": 28500.0, "debts": 1.0}


def random_small_ruleset(rng: Random, *, pairs: bool) -> RuleSet:
    """Rules over the small schema, with conditions that join two features or without."""
    pool: list[Condition] = []
    while len(pool) < 5:
        condition = random_condition(rng, SMALL)
        if pairs or len(condition.terms) == 1:
            pool.append(condition)
    rules = [
        Rule(rng.sample(pool, rng.randint(1, 3)), rng.choice(SMALL.actions), rng.choice([0.3, 0.6, 1.0]))
        for _ in range(rng.randint(1, 5))
    ]
    return RuleSet(rules, rng.choice(SMALL.actions), SMALL, 1.0, rng.choice(list(Mode)))


def fewest_changes(ruleset: RuleSet, row: Row, fixed: tuple[str, ...] = ()) -> int | None:
    """Try all rows and return the least number of changed features that alters the decision; None if none does."""
    before = decide(ruleset, row).actions
    free = [name for name in SMALL.names if name not in fixed]
    for size in range(1, len(free) + 1):
        for names in combinations(free, size):
            for values in product(*(VALUES[name] for name in names)):
                if decide(ruleset, {**row, **dict(zip(names, values, strict=True))}).actions != before:
                    return size
    return None


def cheapest_change(ruleset: RuleSet, row: Row, fixed: tuple[str, ...] = ()) -> float:
    """Try all changes of one feature and return the least cost of one that alters the decision."""
    before = decide(ruleset, row).actions
    return min(
        cost(row[name], value)
        for name, values in VALUES.items()
        if name not in fixed
        for value in values
        if decide(ruleset, {**row, name: value}).actions != before
    )


def cost(before: Value, after: Value) -> float:
    """Return the part of the range of 4 that a number moves; other values count 1, and removing one 2."""
    if after is None:
        return 2.0
    return abs(after - before) / 4.0 if isinstance(before, float) and isinstance(after, float) else 1.0


def check_result(ruleset: RuleSet, row: Row, result: Counterfactual) -> None:
    changed = {change.feature.name: change.after for change in result.changes}
    assert all(row[change.feature.name] == change.before != change.after for change in result.changes)
    decided = decide(ruleset, {**row, **changed})
    assert decided == result.decision
    assert decided.actions != decide(ruleset, row).actions
    for name, value in changed.items():
        assert value in VALUES[name], "whole numbers, categories and ranges are respected"


@pytest.mark.parametrize("seed", range(n_cases(1_500)))
def test_no_change_of_fewer_features_alters_the_decision(seed: int) -> None:
    """With conditions on one feature each, the number of changed features is exactly the least one."""
    rng = Random(seed)
    ruleset = random_small_ruleset(rng, pairs=False)
    row = {name: rng.choice(values) for name, values in VALUES.items()}
    fixed = tuple(rng.sample(SMALL.names, rng.choice([0, 0, 1, 2])))
    found = counterfactuals(ruleset, row, fixed=fixed, n=3)
    for result in found:
        check_result(ruleset, row, result)
        assert not {change.feature.name for change in result.changes} & set(fixed)
    assert found.complete
    assert (len(found[0].changes) if found else None) == fewest_changes(ruleset, row, fixed)
    if found and len(found[0].changes) == 1:
        assert cost(found[0].changes[0].before, found[0].changes[0].after) == cheapest_change(ruleset, row, fixed)


@pytest.mark.parametrize("seed", range(n_cases(1_500)))
def test_single_changes_are_complete_for_all_forms(seed: int) -> None:
    """Sums and comparisons of two features included: a change of several features means that none of one will do."""
    rng = Random(seed)
    ruleset = random_small_ruleset(rng, pairs=True)
    row = {name: rng.choice(values) for name, values in VALUES.items()}
    found = counterfactuals(ruleset, row)
    for result in found:
        check_result(ruleset, row, result)
    fewest = fewest_changes(ruleset, row)
    assert (fewest == 1) == bool(found and len(found[0].changes) == 1)
    if not found:
        assert fewest is None or fewest > 2, "two features together are found as well"


@pytest.mark.parametrize("seed", range(n_cases(1_000)))
def test_changes_alter_the_decision_on_any_domain(seed: int) -> None:
    """Unbounded, scaled and lagged features, powers and tiny coefficients: what is found is true."""
    rng = Random(seed)
    ruleset = random_ruleset(rng)
    conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
    for history in random_histories(rng, conditions, ruleset.schema, 3):
        before = decide_now(ruleset, history).actions
        found = counterfactuals(ruleset, history)
        for result in found:
            changed = {**history[-1], **result.row}
            assert decide_now(ruleset, [*history[:-1], changed]).actions == result.decision.actions != before
            for change in result.changes:
                low, high = change.feature.bounds
                if isinstance(change.after, float):
                    assert low <= change.after <= high
                    step = change.feature.step
                    assert step is None or admitted_around(change.after, step)[0] == change.after


def test_the_nearest_change_comes_first() -> None:
    found = counterfactuals(LOANS, APPLICANT, n=5)
    assert [str(each) for each in found] == [
        "grant (by the default) with income 30001 instead of 28500",
        "grant (by the default) with age 25 years instead of 22 years",
    ]
    assert found.to_text().startswith("it would be grant")
    assert "30001" in found._repr_html_()


def test_features_can_be_fixed() -> None:
    (found,) = counterfactuals(LOANS, APPLICANT, fixed=["income"])
    assert [change.feature.name for change in found.changes] == ["age"]
    nothing = counterfactuals(LOANS, APPLICANT, fixed=["income", "age"])
    assert not nothing
    assert str(nothing) == "no change of the features that may change alters the decision"


def test_two_features_change_together_where_one_is_not_enough() -> None:
    (found,) = counterfactuals(LOANS, APPLICANT | {"debts": 3.0}, n=1)
    assert {change.feature.name: change.after for change in found.changes} == {"income": 30001.0, "debts": 2.0}


def test_a_sum_can_need_both_features() -> None:
    rules = parse("a + b >= 8 -> x; Default -> y\nwhere\n a: numeric [0..5]\n b: numeric [0..5]\n actions: x | y")
    (found,) = counterfactuals(rules, {"a": 0, "b": 0})
    assert sum(change.after for change in found.changes if isinstance(change.after, float)) >= 8
    (single,) = counterfactuals(rules, {"a": 4, "b": 0})
    assert str(single) == "x (by rule 1) with b 4 instead of 0"


def test_an_action_can_be_asked_for() -> None:
    rules = parse("x > 8 -> high; x > 3 -> middle; Default -> low\nwhere\n x: numeric [0..10]")
    assert str(counterfactuals(rules, {"x": 1})[0]) == "middle (by rule 2) with x 4 instead of 1"
    assert str(counterfactuals(rules, {"x": 1}, to="high")[0]) == "high (by rule 1) with x 9 instead of 1"
    with pytest.raises(ValueError, match="the decision is 'low' already"):
        counterfactuals(rules, {"x": 1}, to="low")
    with pytest.raises(SchemaError, match="there is no action 'hihg'; did you mean 'high'"):
        counterfactuals(rules, {"x": 1}, to="hihg")
    with pytest.raises(SchemaError, match="there is no feature 'y'"):
        counterfactuals(rules, {"x": 1}, fixed=["y"])
    with pytest.raises(ValueError, match="n must be 1 or more"):
        counterfactuals(rules, {"x": 1}, n=0)


def test_values_have_the_decimals_of_the_data() -> None:
    rules = parse("width > 1.75 -> wide; Default -> narrow\nwhere\n width: numeric [0.1..2.5] cm")
    assert counterfactuals(rules, {"width": 2.5})[0].changes[0].after == 1.7
    assert counterfactuals(rules, {"width": 1.0})[0].changes[0].after == 1.8


def test_missing_values_are_proposed_where_the_schema_allows_them() -> None:
    rules = parse("x is missing -> ask; Default -> go\nwhere\n x: numeric [0..9], may be missing")
    assert counterfactuals(rules, {"x": 3})[0].changes[0].after is None
    assert counterfactuals(rules, {"x": None})[0].changes[0].after is not None
    strict = parse("x is missing -> ask; Default -> go\nwhere\n x: numeric [0..9]")
    assert not counterfactuals(strict, {"x": 3})


def test_earlier_rows_of_a_history_do_not_change() -> None:
    rules = parse("x > x[1] -> rising; Default -> falling\nwhere\n x: numeric [0..9]\n lags: 0..1")
    (found,) = counterfactuals(rules, [{"x": 5}, {"x": 3}])
    assert found.changes[0].after == 6.0


def test_a_search_that_is_too_long_says_so() -> None:
    names = [f"x{number}" for number in range(40)]
    text = " AND ".join(f"{name} > 5" for name in names) + " -> yes; Default -> no\nwhere\n"
    rules = parse(text + "\n".join(f" {name}: numeric [0..9]" for name in names))
    found = counterfactuals(rules, dict.fromkeys(names, 0))
    assert not found
    assert not found.complete
    assert "several features at once" in str(found)


def test_neighbouring_doubles_are_told_apart() -> None:
    """An equality has one value, which no step of the data hits."""
    rules = parse("x = 0.333 -> third; Default -> other\nwhere\n x: numeric [0..1]")
    (found,) = counterfactuals(rules, {"x": 0.5})
    assert found.changes[0].after == 0.333
    assert all(decide(rules, {"x": near}).action == "other" for near in neighbours(0.333) if near != 0.333)
