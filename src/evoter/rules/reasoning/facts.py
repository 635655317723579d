"""What follows when several conditions hold together: a box of values per variable, and an order among terms."""

import math
from collections.abc import Iterable
from copy import copy
from typing import NamedTuple, Self

from evoter.rules.model import Condition, Operator, Term
from evoter.rules.reasoning.orders import Order, order_by_ranges, order_by_ratio
from evoter.rules.reasoning.spans import GREATEST, LEAST, Spans, intersection, is_subset
from evoter.rules.reasoning.variables import (
    MISSING,
    Range,
    Variable,
    domain,
    oriented,
    present,
    satisfying,
    solutions,
    term_range,
    variable,
)
from evoter.rules.schema import Schema

MAX_ROUNDS = 3
"""How often bounds travel along comparisons: each round is sound, and `x < y AND y < x` would need 2**62 of them."""


NEGATIVE: Spans = ((LEAST, -1),)
NOT_NEGATIVE: Spans = ((0, GREATEST),)


class Edge(NamedTuple):
    """A known order of two terms: `lower <= upper`, or `lower < upper` where strict."""

    lower: Term
    upper: Term
    strict: bool


class Facts:
    """The consequences of a conjunction of conditions within a schema's domain, rounding included.

    All that it claims is true for every point of the domain; what it does not claim may be true or not.
    `impossible` tells that the conditions cannot hold together.

    >>> from evoter.rules.schema import Feature
    >>> schema = Schema([Feature("x", low=0, high=9), Feature("y", low=0, high=9)], actions=["go"])
    >>> facts = Facts([Condition(Term("x"), ">", 5), Condition(Term("x", 0.5), "<", Term("y", 0.3))], schema)
    >>> facts.entail(Condition(Term("y"), ">", 8)), facts.entail(Condition(Term("y"), ">", 8.5))
    (True, False)
    >>> Facts([Condition(Term("x"), ">", 6), Condition(Term("x", 0.5), "<", Term("y", 0.3))], schema).impossible
    True
    """

    __slots__ = ("_distinct", "_edges", "_links", "_ranges", "_values", "impossible", "schema")

    def __init__(self, conditions: Iterable[Condition], schema: Schema) -> None:
        self.schema = schema
        self.impossible = False
        self._values: dict[Variable, Spans] = {}
        self._ranges: dict[Variable, dict[Term, Range]] = {}
        self._edges: list[Edge] = []
        self._distinct: list[tuple[Term, Term]] = []
        self._links: dict[tuple[int, int], Order] = {}
        comparisons = []
        for condition in conditions:
            single = satisfying(condition, schema)
            if single is None:
                comparisons.append(oriented(condition))
            else:
                self._narrow(*single)
        for lower, _, upper in comparisons:
            self._narrow_to_numbers(lower)
            self._narrow_to_numbers(upper)
        for _ in range(MAX_ROUNDS):
            changes = [self._carry_bounds(*comparison) for comparison in comparisons]
            if not any(changes):
                break
        if not self.impossible:
            for comparison in comparisons:
                self._record(*comparison)
            self.impossible = self._order_is_impossible()

    def entail(self, condition: Condition) -> bool:
        """Tell whether the condition certainly holds wherever the known ones do."""
        if self.impossible:
            return True
        single = satisfying(condition, self.schema)
        if single is not None:
            return is_subset(self._possible(single[0]), single[1])
        for term in condition.terms:
            if self._possible(variable(term))[-1][1] >= MISSING or self._range(term).may_be_nan:
                return False
        lower, operator, upper = oriented(condition)
        if operator is Operator.LT:
            return self._order(lower, upper) is Order.BELOW
        if operator is Operator.LE:
            return self._order(lower, upper) is not Order.UNKNOWN
        both_ways = (self._order(lower, upper), self._order(upper, lower))
        if operator is Operator.EQ:
            return Order.UNKNOWN not in both_ways
        return Order.BELOW in both_ways or self._are_distinct(lower, upper)

    def _possible(self, name: Variable) -> Spans:
        values = self._values.get(name)
        return domain(self.schema.feature(name[0]), name[1]) if values is None else values

    def _range(self, term: Term) -> Range:
        known = self._ranges.setdefault(variable(term), {})
        values = known.get(term)
        if values is None:
            values = term_range(term, self.schema.feature(term.feature), self._possible(variable(term)))
            known[term] = values
        return values

    def _narrow(self, name: Variable, values: Spans) -> bool:
        """Keep only some values of a variable; tell whether that took any away."""
        before = self._possible(name)
        after = intersection(before, values)
        if after == before:
            return False
        self._values[name] = after
        self._ranges.pop(name, None)
        if not after:
            self.impossible = True
        return True

    def _narrow_to_numbers(self, term: Term) -> None:
        feature = self.schema.feature(term.feature)
        self._narrow(variable(term), present(feature))
        if feature.scaled or term.coefficient == 0.0:  # the only two ways to NaN
            self._limit(term, Operator.LE, math.inf)

    def _limit(self, term: Term, operator: Operator, bound: float) -> bool:
        """Keep only the values for which a term compares so with a bound; tell whether that took any away."""
        feature = self.schema.feature(term.feature)
        values = solutions(term, operator, bound, feature, scale=True)
        return self._narrow(variable(term), values)

    def _carry_bounds(self, lower: Term, operator: Operator, upper: Term) -> bool:
        """Bound each of two compared terms by the range of the other; tell whether that took any value away."""
        if self.impossible:
            return False
        if operator is Operator.NE:
            return self._exclude(lower, upper) or self._exclude(upper, lower)
        changed = self._keep_below(lower, operator, upper)
        if operator is Operator.EQ:
            changed = self._keep_below(upper, operator, lower) or changed
        return changed

    def _keep_below(self, lower: Term, operator: Operator, upper: Term) -> bool:
        strict = operator is Operator.LT
        changed = False
        if not self.impossible:
            least, greatest = self._range(lower).high, self._range(upper).high
            if least > greatest or (strict and least == greatest):
                changed = self._limit(lower, Operator.LT if strict else Operator.LE, greatest)
        if not self.impossible:
            least, greatest = self._range(lower).low, self._range(upper).low
            if least > greatest or (strict and least == greatest):
                changed = self._limit(upper, Operator.GT if strict else Operator.GE, least) or changed
        return changed

    def _exclude(self, term: Term, other: Term) -> bool:
        values = self._range(other)
        return values.low == values.high and self._limit(term, Operator.NE, values.low)

    def _record(self, lower: Term, operator: Operator, upper: Term) -> None:
        if operator is Operator.NE:
            self._distinct.append((lower, upper))
            return
        self._edges.append(Edge(lower, upper, operator is Operator.LT))
        if operator is Operator.EQ:
            self._edges.append(Edge(upper, lower, strict=False))

    def _order_is_impossible(self) -> bool:
        for lower, upper, strict in self._edges:
            back = self._order(upper, lower)
            if back is Order.BELOW or (strict and back is Order.AT_MOST):
                return True
        return any(Order.UNKNOWN not in (self._order(*pair), self._order(*pair[::-1])) for pair in self._distinct)

    def _are_distinct(self, one: Term, other: Term) -> bool:
        return (one, other) in self._distinct or (other, one) in self._distinct

    def _order(self, lower: Term, upper: Term) -> Order:
        """Return the strongest order that follows from the box and from chains of known orders."""
        best = self._direct_order(lower, upper)
        if best is not Order.BELOW and self._edges:
            best = max(best, self._chained_order(lower, upper), self._transferred_order(lower, upper))
        if best is Order.UNKNOWN:
            best = self._order_by_signs(lower, upper)
        if best is Order.AT_MOST and self._are_distinct(lower, upper):
            return Order.BELOW
        return best

    def _direct_order(self, lower: Term, upper: Term) -> Order:
        return order_by_ranges(lower, self._range(lower), upper, self._range(upper))

    def _transferred_order(self, lower: Term, upper: Term) -> Order:
        """Return the strongest order that follows from one known order of terms with other coefficients."""
        best = Order.UNKNOWN
        for edge in self._edges:
            if _read_the_same_power(edge.lower, lower) and _read_the_same_power(edge.upper, upper):
                ranges = [self._range(term) for term in (edge.lower, edge.upper, lower, upper)]
                order = order_by_ratio((edge.lower, edge.upper), (lower, upper), ranges, strict=edge.strict)
                best = max(best, order)
        return best

    def _order_by_signs(self, lower: Term, upper: Term) -> Order:
        """Return the order that follows for the negative values of a variable as well as for the others."""
        names = variable(lower), variable(upper)
        if any((variable(edge.lower), variable(edge.upper)) == names for edge in self._edges):
            for term in (lower, upper):
                if self._range(term).base_low < 0.0 < self._range(term).base_high:
                    cases = self._case(variable(term), NEGATIVE), self._case(variable(term), NOT_NEGATIVE)
                    return min(case._order(lower, upper) for case in cases)
        return Order.UNKNOWN

    def _case(self, name: Variable, values: Spans) -> Self:
        case = copy(self)
        case._values = dict(self._values)
        case._ranges = dict(self._ranges)
        case._links = {}
        case._narrow(name, values)
        return case

    def _chained_order(self, lower: Term, upper: Term) -> Order:
        """Return the strongest order along lower <= edge <= edge ... <= upper."""
        edges = self._edges
        start = self._range(lower)
        reached = [_through(order_by_ranges(lower, start, edge.lower, self._range(edge.lower)), edge) for edge in edges]
        pending = [place for place, order in enumerate(reached) if order]
        if not pending:
            return Order.UNKNOWN
        while pending:
            here = pending.pop()
            for there, edge in enumerate(edges):
                step = _through(self._link(here, there), edge)
                if step and max(step, reached[here]) > reached[there]:
                    reached[there] = max(step, reached[here])
                    pending.append(there)
        best = Order.UNKNOWN
        for edge, order in zip(edges, reached, strict=True):
            if order and (last := self._direct_order(edge.upper, upper)):
                best = max(best, order, last)
        return best

    def _link(self, here: int, there: int) -> Order:
        order = self._links.get((here, there))
        if order is None:
            order = self._direct_order(self._edges[here].upper, self._edges[there].lower)
            self._links[here, there] = order
        return order


def _read_the_same_power(one: Term, other: Term) -> bool:
    return one.feature == other.feature and one.lag == other.lag and one.power == other.power


def _through(order: Order, edge: Edge) -> Order:
    """Return the order that a chain has beyond an edge, given the one with which it comes to it."""
    return Order.BELOW if order and edge.strict else order
