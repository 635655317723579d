"""Tests of the questions: every form, mode, and kind of answer, with z3 and without."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGINT, raise_signal

import pytest

from evoter import parse
from evoter.proofs import (
    covered,
    equivalent,
    gaps_and_overlaps,
    implies,
    monotone,
    never,
    prove,
    proving,
    unreachable_rules,
)
from evoter.proofs.budget import Budget
from evoter.rules.errors import RuleError, SchemaError
from evoter.rules.interpreter import decide_now
from evoter.rules.model import Condition, RuleSet, Term

PAIN = """
1. pain > 7 AND age >= 18 -> opioid
2. pain > 3 -> ibuprofen
3. Default -> none

where
  pain: numeric [0..10]
  age: numeric [0..110]
  actions: opioid | ibuprofen | none
"""


def rules(text: str, mode: str | None = None) -> RuleSet:
    return parse(text, mode=mode)


@contextmanager
def without_solver(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "z3", None)
        yield


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("age > 65 -> h; Default -> l", "2*age > 130 -> h; Default -> l", True),
        ("x^2 >= 4 -> h; Default -> l", "x >= 2 -> h; x <= -2 -> h; Default -> l", True),
        ("x^2 > 4 -> h; Default -> l", "x > 2 -> h; Default -> l", False),
        ("x != 3 -> h; Default -> l", "x < 3 -> h; x > 3 -> h; Default -> l", True),
        ("3 < x <= 5 -> h; Default -> l", "x > 3 AND x <= 5 -> h; Default -> l", True),
        ("c in {u, v} -> h; Default -> l", "c = u -> h; c = v -> h; Default -> l", True),
        ("c not in {u, v} -> h; Default -> l", "c = u -> l; c = v -> l; Default -> h", False),
        ("b = true -> h; Default -> l", "b != false -> h; Default -> l", True),
        ("x is present -> h; Default -> l", "x is missing -> l; Default -> h", True),
        ("x > y -> h; Default -> l", "y < x -> h; Default -> l", True),
        ("x > y -> h; Default -> l", "x <= y -> l; Default -> h", False),
        ("x > y -> h; Default -> l", "x <= y -> l; x is missing -> l; y is missing -> l; Default -> h", True),
        ("x - y > 0 -> h; Default -> l", "x > y -> h; Default -> l", True),
        ("x + y > 4 -> h; Default -> l", "-1*x - y < -4 -> h; Default -> l", True),
        ("x + y > 4 -> h; x > 2 AND y > 2 -> h; Default -> l", "x + y > 4 -> h; Default -> l", True),
        ("x > 3 AND x > y -> h; x > 3 AND x <= y -> h; Default -> l", "x > 3 -> h; Default -> l", False),
        ("x[2] > 1 -> h; Default -> l", "x[2] > 1 AND x[1] > 0 -> h; x[2] > 1 -> h; Default -> l", True),
        ("x[2] > 1 -> h; Default -> l", "x[1] > 1 -> h; Default -> l", False),
        ("x[2] is present -> h; Default -> l", "x[2] is missing -> l; Default -> h", False),
        ("0.5*x^3 > y -> h; 0.5*x^3 < y -> h; Default -> l", "y != 0.5*x^3 -> h; Default -> l", True),
    ],
)
def test_all_forms_are_compared_on_every_input(one: str, other: str, same: bool) -> None:
    first, second = (rules(text) for text in (one, other))
    result = equivalent(first, second)
    assert result.proved is same
    assert result.refuted is not same
    if not same:
        decided = [decide_now(each, result.history).actions for each in (first, second)]
        assert decided[0] != decided[1]
        assert tuple(decided) == result.decisions


@pytest.mark.parametrize(
    ("mode", "one", "other", "same"),
    [
        ("hardmax", "x > 1 -> 0.5*a; x > 2 -> 0.9*b; Default -> a", "x > 2 -> 0.9*b; x > 1 -> 0.5*a; Default -> a", True),
        ("hardmax", "x > 1 -> 0.5*a; x > 2 -> 0.5*b; Default -> a", "x > 2 -> 0.5*b; x > 1 -> 0.5*a; Default -> a", False),
        ("vote", "x > 1 -> 0.4*a; x > 2 -> 0.6*a; x > 3 -> 0.5*b; Default -> b", "x > 1 -> 0.4*a; x > 2 -> 0.6*a; Default -> b", True),
        ("vote", "x > 1 -> 0.4*a; x > 2 -> 0.6*a; x > 0 -> 0.5*b; Default -> b", "x > 1 -> 0.4*a; Default -> b", False),
        ("all", "x > 1 -> a; x > 2 -> b; Default -> c", "x > 1 -> a; x > 2 AND x > 1 -> b; Default -> c", True),
        ("all", "x > 1 -> a; x > 2 -> b; Default -> c", "x > 2 -> b; x > 1 -> a; Default -> c", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("solver", [False, True], ids=["intervals", "solver"])
def test_all_modes_decide_as_defined(
    mode: str, one: str, other: str, same: bool, solver: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if solver:
        pytest.importorskip("z3")
        monkeypatch.setattr(proving, "MAX_PARTS", 0)
        monkeypatch.setattr(proving, "sampled_witness", lambda *_: None)
    schema = rules(one).schema
    result = equivalent(parse(one, mode=mode), parse(other, schema, mode=mode))
    assert result.proved is same
    assert result.refuted is not same
    assert result.method == ("solver" if solver else "intervals")


def test_a_binary_feature_has_no_values_between_0_and_1() -> None:
    """Values in between would decide otherwise."""
    text = "1e-300*a > 0.8*a^3 -> 0.2*go; Default -> 0.7*go\nwhere\n a: binary, may be missing\n actions: go"
    one = parse(text, mode="hardmax")
    other = parse("Default -> 0.7*go\nwhere\n a: binary, may be missing\n actions: go", mode="hardmax")
    assert equivalent(one, other, certainties=True, within_ranges=True).proved


def test_certainties_count_on_request() -> None:
    one, other = (rules(f"x > 1 -> {certainty}*a; Default -> b") for certainty in (0.5, 0.7))
    assert equivalent(one, other).proved
    assert equivalent(one, other, certainties=True).refuted


@pytest.mark.parametrize(
    ("modes", "one", "other", "certainties"),
    [
        (("first", "vote"), "x > 1 -> 0.5*a; x > 2 -> 0.9*a; Default -> b", "x > 1 -> 0.5*a; x > 2 -> 0.9*a; Default -> b", True),
        (("vote", "all"), "x > 1 -> 0.5*a; x > 2 -> 0.5*b; x > 2 -> 0.5*b; Default -> b", "x > 1 -> a; x > 2 -> b; Default -> b", False),
        (("vote", "vote"), "x > 1 -> 0.1*a; x > 1 -> 0.2*a; x > 1 -> 0.3*a; Default -> b", "x > 1 -> 0.3*a; x > 1 -> 0.2*a; x > 1 -> 0.1*a; Default -> b", True),
        (("first", "all"), "x > 1 -> a; Default -> b", "x > 1 -> a; x > 5 -> a; Default -> b", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("solver", [False, True], ids=["intervals", "solver"])
def test_modes_are_told_apart(
    modes: tuple[str, str], one: str, other: str, certainties: bool, solver: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of equal votes, rounding decides; and what decides by one mode need not decide by another."""
    if solver:
        pytest.importorskip("z3")
        monkeypatch.setattr(proving, "MAX_PARTS", 0)
        monkeypatch.setattr(proving, "sampled_witness", lambda *_: None)
    first, second = parse(one, mode=modes[0]), parse(other, mode=modes[1])
    assert equivalent(first, second, certainties=certainties).refuted


def test_the_domain_is_every_input_or_that_of_the_schema() -> None:
    one = rules("age <= 200 -> a; Default -> b\nwhere\n  age: numeric [0..120]\n  actions: a | b")
    always = one.replace(rules=[], default="a")
    assert equivalent(one, always, within_ranges=True).proved
    assert equivalent(one, always).counterexample == {"age": 300.0}
    assert implies(one, "age < 0", "a").proved
    assert implies(one, "", "a").refuted
    binary = rules("x > 0.5 -> a; x < 0.5 -> b; Default -> c\nwhere\n  x: binary\n  actions: a | b | c")
    assert never(binary, "", "c", within_ranges=True).proved
    assert never(binary, "x is present", "c").counterexample == {"x": 0.5}
    unlisted = rules("c = u -> a; c = v -> a; Default -> b")
    assert never(unlisted, "", "b", within_ranges=True).proved
    assert never(unlisted, "c is present", "b").refuted


def test_ranges_that_do_not_meet_are_an_error() -> None:
    low, high = (
        rules(f"x > 1 -> a; Default -> b\nwhere\n  x: numeric {range_}\n  actions: a | b")
        for range_ in ("[0..1]", "[2..3]")
    )
    with pytest.raises(SchemaError, match="'x' has no value that is in the range of both rule sets"):
        equivalent(low, high, within_ranges=True)
    with pytest.raises(SchemaError, match="'x' is categorical in one rule set and numeric in the other"):
        equivalent(low, rules("x = u -> a; Default -> b"))


def test_an_action_is_never_taken_or_always() -> None:
    ruleset = rules(PAIN)
    assert never(ruleset, "age < 18", "opioid").proved
    assert never(ruleset, Condition(Term("age"), "<", 18), "opioid").proved
    found = never(ruleset, "age < 21 AND pain > 9", "opioid")
    assert found.counterexample is not None
    assert decide_now(ruleset, found.history).action == "opioid"
    assert implies(ruleset, "pain > 8 AND age > 30", "opioid").proved
    assert implies(ruleset, "", "opioid").refuted
    assert prove(ruleset, that='age is missing -> never "opioid"').proved
    assert prove(ruleset, that="3 < pain <= 7 -> ibuprofen").proved
    with pytest.raises(RuleError, match="unknown action 'opiod'; did you mean 'opioid'"):
        never(ruleset, "", "opiod")
    with pytest.raises(RuleError, match="cannot read 'age > 3'"):
        prove(ruleset, that="age > 3")


@pytest.mark.parametrize("max_parts", [5_000, 0], ids=["intervals", "solver"])
def test_in_mode_all_an_action_may_be_one_of_several(max_parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proving, "MAX_PARTS", max_parts)
    ruleset = rules("x > 1 -> a; x > 2 -> b; Default -> c", mode="all")
    assert list(gaps_and_overlaps(ruleset).overlaps) == [(1, 2)]
    assert covered(ruleset).refuted
    assert implies(ruleset, "x > 2", "b").proved
    assert never(ruleset, "x > 1", "c").proved
    assert never(ruleset, "x < 1", "c").refuted
    assert [each.refuted for each in unreachable_rules(ruleset)] == [True, True]
    with pytest.raises(RuleError, match="in mode all there may be several actions"):
        monotone(ruleset, "x")


def test_decisions_rise_with_a_feature() -> None:
    ruleset = rules(PAIN)
    order = ["none", "ibuprofen", "opioid"]
    assert monotone(ruleset, "pain", order=order).proved
    assert monotone(ruleset, "age", order=order).proved
    falls = monotone(ruleset, "pain", order=order, direction="decreasing")
    assert falls.counterexample is not None
    assert falls.compared_with is not None
    assert falls.counterexample["age"] == falls.compared_with["age"]
    assert falls.counterexample["pain"] < falls.compared_with["pain"]  # type: ignore[operator]
    with pytest.raises(RuleError, match="the order of the actions lacks 'opioid'"):
        monotone(ruleset, "pain", order=["none", "ibuprofen"])
    with pytest.raises(RuleError, match="'c' is categorical"):
        monotone(rules("c = u -> a; Default -> b"), "c")
    with pytest.raises(ValueError, match="direction must be"):
        monotone(ruleset, "pain", order=order, direction="up")  # type: ignore[arg-type]


def test_decisions_rise_with_every_lag_and_in_sums() -> None:
    assert monotone(rules("x[1] + x > 3 -> b; Default -> a"), "x", order=["a", "b"]).proved
    found = monotone(rules("x > x[1] -> b; Default -> a"), "x", order=["a", "b"])
    assert found.refuted
    assert len(found.history) == 2
    assert monotone(rules("x - y > 3 -> b; Default -> a"), "y", order=["b", "a"]).proved


def test_rules_that_others_shadow_together_are_found() -> None:
    ruleset = rules("x >= 3 -> a; x < 5 -> a; x > 4 AND y > 0 -> b; y > 1 -> b; Default -> a")
    assert [each.proved for each in unreachable_rules(ruleset)] == [False, False, True, False]
    assert [each.proved for each in unreachable_rules(ruleset, within_ranges=True)] == [False, False, True, True]


def test_gaps_and_overlaps() -> None:
    assert covered(rules("x is missing -> a; x is present -> b; Default -> c")).proved
    found = gaps_and_overlaps(rules("x > 5 -> a; x <= 5 -> b; x is missing -> b; Default -> a"))
    assert found.gap.proved
    assert not found.overlaps
    found = gaps_and_overlaps(rules("x > 5 -> a; x < 9 -> b; Default -> a"))
    assert found.gap.counterexample == {"x": None}
    assert list(found.overlaps) == [(1, 2)]
    assert "rules 1 and 2 never hold together" in str(found)


def test_rounding_is_told_apart_from_real_numbers() -> None:
    """In real numbers the two are equivalent; three times a third of a double is not always that double."""
    pytest.importorskip("z3")
    one, other = rules("3*x <= y -> a; Default -> b"), rules("x <= 0.3333333333333333*y -> a; Default -> b")
    assert equivalent(one, other).refuted
    one, other = rules("0.1*x <= 0.3*y -> a; Default -> b"), rules("x <= 3*y -> a; Default -> b")
    result = equivalent(one, other)
    assert result.refuted
    assert not result.exact
    assert "by rounding in double precision" in result.reason
    sums = implies(rules("a + b > 10 -> high; Default -> low"), "a > 5 AND a < b", "high")
    assert sums.proved
    assert not sums.exact
    assert "for real numbers" in sums.reason
    assert implies(rules("a + b > 10 -> high; Default -> low"), "a > 6 AND a < b", "high").exact


def test_intervals_suffice_for_many_questions_without_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    with without_solver(monkeypatch):
        assert never(rules(PAIN), "age < 18", "opioid").proved
        assert implies(rules("a + b > 10 -> high; Default -> low"), "a > 6 AND b > 6", "high").proved
        with pytest.raises(ImportError, match=r'z3 is not installed: pip install "evoter\[proofs\]"'):
            implies(rules("a + b > 10 -> high; Default -> low"), "a > 6 AND a < b", "high")


HARD = "\n".join(f"{a}*x{a}^3 < {b}*x{b}^2 -> a" for a in range(1, 9) for b in range(1, 9) if a != b)


def test_without_time_the_answer_is_unknown() -> None:
    pytest.importorskip("z3")
    one = rules(f"{HARD}\nDefault -> b")
    told: list[str] = []
    result = never(one, "", "b", max_seconds=1e-5, progress=told.append)
    assert result.status == "unknown"
    assert "1e-05 s" in result.reason
    assert all(each.status == "unknown" for each in unreachable_rules(one, max_seconds=1e-6))
    with pytest.raises(ValueError, match="max_seconds must be a positive number"):
        never(one, "", "b", max_seconds=0)


def test_progress_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evoter.proofs.budget.BETWEEN_MESSAGES", 0.0)
    told: list[str] = []
    equivalent(rules(PAIN), rules(PAIN), progress=told.append)
    assert any(text.startswith("dividing the space") for text in told)


def test_ctrl_c_ends_a_proof_with_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("z3")
    monkeypatch.setattr(proving, "MAX_PARTS", 0)
    monkeypatch.setattr(proving, "sampled_witness", lambda *_: None)
    monkeypatch.setattr("evoter.proofs.budget.BETWEEN_MESSAGES", 0.05)
    one = rules(f"{HARD}\nDefault -> b")

    def interrupt(text: str) -> None:
        if "solving" in text:
            raise_signal(SIGINT)

    result = never(one, "", "b", max_seconds=30, progress=interrupt)
    assert (result.status, result.reason) == ("unknown", "stopped by Ctrl-C")
    several = unreachable_rules(one, max_seconds=30, progress=interrupt)
    assert {(each.status.value, each.reason) for each in several[-10:]} == {("unknown", "stopped by Ctrl-C")}


def test_the_solver_is_loaded_only_when_it_is_needed() -> None:
    code = "import sys; from evoter import parse; from evoter.proofs import prove; print('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_budget_is_shared() -> None:
    budget = Budget(5.0)
    part = budget.part(1.0)
    assert part.max_seconds <= 1.0
    assert budget.left > part.left
