"""What a language must be able to say so that conditions of every form can be exported to it."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from evoter.rules.condition import Condition, Operator, Term
from evoter.rules.forms.registry import form_of
from evoter.rules.numbers.actions import read_action
from evoter.rules.schema import Schema

T = TypeVar("T")


class Language(ABC, Generic[T]):
    """A language that conditions are written in, piece by piece; a piece is text, an element or the name of a result.

    The meaning is that of `evoter.rules.interpreter`: numbers are doubles and powers are multiplied out. What a missing
    value means is said here once for all languages: whatever compares values (`is_one_of`, `is_none_of`,
    `is_truth`, `compare`) does not hold for a missing value, nor for a NaN that arises in arithmetic; only `missing`
    and `present` tell them apart. A language whose conditions can also be unknown, as in SQL, must treat that as false.
    """

    def __init__(self, schema: Schema) -> None:
        self.schema = schema

    def condition(self, condition: Condition) -> T:
        """Write a condition."""
        return form_of(condition).export(condition, self)

    def value(self, term: Term, *, scale: bool) -> T:
        """Write the value of a term; with `scale`, features that the schema scales are scaled."""
        feature = self.schema.feature(term.feature)
        value = self.read_number(term)
        if scale and feature.scaled:
            low, high = feature.bounds
            value = self.zero(value) if low == high else self.scaled(value, low, high - low)
        if term.power > 1:
            value = self.raised(value, term.power)
        return value if term.coefficient == 1.0 else self.times(term.coefficient, value)

    def amount(self, action: str) -> T:
        """Write the number that a numeric action stands for; missing where its linear term reads a missing value."""
        number = read_action(action)
        constant = self.number(number.constant)
        if not number.feature:
            return constant
        return self.plus(constant, self.times(number.coefficient, self.read_number(Term(number.feature))))

    @abstractmethod
    def missing(self, term: Term) -> T:
        """Say that the value of a feature of any kind is missing."""

    @abstractmethod
    def present(self, term: Term) -> T:
        """Say that the value of a feature of any kind is present."""

    @abstractmethod
    def is_one_of(self, term: Term, categories: Sequence[str]) -> T:
        """Say that a category is one of these."""

    @abstractmethod
    def is_none_of(self, term: Term, categories: Sequence[str]) -> T:
        """Say that a category is present and none of these, be it listed in the schema or not."""

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
    def plus(self, first: T, second: T) -> T:
        """Add two numbers, each of which may be a product."""

    @abstractmethod
    def compare(self, operator: Operator, left: T, right: T) -> T:
        """Compare two numbers; nothing holds for a missing value or NaN, and `!=` is less or greater."""
