"""Guardrails: rules that come before all evolved ones, and actions that must not be taken in some contexts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats
from evoter.problems.deciding import decide_columns
from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, Mode, Rule, RuleSet, check_condition
from evoter.rules.modes import mode_of
from evoter.rules.reasoning.facts import Facts
from evoter.rules.schema import Kind, Schema
from evoter.rules.simplify import prune_inactive, simplify

_UNLISTED = "a category that the schema does not list"


@dataclass(frozen=True, slots=True)
class Forbidden:
    """An action that must not be taken where all of some conditions hold."""

    conditions: tuple[Condition, ...]
    action: str

    def __init__(self, conditions: Iterable[Condition], action: str) -> None:
        object.__setattr__(self, "conditions", tuple(conditions))
        object.__setattr__(self, "action", action)
        if not self.conditions:
            raise RuleError(f"forbidding {action!r} needs a condition: to forbid it everywhere, leave the action out")


def opposite(condition: Condition) -> Condition:
    """Return the condition that holds where this one does not, and no value is missing.

    >>> from evoter.rules.model import Term
    >>> opposite(Condition(Term("creatinine"), ">", 1.5)).operator
    <Operator.LE: '<='>
    """
    return form_of(condition).negation(condition)


@dataclass(frozen=True)
class Guardrails:
    """Pinned rules and forbidden actions of a task, and how they change a rule set.

    Pinned rules come first. A rule whose action is forbidden somewhere holds only where it is known to be allowed, so
    not where a missing value leaves it open. The default is `fallback` if it would be an action that is forbidden
    anywhere.
    """

    schema: Schema
    mode: Mode
    pinned: tuple[Rule, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    fallback: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "pinned", tuple(replace(rule, pinned=True) for rule in self.pinned))
        object.__setattr__(self, "forbidden", tuple(self.forbidden))
        RuleSet(self.pinned, self.schema.actions[0], self.schema)  # refuses rules that do not fit
        for each in self.forbidden:
            if each.action not in self.schema.actions:
                hint = did_you_mean(each.action, self.schema.actions)
                raise RuleError(f"unknown forbidden action {each.action!r}{hint}")
            for condition in each.conditions:
                check_condition(condition, self.schema)
        if self.forbidden and not self.free_actions:
            raise RuleError(
                "every action is forbidden somewhere, so none can be the default: add one that is always allowed"
            )
        if self.fallback is not None and self.fallback not in self.free_actions:
            raise RuleError(f"the fallback must be an action that is never forbidden, got {self.fallback!r}")
        for number, rule in enumerate(self.pinned, start=1):
            self._check_pinned(number, rule)

    def _check_pinned(self, number: int, rule: Rule) -> None:
        if obstacle := mode_of(self.mode).pinning_obstacle(rule):
            raise RuleError(f"pinned rule {number} {obstacle}")
        for each in self.forbidden:
            if (
                each.action == rule.action
                and not Facts(_in_raw_units((*rule.conditions, *each.conditions)), self._open_schema).impossible
            ):
                raise RuleError(
                    f"pinned rule {number} prescribes {rule.action!r} where it is forbidden: add a condition to one of "
                    "them so that they never hold together"
                )

    @property
    def free_actions(self) -> tuple[str, ...]:
        """The actions that are never forbidden."""
        bound = {each.action for each in self.forbidden}
        return tuple(action for action in self.schema.actions if action not in bound)

    def default(self, action: str) -> str:
        """Return the action that is taken if this one is the default."""
        free = self.free_actions
        return action if action in free else self.fallback or free[0]

    @cached_property
    def _open_schema(self) -> Schema:
        """The features with all values that may occur in use, not only those seen in training."""
        return Schema(
            [
                replace(
                    feature,
                    low=None,
                    high=None,
                    scaled=False,
                    missing=True,
                    categories=(*feature.categories, _UNLISTED) if feature.kind is Kind.CATEGORICAL else (),
                )
                for feature in self.schema.features
            ],
            self.schema.actions,
            self.schema.max_lag,
        )

    def guard(self, ruleset: RuleSet) -> RuleSet:
        """Return a rule set that respects the guardrails by itself, wherever it is used.

        Rules get the negations of what forbids their action as conditions, unless they imply them already; where
        several conditions forbid it together, a rule is split into several. Guarding again changes nothing.
        """
        evolved = ruleset.rules
        if evolved[: len(self.pinned)] == self.pinned:
            evolved = evolved[len(self.pinned) :]
        rules = [guarded for rule in evolved for guarded in self._guarded(rule)]
        return ruleset.replace(rules=(*self.pinned, *rules), default=self.default(ruleset.default))

    def _guarded(self, rule: Rule) -> Iterator[Rule]:
        binding = [each for each in self.forbidden if each.action == rule.action]
        if not binding:
            yield rule
            return
        facts = self._facts(rule.conditions)
        open_contexts = [
            tuple(map(opposite, each.conditions))
            for each in binding
            if not any(self._known(opposite(condition), rule, facts) for condition in each.conditions)
        ]
        for guards in product(*open_contexts):
            conditions = tuple(dict.fromkeys((*rule.conditions, *guards)))
            if not self._facts(conditions).impossible:
                yield replace(rule, conditions=conditions)

    def _facts(self, conditions: Sequence[Condition]) -> Facts:
        return Facts(_in_raw_units(conditions), self._open_schema)

    @staticmethod
    def _known(condition: Condition, rule: Rule, facts: Facts) -> bool:
        if form_of(condition).scales:
            return condition in rule.conditions
        return facts.impossible or facts.entail(condition)

    def final_form(self, ruleset: RuleSet, counts: Sequence[int]) -> RuleSet:
        """Return a guarded rule set without the rules that never decided, simplified as far as guardrails allow."""
        guarded = self.guard(prune_inactive(ruleset, counts))
        simple = simplify(guarded)
        # Simplification assumes the ranges of training: it may drop a guard, or turn a guarded rule into the default.
        if self.default(simple.default) != simple.default:
            return guarded
        return self.guard(simple)

    def allowed(self, columns: Floats) -> NDArray[np.bool_]:
        """Tell for each action and row of a table, given feature by feature, whether rules may prescribe it there."""
        allowed = np.ones((len(self.schema.actions), columns.shape[1]), np.bool_)
        for each in self.forbidden:
            rules = [Rule([opposite(condition)], each.action) for condition in each.conditions]
            known = decide_columns(RuleSet(rules, each.action, self.schema), columns).active.any(axis=1)
            allowed[self.schema.actions.index(each.action)] &= known
        return allowed

    def violations(self, columns: Floats, prescribed: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell on which rows a forbidden action is among the prescribed ones [row, action]."""
        broken = np.zeros(columns.shape[1], np.bool_)
        for each in self.forbidden:
            rule = Rule(each.conditions, each.action)
            holds = decide_columns(RuleSet([rule], each.action, self.schema), columns).active[:, 0]
            broken |= holds & prescribed[:, self.schema.actions.index(each.action)]
        return broken


def _in_raw_units(conditions: Iterable[Condition]) -> list[Condition]:
    """Leave out conditions that read scaled values: fewer facts are known, all of them true."""
    return [condition for condition in conditions if not form_of(condition).scales]
