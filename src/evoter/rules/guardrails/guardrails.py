"""Guardrails of a task: pinned rules, features that no rule reads, forbidden actions, and monotone features."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from evoter.rules.forms.registry import form_of
from evoter.rules.forms.trend import Trend
from evoter.rules.guardrails.conflicts import check_guardrails
from evoter.rules.guardrails.forbidden import Forbidden, opposite
from evoter.rules.guardrails.monotone import ALLOWED_TESTS, Monotone
from evoter.rules.model import Condition, Mode, Rule, RuleSet
from evoter.rules.reasoning.facts import Facts
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.simplify import prune_inactive, simplify
from evoter.rules.text import print_condition, print_rule

_UNLISTED = "a category that the schema does not list"


@dataclass(frozen=True, slots=True)
class Violation:
    """A guardrail that a rule set breaks, where, and how: `rule` is its number from 1, None for the whole rule set."""

    guardrail: str
    rule: int | None
    reason: str

    def __str__(self) -> str:
        return self.reason if self.rule is None else f"rule {self.rule} {self.reason}"


@dataclass(frozen=True)
class Guardrails:
    """What every rule set of a task must keep, and how a rule set is changed to keep it.

    Pinned rules come first. A rule whose action is forbidden somewhere holds only where it is known to be allowed, so
    not where a missing value leaves it open. The default is `fallback` if it would be an action that is forbidden
    anywhere. No rule reads one of the `forbidden_features`. As the value of a `monotone` feature rises, decisions move
    one way in `order`, the actions from the lowest to the highest; `evoter.rules.guardrails.monotone` says why.

    Whether a rule set keeps them can be seen from its rules: `violations` lists what does not. So they hold on every
    input, also with missing values and with values outside the ranges of the schema.

    >>> from evoter.rules.parser import parse
    >>> from evoter.rules.guardrails.reading import read_guardrails
    >>> rules = parse("age < 30 -> high; income <= 9 -> high; Default -> low")
    >>> rails = read_guardrails(rules.schema, monotone={"age": "increasing"}, order=["low", "high"])
    >>> print(*rails.violations(rules))
    rule 1 tests 'age' by age < 30: as age rises, the decision never moves back in the order low, high, so that rules \
for high test it with > or >= only
    """

    schema: Schema
    mode: Mode
    pinned: tuple[Rule, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    fallback: str | None = None
    forbidden_features: tuple[str, ...] = ()
    monotone: tuple[Monotone, ...] = ()
    order: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "pinned", tuple(replace(rule, pinned=True) for rule in self.pinned))
        object.__setattr__(self, "forbidden", tuple(self.forbidden))
        object.__setattr__(self, "forbidden_features", tuple(self.forbidden_features))
        object.__setattr__(self, "monotone", tuple(self.monotone))
        object.__setattr__(self, "order", tuple(self.order))
        check_guardrails(self)

    def __bool__(self) -> bool:
        return bool(self.pinned or self.forbidden or self.forbidden_features or self.monotone)

    @property
    def free_actions(self) -> tuple[str, ...]:
        """The actions that are never forbidden."""
        bound = {each.action for each in self.forbidden}
        return tuple(action for action in self.schema.actions if action not in bound)

    def default(self, action: str) -> str:
        """Return the action that is taken if this one is the default."""
        free = self.free_actions
        return action if action in free else self.fallback or free[0]

    def sentences(self) -> tuple[str, ...]:
        """Say in words what is guaranteed."""
        return (
            *(f"rule {number} is fixed: {self.plain_text(rule)}" for number, rule in enumerate(self.pinned, start=1)),
            *(f"no rule reads {name}" for name in self.forbidden_features),
            *(each.text(self.schema) for each in self.forbidden),
            *(each.text(self.order) for each in self.monotone),
        )

    def plain_text(self, rule: Rule) -> str:
        """Return a rule as text, without saying that it is pinned."""
        return print_rule(replace(rule, pinned=False), self.schema)

    # What a rule set breaks.

    def violations(self, ruleset: RuleSet) -> tuple[Violation, ...]:
        """Return what a rule set breaks, judged by its rules alone; nothing if it keeps all guardrails on every input.

        The rule set may list other features than the schema here.
        """
        unknown = [feature for feature in ruleset.schema.features if feature.name not in self.schema]
        if unknown:
            wider = self.schema.over([*self.schema.features, *unknown])
            return replace(self, schema=wider).violations(ruleset)
        return (*self._of_whole(ruleset), *self._of_rules(ruleset.rules))

    def _of_whole(self, ruleset: RuleSet) -> Iterator[Violation]:
        if ruleset.mode is not self.mode:
            reason = f"the rules decide by mode {ruleset.mode}, and the guardrails are for mode {self.mode}"
            yield Violation("mode", None, reason)
        for number, rule in enumerate(self.pinned, start=1):
            if ruleset.rules[number - 1 : number] != (rule,):
                yield Violation("pinned", None, f"rule {number} is not the pinned one: {self.plain_text(rule)}")
        for each in self.forbidden:
            if each.action == ruleset.default:
                reason = f"the default is {each.action}, also where it is forbidden: {each.text(self.schema)}"
                yield Violation("forbidden", None, reason)

    def _of_rules(self, rules: Sequence[Rule]) -> Iterator[Violation]:
        for number, rule in enumerate(rules, start=1):
            for guardrail, reason in (*self.breaches(rule), *self._forbidden_reasons(rule)):
                yield Violation(guardrail, number, reason)

    def breaches(self, rule: Rule) -> Iterator[tuple[str, str]]:
        """Yield what a rule reads or tests that it may not, each by the guardrail and the reason.

        What forbids its action is no part of it: guarding sees to that.
        """
        for condition in rule.conditions:
            for name in dict.fromkeys(term.feature for term in condition.terms):
                if name in self.forbidden_features:
                    yield "forbidden_features", f"reads {name!r}, which no rule may read"
            for each in self.monotone:
                if not each.is_kept_by(condition, rule.action, self.order):
                    required = each.required_trend(rule.action, self.order)
                    assert required is not None
                    tests = f"rules for {rule.action} test it {ALLOWED_TESTS[required]} only"
                    shown = print_condition(condition, self.schema)
                    yield "monotone", f"tests {each.feature!r} by {shown}: {each.text(self.order)}, so that {tests}"

    def _forbidden_reasons(self, rule: Rule) -> Iterator[tuple[str, str]]:
        for each in self._open_contexts(rule):
            if self.can_meet(rule, each):
                yield "forbidden", f"may take {rule.action} where it is forbidden: {each.text(self.schema)}"

    def can_meet(self, rule: Rule, forbidden: Forbidden) -> bool:
        """Tell whether a rule might hold where something forbids its action."""
        return rule.action == forbidden.action and not self.facts((*rule.conditions, *forbidden.conditions)).impossible

    def permits(self, rule: Rule) -> bool:
        """Tell whether a rule keeps all guardrails as it is."""
        return next(self.breaches(rule), None) is None and next(self._forbidden_reasons(rule), None) is None

    def required_trend(self, feature: str, action: str) -> Trend | None:
        """Return the trend that conditions on a feature must have in rules for an action; None if any will do."""
        found = (each.required_trend(action, self.order) for each in self.monotone if each.feature == feature)
        return next(found, None)

    # How a rule set is changed to keep them.

    def guard(self, ruleset: RuleSet) -> RuleSet:
        """Return a rule set with the pinned rules in front whose rules stay away from where their action is forbidden.

        Rules get the negations of what forbids their action as conditions, unless they imply them already; where
        several conditions forbid it together, a rule is split into several. Guarding again changes nothing. What rules
        read is not changed: `breaches` tells whether it may stay.
        """
        evolved = (rule for rule in ruleset.rules if rule not in self.pinned)
        rules = [guarded for rule in evolved for guarded in self.guarded_rules(rule)]
        return ruleset.replace(rules=(*self.pinned, *rules), default=self.default(ruleset.default))

    def guarded_rules(self, rule: Rule) -> Iterator[Rule]:
        """Yield the rules that together hold where a rule holds and its action is known to be allowed."""
        contexts = [tuple(map(opposite, each.conditions)) for each in self._open_contexts(rule)]
        if not contexts:
            yield rule
            return
        for guards in product(*contexts):
            conditions = tuple(dict.fromkeys((*rule.conditions, *guards)))
            if not self.facts(conditions).impossible:
                yield replace(rule, conditions=conditions)

    def _open_contexts(self, rule: Rule) -> list[Forbidden]:
        """Return what forbids the action of a rule in places where the rule may hold."""
        binding = [each for each in self.forbidden if each.action == rule.action]
        if not binding:
            return []
        facts = self.facts(rule.conditions)
        return [
            each
            for each in binding
            if not any(self._known(opposite(condition), rule, facts) for condition in each.conditions)
        ]

    def facts(self, conditions: Sequence[Condition]) -> Facts:
        """Return what is known where conditions hold, of all values that may occur in use."""
        # Without those that read scaled values: fewer facts are known, all of them true.
        raw = [condition for condition in conditions if not form_of(condition).scales]
        return Facts(raw, self._open_schema)

    @staticmethod
    def _known(condition: Condition, rule: Rule, facts: Facts) -> bool:
        if form_of(condition).scales:
            return condition in rule.conditions
        return facts.impossible or facts.entail(condition)

    def final_form(self, ruleset: RuleSet, counts: Sequence[int], *, same_deciders: bool = False) -> RuleSet:
        """Return a guarded rule set without the rules that never decided, simplified as far as guardrails allow."""
        return self.simplified(prune_inactive(ruleset, counts), same_deciders=same_deciders)

    def simplified(self, ruleset: RuleSet, *, same_deciders: bool = False) -> RuleSet:
        """Return a guarded rule set, simplified as far as guardrails allow."""
        guarded = self.guard(ruleset)
        # Within the range of training, a comparison may be plainer in a form that breaks a guardrail beyond it.
        open_ended = guarded.replace(schema=self._simplification_schema)
        simple = simplify(open_ended, same_deciders=same_deciders).replace(schema=guarded.schema)
        # It may also drop a guard, or turn a guarded rule into the default.
        if self.default(simple.default) != simple.default:
            return guarded
        simple = self.guard(simple)
        return guarded if any(next(self.breaches(rule), None) for rule in simple.rules) else simple

    @cached_property
    def _simplification_schema(self) -> Schema:
        """The features with the ranges of training, but for monotone ones."""
        names = {each.feature for each in self.monotone}
        features = [_open_ended(each) if each.name in names else each for each in self.schema.features]
        return self.schema.over(features)

    @cached_property
    def _open_schema(self) -> Schema:
        """The features with all values that may occur in use, not only those seen in training."""
        return Schema(
            [
                replace(
                    feature,
                    low=None,
                    high=None,
                    step=None,
                    scaled=False,
                    missing=True,
                    categories=(*feature.categories, _UNLISTED) if feature.kind is Kind.CATEGORICAL else (),
                )
                for feature in self.schema.features
            ],
            self.schema.actions,
            self.schema.max_lag,
        )


def _open_ended(feature: Feature) -> Feature:
    """Return a feature of any value; one that is scaled keeps the range by which it is."""
    if feature.scaled:
        return replace(feature, step=None)
    return replace(feature, low=None, high=None, step=None)
