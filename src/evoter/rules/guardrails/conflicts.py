"""Which guardrails make no sense, alone or together: errors name both sides of a conflict."""

from collections import Counter
from typing import TYPE_CHECKING

from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.guardrails.forbidden import opposite
from evoter.rules.guardrails.monotone import ALLOWED_TESTS
from evoter.rules.model import Mode, Rule, RuleSet, check_condition
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.schema import Kind
from evoter.rules.text import print_condition

if TYPE_CHECKING:
    from evoter.rules.guardrails.guardrails import Guardrails


def check_guardrails(rails: "Guardrails") -> None:
    """Refuse guardrails that do not fit the schema, that nothing can guarantee, or that contradict each other."""
    RuleSet(rails.pinned, rails.schema.actions[0], rails.schema)  # refuses rules that do not fit
    _check_forbidden_features(rails)
    _check_forbidden(rails)
    _check_monotone(rails)
    for number, rule in enumerate(rails.pinned, start=1):
        _check_pinned(rails, number, rule)


def _check_forbidden_features(rails: "Guardrails") -> None:
    for name in rails.forbidden_features:
        rails.schema.feature(name)  # refuses unknown names


def _check_forbidden(rails: "Guardrails") -> None:
    for each in rails.forbidden:
        if each.action not in rails.schema.actions:
            hint = did_you_mean(each.action, rails.schema.actions)
            raise RuleError(f"unknown forbidden action {each.action!r}{hint}")
        for condition in each.conditions:
            check_condition(condition, rails.schema)
            for term in condition.terms:
                if term.feature in rails.forbidden_features:
                    raise RuleError(
                        f"forbidden says {each.text(rails.schema)!r}, for which rules must read {term.feature!r}, and "
                        f"forbidden_features says that none may: leave out one of them"
                    )
    if rails.forbidden and not rails.free_actions:
        texts = "; ".join(each.text(rails.schema) for each in rails.forbidden)
        raise RuleError(
            "every action is forbidden somewhere, so none can be the default: add one that is always allowed, or leave "
            f"out one of: {texts}"
        )
    if rails.fallback is not None and rails.fallback not in rails.free_actions:
        raise RuleError(f"the fallback must be an action that is never forbidden, got {rails.fallback!r}")


def _check_monotone(rails: "Guardrails") -> None:
    if not rails.monotone:
        if rails.order:
            raise RuleError("monotone_order has no effect without monotone features: leave it out")
        return
    if mode_of(rails.mode).procedure is not Procedure.IN_ORDER:
        raise RuleError(
            f"in mode {rails.mode} rules decide together, so that no condition of single rules guarantees that "
            f"{rails.monotone[0].feature!r} is monotone: use mode {Mode.FIRST} or {Mode.HARDMAX}"
        )
    if sorted(rails.order) != sorted(rails.schema.actions):
        raise RuleError(
            f"monotone_order must have each of {', '.join(rails.schema.actions)} once, from the lowest to the highest, "
            f"got {', '.join(rails.order) or 'none'}"
        )
    twice = [name for name, count in Counter(each.feature for each in rails.monotone).items() if count > 1]
    if twice:
        raise RuleError(f"monotone names {twice[0]!r} twice: leave out one of them")
    for each in rails.monotone:
        feature = rails.schema.feature(each.feature)
        if feature.kind is Kind.CATEGORICAL:
            raise RuleError(f"{feature.name!r} cannot be monotone: it has categories, which have no order")
        if feature.name in rails.forbidden_features:
            raise RuleError(
                f"monotone says how rules test {feature.name!r}, and forbidden_features says that no rule reads it: "
                "leave out one of them"
            )
        for other in rails.forbidden:
            for guard in map(opposite, other.conditions):
                required = each.required_trend(other.action, rails.order)
                if required is not None and not each.is_kept_by(guard, other.action, rails.order):
                    raise RuleError(
                        f"forbidden says {other.text(rails.schema)!r}, for which rules for {other.action} must test "
                        f"{print_condition(guard, rails.schema)}; but {each.text(rails.order)}, for which they may "
                        f"test {feature.name} only {ALLOWED_TESTS[required]}: leave out one of them"
                    )


def _check_pinned(rails: "Guardrails", number: int, rule: Rule) -> None:
    if obstacle := mode_of(rails.mode).pinning_obstacle(rule):
        raise RuleError(f"pinned rule {number} {obstacle}")
    shown = rails.plain_text(rule)
    for _, reason in rails.breaches(rule):
        raise RuleError(f"pinned rule {number} ({shown}) {reason}: leave out one of them")
    for each in rails.forbidden:
        if rails.can_meet(rule, each):
            raise RuleError(
                f"pinned rule {number} decides {rule.action!r} where it is forbidden: {shown!r} and "
                f"{each.text(rails.schema)!r}; add a condition to one of them so that they never hold together"
            )
