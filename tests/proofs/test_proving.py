"""Laws of proofs: no answer is wrong, on random pairs of rule sets of all forms and modes, with and without z3."""

import math
from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest

from domains import History, random_histories, random_ruleset
from evoter.proofs import ProofResult, Status, equivalent, proving
from evoter.proofs.questions import gaps_and_overlaps, monotone, never, unreachable_rules
from evoter.rules.guardrails import monotone as directions
from evoter.rules.interpreter import decide_now
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Kind
from evoter.rules.simplify import simplify
from evoter.rules.values import Row
from laws import n_cases
from pairs import changed_variant, equal_variant


def is_finite(history: History) -> bool:
    return all(not isinstance(value, float) or math.isfinite(value) for row in history for value in row.values())


def points(rng: Random, rulesets: list[RuleSet]) -> list[History]:
    """Points of the domain of the schema, many of them at the borders of conditions."""
    conditions = [condition for ruleset in rulesets for rule in ruleset.rules for condition in rule.conditions]
    found = random_histories(rng, conditions, rulesets[0].schema, n_cases(1_000))
    return [history for history in found if is_finite(history)]


def differ(one: RuleSet, other: RuleSet, history: Sequence[Row], certainties: bool) -> bool:
    decisions = decide_now(one, history), decide_now(other, history)
    same_certainty = not certainties or decisions[0].certainty == decisions[1].certainty
    return decisions[0].actions != decisions[1].actions or not same_certainty


def check_pair(rng: Random, one: RuleSet, other: RuleSet, within_ranges: bool) -> ProofResult:
    certainties = rng.random() < 0.3
    result = equivalent(one, other, certainties=certainties, within_ranges=within_ranges, max_seconds=10)
    if result.refuted:
        assert differ(one, other, result.history, certainties), result
    if result.proved:
        for history in points(rng, [one, other]):
            assert not differ(one, other, history, certainties), (result, history)
    return result


@pytest.mark.parametrize("solver_only", [False, True], ids=["intervals first", "solver"])
def test_no_answer_about_a_pair_is_wrong(solver_only: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 pairs with --deep, a tenth otherwise; a quarter of them with the solver alone."""
    if solver_only:
        pytest.importorskip("z3")
        monkeypatch.setattr(proving, "MAX_PARTS", 0)
        monkeypatch.setattr(proving, "sampled_witness", lambda *_: None)
    answers = []
    for seed in range(n_cases(500 if solver_only else 1_500)):
        rng = Random(seed + 100_000 * solver_only)
        ruleset = random_ruleset(rng)
        kind = rng.choice(["equal", "simple", "changed", "changed", "changed"])
        within_ranges = kind == "simple" or rng.random() < 0.5
        if kind == "equal":
            other = equal_variant(rng, ruleset)
        else:
            other = simplify(ruleset) if kind == "simple" else changed_variant(rng, ruleset)
        result = check_pair(rng, ruleset, other, within_ranges)
        assert kind == "changed" or not result.refuted, (seed, result)
        answers.append(result.status)
    assert answers.count(Status.UNKNOWN) <= len(answers) / 50
    assert min(answers.count(Status.PROVED), answers.count(Status.REFUTED)) >= len(answers) / 12


def test_what_never_happens_does_not_happen() -> None:
    for seed in range(n_cases(500)):
        rng = Random(seed)
        ruleset = random_ruleset(rng)
        found = points(rng, [ruleset])
        action = rng.choice(ruleset.schema.actions)
        result = never(ruleset, "", action, within_ranges=True, max_seconds=10)
        if result.refuted:
            assert action in decide_now(ruleset, result.history).actions
        elif result.proved:
            assert all(action not in decide_now(ruleset, history).actions for history in found), (seed, result)
        deciding = [decide_now(ruleset, history).deciding for history in found]
        for index, each in enumerate(unreachable_rules(ruleset, within_ranges=True, max_seconds=10)):
            assert not each.proved or all(index not in rules for rules in deciding), (seed, each)
            assert not each.refuted or index in decide_now(ruleset, each.history).deciding
        gaps = gaps_and_overlaps(ruleset, within_ranges=True, max_seconds=10)
        assert not gaps.gap.proved or all(decide_now(ruleset, history).active for history in found)
        for pair, each in gaps.overlaps.items():
            active = decide_now(ruleset, each.history).active if each.refuted else ()
            assert not each.refuted or {number - 1 for number in pair} <= set(active)


def test_a_direction_that_the_form_guarantees_is_never_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rule sets without the rules that might break a direction are settled again without a look at their form."""
    n_settled = 0
    for seed in range(n_cases(400)):
        rng = Random(seed)
        ruleset = random_ruleset(rng)
        numeric = [feature.name for feature in ruleset.schema.features if feature.kind is Kind.NUMERIC]
        if not numeric or ruleset.mode not in (Mode.FIRST, Mode.HARDMAX):
            continue
        rising = directions.Monotone(rng.choice(numeric), rng.choice(list(directions.Direction)))
        order = rng.sample(ruleset.schema.actions, len(ruleset.schema.actions))
        kept = ruleset.replace(
            rules=[
                rule
                for rule in ruleset.rules
                if all(rising.is_kept_by(condition, rule.action, order) for condition in rule.conditions)
            ]
        )
        by_form = monotone(kept, rising.feature, order=order, direction=rising.direction.value)
        assert (by_form.proved, by_form.exact, by_form.method) == (True, True, "form")
        with monkeypatch.context() as patch:
            patch.setattr(directions, "is_kept_by_form", lambda *_: False)
            settled = monotone(kept, rising.feature, order=order, direction=rising.direction.value, max_seconds=5)
        assert not settled.refuted, (seed, settled)
        n_settled += settled.proved and rising.feature in kept.features_used
    assert n_settled > 3


def test_a_decision_that_never_falls_does_not_fall() -> None:
    n_answers = 0
    for seed in range(n_cases(500)):
        rng = Random(seed)
        ruleset = random_ruleset(rng)
        numeric = [feature.name for feature in ruleset.schema.features if feature.kind is Kind.NUMERIC]
        if not numeric or ruleset.mode is Mode.ALL:
            continue
        name, order = rng.choice(numeric), rng.sample(ruleset.schema.actions, len(ruleset.schema.actions))
        result = monotone(ruleset, name, order=order, within_ranges=True, max_seconds=10)
        n_answers += result.status != "unknown"
        if result.refuted:
            assert result.compared_with is not None
            before, after = (decide_now(ruleset, rows).action for rows in (result.history, result.second_history))
            assert order.index(before) > order.index(after)
            for row, other in zip(result.history, result.second_history, strict=True):
                assert row[name] == other[name] or (row[name] or 0.0) < (other[name] or 0.0)  # type: ignore[operator]
                assert {**row, name: None} == {**other, name: None}
        elif result.proved:
            found = points(rng, [ruleset])
            for history, another in pairwise(found):
                value, higher = history[-1][name], another[-1][name]
                if isinstance(value, float) and isinstance(higher, float) and higher >= value:
                    raised = [*history[:-1], {**history[-1], name: higher}]
                    ranks = [order.index(decide_now(ruleset, rows).action) for rows in (history, raised)]
                    assert ranks[0] <= ranks[1], (seed, result, history, higher)
    assert n_answers > 10
