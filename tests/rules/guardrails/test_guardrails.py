"""No rule set that was guarded breaks its guardrails, on any row; pinned rules always have their way."""

from functools import partial
from random import Random

import pytest

from domains import compare
from evoter.kernels.layout import Floats
from evoter.problems.deciding import decide_columns
from evoter.problems.guarding import allowed_actions
from evoter.rules.errors import RuleError, SchemaError
from evoter.rules.guardrails.forbidden import Forbidden
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.interpreter import decide, holds, is_active
from evoter.rules.model import Mode, Rule, RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from prescribing import random_guardrails
from tasks import MIXED, as_rows, random_columns, random_ruleset

MODES = [Mode.FIRST, Mode.HARDMAX, Mode.ALL]
PATIENT = Schema(
    [Feature("creatinine", low=0.5, high=1.4), Feature("glucose", low=70, high=300), Feature("age", low=18, high=90)],
    ["metformin", "insulin", "diet"],
)
RENAL = Forbidden([compare("creatinine", ">", 1.5)], "metformin")


def n_broken(rails: Guardrails, ruleset: RuleSet, columns: Floats) -> int:
    """Count the rows on which the interpreter says that a guardrail is broken."""
    count = 0
    for row in as_rows(columns, MIXED):
        actions = decide(ruleset, row).actions
        count += any(
            each.action in actions and all(holds(condition, [row], MIXED) for condition in each.conditions)
            for each in rails.forbidden
        )
        first = next((rule for rule in rails.pinned if is_active(rule, [row], MIXED)), None)
        if first is not None:
            count += first.action not in actions if ruleset.mode is Mode.ALL else first.action != actions[0]
    return count


@pytest.mark.parametrize("mode", MODES)
def test_no_guarded_rule_set_breaks_a_guardrail_on_any_row(mode: Mode) -> None:
    broken_before = 0
    for seed in range(60):
        rng = Random(seed)
        rails = random_guardrails(rng, mode)
        columns = random_columns(rng, MIXED, 60)
        ruleset = random_ruleset(rng, MIXED, mode)
        broken_before += n_broken(rails, ruleset, columns)
        guarded = rails.guard(ruleset)
        assert n_broken(rails, guarded, columns) == 0
        assert rails.guard(guarded) == guarded
        final = rails.final_form(ruleset, [rng.randint(0, 3) for _ in ruleset.rules])
        assert n_broken(rails, final, columns) == 0
        assert not rails.violations(final)
        assert final.rules[: len(rails.pinned)] == rails.pinned
    assert broken_before > 100, "without guardrails, they would be broken often"


@pytest.mark.parametrize("mode", MODES)
def test_guarding_changes_only_what_must_change(mode: Mode) -> None:
    for seed in range(40):
        rng = Random(seed)
        rails = random_guardrails(rng, mode)
        columns = random_columns(rng, MIXED, 40)
        ruleset = random_ruleset(rng, MIXED, mode).replace(default=rails.free_actions[0])
        guarded, allowed = rails.guard(ruleset), allowed_actions(rails, partial(decide_columns, columns=columns))
        for row, may in zip(as_rows(columns, MIXED), allowed.T, strict=True):
            if any(is_active(rule, [row], MIXED) for rule in rails.pinned):
                continue
            permitted = [rule for rule in ruleset.rules if may[MIXED.actions.index(rule.action)]]
            expected = decide(ruleset.replace(rules=permitted), row)
            assert set(decide(guarded, row).actions) == set(expected.actions)


def test_the_form_that_a_user_sees() -> None:
    rails = Guardrails(PATIENT, Mode.FIRST, (Rule([compare("age", ">", 80)], "diet", name="frail"),), (RENAL,))
    evolved = parse("1. glucose > 140 -> metformin\n2. glucose > 200 -> insulin\n3. Default -> metformin", PATIENT)
    final = rails.final_form(evolved, [5, 3])
    assert final.to_text(declarations=False).splitlines() == [
        '1. "frail" pinned: age > 80 -> diet',
        "2. glucose > 140 AND creatinine <= 1.5 -> metformin",
        "3. Default -> insulin",
    ], "within the ranges of training rule 2 always decides first, beyond them the guard still stands"


def test_a_guard_that_training_never_needed_survives_as_a_rule_that_always_held_would_not() -> None:
    rails = Guardrails(PATIENT, Mode.FIRST, (), (RENAL,))
    evolved = parse("1. age > 17 -> metformin\n2. Default -> insulin", PATIENT)
    final = rails.final_form(evolved, [9])
    assert decide(final, {"creatinine": 9.0, "glucose": 100.0, "age": 50.0}).action == "insulin"
    assert decide(final, {"creatinine": 1.0, "glucose": 100.0, "age": 50.0}).action == "metformin"


def test_several_conditions_that_forbid_together_make_a_rule_several() -> None:
    rails = Guardrails(PATIENT, Mode.FIRST, (), (Forbidden([*RENAL.conditions, compare("age", ">", 80)], "metformin"),))
    evolved = parse("1. glucose > 140 -> metformin\n2. age <= 60 -> metformin\n3. Default -> diet", PATIENT)
    assert rails.guard(evolved).to_text(declarations=False).splitlines() == [
        "1. glucose > 140 AND creatinine <= 1.5 -> metformin",
        "2. glucose > 140 AND age <= 80 -> metformin",
        "3. age <= 60 -> metformin",
        "4. Default -> diet",
    ]


def test_what_training_never_saw_is_not_taken_for_impossible() -> None:
    schema = Schema([Feature("unit", Kind.CATEGORICAL, categories=("ward", "icu"))], ["go", "stay"])
    rails = Guardrails(schema, Mode.FIRST, (), (Forbidden([compare("unit", "!=", "ward")], "go"),))
    guarded = rails.guard(parse("unit != icu -> go; Default -> stay", schema))
    assert decide(guarded, {"unit": "a new one"}).action == "stay"
    assert decide(guarded, {"unit": "ward"}).action == "go"


def test_the_fallback_takes_the_place_of_a_default_that_is_forbidden_somewhere() -> None:
    ruleset = parse("glucose > 140 -> insulin; Default -> metformin", PATIENT)
    assert Guardrails(PATIENT, Mode.FIRST, (), (RENAL,)).guard(ruleset).default == "insulin"
    assert Guardrails(PATIENT, Mode.FIRST, (), (RENAL,), "diet").guard(ruleset).default == "diet"


def test_guardrails_that_make_no_sense_are_refused() -> None:
    with pytest.raises(RuleError, match="needs a condition"):
        Forbidden([], "metformin")
    with pytest.raises(RuleError, match="unknown forbidden action 'metfromin'; did you mean 'metformin'"):
        Guardrails(PATIENT, Mode.FIRST, (), (Forbidden(RENAL.conditions, "metfromin"),))
    with pytest.raises(SchemaError, match="unknown feature"):
        Guardrails(PATIENT, Mode.FIRST, (), (Forbidden([compare("creatine", ">", 1)], "diet"),))
    with pytest.raises(RuleError, match="every action is forbidden somewhere"):
        Guardrails(PATIENT, Mode.FIRST, (), tuple(Forbidden(RENAL.conditions, each) for each in PATIENT.actions))
    with pytest.raises(RuleError, match="never forbidden, got 'metformin'"):
        Guardrails(PATIENT, Mode.FIRST, (), (RENAL,), "metformin")
    with pytest.raises(RuleError, match="pinned rule 1 decides 'metformin' where it is forbidden"):
        Guardrails(PATIENT, Mode.FIRST, (Rule([compare("age", ">", 80)], "metformin"),), (RENAL,))
    with pytest.raises(RuleError, match=r"certainty 0\.5: in mode hardmax"):
        Guardrails(PATIENT, Mode.HARDMAX, (Rule([compare("age", ">", 80)], "diet", 0.5),))
    Guardrails(PATIENT, Mode.FIRST, (Rule([compare("creatinine", "<", 1)], "metformin"),), (RENAL,))
