"""Guardrails as people write them: texts, rules, pairs and mappings, read into what a task takes."""

import re
from collections.abc import Iterable, Mapping, Sequence

from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.guardrails.forbidden import Forbidden
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.monotone import Direction, Monotone
from evoter.rules.model import Condition, Mode, Rule, RuleSet
from evoter.rules.parser import parse, parse_rule
from evoter.rules.printing.pieces import action_text
from evoter.rules.schema import Schema

Pinned = str | RuleSet | Sequence[Rule | str]
"""Rules that come first: a text of one or several, the rules of a rule set, or a list of rules and texts."""

ForbiddenLike = Forbidden | str | tuple[str | Sequence[Condition], object]
"""A text such as `age < 18 -> never opioid`, or a pair of a context, as text or conditions, and an action."""

Monotones = Mapping[str, str | int]
"""Directions by feature: "increasing" or 1, "decreasing" or -1."""

_NEVER = re.compile(r"(?P<context>.*)(?:->|-->|→|⟶|\bTHEN\b)\s*never\b(?P<action>.*)", re.DOTALL | re.IGNORECASE)
_DIRECTIONS = {
    "increasing": Direction.INCREASING,
    "decreasing": Direction.DECREASING,
    1: Direction.INCREASING,
    -1: Direction.DECREASING,
}


def read_guardrails(
    schema: Schema,
    mode: Mode = Mode.FIRST,
    *,
    pinned: Pinned = (),
    forbidden_features: Iterable[str] = (),
    forbidden: str | Iterable[ForbiddenLike] = (),
    monotone: Monotones | None = None,
    order: Iterable[str] | None = None,
    fallback: str | None = None,
) -> Guardrails:
    """Return guardrails for rule sets over a schema; refuse those that do not fit it or contradict each other.

    `order` lists the actions from the lowest to the highest. With two actions, None is the order of the schema.

    >>> from evoter.rules.schema import Feature
    >>> schema = Schema([Feature("age"), Feature("dose")], ["opioid", "rest"])
    >>> rails = read_guardrails(schema, pinned="dose > 9 -> rest", forbidden="age < 18 -> never opioid")
    >>> print(*rails.sentences(), sep="; ")
    rule 1 is fixed: dose > 9 -> rest; age < 18 -> never opioid
    """
    if isinstance(forbidden_features, str):
        raise RuleError(f"forbidden_features is a list of names: write [{forbidden_features!r}]")
    unread = tuple(forbidden_features)
    if unread and set(schema.names) <= set(unread):
        raise RuleError("forbidden_features names every feature, so that rules have none to read: leave one out")
    rising = _read_monotone(monotone or {}, schema)
    return Guardrails(
        schema,
        mode,
        read_pinned(pinned, schema),
        read_forbidden(forbidden, schema),
        fallback,
        unread,
        rising,
        _read_order(order, schema, needed=bool(rising)),
    )


def read_pinned(pinned: Pinned, schema: Schema) -> tuple[Rule, ...]:
    """Return rules, read from text where they are text."""
    if isinstance(pinned, RuleSet):
        return pinned.rules
    if isinstance(pinned, str):
        # A default makes it a rule set; it is not looked at.
        return parse(f"{pinned}\nDefault -> {action_text(schema.actions[0])}", schema).rules
    return tuple(parse_rule(rule, schema) if isinstance(rule, str) else rule for rule in pinned)


def read_forbidden(forbidden: str | Iterable[ForbiddenLike], schema: Schema) -> tuple[Forbidden, ...]:
    """Return forbidden actions; a pair is a context, as text or conditions, and the action that it forbids."""
    several = [forbidden] if isinstance(forbidden, str) else list(forbidden)
    if len(several) == 2 and isinstance(forbidden, tuple) and not any(_is_whole(each) for each in several):
        raise RuleError(f"forbidden takes a list of pairs: write [{forbidden!r}]")
    return tuple(_read_one(each, schema) for each in several)


def _is_whole(each: object) -> bool:
    return not isinstance(each, str) or _NEVER.fullmatch(each) is not None


def _read_one(each: ForbiddenLike, schema: Schema) -> Forbidden:
    if isinstance(each, Forbidden):
        return each
    if isinstance(each, str):
        found = _NEVER.fullmatch(each)
        if found is None:
            raise RuleError(f"forbidden takes texts such as 'creatinine > 1.5 -> never metformin', got {each!r}")
        rule = parse_rule(f"{found['context']} -> {found['action']}", schema)
        return Forbidden(rule.conditions, rule.action)
    if not isinstance(each, tuple) or len(each) != 2:
        raise RuleError(
            "forbidden takes texts such as 'creatinine > 1.5 -> never metformin', or pairs such as ('creatinine > "
            f"1.5', 'metformin'), got {each!r}"
        )
    context, action = each
    if isinstance(context, str):
        context = parse_rule(f"{context} -> {action_text(str(action))}", schema).conditions
    return Forbidden(context, str(action))


def _read_monotone(monotone: Monotones, schema: Schema) -> tuple[Monotone, ...]:
    read = []
    for name, direction in monotone.items():
        if isinstance(direction, bool) or direction not in _DIRECTIONS:
            raise RuleError(
                f"monotone: {name!r} is 'increasing' (or 1) or 'decreasing' (or -1), not {direction!r}: the direction "
                "in which decisions may move as it rises"
            )
        read.append(Monotone(schema.feature(name).name, _DIRECTIONS[direction]))
    return tuple(read)


def _read_order(order: Iterable[str] | None, schema: Schema, *, needed: bool) -> tuple[str, ...]:
    if order is None:
        if needed and len(schema.actions) > 2:
            raise RuleError(
                f"monotone needs to know which of {', '.join(schema.actions)} is higher: give monotone_order, from the "
                "lowest to the highest"
            )
        return schema.actions if needed else ()
    names = tuple(order)
    for name in names:
        if name not in schema.actions:
            raise RuleError(f"monotone_order has {name!r}, which is not decided{did_you_mean(name, schema.actions)}")
    return names
