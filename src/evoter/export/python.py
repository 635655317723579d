"""Rule sets as plain Python source that needs nothing, not even this package."""

import builtins
import keyword
from collections.abc import Iterator, Sequence
from typing import assert_never

from evoter.export.deciding import comments, deciding, is_numeric, refuse_values
from evoter.export.names import identifiers
from evoter.rules.forms.language import Language
from evoter.rules.model import Operator, Rule, RuleSet, Term
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.printing.pieces import visible
from evoter.rules.schema import Kind, Schema
from evoter.rules.stream import furthest_lag

_SYMBOLS = {Operator.EQ: "==", Operator.LT: "<", Operator.LE: "<=", Operator.GT: ">", Operator.GE: ">="}

_READERS = {Kind.NUMERIC: "number", Kind.BOOLEAN: "number", Kind.CATEGORICAL: "category"}

_DEFINITIONS = {
    "number": '''
def number(value):
    """Return a number or truth value as a float, and a missing one as NaN."""
    return float("nan") if value is None else float(value)
''',
    "category": '''
def category(value):
    """Return the name of a category, which may be given as a number or truth value, and None where it is missing."""
    value = value.item() if hasattr(value, "item") else value
    if value is None or value != value:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
''',
    "winner": '''
def winner(votes):
    """Return the action with the largest mean certainty; of equals, the one that was voted for first."""
    totals, counts = {}, {}
    for certainty, action in votes:
        totals[action] = totals.get(action, 0.0) + certainty
        counts[action] = counts.get(action, 0) + 1
    return max(totals, key=lambda action: totals[action] / counts[action])
''',
}

_LINE_LENGTH = 100
_LOCAL = {"decide", "now", "before", "votes", "taken"}
_RESERVED = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *_DEFINITIONS, *_LOCAL}


def to_python(ruleset: RuleSet, actions: Sequence[object] | None = None) -> str:
    """Write a rule set as the source of a function `decide`.

    The function takes the values of the schema's features, in order, and those of earlier steps, the latest first, if
    lags are read. None and NaN are missing. It returns the name of the action, or the value at its position in
    `actions`: anything whose `repr` is Python. In mode all it returns the list of actions. Where actions are numbers it
    returns a float.

    >>> from evoter.rules.parser import parse
    >>> print(to_python(parse("0.5*x^2 > y -> up; Default -> down"), actions=[0, 1]))
    def decide(now):
        \"\"\"Return the action for the values of x, y.\"\"\"
        x = number(now[0])
        y = number(now[1])
        # 1. 0.5*x^2 > y -> up
        if 0.5 * (x * x) > y:
            return 0
        # 2. Default -> down
        return 1
    <BLANKLINE>
    <BLANKLINE>
    def number(value):
        \"\"\"Return a number or truth value as a float, and a missing one as NaN.\"\"\"
        return float("nan") if value is None else float(value)
    <BLANKLINE>
    """
    schema = ruleset.schema
    python = _Python(schema, ruleset.features_used)
    refuse_values(ruleset, actions)
    if is_numeric(ruleset):
        values = [python.amount(action) for action in schema.actions]
    else:
        values = [repr(value) for value in (schema.actions if actions is None else actions)]
    looks_back = furthest_lag(ruleset) > 0
    what = "actions" if mode_of(ruleset.mode).several_actions else "number" if is_numeric(ruleset) else "action"
    when = ", now and before, the latest first" if looks_back else ""
    lines = [
        f"def decide(now{', *before' if looks_back else ''}):",
        f'    """Return the {what} for the values of {_harmless(", ".join(schema.names))}{when}."""',
        *python.assignments(),
        *_decision(ruleset, python, dict(zip(schema.actions, values, strict=True))),
    ]
    source = "\n".join([*lines, ""])
    return "\n".join([source, *(text for name, text in _DEFINITIONS.items() if f"{name}(" in source)])


def _decision(ruleset: RuleSet, python: "_Python", values: dict[str, str]) -> Iterator[str]:
    """Yield the lines that decide, where `values` says what to return for each action."""
    (procedure, rules, note), default = deciding(ruleset), values[ruleset.default]
    match procedure:
        case Procedure.IN_ORDER:
            consequences = [f"return {values[rule.action]}" for _, rule in rules]
            closing = f"return {default}"
        case Procedure.POLL:
            actions = list(values)
            yield "    votes = []"
            consequences = [f"votes.append(({rule.certainty!r}, {actions.index(rule.action)}))" for _, rule in rules]
            closing = f"return [{', '.join(values.values())}][winner(votes)] if votes else {default}"
        case Procedure.EVERY:
            yield "    taken = []"
            consequences = [f"taken.append({values[rule.action]})" for _, rule in rules]
            closing = f"return taken or [{default}]"
        case _:
            assert_never(procedure)
    if note:
        yield f"    # {note}"
    texts = comments(ruleset)
    for (number, rule), consequence in zip(rules, consequences, strict=True):
        yield f"    # {texts[number - 1]}"
        yield _question(rule, python)
        yield f"        {consequence}"
    yield f"    # {texts[-1]}"
    yield f"    {closing}"


def _question(rule: Rule, python: "_Python") -> str:
    lag = max(term.lag for condition in rule.conditions for term in condition.terms)
    history = [f"len(before) >= {lag}"] if lag > 0 else []
    conditions = [*history, *map(python.condition, rule.conditions)]
    line = f"    if {' and '.join(conditions)}:"
    return line if len(line) <= _LINE_LENGTH else "    if (\n        " + "\n        and ".join(conditions) + "\n    ):"


class _Python(Language[str]):
    """Conditions as Python expressions over one variable per feature that is read now."""

    def __init__(self, schema: Schema, used: Sequence[str]) -> None:
        super().__init__(schema)
        self.variables = dict(zip(used, identifiers(used, _RESERVED, ascii_only=False), strict=True))

    def assignments(self) -> Iterator[str]:
        for name, variable in self.variables.items():
            yield f"    {variable} = {self._reader(name)}(now[{self.schema.position(name)}])"

    def _reader(self, feature: str) -> str:
        return _READERS[self.schema.feature(feature).kind]

    def _read(self, term: Term) -> str:
        if term.lag == 0:
            return self.variables[term.feature]
        return f"{self._reader(term.feature)}(before[{term.lag - 1}][{self.schema.position(term.feature)}])"

    def missing(self, term: Term) -> str:
        value = self._read(term)
        return f"{value} is None" if self._is_categorical(term) else f"{value} != {value}"

    def present(self, term: Term) -> str:
        value = self._read(term)
        return f"{value} is not None" if self._is_categorical(term) else f"{value} == {value}"

    def _is_categorical(self, term: Term) -> bool:
        return self.schema.feature(term.feature).kind is Kind.CATEGORICAL

    def is_one_of(self, term: Term, categories: Sequence[str]) -> str:
        if len(categories) == 1:
            return f"{self._read(term)} == {categories[0]!r}"
        return f"{self._read(term)} in ({', '.join(map(repr, categories))})"

    def is_none_of(self, term: Term, categories: Sequence[str]) -> str:
        return f"{self._read(term)} not in (None, {', '.join(map(repr, categories))})"

    def is_truth(self, term: Term, truth: bool) -> str:
        return f"{self._read(term)} == {int(truth)}"

    def read_number(self, term: Term) -> str:
        return self._read(term)

    def number(self, number: float) -> str:
        return repr(number)

    def zero(self, value: str) -> str:
        return f"(0.0 if {value} == {value} else {value})"

    def scaled(self, value: str, low: float, width: float) -> str:
        return f"(({value} - {low!r}) / {_finite_or_infinite(width)})"

    def raised(self, value: str, power: int) -> str:
        return f"({' * '.join([value] * power)})"

    def times(self, coefficient: float, value: str) -> str:
        return f"{coefficient!r} * {value}"

    def plus(self, first: str, second: str) -> str:
        return f"{first} - {second[1:]}" if second.startswith("-") else f"{first} + {second}"

    def compare(self, operator: Operator, left: str, right: str) -> str:
        if operator is Operator.NE:  # NaN differs from nothing
            return f"({left} < {right} or {left} > {right})"
        return f"{left} {_SYMBOLS[operator]} {right}"


def _finite_or_infinite(number: float) -> str:
    return 'float("inf")' if number == float("inf") else repr(number)


def _harmless(text: str) -> str:
    """Return text that cannot end a docstring."""
    return visible(text).replace("\\", "\\\\").replace('"', "'")
