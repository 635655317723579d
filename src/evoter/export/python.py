"""Rule sets as plain Python source that needs nothing, not even this package."""

from collections.abc import Sequence

from evoter.rules.errors import RuleError
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.schema import Kind, Schema
from evoter.rules.stream import furthest_lag

_SYMBOLS = {Operator.EQ: "==", Operator.LT: "<", Operator.LE: "<=", Operator.GT: ">", Operator.GE: ">="}


def to_python(ruleset: RuleSet, actions: Sequence[object] | None = None) -> str:
    """Write a rule set in mode first, over numeric features, as the source of a function `decide`.

    The function takes the values of the schema's features, in order, and those of earlier steps if lags are read. It
    returns the name of the action, or what stands at its place in `actions`: anything whose `repr` is Python.

    >>> from evoter.rules.parser import parse
    >>> print(to_python(parse("0.5*x^2 > y -> up; Default -> down"), actions=[0, 1]))
    def decide(now):
        \"\"\"Return the action for the values of x, y.\"\"\"
        # 1. 0.5*x^2 > y -> up
        if 0.5 * (now[0] * now[0]) > now[1]:
            return 0
        # 2. Default -> down
        return 1
    <BLANKLINE>
    """
    _check(ruleset)
    schema = ruleset.schema
    values = dict(zip(schema.actions, schema.actions if actions is None else actions, strict=True))
    names = ", ".join(schema.names)
    lines = ["def decide(now):", f'    """Return the action for the values of {_one_line(names)}."""']
    if furthest_lag(ruleset) > 0:
        lines[0] = "def decide(now, *before):"
        lines[1] = (
            f'    """Return the action for the values of {_one_line(names)}, now and before, the latest first."""'
        )
    comments = ruleset.to_text(declarations=False).splitlines()
    for rule, comment in zip(ruleset.rules, comments, strict=False):
        lines.append(f"    # {comment}")
        lines.append(f"    if {_antecedent(rule, schema)}:")
        lines.append(f"        return {values[rule.action]!r}")
    return "\n".join([*lines, f"    # {comments[-1]}", f"    return {values[ruleset.default]!r}", ""])


def _check(ruleset: RuleSet) -> None:
    if ruleset.mode is not Mode.FIRST:
        raise RuleError(f"Python source is written for mode first, not for {ruleset.mode}")
    for name in ruleset.features_used:
        kind = ruleset.schema.feature(name).kind
        if kind is not Kind.NUMERIC:
            raise RuleError(f"Python source is written for numeric features, but {name!r} is {kind}")


def _one_line(text: str) -> str:
    """Return text that cannot end a comment or a docstring."""
    return text.encode("unicode_escape").decode().replace('"', "'")


def _antecedent(rule: Rule, schema: Schema) -> str:
    lag = max(term.lag for condition in rule.conditions for term in condition.terms)
    history = [f"len(before) >= {lag}"] if lag > 0 else []
    return " and ".join([*history, *(_condition(condition, schema) for condition in rule.conditions)])


def _condition(condition: Condition, schema: Schema) -> str:
    if condition.operator.tests_missing:
        value = _value(condition.left, schema)
        return f"{value} {'!=' if condition.operator is Operator.IS_MISSING else '=='} {value}"
    compares = isinstance(condition.right, Term)
    left = _term(condition.left, schema, scale=compares)
    right = _term(condition.right, schema, scale=True) if isinstance(condition.right, Term) else repr(condition.right)
    if condition.operator is Operator.NE:  # NaN differs from nothing
        return f"({left} < {right} or {left} > {right})"
    return f"{left} {_SYMBOLS[condition.operator]} {right}"


def _term(term: Term, schema: Schema, *, scale: bool) -> str:
    feature = schema.feature(term.feature)
    value = _value(term, schema)
    if scale and feature.scaled:
        low, high = feature.bounds
        value = f"(({value} - {low!r}) / {high - low!r})" if low < high else f"(0.0 * {value})"
    raised = value if term.power == 1 else f"({' * '.join([value] * term.power)})"
    return raised if term.coefficient == 1.0 else f"{term.coefficient!r} * {raised}"


def _value(term: Term, schema: Schema) -> str:
    row = "now" if term.lag == 0 else f"before[{term.lag - 1}]"
    return f"{row}[{schema.position(term.feature)}]"
