"""The values that conditions read, in words: with units, and rounded only where that keeps every comparison."""

import math

from evoter.language.names.glossary import Glossary
from evoter.language.statements.conditions import join
from evoter.language.statements.numerals import write_number
from evoter.language.templates import fill
from evoter.rules.condition import Condition, Constant, Operator, Right, Term
from evoter.rules.forms.outcome import ConditionOutcome, Reading, shown_sides, shown_value
from evoter.rules.schema import Feature


def values_in_words(outcome: ConditionOutcome, glossary: Glossary) -> str:
    """Say the values that a condition read; nothing where the condition says them itself, or there are none.

    >>> from evoter import explain, parse
    >>> rules = parse("a + 0.5*b > 3 -> x; Default -> y")
    >>> (outcome,) = explain(rules, {"a": 1, "b": 5}).rules[0].conditions
    >>> values_in_words(outcome, Glossary(rules.schema))
    '1 and 5, which gives 3.5'
    """
    condition, readings = outcome.condition, outcome.readings
    if not all(reading.available for reading in readings) or not _needs_values(outcome):
        return ""
    if len(readings) == 1 and condition.left.is_plain:
        return _value(readings[0], condition.right, glossary)
    values = [_value(reading, _other_side(outcome, index), glossary) for index, reading in enumerate(readings)]
    return _compared(outcome, values, glossary)


def write_value(value: Constant | None, feature: Feature, glossary: Glossary) -> str:
    """Say a value of a feature, also that there is none."""
    return _value(Reading(Term(feature.name), value), None, glossary)


def _needs_values(outcome: ConditionOutcome) -> bool:
    condition = outcome.condition
    if condition.operator.tests_missing or isinstance(condition.right, bool):
        return False
    if condition.operator in (Operator.EQ, Operator.NE) and not isinstance(condition.right, Term):
        return outcome.holds is (condition.operator is Operator.NE)
    return True


def _value(reading: Reading, other: Right, glossary: Glossary) -> str:
    feature, value = glossary.schema.feature(reading.term.feature), reading.value
    if value is None:
        return glossary.catalogue["explanation.no_value"]
    if isinstance(value, float):
        if not math.isfinite(value):
            return str(value)
        shown = shown_value(value, other)
        return glossary.quantity(write_number(shown, glossary.catalogue), feature, is_one=shown == 1.0)
    if isinstance(value, bool):
        return glossary.catalogue["explanation.yes" if value else "explanation.no"]
    return glossary.categories(feature.name).get(value) or glossary.quoted(value)


def _other_side(outcome: ConditionOutcome, index: int) -> Right:
    """Return what a value was compared with, if it is another value."""
    if isinstance(outcome.condition.right, Term):
        return outcome.readings[1 - index].value
    return None


def _compared(outcome: ConditionOutcome, values: list[str], glossary: Glossary) -> str:
    """Say the values of one or two terms, and what they come to where that is something else."""
    condition, catalogue = outcome.condition, glossary.catalogue
    left, right = outcome.left, outcome.right
    is_comparison = isinstance(condition.right, Term)
    said = join(values, "lists.and", glossary)
    if is_comparison and _is_as_read(condition, glossary):
        return fill(catalogue["explanation.sides"], {"left": values[0], "right": values[1]})
    if not isinstance(left, float) or not isinstance(right, float) or not math.isfinite(left + right):
        return said
    shown = [write_number(side, catalogue) for side in shown_sides(left, right)]
    if is_comparison:
        return fill(catalogue["explanation.totals"], {"values": said, "left": shown[0], "right": shown[1]})
    return fill(catalogue["explanation.total"], {"values": said, "total": shown[0]})


def _is_as_read(condition: Condition, glossary: Glossary) -> bool:
    scaled = any(glossary.schema.feature(term.feature).scaled for term in condition.terms)
    return not scaled and all(term.is_plain for term in condition.terms)
