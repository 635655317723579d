"""Random guardrails of every kind, and whether a rule set keeps them on given rows, judged by the interpreter."""

from collections.abc import Iterator, Sequence
from random import Random

from domains import random_condition
from evoter.rules.errors import RuleError
from evoter.rules.guardrails.forbidden import Forbidden
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.monotone import Direction, Monotone
from evoter.rules.interpreter import decide, holds, is_active
from evoter.rules.model import Mode, Rule, RuleSet
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.schema import Kind, Schema
from strategies import Row


def random_rails(rng: Random, schema: Schema, mode: Mode) -> Guardrails:
    """Guardrails that do not contradict each other, at least one of them; the last action is never forbidden."""
    while True:
        try:
            rails = _drawn(rng, schema, mode)
        except RuleError:
            continue
        if rails:
            return rails


def _drawn(rng: Random, schema: Schema, mode: Mode) -> Guardrails:
    procedure = mode_of(mode).procedure
    pinned = [
        Rule([random_condition(rng, schema) for _ in range(rng.randint(1, 2))], rng.choice(schema.actions))
        for _ in range(0 if procedure is Procedure.POLL else rng.choice([0, 0, 1, 2]))
    ]
    forbidden = [
        Forbidden([random_condition(rng, schema) for _ in range(rng.randint(1, 2))], rng.choice(schema.actions[:-1]))
        for _ in range(rng.choice([0, 0, 1, 2]))
    ]
    unread = rng.sample(schema.names, rng.choice([0, 0, 1, 2]))
    ordered = [feature.name for feature in schema.features if feature.kind is not Kind.CATEGORICAL]
    chosen = rng.sample(ordered, min(len(ordered), rng.choice([0, 1, 2, 3])))
    monotone = [Monotone(name, rng.choice(list(Direction))) for name in chosen]
    if procedure is not Procedure.IN_ORDER:
        monotone = []
    order = rng.sample(schema.actions, len(schema.actions)) if monotone else ()
    return Guardrails(
        schema, mode, tuple(pinned), tuple(forbidden), None, tuple(unread), tuple(monotone), tuple(order)
    )  # fmt: skip


def broken(rails: Guardrails, ruleset: RuleSet, rows: Sequence[Row]) -> Iterator[str]:
    """Yield the guardrails that a rule set breaks on some row, or as a value rises to that of another row."""
    schema = rails.schema
    yield from ("forbidden_features" for name in ruleset.features_used if name in rails.forbidden_features)
    for row in rows:
        actions = decide(ruleset, row).actions
        for each in rails.forbidden:
            if each.action in actions and all(holds(condition, [row], schema) for condition in each.conditions):
                yield "forbidden"
        first = next((rule for rule in rails.pinned if is_active(rule, [row], schema)), None)
        if first is not None and first.action != actions[0]:
            yield "pinned"
        for rising in rails.monotone:
            yield from _moves_back(rails, rising, ruleset, row, rows)


def _moves_back(
    rails: Guardrails, rising: Monotone, ruleset: RuleSet, row: Row, rows: Sequence[Row]
) -> Iterator[str]:  # fmt: skip
    here, name = row[rising.feature], rising.feature
    before = rails.order.index(decide(ruleset, row).action)
    for other in rows:
        there = other[name]
        if here is None or there is None or isinstance(here, str) or isinstance(there, str) or not here < there:
            continue
        after = rails.order.index(decide(ruleset, {**row, name: there}).action)
        if (after - before) * (1 if rising.direction is Direction.INCREASING else -1) < 0:
            yield "monotone"
