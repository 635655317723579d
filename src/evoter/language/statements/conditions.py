"""Conditions in words: one function for each form of condition, and intervals made of two conditions."""

from collections.abc import Callable
from dataclasses import replace

from evoter.language.names.glossary import Glossary
from evoter.language.statements.numerals import write_number
from evoter.language.statements.terms import write_term
from evoter.language.templates import fill
from evoter.rules.condition import Condition, Operator, Sum, Term
from evoter.rules.forms.registry import form_of
from evoter.rules.printing.rule_pieces import Clause


def write_clause(clause: Clause, glossary: Glossary) -> str:
    """Say a condition, or an interval made of two.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("30 < age <= 40 AND weight + 0.05*height > 90 -> A; Default -> B")
    >>> from evoter.rules.printing.rule_pieces import clauses
    >>> for clause in clauses(rules.rules[0].conditions):
    ...     print(write_clause(clause, Glossary(rules.schema)))
    the age is above 30 and at most 40
    the sum of the weight and one twentieth of the height is above 90
    """
    if clause.lower is None:
        return write_condition(clause.condition, glossary)
    lower, upper, operators = clause.lower, clause.condition, glossary.catalogue.operators
    return _say(
        "conditions.interval",
        upper.left,
        glossary,
        lower=operators[lower.operator],
        low=write_interval_end(_number(lower), upper.left, glossary),
        upper=operators[upper.operator],
        high=write_quantity(_number(upper), upper.left, glossary),
    )


def write_condition(condition: Condition, glossary: Glossary) -> str:
    """Say one condition."""
    return WRITERS[form_of(condition).name](condition, glossary)


def _constant(condition: Condition, glossary: Glossary) -> str:
    number, left = _number(condition), condition.left
    if (statement := _yes_or_no(condition, glossary)) is not None:
        return statement
    return _say(
        "conditions.number",
        left,
        glossary,
        operator=glossary.catalogue.operators[condition.operator],
        number=write_quantity(number, left, glossary),
    )


def _category(condition: Condition, glossary: Glossary) -> str:
    right = condition.right
    if isinstance(right, bool):
        statement = _yes_or_no(condition, glossary)
        assert statement is not None
        return statement
    assert isinstance(right, str)
    key = "conditions.category" if condition.operator is Operator.EQ else "conditions.not_category"
    return _say(key, condition.left, glossary, category=glossary.categories(condition.left.feature)[right])


def _yes_or_no(condition: Condition, glossary: Glossary) -> str | None:
    """Say that something applies, or does not; None where the condition is not about a feature that is yes or no."""
    left, right = condition.left, condition.right
    if isinstance(right, bool):
        applies = right is (condition.operator is Operator.EQ)
        value = "true" if applies else "false"
    elif (
        condition.operator is Operator.EQ
        and right in (0.0, 1.0)
        and left.is_plain
        and glossary.schema.feature(left.feature).is_binary
    ):
        applies = right == 1.0
        value = "1" if applies else "0"
    else:
        return None
    if left.lag == 0 and (left.feature, value) in glossary.statements:
        return glossary.statements[left.feature, value]
    return _say("conditions.yes" if applies else "conditions.no", left, glossary)


def _membership(condition: Condition, glossary: Glossary) -> str:
    inside = condition.right
    assert isinstance(inside, tuple)
    names = [name for category, name in glossary.categories(condition.left.feature).items() if category in inside]
    is_any = condition.operator is Operator.IN
    listed = join(names, "lists.or" if is_any else "lists.nor", glossary)
    return _say("conditions.any" if is_any else "conditions.none", condition.left, glossary, categories=listed)


def _presence(condition: Condition, glossary: Glossary) -> str:
    is_missing = condition.operator is Operator.IS_MISSING
    return _say("conditions.missing" if is_missing else "conditions.present", condition.left, glossary)


def _comparison(condition: Condition, glossary: Glossary) -> str:
    assert isinstance(condition.right, Term)
    left, right = (
        write_term(term, glossary, scaled=glossary.schema.feature(term.feature).scaled) for term in condition.terms
    )
    operator = glossary.catalogue.term_operators[condition.operator]
    plural = condition.left.is_plain and glossary.subjects[condition.left.feature].plural
    parts = {"left": left, "operator": operator, "right": right, **verb_forms(glossary, plural=plural, earlier=False)}
    return fill(glossary.catalogue["conditions.terms"], parts)


def _sum(condition: Condition, glossary: Glossary) -> str:
    right = condition.right
    assert isinstance(right, Sum)
    is_difference = right.added.coefficient < 0.0
    added = replace(right.added, coefficient=abs(right.added.coefficient))
    parts = {
        "left": write_term(condition.left, glossary),
        "right": write_term(added, glossary),
        "operator": glossary.catalogue.operators[condition.operator],
        "number": write_number(right.constant, glossary.catalogue),
    }
    return fill(glossary.catalogue["conditions.difference" if is_difference else "conditions.sum"], parts)


WRITERS: dict[str, Callable[[Condition, Glossary], str]] = {
    "test for missing": _presence,
    "comparison with a number": _constant,
    "comparison with a category": _category,
    "membership in a set": _membership,
    "weighted sum": _sum,
    "comparison of two terms": _comparison,
}
"""What says each form of condition, by its name; a test fails where a form is not listed."""


def join(names: list[str], last: str, glossary: Glossary) -> str:
    """Join names: "a, b or c"."""
    if len(names) < 2:
        return "".join(names)
    return f"{glossary.catalogue['lists.comma'].join(names[:-1])}{glossary.catalogue[last]}{names[-1]}"


def _say(key: str, left: Term, glossary: Glossary, **parts: str) -> str:
    """Fill a template whose subject is a term; of several, or of earlier values, verbs have their own forms."""
    plural = left.is_plain and glossary.subjects[left.feature].plural
    verbs = verb_forms(glossary, plural=plural, earlier=left.lag > 0)
    return fill(glossary.catalogue[key], {"left": write_term(left, glossary), **verbs, **parts})


def verb_forms(glossary: Glossary, *, plural: bool, earlier: bool) -> dict[str, str]:
    """Return the verbs of a language as they stand with a subject, by their placeholders."""
    return {verb: forms[2 * earlier + plural] for verb, forms in glossary.catalogue.verbs.items()}


def write_quantity(number: float, left: Term, glossary: Glossary) -> str:
    """Write a number with the unit of the feature it is compared with; a power has another unit."""
    feature = glossary.schema.feature(left.feature) if left.power == 1 else None
    return glossary.quantity(write_number(number, glossary.catalogue), feature, is_one=number == 1.0)


def write_interval_end(number: float, left: Term, glossary: Glossary) -> str:
    """Write the lower end of an interval; the unit follows the upper end, unless it stands before numbers."""
    unit = glossary.unit_of(glossary.schema.feature(left.feature))
    before = unit in glossary.catalogue.lists["units_before"] and unit not in glossary.labels.units
    written = write_number(number, glossary.catalogue)
    return f"{unit}{written}" if before else written


def _number(condition: Condition) -> float:
    assert isinstance(condition.right, float)
    return condition.right
