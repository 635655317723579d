"""Simplified rule sets: equal decisions everywhere, never larger, and nothing left to do."""

import time
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domains import History, compare, random_histories, random_ruleset
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import decide_now, decide_table, polls
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema
from evoter.rules.simplify import prune_inactive, simplify, simplify_conditions
from laws import examples, n_cases
from project import PACKAGE
from strategies import rows, rulesets

FIGURES = PACKAGE / "rules" / "figures"
SCHEMA = Schema(
    [Feature("x", low=0, high=9), Feature("y", low=0, high=9), Feature("gap", low=0, high=9, missing=True)],
    actions=["A", "B", "C"],
)


def x(operator: str, constant: float) -> Condition:
    return compare("x", operator, constant)


def y(operator: str, constant: float) -> Condition:
    return compare("y", operator, constant)


def rule(*conditions: Condition, action: str = "A", certainty: float = 1.0, pinned: bool = False) -> Rule:
    return Rule(conditions, action, certainty, pinned=pinned)


def simple(*rules: Rule, default: str = "C", default_certainty: float = 1.0, mode: Mode = Mode.FIRST) -> RuleSet:
    return simplify(RuleSet(rules, default, SCHEMA, default_certainty, mode))


def check_equal_decisions(ruleset: RuleSet, other: RuleSet, histories: list[History]) -> None:
    for history in histories:
        before, after = decide_now(ruleset, history), decide_now(other, history)
        assert (before.actions, before.certainty) == (after.actions, after.certainty)
        if ruleset.mode is Mode.VOTE:
            assert polls(ruleset, before) == polls(other, after)


def check_laws(ruleset: RuleSet, simplified: RuleSet) -> None:
    assert len(simplified.rules) <= len(ruleset.rules)
    assert simplified.n_conditions <= ruleset.n_conditions
    assert simplify(simplified) == simplified
    assert [rule for rule in simplified.rules if rule.pinned] == [rule for rule in ruleset.rules if rule.pinned]


@examples(3_000)
@given(st.integers(0, 2**32))
def test_decisions_are_equal_where_conditions_change(seed: int) -> None:
    rng = Random(seed)
    ruleset = random_ruleset(rng)
    simplified = simplify(ruleset)
    check_laws(ruleset, simplified)
    conditions = [condition for rules in (ruleset, simplified) for rule in rules.rules for condition in rule.conditions]
    check_equal_decisions(ruleset, simplified, random_histories(rng, conditions, ruleset.schema, n_points=12))


def test_decisions_are_equal_where_rules_are_compared_with_few_others(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("in_order", "vote"):
        monkeypatch.setattr(f"evoter.rules.modes.{module}.MAX_COMPARED", 1)
    for seed in range(n_cases(1_000)):
        rng = Random(seed)
        ruleset = random_ruleset(rng)
        simplified = simplify(ruleset)
        check_laws(ruleset, simplified)
        conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
        check_equal_decisions(ruleset, simplified, random_histories(rng, conditions, ruleset.schema, n_points=6))


@examples(100)
@given(st.data())
def test_decisions_are_equal_for_any_rule_set(data: st.DataObject) -> None:
    ruleset = data.draw(rulesets())
    simplified = simplify(ruleset)
    check_laws(ruleset, simplified)
    series = st.lists(rows(ruleset.schema), min_size=1, max_size=4)
    check_equal_decisions(ruleset, simplified, data.draw(st.lists(series, max_size=3)))


def test_conditions_that_always_hold_go() -> None:
    assert simple(rule(x("<", 5), y("<=", 9))).rules == (rule(x("<", 5)),)


@pytest.mark.parametrize("mode", Mode)
def test_rules_that_never_hold_go(mode: Mode) -> None:
    assert simple(rule(x("<", 3), x(">", 5)), rule(y(">", 10)), mode=mode).rules == ()


@pytest.mark.parametrize("mode", Mode)
def test_a_lone_rule_that_always_holds_is_the_default(mode: Mode) -> None:
    result = simple(rule(x("<", 10), certainty=0.5), mode=mode)
    assert (result.rules, result.default, result.default_certainty) == ((), "A", 0.5)


def test_first_ends_with_a_rule_that_always_holds() -> None:
    result = simple(rule(x("<", 3)), rule(y("<=", 9), action="B"), rule(x(">", 5), action="C"))
    assert (result.rules, result.default) == ((rule(x("<", 3)),), "B")


def test_first_drops_rules_that_are_never_reached() -> None:
    kept = rule(x("<", 5))
    assert simple(kept, rule(x("<", 3), y(">", 2), action="B")).rules == (kept,)
    assert simple(kept, rule(x("<=", 5), action="B")).rules == (kept, rule(x("<=", 5), action="B"))


def test_first_drops_rules_whose_outcome_follows_anyway() -> None:
    assert simple(rule(x("<", 3), action="C")).rules == ()
    assert len(simple(rule(x("<", 3), action="C"), default_certainty=0.5).rules) == 1
    wider = rule(x("<", 5))
    assert simple(rule(x("<", 3)), wider).rules == (wider,)
    apart = rule(x(">", 6), action="B")
    assert simple(rule(x("<", 3)), apart, wider).rules == (apart, wider)
    between = rule(y(">", 6), action="B")
    assert len(simple(rule(x("<", 3)), between, wider).rules) == 3


def test_hardmax_drops_rules_that_are_always_beaten() -> None:
    strong, weak = rule(x("<", 5), certainty=0.9), rule(x("<", 3), action="B", certainty=0.4)
    assert simple(weak, strong, mode=Mode.HARDMAX).rules == (strong,)
    assert simple(rule(x("<", 3), action="B"), rule(x("<", 5)), mode=Mode.HARDMAX).n_conditions == 2
    assert simple(rule(x("<", 5)), rule(x("<", 3), action="B"), mode=Mode.HARDMAX).rules == (rule(x("<", 5)),)


def test_hardmax_makes_a_rule_that_always_holds_the_default() -> None:
    strong, always = rule(x("<", 5), certainty=0.9), rule(y("<", 10), action="B", certainty=0.5)
    weak = rule(x(">", 1), action="C", certainty=0.2)
    result = simple(always, weak, strong, mode=Mode.HARDMAX)
    assert (result.rules, result.default, result.default_certainty) == ((strong,), "B", 0.5)


def test_vote_drops_only_voters_that_never_change_a_mean() -> None:
    one, other = rule(x("<", 5), certainty=0.5), rule(y("<", 5), certainty=0.25)
    rival = rule(y(">", 3), action="B", certainty=0.5)
    assert simple(one, one, mode=Mode.VOTE).rules == (one,)
    assert simple(one, one, other, mode=Mode.VOTE).rules == (one, one, other)
    apart = rule(x(">", 6), certainty=0.25)
    assert simple(one, one, apart, mode=Mode.VOTE).rules == (one, apart)
    narrower = rule(x("<", 3), certainty=0.5)
    assert simple(one, rival, narrower, mode=Mode.VOTE).rules == (one, rival)
    assert simple(narrower, one, rival, mode=Mode.VOTE).rules == (one, rival)
    assert simple(narrower, rival, one, mode=Mode.VOTE).rules == (narrower, rival, one), "ties go to the first"
    thrice = [rule(x("<", 5), certainty=0.1)] * 3
    assert (0.1 + 0.1 + 0.1) / 3 != 0.1
    assert simple(*thrice, mode=Mode.VOTE).rules == tuple(thrice), "the mean would change in the last digit"


def test_all_keeps_every_action() -> None:
    rules = (rule(x("<", 5)), rule(x("<", 5)), rule(x("<", 3), action="C"))
    assert simple(*rules, mode=Mode.ALL).rules == rules


def test_pinned_rules_stay_as_they_are() -> None:
    never = rule(x("<", 3), x(">", 5), pinned=True)
    clumsy = rule(compare(Term("x", 0.5), "<", 2), y("<", 10), pinned=True)
    assert simple(never, clumsy).rules == (never, clumsy)
    always, later = rule(y("<", 10), x("<", 10), action="B"), rule(x("<", 3), pinned=True)
    result = simple(always, rule(x(">", 4)), later)
    assert (result.rules, result.default) == ((rule(y("<", 10), action="B"), later), "C")


def test_missing_values_keep_a_bound_from_being_void() -> None:
    result = simple(rule(compare(Term("gap"), "<=", 9)))
    assert result.rules == (rule(compare(Term("gap"), Operator.IS_PRESENT)),)


def test_dominated_comparisons_go() -> None:
    loose = compare(Term("x", 0.99), "<", Term("y", 0.93))
    tight = compare(Term("x", 0.99), "<", Term("y", 0.83))
    assert simplify_conditions([loose, tight], SCHEMA) == (tight,)


def test_inactive_rules_are_pruned_by_their_counts() -> None:
    idle, busy, safety = rule(x("<", 1)), rule(x("<", 5), action="B"), rule(x("<", 2), pinned=True)
    ruleset = RuleSet((idle, busy, safety), "C", SCHEMA)
    points = [{"x": value, "y": 0.0, "gap": None} for value in (3.0, 4.0, 8.0)]
    counts = decide_table(ruleset, points).times_applied
    assert counts == (0, 2, 0)
    assert prune_inactive(ruleset, counts).rules == (busy, safety)
    assert simplify(ruleset, times_applied=counts).rules == (busy, safety)
    assert simplify(ruleset).rules == (idle, busy, safety)
    with pytest.raises(RuleError, match="2 counts for 3 rules"):
        prune_inactive(ruleset, [1, 2])


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("blood_pressure", (16, 28), (13, 22)),
        ("cart_pole", (1, 1), (1, 1)),
        ("diabetes", (6, 13), (5, 6)),
        ("flappy_bird", (3, 20), (2, 10)),
        ("heart_failure", (46, 88), (1, 1)),
    ],
)
def test_the_rule_sets_of_the_paper_shrink(name: str, before: tuple[int, int], after: tuple[int, int]) -> None:
    ruleset = parse((FIGURES / f"{name}.rules").read_text(encoding="utf-8"))
    simplified = simplify(ruleset)
    assert (len(ruleset.rules), ruleset.n_conditions) == before
    assert (len(simplified.rules), simplified.n_conditions) == after
    check_laws(ruleset, simplified)
    rng = Random(7)
    conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
    check_equal_decisions(ruleset, simplified, random_histories(rng, conditions, ruleset.schema, n_points=300))


def test_the_heart_failure_rules_always_choose_ejection_fraction() -> None:
    """Its rule 2 holds for every patient and is surer than all others but those like rule 7."""
    simplified = simplify(parse((FIGURES / "heart_failure.rules").read_text(encoding="utf-8")))
    (left,) = simplified.rules
    assert left.conditions == (compare(Term("platelets", 0.94), ">=", Term("anaemia", 0.02)),)
    assert (left.action, left.certainty) == ("ejection.fraction", 0.65)
    assert (simplified.default, simplified.default_certainty) == ("ejection.fraction", 0.59)


def test_a_hundred_rules_take_a_fraction_of_a_second() -> None:
    rng = Random(5)
    schema = Schema([Feature(f"f{i}", low=0, high=1) for i in range(20)], actions=["A", "B", "C"])

    def term() -> Term:
        return Term(f"f{rng.randrange(20)}", rng.randint(1, 100) / 100, rng.randint(1, 3))

    def condition() -> Condition:
        right = term() if rng.random() < 0.5 else rng.randint(0, 100) / 100
        return compare(term(), rng.choice(["<", "<=", ">", ">="]), right)

    rules = tuple(
        Rule(tuple(condition() for _ in range(5)), rng.choice("ABC"), rng.randint(1, 100) / 100) for _ in range(100)
    )
    start = time.process_time()
    simplify(RuleSet(rules, "A", schema, mode=Mode.HARDMAX))
    assert time.process_time() - start < 2.0, "it takes 0.2 s on an idle core"


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.HARDMAX])
def test_the_same_rules_decide_where_that_matters(mode: Mode) -> None:
    """Points that one rule decides are decided by one rule afterwards, and those of different rules by different ones."""
    for seed in range(n_cases(300)):
        rng = Random(seed)
        ruleset = random_ruleset(rng).replace(mode=mode)
        simplified = simplify(ruleset, same_deciders=True)
        conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
        histories = random_histories(rng, conditions, ruleset.schema, n_points=12)
        check_equal_decisions(ruleset, simplified, histories)
        pairs = {(decide_now(ruleset, at).deciding, decide_now(simplified, at).deciding) for at in histories}
        assert len(pairs) == len({before for before, _ in pairs}) == len({after for _, after in pairs}), seed


def test_rules_with_equal_actions_are_kept_only_where_deciders_matter() -> None:
    ruleset = RuleSet([rule(x("<", 3)), rule(x("<", 5))], "A", SCHEMA)
    assert len(simplify(ruleset).rules) == 0
    assert simplify(ruleset, same_deciders=True) == ruleset


def test_where_several_rules_decide_they_cannot_stay_the_same() -> None:
    with pytest.raises(RuleError, match="in mode vote several rules decide: leave same_deciders out"):
        simplify(RuleSet([rule(x("<", 3))], "A", SCHEMA, mode=Mode.VOTE), same_deciders=True)
