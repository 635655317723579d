"""The guardrails of an estimator: its parameters, read for the features and actions that its rules have."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from evoter.kernels.layout import Floats
from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.guardrails.reading import ForbiddenLike, Monotones, Pinned, read_guardrails
from evoter.rules.model import Mode, RuleSet
from evoter.rules.schema import Schema

Forbiddens = str | Sequence[ForbiddenLike]
"""Where actions must not be taken: texts, or pairs of a context and an action."""


class GuardedEstimator(Protocol):
    """An estimator with guardrails; `run_parameters` describes the parameters."""

    pinned: Pinned
    forbidden_features: Sequence[str | int]
    forbidden: Forbiddens
    monotone: Monotones | None
    monotone_order: Sequence[Any] | None


NO_GUARDRAILS: dict[str, Any] = {
    "pinned": (),
    "forbidden_features": (),
    "forbidden": (),
    "monotone": None,
    "monotone_order": None,
}
"""The parameters of an estimator without guardrails."""


def guardrails_of(
    estimator: GuardedEstimator,
    schema: Schema,
    mode: Mode,
    *,
    labels: Sequence[Any] = (),
    columns: Mapping[str, Sequence[str]] | None = None,
    fallback: str | None = None,
) -> Guardrails:
    """Return the guardrails that the parameters of an estimator ask for.

    `labels` are what users call the schema's actions, where that is not their names. `columns` has the features of each
    column that users hand in, where rules do not read the columns themselves.
    """
    columns = columns or {name: (name,) for name in schema.names}
    return read_guardrails(
        schema,
        mode,
        pinned=estimator.pinned,
        forbidden_features=_features(estimator.forbidden_features, schema, columns),
        forbidden=_with_names(estimator.forbidden, labels, schema),
        monotone=_monotone(estimator.monotone, schema, columns),
        order=_order(estimator.monotone_order, labels, schema),
        fallback=fallback,
    )


def with_frequent_fallback(rails: Guardrails, weights: Floats) -> Guardrails:
    """Return guardrails whose fallback is the action of the largest weight among those never forbidden."""
    if not rails.forbidden:
        return rails
    heaviest = max(rails.free_actions, key=lambda action: weights[rails.schema.actions.index(action)])
    return replace(rails, fallback=heaviest)


def check_kept(rails: Guardrails, ruleset: RuleSet) -> None:
    """Refuse a rule set that breaks a guardrail."""
    broken = rails.violations(ruleset) if rails else ()
    if broken:
        raise RuleError(f"the rules break a guardrail: {broken[0]}")


def _features(
    wanted: Sequence[str | int], schema: Schema, columns: Mapping[str, Sequence[str]]
) -> Sequence[str]:  # fmt: skip
    """Return the features that rules read of some columns, which are given by name or position, or of features."""
    names: list[str] = []
    for each in wanted:
        if isinstance(each, int) and not isinstance(each, bool) and 0 <= each < len(columns):
            names += list(columns.values())[each]
        elif each in columns:
            names += columns[str(each)]
        elif each in schema:
            names.append(str(each))
        else:
            hint = did_you_mean(str(each), [*columns, *schema.names])
            raise ValueError(f"forbidden_features: there is no feature {each!r}{hint}")
    return list(dict.fromkeys(names))


def _monotone(
    monotone: Monotones | None, schema: Schema, columns: Mapping[str, Sequence[str]]
) -> Monotones | None:  # fmt: skip
    """Return the same directions; refuse a column of which rules read statistics only."""
    for name in monotone or ():
        if name not in schema and name in columns:
            raise ValueError(
                f"monotone: rules do not read {name!r} itself but {', '.join(columns[name])}: name those of them that "
                "decisions must follow"
            )
    return monotone


def _order(order: Sequence[Any] | None, labels: Sequence[Any], schema: Schema) -> list[str] | None:
    return None if order is None else [_name(label, labels, schema) for label in order]


def _with_names(forbidden: Forbiddens, labels: Sequence[Any], schema: Schema) -> Forbiddens:
    """Return what is forbidden with the names of actions where pairs have labels."""
    if isinstance(forbidden, str):
        return forbidden
    read = [
        (each[0], _name(each[1], labels, schema)) if isinstance(each, tuple) and len(each) == 2 else each
        for each in forbidden
    ]
    return tuple(read) if isinstance(forbidden, tuple) else read


def _name(label: Any, labels: Sequence[Any], schema: Schema) -> str:
    for known, action in zip(labels, schema.actions, strict=False):
        if label in (known, action):
            return action
    return str(label)
