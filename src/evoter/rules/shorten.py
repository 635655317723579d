"""Constants with fewer digits: with proof where the schema says which values there are, or for given rows only."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from evoter.rules.forms.form import compare
from evoter.rules.interpreter import holds
from evoter.rules.model import Condition, Rule, RuleSet
from evoter.rules.reasoning.canonical import canonical
from evoter.rules.reasoning.steps import BOUNDS, value_gap, with_fewest_digits
from evoter.rules.schema import Schema
from evoter.rules.text import print_condition
from evoter.rules.values import Row, read, term_value

MANY_DIGITS = 6
"""A constant of more digits than this looks like a result of arithmetic, and is mentioned if it cannot be shortened."""


class Guarantee(StrEnum):
    """Where a rule set decides as the one it was made from."""

    EVERYWHERE = "everywhere"
    ON_THESE_ROWS = "on these rows"


@dataclass(frozen=True, slots=True)
class Shortened:
    """A rule set with shorter constants, where it decides as before, and which long constants it still has, and why."""

    ruleset: RuleSet
    guarantee: Guarantee
    still_long: tuple[str, ...]


def shorten(ruleset: RuleSet, rows: Iterable[Row] | None = None) -> Shortened:
    """Replace the constants in conditions by the shortest decimal numbers that keep all decisions.

    Without rows, decisions are kept everywhere in the domain of the schema. That leaves room for a shorter constant
    only where a feature has a step, so that there are no values between two neighbouring ones; `simplify` does the
    same. With rows, any number between two neighbouring values in these rows will do: every condition holds on the same
    rows as before, but on other rows decisions may differ. Pinned rules stay as they are.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("0.76*speed > -0.98 -> flap; Default -> wait")
    >>> print(*shorten(rules).still_long)
    speed >= -1.289473684210526: 'speed' is continuous, so that a shorter number would change some decision; \
declare its step, or give rows
    >>> shorter = shorten(rules, [{"speed": -3}, {"speed": -0.5}])
    >>> print(shorter.ruleset.rules[0].conditions[0].right, shorter.guarantee)
    -1.0 on these rows
    """
    schema = ruleset.schema
    read_by = {condition.left.feature for rule in ruleset.rules for condition in rule.conditions}
    values = None if rows is None else _values(rows, schema, read_by)

    def shorter(rule: Rule) -> Rule:
        if rule.pinned:
            return rule
        return replace(rule, conditions=tuple(_shorter(each, schema, values) for each in rule.conditions))

    changed = ruleset.replace(rules=tuple(shorter(rule) for rule in ruleset.rules))
    guarantee = Guarantee.EVERYWHERE if rows is None else Guarantee.ON_THESE_ROWS
    return Shortened(changed, guarantee, tuple(dict.fromkeys(_still_long(changed, given_rows=rows is not None))))


def plain_constants(ruleset: RuleSet, values: Callable[[str], Sequence[float]]) -> RuleSet:
    """Write comparisons of a multiple or a power of a feature with a constant as plain ones, where that is possible.

    `values` returns the different numbers of a feature in ascending order; constants are the shortest that hold for the
    same of these numbers as before. All other conditions stay as they are, and so do pinned rules.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("0.17*y <= 84.48 AND x > 0.123 -> flap; Default -> wait")
    >>> plain_constants(rules, lambda name: [0.0, 490.0, 501.0]).rules[0].conditions[0].right
    500.0
    """
    schema = ruleset.schema
    values = cache(values)

    def plain(condition: Condition) -> Condition:
        if condition.left.is_plain or not isinstance(condition.right, float):
            return condition
        name = condition.left.feature
        return _shorter(condition, schema, {name: values(name)})

    rules = [
        rule if rule.pinned else replace(rule, conditions=tuple(map(plain, rule.conditions))) for rule in ruleset.rules
    ]
    return ruleset.replace(rules=rules)


def _shorter(condition: Condition, schema: Schema, values: Mapping[str, Sequence[float]] | None) -> Condition:
    if not isinstance(condition.right, float):
        return condition
    plain = canonical(condition, schema)
    if values is None:
        return plain
    numbers = values[condition.left.feature]
    if plain.operator in BOUNDS and isinstance(plain.right, float) and plain.left.is_plain:
        plain = with_fewest_digits(plain, value_gap(plain, list(numbers)))
    # The proof behind `canonical` is about the domain of the schema, beyond which rows may lie.
    return plain if _held(plain, numbers, schema) == _held(condition, numbers, schema) else condition


def _held(condition: Condition, numbers: Sequence[float], schema: Schema) -> list[range]:
    """Return the positions at which a condition holds, of numbers of its feature in ascending order."""
    joined: list[range] = []
    for part in _parts(condition, numbers, schema):
        start = joined.pop().start if joined and joined[-1].stop == part.start else part.start
        joined.append(range(start, part.stop))
    return joined


def _parts(condition: Condition, numbers: Sequence[float], schema: Schema) -> Iterator[range]:
    """Yield the same piece by piece, in ascending order."""
    term, constant = condition.left, condition.right
    if not isinstance(constant, float) or term.coefficient == 0.0:
        now = Condition(replace(term, lag=0), condition.operator, constant)
        for at, number in enumerate(numbers):
            if holds(now, [{term.feature: number}], schema):
                yield range(at, at + 1)
        return
    feature = schema.feature(term.feature)
    zero = bisect_left(numbers, 0.0)
    # Up to zero, and from zero on, a term only rises or only falls: its order tells all from a few of the numbers.
    for start, stop in ((0, zero), (zero, len(numbers))):
        if start == stop:
            continue
        first, last = (term_value(numbers[at], term, feature, scale=False) for at in (start, stop - 1))
        sign = 1.0 if first <= last else -1.0

        def rising(number: float, sign: float = sign) -> float:
            return sign * term_value(number, term, feature, scale=False)

        equal = bisect_left(numbers, sign * constant, start, stop, key=rising)
        beyond = bisect_right(numbers, sign * constant, start, stop, key=rising)
        for part in (range(start, equal), range(equal, beyond), range(beyond, stop)):
            if part and compare(condition.operator, sign * rising(numbers[part.start]), constant):
                yield part


def _values(rows: Iterable[Row], schema: Schema, names: Iterable[str]) -> dict[str, list[float]]:
    """Return the different numbers of each feature in ascending order."""
    features = [schema.feature(name) for name in names]
    found: dict[str, set[float]] = {feature.name: set() for feature in features}
    for row in rows:
        for feature in features:
            value = read(feature, row)
            if isinstance(value, float):
                found[feature.name].add(value)
    return {name: sorted(numbers) for name, numbers in found.items()}


def _still_long(ruleset: RuleSet, *, given_rows: bool) -> Iterator[str]:
    for rule in ruleset.rules:
        for condition in rule.conditions:
            if isinstance(condition.right, float) and _n_digits(condition.right) > MANY_DIGITS:
                yield f"{print_condition(condition, ruleset.schema)}: {_reason(rule, condition, ruleset, given_rows)}"


def _reason(rule: Rule, condition: Condition, ruleset: RuleSet, given_rows: bool) -> str:
    name = condition.left.feature
    if rule.pinned:
        return "its rule is pinned and stays as it is"
    if condition.operator not in BOUNDS or not condition.left.is_plain:
        return "only numbers that divide larger from smaller values can be shortened"
    if given_rows:
        return f"values of {name!r} lie too close to it on both sides"
    if ruleset.schema.feature(name).step is not None:
        return f"values of {name!r}, which are multiples of its step, lie too close to it on both sides"
    return (
        f"{name!r} is continuous, so that a shorter number would change some decision; declare its step, or give rows"
    )


def _n_digits(number: float) -> int:
    mantissa = repr(number).partition("e")[0]
    return len(mantissa.replace("-", "").replace(".", "").strip("0"))
