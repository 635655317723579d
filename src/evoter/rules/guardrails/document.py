"""Guardrails as a part of a JSON document, complete with the features that they mention, and back."""

from collections.abc import Iterable, Mapping

from evoter.rules.files.document import (
    at,
    check_keys,
    read_choice,
    read_field,
    read_list,
    read_name,
    read_object,
    read_whole,
    refuse,
)
from evoter.rules.guardrails.forbidden import Forbidden
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.monotone import Direction, Monotone
from evoter.rules.model import Rule, RuleSet
from evoter.rules.parser import parse
from evoter.rules.schema import Feature, Schema

_KEYS = ("rules", "pinned", "forbidden_features", "monotone", "order", "sentences")
MAX_PINNED = 1_000_000


def guardrails_document(rails: Guardrails) -> dict[str, object]:
    """Return guardrails as plain values.

    `rules` is a rule set as text: first the rules that are `pinned`, so many of them, then a rule for each context in
    which its action is forbidden. `sentences` says all in words and is not read back.
    """
    contexts = [Rule(each.conditions, each.action) for each in rails.forbidden]
    default = rails.fallback or rails.free_actions[0]
    ruleset = RuleSet([*rails.pinned, *contexts], default, rails.schema, mode=rails.mode)
    return {
        "rules": str(ruleset.restricted()),
        "pinned": len(rails.pinned),
        "forbidden_features": list(rails.forbidden_features),
        "monotone": {each.feature: str(each.direction) for each in rails.monotone},
        "order": list(rails.order),
        "sentences": list(rails.sentences()),
    }


def read_guardrails_document(value: object, path: str, ruleset: RuleSet) -> Guardrails:
    """Read what `guardrails_document` wrote, for a rule set that should keep it, whatever features that one reads.

    Features that only the guardrails name are declared as numbers, which does not matter since no rule reads them.
    """
    fields = read_object(value, path)
    check_keys(fields, path, _KEYS, _KEYS)
    written = at(f"{path}.rules", parse, read_field(fields, path, "rules", _read_text))
    n_pinned = read_field(fields, path, "pinned", lambda each, here: read_whole(each, here, 0, MAX_PINNED))
    unread = read_field(fields, path, "forbidden_features", lambda each, here: read_list(each, here, read_name))
    rising = _read_directions(read_field(fields, path, "monotone", read_object), f"{path}.monotone")
    order = read_field(fields, path, "order", lambda each, here: read_list(each, here, read_name))
    schema = _joined(ruleset.schema, written.schema, [*unread, *(each.feature for each in rising)])
    return at(
        path,
        Guardrails,
        schema,
        written.mode,
        written.rules[:n_pinned],
        tuple(Forbidden(rule.conditions, rule.action) for rule in written.rules[n_pinned:]),
        None,
        tuple(unread),
        tuple(rising),
        tuple(order),
    )


def _joined(schema: Schema, other: Schema, names: Iterable[str]) -> Schema:
    """Return a schema with the features and actions of both, and with features of some names."""
    features = {each.name: each for each in [*map(Feature, names), *other.features, *schema.features]}
    actions = dict.fromkeys([*schema.actions, *other.actions])
    return Schema(features.values(), actions, max(schema.max_lag, other.max_lag))


def _read_directions(named: Mapping[str, object], path: str) -> list[Monotone]:
    return [Monotone(name, read_choice(each, f"{path}.{name}", Direction)) for name, each in named.items()]


def _read_text(value: object, path: str) -> str:
    if not isinstance(value, str):
        refuse(value, path, "text")
    return value
