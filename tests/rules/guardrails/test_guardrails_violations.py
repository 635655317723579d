"""Rule sets without violations keep their guardrails on every input; violations say what is wrong, and where."""

from random import Random

import pytest

from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import read_guardrails
from evoter.rules.model import Mode, Operator, RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Kind, Schema
from guarding import broken, random_rails
from laws import n_cases
from tasks import MIXED, as_rows, random_columns, random_ruleset

LOAN = Schema(
    [
        Feature("age", low=18, high=90),
        Feature("income", low=0, high=9000),
        Feature("debt", low=0, high=9000),
        Feature("owner", Kind.BOOLEAN),
        Feature("sex", Kind.CATEGORICAL, categories=("female", "male")),
    ],
    ["refuse", "grant"],
)


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.HARDMAX, Mode.VOTE])
def test_what_has_no_violations_breaks_nothing_on_any_row(mode: Mode) -> None:
    n_broken = n_rules = 0
    for seed in range(n_cases(400)):
        rng = Random(seed)
        rails = random_rails(rng, MIXED, mode)
        drawn = random_ruleset(rng, MIXED, mode)
        rows = as_rows(random_columns(rng, MIXED, 12), MIXED)
        found = list(broken(rails, drawn, rows))
        n_broken += len(found)
        assert not found or rails.violations(drawn), "what breaks a guardrail has a violation"
        suitable = drawn.replace(rules=[rule for rule in drawn.rules if not list(rails.breaches(rule))])
        n_rules += len(suitable.rules)
        for kept in (
            rails.guard(suitable),
            rails.simplified(suitable),
            rails.final_form(suitable, [rng.randint(0, 2) for _ in suitable.rules]),
        ):
            assert not rails.violations(kept)
            assert not list(broken(rails, kept, rows))
    assert n_broken > 50
    assert n_rules > 20


def rails(**given: object) -> Guardrails:
    return read_guardrails(LOAN, **given)  # type: ignore[arg-type]


def complaints(guardrails: Guardrails, text: str) -> list[str]:
    return [str(each) for each in guardrails.violations(parse(text, LOAN))]


def test_each_violation_names_the_rule_and_the_guardrail() -> None:
    unread = rails(forbidden_features=["sex"])
    assert complaints(unread, "sex = male -> grant; Default -> refuse") == [
        "rule 1 reads 'sex', which no rule may read"
    ]
    fixed = rails(pinned="age < 18 -> refuse")
    assert complaints(fixed, "income > 900 -> grant; Default -> refuse") == [
        "rule 1 is not the pinned one: age < 18 -> refuse"
    ]
    never = rails(forbidden="age < 18 -> never grant")
    assert complaints(never, "income > 900 -> grant; Default -> grant") == [
        "the default is grant, also where it is forbidden: age < 18 -> never grant",
        "rule 1 may take grant where it is forbidden: age < 18 -> never grant",
    ]
    assert complaints(never, "income > 900 AND age >= 21 -> grant; Default -> refuse") == []
    elsewhere = parse("height > 2 -> grant; Default -> refuse", mode=Mode.FIRST)
    assert [each.guardrail for each in never.violations(elsewhere)] == ["forbidden"], "it does not read age at all"
    (other,) = never.violations(parse("Default -> refuse", LOAN, mode=Mode.HARDMAX))
    assert other.guardrail == "mode"


def test_simplification_writes_no_form_that_breaks_a_direction_beyond_the_range() -> None:
    schema = Schema([Feature("stage", low=0, high=1, step=1), Feature("age", low=0, high=9, step=1)], ["low", "high"])
    guarded = read_guardrails(schema, monotone={"stage": "increasing"})
    evolved = parse("stage > 0.5 -> high; age >= 9 -> high; Default -> low", schema)
    simple = guarded.simplified(evolved)
    assert simple.rules[0].conditions == evolved.rules[0].conditions, "stage = 1 would not hold at 2"
    assert not guarded.violations(simple)
    plain = read_guardrails(schema, forbidden_features=["age"]).simplified(evolved.replace(rules=evolved.rules[:1]))
    assert plain.rules[0].conditions[0].operator is Operator.EQ, "a feature of no direction gets its plainest form"


def test_a_model_that_is_printed_and_read_again_keeps_its_guardrails() -> None:
    guarded = rails(pinned="age < 18 -> refuse", monotone={"income": 1}, forbidden="debt > 8000 -> never grant")
    evolved = parse("income > 900 -> grant; Default -> refuse", LOAN)
    printed = str(guarded.simplified(evolved).restricted())
    assert guarded.violations(parse(printed)) == ()
    assert isinstance(parse(printed), RuleSet)
