"""What the parser has read before it is known which names are features, categories and actions."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from evoter.rules.condition import Operator, Right, Term
from evoter.rules.schema import Feature, Target

if TYPE_CHECKING:
    from evoter.rules.forms.form import Form
    from evoter.rules.model import Mode

# Positions (`at`) are offsets into the text: errors found later point there.


class TermDraft(NamedTuple):
    """A term, or a lone word that may turn out to be a category or a truth value; `scaled` where the text says so."""

    term: Term
    at: int
    is_word: bool
    quoted: bool
    scaled: bool = False


class Remarks(NamedTuple):
    """The unit and the range written after a constant: both say something about the feature before it."""

    unit: str
    unit_at: int
    bounds: tuple[float | None, float | None] | None
    bounds_at: int


class ConditionDraft(NamedTuple):
    """A condition as some form has read it: `right` is already known, a term (or a lone word) is in `other`."""

    form: "Form"
    left: TermDraft
    operator: Operator
    right: Right
    other: TermDraft | None
    right_at: int
    remarks: Remarks | None

    @property
    def terms(self) -> tuple[TermDraft, ...]:
        """The one or two terms as they are written."""
        return (self.left,) if self.other is None else (self.left, self.other)


@dataclass(slots=True)
class Sighting:
    """What the rules say about one feature, and where it was first seen."""

    at: int
    words: dict[str, bool] = field(default_factory=dict)  # compared with, and whether each is a truth value
    unit: str = ""
    bounds: tuple[float | None, float | None] | None = None
    bounds_at: int = 0
    missing: bool = False
    scaled: bool = False


class NumericDraft(NamedTuple):
    """A numeric action as it is written; `is_label` says that it may as well be the name of an action."""

    constant: float
    unit: str
    unit_at: int
    coefficient: float
    feature: str
    feature_at: int
    is_label: bool


class ActionDraft(NamedTuple):
    """What a rule or the default leads to: the name of an action, or a number as it is written."""

    action: str
    at: int
    certainty: float
    certainty_at: int
    number: NumericDraft | None = None

    @property
    def is_label(self) -> bool:
        """Whether it may be the name of an action."""
        return self.number is None or self.number.is_label


class RuleDraft(NamedTuple):
    """A rule of unresolved conditions."""

    conditions: list[ConditionDraft]
    action: ActionDraft
    name: str
    pinned: bool
    at: int


class Declarations(NamedTuple):
    """What a `where` block says; None or empty where it says nothing."""

    features: dict[str, tuple[Feature, int]]
    actions: tuple[str, ...] | None = None
    actions_at: int = 0
    target: Target | None = None
    max_lag: int | None = None
    max_lag_at: int = 0
    mode: "Mode | None" = None
    mode_at: int = 0


class RuleSetDraft(NamedTuple):
    """A whole text as read."""

    rules: list[RuleDraft]
    default: ActionDraft
    declarations: Declarations
