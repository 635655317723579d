"""The plainest conditions with the same meaning: no needless coefficient or power, short constants, few of them."""

from collections.abc import Sequence

from evoter.rules.condition import Condition, Operator, Term
from evoter.rules.forms.registry import form_of
from evoter.rules.reasoning.description import describe
from evoter.rules.reasoning.facts import Facts
from evoter.rules.reasoning.spans import Spans, intersection
from evoter.rules.reasoning.variables import Variable
from evoter.rules.schema import Schema

_EXCLUDING = (Operator.NE, Operator.NOT_IN, Operator.IS_PRESENT)
"""Operators that accept every category that they do not name, be it listed in the schema or not."""


def canonical(condition: Condition, schema: Schema) -> Condition:
    """Return the plainest single condition that holds at the same points of the domain.

    >>> from evoter.rules.schema import Feature
    >>> schema = Schema([Feature("y", low=0, high=900), Feature("x", low=-9, high=9)], actions=["go"])
    >>> canonical(Condition(Term("y", 0.17), "<=", 84.48), schema).right
    496.9411764705883
    >>> canonical(Condition(Term("x", 0.5, power=3), ">=", 4), schema)
    Condition(left=Term(feature='x', coefficient=1.0, power=1, lag=0), operator=<Operator.GE: '>='>, right=2.0)
    """
    return form_of(condition).canonical(condition, Facts([], schema))


def merged(conditions: Sequence[Condition], schema: Schema) -> tuple[Condition, ...]:
    """Return the conditions with those on one variable replaced where fewer conditions say the same.

    >>> from evoter.rules.schema import Feature, Kind
    >>> schema = Schema(
    ...     [Feature("x", low=0, high=9), Feature("c", Kind.CATEGORICAL, categories="uvwz")], actions=["go"]
    ... )
    >>> merged([Condition(Term("x"), ">=", 5), Condition(Term("x"), "<=", 5)], schema)[0].operator
    <Operator.EQ: '='>
    >>> merged([Condition(Term("c"), "!=", "u"), Condition(Term("c"), "!=", "w")], schema)[0].right
    ('u', 'w')
    """
    values: dict[Variable, Spans] = {}
    indices: dict[Variable, list[int]] = {}
    for index, condition in enumerate(conditions):
        single = form_of(condition).satisfying(condition, schema)
        if single is not None:
            read, accepted = single
            values[read] = intersection(values.get(read, accepted), accepted)
            indices.setdefault(read, []).append(index)
    result: list[tuple[Condition, ...]] = [(condition,) for condition in conditions]
    for (name, lag), where in indices.items():
        excludes = all(conditions[index].operator in _EXCLUDING for index in where)
        term = Term(name, lag=lag)
        plain = describe(values[name, lag], schema.feature(name), term, as_equality=True, excludes=excludes)
        if plain is not None and len(plain) < len(where):
            for index in where:
                result[index] = ()
            result[where[0]] = plain
    return tuple(condition for group in result for condition in group)
