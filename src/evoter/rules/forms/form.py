"""What every form of condition must define, and what a missing value means in all of them."""

import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeVar

from evoter.rules.condition import OPPOSITES, Condition, Constant, Operator, Right, Term
from evoter.rules.errors import SchemaError
from evoter.rules.forms.trend import Trend
from evoter.rules.printing.pieces import Piece, term_pieces
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.values import Row, read_term

if TYPE_CHECKING:
    from evoter.rules.files.leaf_columns import Fields, LeafKeys
    from evoter.rules.forms.language import Language
    from evoter.rules.forms.outcome import ConditionOutcome
    from evoter.rules.parsing.drafts import ConditionDraft, Sighting, TermDraft
    from evoter.rules.parsing.tokens import TokenStream
    from evoter.rules.printing.pieces import TimeStep
    from evoter.rules.reasoning.facts import Facts
    from evoter.rules.reasoning.spans import Spans
    from evoter.rules.reasoning.variables import Variable

T = TypeVar("T")

NO_FEATURE = -1
"""The `right` code of a condition that reads one feature only."""

OPERATORS = tuple(Operator)
"""Operators in the order of their codes."""

OPERATOR_WORDS = {
    Operator.EQ: "equal to",
    Operator.NE: "other than",
    Operator.LT: "below",
    Operator.LE: "at most",
    Operator.GT: "above",
    Operator.GE: "at least",
    Operator.IS_MISSING: "missing",
    Operator.IS_PRESENT: "present",
    Operator.IN: "one of",
    Operator.NOT_IN: "none of",
}


class Codes(NamedTuple):
    """A condition in plain numbers, as the compiled functions see it; features are numbered by the schema."""

    left: int
    operator: int
    left_power: int
    left_lag: int
    right: int
    right_power: int
    right_lag: int
    left_coefficient: float
    right_number: float
    sum_constant: float = 0.0


class Relation(Protocol):
    """What a condition on several variables contributes to what is known; see `evoter.rules.reasoning.facts.Facts`."""

    def restrict(self, facts: "Facts") -> None:
        """Keep only the values for which the condition can be evaluated at all."""

    def propagate(self, facts: "Facts") -> bool:
        """Bound each variable by what is known of the others; return whether that excluded any value."""

    def record(self, facts: "Facts") -> None:
        """Add what values of single variables cannot express."""

    def is_entailed(self, facts: "Facts") -> bool:
        """Tell whether the condition certainly holds wherever the facts do."""


class Form(ABC):
    """One form of condition. A form has no state: its methods take the condition.

    A new form is a subclass in a module of its own, listed in `evoter.rules.forms.registry.FORMS`, with its shape
    accepted by the constructor of `Condition`. What cannot be left out is abstract; what has a default here is right
    for every form that compares values and reads them raw.
    """

    name: ClassVar[str]
    """What tests and messages call the form."""

    right_types: ClassVar[tuple[type, ...]]
    """The types of right-hand side by which the form is recognised."""

    right_words: ClassVar[str] = ""
    """What error messages call the right-hand side, where there is one."""

    compares: ClassVar[bool] = True
    """Whether the form compares values: if not, a coefficient or a power makes no sense in it."""

    version: ClassVar[int] = 1
    """The first version of the JSON format that has the form."""

    scales: ClassVar[bool] = False
    """Whether features that the schema scales are read scaled."""

    adds: ClassVar[bool] = False
    """Whether the two terms are added up, and not compared with each other."""

    # What a condition means.

    def holds(self, condition: Condition, history: Sequence[Row], schema: Schema) -> bool:
        """Tell whether a condition holds now, where `history[-1 - lag]` is `lag` steps ago.

        This is the one place in Python that says what absence means. With too little history for one of its terms, a
        condition is false, whatever its form. Where a value is missing, `holds_if_missing` answers, which is false in
        all forms that compare values. A NaN that arises in arithmetic compares false as well, see `compare`.
        """
        values = self.values(condition, history, schema)
        if values is None:
            return False
        if None in values:
            return self.holds_if_missing(condition)
        return self.accepts(condition, values)  # type: ignore[arg-type]  # none of them is None

    def holds_if_missing(self, condition: Condition) -> bool:
        """Tell whether a condition holds where a value it reads is missing."""
        return False

    @abstractmethod
    def accepts(self, condition: Condition, values: Sequence[Constant]) -> bool:
        """Tell whether a condition holds for the values of its terms, none of which is missing."""

    def values(
        self, condition: Condition, history: Sequence[Row], schema: Schema
    ) -> tuple[Constant | None, ...] | None:
        """Return the value of each term, None where missing; None for all with too little history for one of them."""
        terms = condition.terms
        for term in terms:
            if term.lag >= len(history):
                return None
        return tuple([read_term(term, history, schema, scale=self.scales) for term in terms])

    def sides(self, condition: Condition, values: Sequence[Constant | None]) -> tuple[Constant | None, Constant | None]:
        """Return the two sides of a condition as they are compared, given the values of its terms."""
        return values[0], condition.right if isinstance(condition.right, float | str | bool) else None

    def n_conditions(self, condition: Condition) -> int:
        """Return what a condition counts towards the complexity of a rule set."""
        return 1

    # How a condition fits a schema.

    def check(self, condition: Condition, schema: Schema) -> None:
        """Refuse a condition that does not fit the schema."""
        for term in condition.terms:
            feature = schema.feature(term.feature)
            if term.lag > schema.max_lag:
                raise SchemaError(f"{term.feature!r}: lag {term.lag} is beyond the schema's max_lag {schema.max_lag}")
            if not term.is_plain and (feature.kind is not Kind.NUMERIC or not self.compares):
                raise SchemaError(f"{term.feature!r}: a coefficient or power fits comparisons of numeric features only")
        self.check_kinds(condition, schema.feature(condition.left.feature), schema)

    @abstractmethod
    def check_kinds(self, condition: Condition, feature: Feature, schema: Schema) -> None:
        """Refuse a condition whose right-hand side does not fit the kind of the feature on its left."""

    # What follows from a condition.

    @abstractmethod
    def satisfying(self, condition: Condition, schema: Schema) -> "tuple[Variable, Spans] | None":
        """Return the one variable on which a condition depends and the values that satisfy it; None if it needs two."""

    def satisfying_now(self, condition: Condition, name: str, history: Sequence[Row], schema: Schema) -> "Spans":
        """Return the present values of a feature, now, with which a condition holds, all else being as in a history.

        The condition reads the feature without a lag. Comparisons of a feature with itself are exact up to rounding.
        """
        single = self.satisfying(condition, schema)
        return () if single is None else single[1]

    def relation(self, condition: Condition) -> Relation:
        """Return what a condition says about several variables, where `satisfying` has no answer."""
        raise NotImplementedError(f"{self.name}: this form of condition depends on one variable")

    @abstractmethod
    def canonical(self, condition: Condition, nothing: "Facts") -> Condition:
        """Return the plainest condition that holds at the same points; `nothing` are the facts of no condition."""

    def negation(self, condition: Condition) -> Condition:
        """Return the condition that holds where this one does not, and no value is missing."""
        return Condition(condition.left, OPPOSITES[condition.operator], condition.right)

    def trends(self, condition: Condition) -> tuple[Trend, ...]:
        """Say for each term what happens to the condition as its value rises; see `evoter.rules.guardrails`."""
        return (Trend.NONE,) * len(condition.terms)

    # The numbers in a condition.

    def thresholds(self, condition: Condition) -> tuple[float, ...]:
        """Return the numbers with which a condition compares its left term; none where it compares something else."""
        return ()

    def with_thresholds(self, condition: Condition, thresholds: Sequence[float]) -> Condition:
        """Return a condition of the same kind on the plain feature, with other thresholds in the feature's units."""
        raise NotImplementedError(f"{self.name}: this form of condition has no thresholds")

    def margin(self, condition: Condition, values: Sequence[Any]) -> Any:
        """Return a number that changes its sign where the condition does, given numbers or arrays for its terms.

        None where the condition does not compare numbers.
        """
        return None

    # Text.

    @abstractmethod
    def parse(self, stream: "TokenStream", left: "TermDraft") -> "ConditionDraft | None":
        """Read what follows the left term; None, without moving on, where it is not in this form."""

    def resolve(self, draft: "ConditionDraft", schema: Schema) -> Right:
        """Return the right-hand side of a draft that this form has read, now that the schema is known."""
        return draft.right

    def certain_features(self, draft: "ConditionDraft") -> Iterable[str]:
        """Return the names in a draft that can only be names of features."""
        return [side.term.feature for side in draft.terms]

    def note(  # noqa: B027 - most forms tell nothing
        self, draft: "ConditionDraft", sighting: "Sighting", certain: frozenset[str]
    ) -> None:
        """Note what a draft tells about the feature on its left, where a schema has to be inferred from the text."""

    def left_pieces(self, condition: Condition) -> Iterator[Piece]:
        """Take what is printed before the operator apart."""
        return term_pieces(condition.left)

    @abstractmethod
    def right_pieces(self, condition: Condition, schema: Schema | None, *, ranges: bool) -> Iterator[Piece]:
        """Take what is printed after the operator apart; a schema adds the unit and, when asked, the range."""

    def requirement(self, condition: Condition, schema: Schema) -> str:
        """Say in words what a condition requires of its left side: `at most 60 mmHg`.

        Where the right-hand side is another term, whose value only a row tells, it is left out.
        """
        right = [content for _, content in self.right_pieces(condition, schema, ranges=False)]
        return " ".join([OPERATOR_WORDS[condition.operator], *(["".join(right)] if right else [])])

    @abstractmethod
    def explained(self, outcome: "ConditionOutcome", schema: Schema, time_step: "TimeStep | None") -> str:
        """Say which values a condition read and, where that is something else, what was compared."""

    # Files.

    @abstractmethod
    def right_json(self, condition: Condition) -> object:
        """Return the field `right` of a condition in JSON, None to leave it out."""

    @abstractmethod
    def read_right_json(self, value: object, path: str) -> Right:
        """Read the field `right` from JSON; None where the value does not belong to this form."""

    @abstractmethod
    def leaf_fields(self, condition: Condition, keys: "LeafKeys") -> "list[Fields]":
        """Return the conditions of leaf-common that together say the same; refuse what it cannot say."""

    # Other languages, and the compiled side.

    @abstractmethod
    def export(self, condition: Condition, language: "Language[T]") -> T:
        """Write a condition in another language."""

    def tells_unlisted_from_missing(self, condition: Condition) -> bool:
        """Tell whether a category that the schema does not list makes a difference from a missing value."""
        return False

    @abstractmethod
    def codes(self, condition: Condition, schema: Schema) -> Codes:
        """Return a condition in plain numbers."""

    @abstractmethod
    def from_codes(self, codes: Codes, schema: Schema) -> Condition | None:
        """Return the condition that plain numbers stand for; None where they belong to another form."""


def compare(how: Operator, left: Constant, right: Constant) -> bool:
    """Compare two values as conditions do: nothing holds for NaN, not even `!=`, which means less or greater."""
    return _COMPARISONS[how](left, right)


_COMPARISONS: dict[Operator, Callable[[Any, Any], bool]] = {
    Operator.EQ: operator.eq,
    Operator.NE: lambda left, right: left < right or left > right,
    Operator.LT: operator.lt,
    Operator.LE: operator.le,
    Operator.GT: operator.gt,
    Operator.GE: operator.ge,
}


def kind_error(condition: Condition, feature: Feature) -> SchemaError:
    """Make the error that says what a feature of this kind may be compared with."""
    if feature.kind is Kind.NUMERIC:
        return SchemaError(f"{feature.name!r} is numeric and cannot be compared with {condition.right!r}")
    if condition.operator not in (Operator.EQ, Operator.NE):
        return SchemaError(f"{feature.name!r} is {feature.kind}: only = and != apply, not {condition.operator}")
    wanted = "one of its categories" if feature.kind is Kind.CATEGORICAL else "true or false"
    return SchemaError(f"{feature.name!r} is {feature.kind}: compare it with {wanted}, not {condition.right!r}")


def term_codes(term: Term, how: Operator, schema: Schema) -> Codes:
    """Return the codes of a condition with the given left side, and nothing on its right."""
    return Codes(
        left=schema.position(term.feature),
        operator=OPERATORS.index(how),
        left_power=term.power,
        left_lag=term.lag,
        right=NO_FEATURE,
        right_power=1,
        right_lag=0,
        left_coefficient=term.coefficient,
        right_number=0.0,
    )


def left_term(codes: Codes, schema: Schema) -> Term:
    """Return the left side that codes stand for."""
    return Term(schema.features[codes.left].name, codes.left_coefficient, codes.left_power, codes.left_lag)
