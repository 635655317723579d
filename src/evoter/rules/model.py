"""The values of the rule language: terms, conditions, rules and rule sets, all frozen and comparable."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Self

from evoter.rules.answers.rule_counts import RuleCounts, check_counts
from evoter.rules.answers.track_record import TrackRecord, check_records
from evoter.rules.condition import MAX_POWER, Condition, Constant, Operator, Sum, Term, is_number
from evoter.rules.errors import RuleError, SchemaError, did_you_mean
from evoter.rules.forms.registry import form_of
from evoter.rules.numbers.actions import action_name, checked_rules, read_action
from evoter.rules.numbers.residuals import Residuals, check_residuals
from evoter.rules.schema import Schema, check_name

if TYPE_CHECKING:
    from rich.text import Text as RichText

__all__ = [
    "MAX_POWER",
    "Condition",
    "Constant",
    "Format",
    "Mode",
    "Operator",
    "Rule",
    "RuleSet",
    "Sum",
    "Term",
    "check_condition",
]

Format = Literal["compact", "aligned", "unicode", "markdown", "latex", "html", "plain"]


class Mode(StrEnum):
    """How the active rules of a rule set become a decision."""

    FIRST = "first"
    HARDMAX = "hardmax"
    VOTE = "vote"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions joined by AND, the action they lead to, and how certain it is.

    An action that is a number, which needs a schema with a target, is kept as its text, as in `12.5` or `12 + 0.3*age`.
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
        action: str | float,
        certainty: float = 1.0,
        name: str = "",
        pinned: bool = False,
    ) -> None:
        object.__setattr__(self, "conditions", tuple(conditions))
        object.__setattr__(self, "action", action_name(action))
        object.__setattr__(self, "certainty", _checked_certainty(certainty, f"rule for {action!r}"))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "pinned", pinned)
        if not self.conditions:
            raise RuleError(f"a rule needs at least one condition; action {action!r} without any is a default")
        if name:
            check_name("a rule's name", name)

    @property
    def n_conditions(self) -> int:
        """What the rule counts towards complexity, which is its number of conditions, with a sum counted as two."""
        return sum(form_of(condition).n_conditions(condition) for condition in self.conditions)


@dataclass(frozen=True, slots=True)
class RuleSet:
    """An ordered list of rules, a default action, and the schema they are written in.

    Checked against its schema when made, so every rule set that exists makes sense. `str()` gives text that
    `evoter.parse` reads back to an equal value. `records` tell what each rule, and last the default, did in training,
    `residuals` how far from the truth its numbers were, and `counts` how often each held and decided on which data, if
    that is known. They influence no decision, are no
    part of equality or text, and are dropped where rules are replaced.
    """

    rules: tuple[Rule, ...]
    default: str
    schema: Schema
    default_certainty: float = 1.0
    mode: Mode = Mode.FIRST
    records: tuple[TrackRecord, ...] = field(default=(), compare=False, repr=False)
    counts: RuleCounts | None = field(default=None, compare=False, repr=False)
    residuals: tuple[Residuals, ...] = field(default=(), compare=False, repr=False)

    def __init__(
        self,
        rules: Iterable[Rule],
        default: str | float,
        schema: Schema,
        default_certainty: float = 1.0,
        mode: Mode | str = Mode.FIRST,
        records: Iterable[TrackRecord] = (),
        counts: RuleCounts | None = None,
        residuals: Iterable[Residuals] = (),
    ) -> None:
        object.__setattr__(self, "rules", tuple(rules))
        object.__setattr__(self, "default", action_name(default))
        object.__setattr__(self, "schema", schema)
        object.__setattr__(self, "default_certainty", _checked_certainty(default_certainty, "the default"))
        object.__setattr__(self, "mode", Mode(mode))
        object.__setattr__(self, "records", tuple(records))
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "residuals", tuple(residuals))
        if schema.target is not None:
            self._check_numbers()
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
        check_records(self.records, len(self.rules), len(self.schema.actions))
        for record in self.records:
            for part in record.parts:
                for condition in part.conditions:
                    check_condition(condition, self.schema)
        check_counts(self.counts, len(self.rules))
        check_residuals(self.residuals, len(self.rules), is_numeric=schema.target is not None)

    def _check_numbers(self) -> None:
        """Refuse actions that are no numbers, and let the schema list those that occur."""
        if self.mode is not Mode.FIRST:
            raise SchemaError(f"numbers are predicted by the first rule that holds: use mode first, not {self.mode}")
        if self.default_certainty != 1.0:
            raise SchemaError(f"the default: numbers have no certainty: leave out {self.default_certainty:g}")
        rules, default = checked_rules(self.rules, self.default, self.schema)
        actions = dict.fromkeys([*(rule.action for rule in rules), default])
        schema = Schema(self.schema.features, actions, self.schema.max_lag, self.schema.target)
        object.__setattr__(self, "rules", rules)
        object.__setattr__(self, "default", default)
        object.__setattr__(self, "schema", schema)

    @property
    def n_conditions(self) -> int:
        """The complexity of the rule set, which is its conditions, with a sum counted as two, and linear terms."""
        return sum(rule.n_conditions for rule in self.rules) + sum(map(bool, self._added_features))

    @property
    def _added_features(self) -> tuple[str, ...]:
        """The feature of the linear term of each rule, and last of the default; empty where there is none."""
        if self.schema.target is None:
            return ()
        return tuple(read_action(action).feature for action in (*(rule.action for rule in self.rules), self.default))

    @property
    def features_used(self) -> tuple[str, ...]:
        """The names of the features that some condition or linear term reads, in the schema's order."""
        used = {term.feature for rule in self.rules for condition in rule.conditions for term in condition.terms}
        used.update(self._added_features)
        return tuple(name for name in self.schema.names if name in used)

    def replace(self, **changes: object) -> Self:
        """Return a copy with some attributes changed, checked again.

        Track records and counts stay only where a new schema has the same actions and nothing else is replaced: other
        rules would have decided other rows.
        """
        schema = changes.get("schema", self.schema)
        same_actions = isinstance(schema, Schema) and (
            schema.actions == self.schema.actions or (schema.target is not None and self.schema.target is not None)
        )
        kept = same_actions and changes.keys() <= {"schema", "records", "counts", "residuals"}
        statistics = (
            {"records": self.records, "counts": self.counts, "residuals": self.residuals}
            if kept
            else {"records": (), "counts": None, "residuals": ()}
        )
        return replace(self, **(statistics | changes))  # type: ignore[arg-type]

    def restricted(self) -> Self:
        """Return the same rules over a schema that lists only the features they read.

        Of these, only features that some comparison of two terms reads are `scaled`: elsewhere it means nothing.
        """
        conditions = [condition for rule in self.rules for condition in rule.conditions]
        scaled = {term.feature for condition in conditions if form_of(condition).scales for term in condition.terms}
        features = [
            replace(feature, scaled=feature.scaled and feature.name in scaled)
            for feature in map(self.schema.feature, self.features_used)
        ]
        return self.replace(schema=self.schema.over(features))

    def diff(self, other: "RuleSet") -> str:
        """Return what changes from this rule set to another: a line for each change, nothing if they are equal.

        See `evoter.rules.editing.difference`.
        """
        from evoter.rules.editing.difference import difference

        return difference(self, other)

    def to_text(
        self,
        form: Format = "compact",
        *,
        ranges: bool = False,
        declarations: bool = True,
        time_step: tuple[float, str] | None = None,
        language: str | None = None,
        labels: Any = None,
        importances: Mapping[str, float] | None = None,
    ) -> str:
        """Print the rule set; see `evoter.rules.text.print_ruleset`."""
        from evoter.rules.text import print_ruleset

        return print_ruleset(
            self,
            form,
            ranges=ranges,
            declarations=declarations,
            time_step=time_step,
            language=language,
            labels=labels,
            importances=importances,
        )

    def __str__(self) -> str:
        return self.to_text()

    def __rich__(self) -> "RichText":
        from evoter.rules.terminal import colour_ruleset

        return colour_ruleset(self)

    def _repr_html_(self) -> str:
        return self.to_text("html")


def check_condition(condition: Condition, schema: Schema) -> None:
    """Refuse a condition that does not fit the schema."""
    form_of(condition).check(condition, schema)


def _checked_certainty(certainty: float, what: str) -> float:
    if not is_number(certainty) or not 0.0 < certainty <= 1.0:
        raise RuleError(f"{what}: the certainty must be above 0 and at most 1, not {certainty!r}")
    return float(certainty)


def _unknown_action(where: str, action: str, schema: Schema) -> SchemaError:
    return SchemaError(f"{where}: unknown action {action!r}{did_you_mean(action, schema.actions)}")
