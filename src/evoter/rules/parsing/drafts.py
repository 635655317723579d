"""What the parser has read before it is known which names are features, categories and actions."""

from typing import NamedTuple

from evoter.rules.model import Mode, Operator, Term
from evoter.rules.schema import Feature

# Places (`at`) are offsets into the text: errors found later point there.


class TermDraft(NamedTuple):
    """A term, or a lone word that may turn out to be a category or a truth value."""

    term: Term
    at: int
    is_word: bool
    quoted: bool


class Remarks(NamedTuple):
    """The unit and the range written after a constant: both say something about the feature before it."""

    unit: str
    unit_at: int
    bounds: tuple[float | None, float | None] | None
    bounds_at: int


class ConditionDraft(NamedTuple):
    """A condition whose right-hand word is not yet resolved."""

    left: TermDraft
    operator: Operator
    right: TermDraft | float | None
    right_at: int
    remarks: Remarks | None


class ActionDraft(NamedTuple):
    """What a rule or the default leads to."""

    action: str
    at: int
    certainty: float
    certainty_at: int


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
    max_lag: int | None = None
    max_lag_at: int = 0
    mode: Mode | None = None
    mode_at: int = 0


class RuleSetDraft(NamedTuple):
    """A whole text as read."""

    rules: list[RuleDraft]
    default: ActionDraft
    declarations: Declarations
