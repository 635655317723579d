"""What JavaScript and C have in common: conditions as expressions, and rules as IF statements with braces."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from evoter.export.deciding import comments, deciding
from evoter.rules.forms.language import Language
from evoter.rules.model import Operator, Rule, RuleSet, Term
from evoter.rules.schema import Kind, Schema

_LINE_LENGTH = 100
_SYMBOLS = {Operator.LT: "<", Operator.LE: "<=", Operator.GT: ">", Operator.GE: ">="}


class Statements(NamedTuple):
    """The lines before the rules, what is done where a rule holds, and the lines after the last rule."""

    opening: Sequence[str]
    consequence: Callable[[Rule], str]
    closing: Sequence[str]


class Braces(Language[str]):
    """A language whose expressions are written as in C; `variables` are those of the features that are read."""

    equal: ClassVar[str]
    indent: ClassVar[str]
    infinity: ClassVar[str]
    history: ClassVar[str]
    """The number of earlier rows."""

    def __init__(self, schema: Schema, variables: Mapping[str, str]) -> None:
        super().__init__(schema)
        self.variables = variables

    @abstractmethod
    def comment(self, text: str) -> str:
        """Write one line of text as a comment that cannot be left."""

    @abstractmethod
    def literal(self, text: str) -> str:
        """Quote a string, so that it is nothing but a string."""

    @abstractmethod
    def read(self, term: Term) -> str:
        """Write the value of a feature, now or earlier."""

    @abstractmethod
    def is_category(self, value: str, category: str, *, negated: bool = False) -> str:
        """Say that text, which may be missing, is a category, or that it is not."""

    @abstractmethod
    def no_text(self, value: str, *, missing: bool) -> str:
        """Say that text is missing, or that it is not."""

    def spelled(self, term: Term, categories: Sequence[str]) -> Sequence[str]:
        """Return how these categories may look as text."""
        return categories

    def rules(self, ruleset: RuleSet, statements: Statements) -> Iterator[str]:
        """Yield the lines that decide: each rule as an IF statement below its text."""
        plan, texts = deciding(ruleset), [self.comment(text) for text in comments(ruleset)]
        yield from (f"{self.indent}{line}" for line in statements.opening)
        if plan.note:
            yield f"{self.indent}{self.comment(plan.note)}"
        for number, rule in plan.rules:
            yield f"{self.indent}{texts[number - 1]}"
            yield from self._question(rule)
            yield f"{self.indent * 2}{statements.consequence(rule)}"
            yield f"{self.indent}}}"
        yield f"{self.indent}{texts[-1]}"
        yield from (f"{self.indent}{line}" for line in statements.closing)

    def _question(self, rule: Rule) -> list[str]:
        lag = max(term.lag for condition in rule.conditions for term in condition.terms)
        exists = [f"{self.history} >= {lag}"] if lag > 0 else []
        conditions = [*exists, *map(self.condition, rule.conditions)]
        line = f"{self.indent}if ({' && '.join(conditions)}) {{"
        if len(line) <= _LINE_LENGTH:
            return [line]
        first, *others = conditions
        return [
            f"{self.indent}if (",
            f"{self.indent * 2}{first}",
            *(f"{self.indent * 2}&& {other}" for other in others),
            f"{self.indent}) {{",
        ]

    def _is_text(self, term: Term) -> bool:
        return self.schema.feature(term.feature).kind is Kind.CATEGORICAL

    def missing(self, term: Term) -> str:
        value = self.read(term)
        return self.no_text(value, missing=True) if self._is_text(term) else f"{value} !{self.equal[1:]} {value}"

    def present(self, term: Term) -> str:
        value = self.read(term)
        return self.no_text(value, missing=False) if self._is_text(term) else f"{value} {self.equal} {value}"

    def is_one_of(self, term: Term, categories: Sequence[str]) -> str:
        tests = [self.is_category(self.read(term), text) for text in self.spelled(term, categories)]
        return tests[0] if len(tests) == 1 else f"({' || '.join(tests)})"

    def is_none_of(self, term: Term, categories: Sequence[str]) -> str:
        others = [self.is_category(self.read(term), text, negated=True) for text in self.spelled(term, categories)]
        return " && ".join([self.present(term), *others])

    def is_truth(self, term: Term, truth: bool) -> str:
        return f"{self.read(term)} {self.equal} {int(truth)}"

    def read_number(self, term: Term) -> str:
        return self.read(term)

    def number(self, number: float) -> str:
        return repr(number)

    def zero(self, value: str) -> str:
        return f"({value} {self.equal} {value} ? 0.0 : {value})"

    def scaled(self, value: str, low: float, width: float) -> str:
        return f"(({value} - {self._signed(low)}) / {self.infinity if width == float('inf') else repr(width)})"

    def raised(self, value: str, power: int) -> str:
        return f"({' * '.join([value] * power)})"

    def times(self, coefficient: float, value: str) -> str:
        return f"{coefficient!r} * {value}"

    def plus(self, first: str, second: str) -> str:
        return f"({first} - {second[1:]})" if second.startswith("-") else f"({first} + {second})"

    def compare(self, operator: Operator, left: str, right: str) -> str:
        if operator is Operator.NE:  # NaN differs from nothing
            return f"({left} < {right} || {left} > {right})"
        return f"{left} {self.equal if operator is Operator.EQ else _SYMBOLS[operator]} {right}"

    @staticmethod
    def _signed(number: float) -> str:
        return f"({number!r})" if number < 0 else repr(number)
