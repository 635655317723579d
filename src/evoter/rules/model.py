"""The values of the rule language: terms, conditions, rules and rule sets, all frozen and comparable."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, Self

from evoter.rules.errors import RuleError, SchemaError, did_you_mean
from evoter.rules.schema import Feature, Kind, Schema, check_name, is_finite

if TYPE_CHECKING:
    from rich.text import Text as RichText

MAX_POWER = 3
"""Higher powers are hard to read and are not part of the language."""

Format = Literal["compact", "aligned", "unicode", "markdown", "latex", "html"]


class Operator(StrEnum):
    """How a condition compares its leading term with its trailing side, or tests it for being missing."""

    EQ = "="
    NE = "!="
    LT = "<"
    LE = "<="
    GT = ">"
    GE = ">="
    IS_MISSING = "is missing"
    IS_PRESENT = "is present"

    @property
    def tests_missing(self) -> bool:
        """Whether this operator asks for presence instead of comparing."""
        return self in (Operator.IS_MISSING, Operator.IS_PRESENT)


class Mode(StrEnum):
    """How the active rules of a rule set become a decision."""

    FIRST = "first"
    HARDMAX = "hardmax"
    VOTE = "vote"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Term:
    """`coefficient * feature ^ power [lag]`: a feature's value `lag` steps ago, raised and scaled."""

    feature: str
    coefficient: float = 1.0
    power: int = 1
    lag: int = 0

    def __post_init__(self) -> None:
        if not _is_number(self.coefficient):
            raise RuleError(
                f"feature {self.feature!r}: the coefficient must be a finite number, not {self.coefficient!r}"
            )
        object.__setattr__(self, "coefficient", float(self.coefficient))
        if not _is_whole(self.power) or not 1 <= self.power <= MAX_POWER:
            raise RuleError(f"feature {self.feature!r}: the power must be 1 to {MAX_POWER}, not {self.power!r}")
        if not _is_whole(self.lag) or self.lag < 0:
            raise RuleError(f"feature {self.feature!r}: the lag must be a whole number, 0 or more, not {self.lag!r}")

    @property
    def is_plain(self) -> bool:
        """Whether the term reads the feature as it is (of any lag)."""
        return self.coefficient == 1.0 and self.power == 1


Constant = float | str | bool
"""A number, a category, or a truth value."""


@dataclass(frozen=True, slots=True)
class Condition:
    """`left operator right`: right is another term, a constant, or None for the two tests for missing.

    >>> Condition(Term("velocity", 0.11, power=3), "<", Term("angle", 0.87)).operator
    <Operator.LT: '<'>
    """

    left: Term
    operator: Operator
    right: Term | Constant | None = None

    def __init__(self, left: Term, operator: Operator | str, right: Term | Constant | None = None) -> None:
        operator = Operator(operator)
        if operator.tests_missing:
            if right is not None:
                raise RuleError(f"feature {left.feature!r}: '{operator}' takes no right-hand side, got {right!r}")
        elif right is None:
            raise RuleError(f"feature {left.feature!r}: the operator '{operator}' needs a right-hand side")
        elif not isinstance(right, (Term, str, bool)):
            if not _is_number(right):
                raise RuleError(f"feature {left.feature!r}: a constant must be a finite number, not {right!r}")
            right = float(right)
        object.__setattr__(self, "left", left)
        object.__setattr__(self, "operator", operator)
        object.__setattr__(self, "right", right)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The one or two terms that the condition reads."""
        return (self.left, self.right) if isinstance(self.right, Term) else (self.left,)


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions joined by AND, the action they lead to, and how certain it is.

    `name` and `pinned` are a person's notes: messages and printed text show the name, and simplification never removes
    or changes a pinned rule.

    >>> Rule([Condition(Term("petal length"), "<=", 2.45)], "setosa").conditions[0].right
    2.45
    """

    conditions: tuple[Condition, ...]
    action: str
    certainty: float = 1.0
    name: str = ""
    pinned: bool = False

    def __init__(
        self,
        conditions: Iterable[Condition],
        action: str,
        certainty: float = 1.0,
        name: str = "",
        pinned: bool = False,
    ) -> None:
        object.__setattr__(self, "conditions", tuple(conditions))
        object.__setattr__(self, "action", action)
        object.__setattr__(self, "certainty", _checked_certainty(certainty, f"rule for {action!r}"))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "pinned", pinned)
        if not self.conditions:
            raise RuleError(f"a rule needs at least one condition; action {action!r} without any is a default")
        if name:
            check_name("a rule's name", name)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """An ordered list of rules, a default action, and the schema they are written in.

    Checked against its schema when made, so every rule set that exists makes sense. `str()` gives text that
    `evoter.parse` reads back to an equal value.
    """

    rules: tuple[Rule, ...]
    default: str
    schema: Schema
    default_certainty: float = 1.0
    mode: Mode = Mode.FIRST

    def __init__(
        self,
        rules: Iterable[Rule],
        default: str,
        schema: Schema,
        default_certainty: float = 1.0,
        mode: Mode | str = Mode.FIRST,
    ) -> None:
        object.__setattr__(self, "rules", tuple(rules))
        object.__setattr__(self, "default", default)
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "default_certainty", _checked_certainty(default_certainty, "the default"))
        object.__setattr__(self, "mode", Mode(mode))
        actions = frozenset(self.schema.actions)
        if self.default not in actions:
            raise _unknown_action("the default", self.default, self.schema)
        for number, rule in enumerate(self.rules, start=1):
            if rule.action not in actions:
                raise _unknown_action(f"rule {number}", rule.action, self.schema)
            for condition in rule.conditions:
                try:
                    check_condition(condition, self.schema)
                except RuleError as error:
                    raise SchemaError(f"rule {number}: {error}") from None

    @property
    def n_conditions(self) -> int:
        """The complexity of the rule set, which is the number of conditions over all rules."""
        return sum(len(rule.conditions) for rule in self.rules)

    @property
    def features_used(self) -> tuple[str, ...]:
        """The names of the features that some condition reads, in the schema's order."""
        used = {term.feature for rule in self.rules for condition in rule.conditions for term in condition.terms}
        return tuple(name for name in self.schema.names if name in used)

    def replace(self, **changes: object) -> Self:
        """Return a copy with some attributes changed, checked again."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def restricted(self) -> Self:
        """Return the same rules over a schema that lists only the features they read.

        Of these, only features that some comparison of two terms reads are `scaled`: elsewhere it means nothing.
        """
        conditions = [condition for rule in self.rules for condition in rule.conditions]
        compared = {term.feature for condition in conditions if len(condition.terms) == 2 for term in condition.terms}
        features = [
            replace(feature, scaled=feature.scaled and feature.name in compared)
            for feature in map(self.schema.feature, self.features_used)
        ]
        return self.replace(schema=Schema(features, self.schema.actions, self.schema.max_lag))

    def to_text(
        self,
        form: Format = "compact",
        *,
        ranges: bool = False,
        declarations: bool = True,
        time_step: tuple[float, str] | None = None,
    ) -> str:
        """Print the rule set; see `evoter.rules.text.print_ruleset`."""
        from evoter.rules.text import print_ruleset

        return print_ruleset(self, form, ranges=ranges, declarations=declarations, time_step=time_step)

    def __str__(self) -> str:
        return self.to_text()

    def __rich__(self) -> "RichText":
        from evoter.rules.terminal import colour_ruleset

        return colour_ruleset(self)

    def _repr_html_(self) -> str:
        return self.to_text("html")


def check_condition(condition: Condition, schema: Schema) -> None:
    """Refuse a condition that does not fit the schema."""
    for term in condition.terms:
        feature = schema.feature(term.feature)
        if term.lag > schema.max_lag:
            raise SchemaError(f"{term.feature!r}: lag {term.lag} is beyond the schema's max_lag {schema.max_lag}")
        if not term.is_plain and (feature.kind is not Kind.NUMERIC or condition.operator.tests_missing):
            raise SchemaError(f"{term.feature!r}: a coefficient or power fits comparisons of numeric features only")
    if condition.operator.tests_missing:
        return
    feature = schema.feature(condition.left.feature)
    _CHECKS[feature.kind](condition, feature, schema)


def _check_numeric(condition: Condition, feature: Feature, schema: Schema) -> None:
    right = condition.right
    if isinstance(right, Term):
        other = schema.feature(right.feature)
        if other.kind is not Kind.NUMERIC:
            raise SchemaError(
                f"{feature.name!r} is numeric and cannot be compared with {other.name!r}, which is {other.kind}"
            )
    elif isinstance(right, (str, bool)):
        raise SchemaError(f"{feature.name!r} is numeric and cannot be compared with {right!r}")


def _check_categorical(condition: Condition, feature: Feature, schema: Schema) -> None:
    _check_equality(condition, feature)
    right = condition.right
    if not isinstance(right, str):
        raise SchemaError(f"{feature.name!r} is categorical: compare it with one of its categories, not {right!r}")
    if not feature.has_category(right):
        raise SchemaError(f"{feature.name!r} has no category {right!r}{did_you_mean(right, feature.categories)}")


def _check_boolean(condition: Condition, feature: Feature, schema: Schema) -> None:
    _check_equality(condition, feature)
    if not isinstance(condition.right, bool):
        raise SchemaError(f"{feature.name!r} is boolean: compare it with true or false, not {condition.right!r}")


def _check_equality(condition: Condition, feature: Feature) -> None:
    if condition.operator not in (Operator.EQ, Operator.NE):
        raise SchemaError(f"{feature.name!r} is {feature.kind}: only = and != apply, not {condition.operator}")


_CHECKS = {Kind.NUMERIC: _check_numeric, Kind.CATEGORICAL: _check_categorical, Kind.BOOLEAN: _check_boolean}


def _checked_certainty(certainty: float, what: str) -> float:
    if not _is_number(certainty) or not 0.0 < certainty <= 1.0:
        raise RuleError(f"{what}: the certainty must be above 0 and at most 1, not {certainty!r}")
    return float(certainty)


def _unknown_action(where: str, action: str, schema: Schema) -> SchemaError:
    return SchemaError(f"{where}: unknown action {action!r}{did_you_mean(action, schema.actions)}")


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and is_finite(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
