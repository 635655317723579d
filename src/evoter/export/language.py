"""What every target language must be able to say, and how the meaning of a condition is put together from it."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from evoter.rules.model import Condition, Operator, Term
from evoter.rules.schema import Schema

T = TypeVar("T")


class Language(ABC, Generic[T]):
    """A language that conditions are written in, piece by piece; a piece is text, an element or the name of a result.

    The meaning is that of `evoter.rules.interpreter`: numbers are doubles, powers are multiplied out, comparisons of
    two terms read scaled features scaled, and none holds for a missing value or for a NaN that arises.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def condition(self, condition: Condition) -> T:
        """Write a condition."""
        left, operator, right = condition.left, condition.operator, condition.right
        if operator is Operator.IS_MISSING:
            return self.missing(left)
        if operator is Operator.IS_PRESENT:
            return self.present(left)
        if isinstance(right, str):
            return self.is_category(left, right) if operator is Operator.EQ else self.is_other_category(left, right)
        if isinstance(right, bool):  # what is neither missing nor true is false
            return self.is_truth(left, right == (operator is Operator.EQ))
        if isinstance(right, Term):
            return self.compare(operator, self._value(left, scale=True), self._value(right, scale=True))
        assert isinstance(right, float)
        return self.compare(operator, self._value(left, scale=False), self.number(right))

    def _value(self, term: Term, *, scale: bool) -> T:
        feature = self.schema.feature(term.feature)
        value = self.read_number(term)
        if scale and feature.scaled:
            low, high = feature.bounds
            value = self.zero(value) if low == high else self.scaled(value, low, high - low)
        if term.power > 1:
            value = self.raised(value, term.power)
        return value if term.coefficient == 1.0 else self.times(term.coefficient, value)

    @abstractmethod
    def missing(self, term: Term) -> T:
        """Say that the value of a feature of any kind is missing."""

    @abstractmethod
    def present(self, term: Term) -> T:
        """Say that the value of a feature of any kind is present."""

    @abstractmethod
    def is_category(self, term: Term, category: str) -> T:
        """Say that a category is this one."""

    @abstractmethod
    def is_other_category(self, term: Term, category: str) -> T:
        """Say that a category is present and another one, be it listed in the schema or not."""

    @abstractmethod
    def is_truth(self, term: Term, truth: bool) -> T:
        """Say that a truth value is this one."""

    @abstractmethod
    def read_number(self, term: Term) -> T:
        """Read the value of a numeric feature as a double."""

    @abstractmethod
    def number(self, number: float) -> T:
        """Write a finite number."""

    @abstractmethod
    def zero(self, value: T) -> T:
        """Write what is 0 where the value is present and missing where it is missing."""

    @abstractmethod
    def scaled(self, value: T, low: float, width: float) -> T:
        """Subtract `low` and divide by `width`, which is infinite where a range is too wide for doubles."""

    @abstractmethod
    def raised(self, value: T, power: int) -> T:
        """Multiply a value by itself, from left to right."""

    @abstractmethod
    def times(self, coefficient: float, value: T) -> T:
        """Multiply a value by a coefficient."""

    @abstractmethod
    def compare(self, operator: Operator, left: T, right: T) -> T:
        """Compare two numbers; nothing holds for a missing value or NaN, and `!=` is less or greater."""
