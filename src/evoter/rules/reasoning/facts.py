"""What follows when several conditions hold together: a box of values per variable, and an order among terms."""

import math
from collections.abc import Iterable
from copy import copy
from typing import NamedTuple, Self

from evoter.rules.condition import Condition, Operator, Term
from evoter.rules.forms.form import Relation
from evoter.rules.forms.registry import form_of
from evoter.rules.reasoning.orders import Order, order_by_ranges, order_by_ratio
from evoter.rules.reasoning.spans import GREATEST, LEAST, Spans, double, intersection, is_subset, ordinal
from evoter.rules.reasoning.variables import (
    MISSING,
    Range,
    Variable,
    domain,
    present,
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

    __slots__ = (
        "_distinct",
        "_edge_ranges",
        "_edges",
        "_links",
        "_ranges",
        "_relations",
        "_stated",
        "_sums",
        "_values",
        "impossible",
        "schema",
    )

    def __init__(self, conditions: Iterable[Condition], schema: Schema) -> None:
        self.schema = schema
        self.impossible = False
        self._values: dict[Variable, Spans] = {}
        self._ranges: dict[Variable, dict[Term, Range]] = {}
        self._edges: list[Edge] = []
        self._distinct: list[tuple[Term, Term]] = []
        self._edge_ranges: list[tuple[Range, Range]] = []
        self._links: dict[tuple[int, int], Order] = {}
        self._relations: list[Relation] = []
        self._sums: dict[tuple[Term, Term], Spans] = {}
        for condition in conditions:
            form = form_of(condition)
            single = form.satisfying(condition, schema)
            if single is None:
                self._relations.append(form.relation(condition))
            else:
                self.narrow(*single)
        self._conclude()

    def _conclude(self) -> None:
        """Derive what follows from the relations of several variables, once the values of single ones are known."""
        relations = self._relations
        self._stated = dict(self._values) if relations else self._values
        if not relations:
            return
        for relation in relations:
            relation.restrict(self)
        for _ in range(MAX_ROUNDS):
            changes = [not self.impossible and relation.propagate(self) for relation in relations]
            if not any(changes):
                break
        if not self.impossible:
            for relation in relations:
                relation.record(self)
            self.impossible = self._order_is_impossible()

    def given(self, conditions: Iterable[Condition]) -> Self:
        """Return the consequences of other conditions in the same domain."""
        return type(self)(conditions, self.schema)

    def entail(self, condition: Condition) -> bool:
        """Tell whether the condition certainly holds wherever the known ones do."""
        if self.impossible:
            return True
        form = form_of(condition)
        single = form.satisfying(condition, self.schema)
        if single is not None:
            return is_subset(self.possible(single[0]), single[1])
        return form.relation(condition).is_entailed(self)

    def entail_all(self, others: Self) -> bool:
        """Tell whether all conditions that other facts follow from certainly hold wherever the known ones do."""
        if self.impossible:
            return True
        for name, accepted in others._stated.items():  # only variables that lose values are listed
            values = self._values.get(name)
            if values is None or not is_subset(values, accepted):
                return False
        return all(relation.is_entailed(self) for relation in others._relations)

    def contradict(self, others: Self) -> bool:
        """Tell whether the conditions of the two certainly never hold together."""
        fewer, more = sorted((self._stated, others._stated), key=len)
        for name, values in fewer.items():
            if name in more and not intersection(values, more[name]):
                return True
        if not self._relations and not others._relations:
            return self.impossible or others.impossible
        both = type(self)((), self.schema)
        for name, values in (*self._stated.items(), *others._stated.items()):
            both.narrow(name, values)
        both._relations = [*self._relations, *others._relations]
        both._conclude()
        return both.impossible

    def may_be_undefined(self, term: Term) -> bool:
        """Tell whether the value of a term may be missing, unavailable or NaN."""
        return self.may_be_absent(variable(term)) or self.range_of(term).may_be_nan

    def possible(self, name: Variable) -> Spans:
        """Return what a variable can be, as far as is known."""
        values = self._values.get(name)
        return domain(self.schema.feature(name[0]), name[1]) if values is None else values

    def range_of(self, term: Term) -> Range:
        """Return the range of a term, as far as is known."""
        known = self._ranges.setdefault(variable(term), {})
        values = known.get(term)
        if values is None:
            values = term_range(term, self.schema.feature(term.feature), self.possible(variable(term)))
            known[term] = values
        return values

    def narrow(self, name: Variable, values: Spans) -> bool:
        """Keep only some values of a variable; return whether that excluded any."""
        before = self.possible(name)
        after = intersection(before, values)
        if after == before:
            return False
        self._values[name] = after
        self._ranges.pop(name, None)
        if not after:
            self.impossible = True
        return True

    def narrow_to_numbers(self, term: Term) -> None:
        """Keep only the values for which a term is a number."""
        feature = self.schema.feature(term.feature)
        self.narrow(variable(term), present(feature))
        if feature.scaled or term.coefficient == 0.0:  # the only two ways to NaN
            self.limit(term, Operator.LE, math.inf)

    def limit(self, term: Term, operator: Operator, bound: float) -> bool:
        """Keep only the values for which a term compares so with a bound; return whether that excluded any."""
        feature = self.schema.feature(term.feature)
        values = solutions(term, operator, bound, feature, scale=True)
        return self.narrow(variable(term), values)

    def may_be_absent(self, name: Variable) -> bool:
        """Tell whether a variable may be missing or unavailable."""
        return self.possible(name)[-1][1] >= MISSING

    def raw_range(self, term: Term) -> tuple[float, float]:
        """Return the least and the greatest product of a term's coefficient and a present value, as far as is known."""
        values = intersection(self.possible(variable(term)), present(self.schema.feature(term.feature)))
        if not values:
            return math.nan, math.nan
        low, high = sorted(term.coefficient * double(end) for end in (values[0][0], values[-1][1]))
        return low, high

    def possible_sums(self, first: Term, second: Term) -> Spans | None:
        """Return what the sum of two terms can be while both are present; None if it may be NaN."""
        (low, high), (other_low, other_high) = self.raw_range(first), self.raw_range(second)
        known = self._sums.get((first, second))
        least, greatest = low + other_low, high + other_high
        opposite = (low == -math.inf and other_high == math.inf) or (high == math.inf and other_low == -math.inf)
        if math.isnan(least) or math.isnan(greatest) or opposite:
            return known  # a condition on the sum is known to hold, so that it is a number, or nothing is known
        values: Spans = ((ordinal(least), ordinal(greatest)),)
        return values if known is None else intersection(known, values)

    def narrow_sum(self, first: Term, second: Term, values: Spans) -> bool:
        """Keep only some values of the sum of two terms; return whether that excluded any."""
        before = self._sums.get((first, second), ((LEAST, GREATEST),))
        possible = intersection(before, values)
        self._sums[first, second] = possible
        if not self.possible_sums(first, second):
            self.impossible = True
        return possible != before

    def add_order(self, lower: Term, upper: Term, *, strict: bool) -> None:
        """Record that a term is at most another, or below it where strict."""
        self._edges.append(Edge(lower, upper, strict))

    def add_distinct(self, one: Term, other: Term) -> None:
        """Record that two terms differ."""
        self._distinct.append((one, other))

    def _order_is_impossible(self) -> bool:
        for lower, upper, strict in self._edges:
            back = self.order(upper, lower)
            if back is Order.BELOW or (strict and back is Order.AT_MOST):
                return True
        return any(Order.UNKNOWN not in (self.order(*pair), self.order(*pair[::-1])) for pair in self._distinct)

    def are_distinct(self, one: Term, other: Term) -> bool:
        """Tell whether two terms are recorded to differ."""
        return (one, other) in self._distinct or (other, one) in self._distinct

    def order(self, lower: Term, upper: Term) -> Order:
        """Return the strongest order that follows from the box and from chains of known orders."""
        best = self._direct_order(lower, upper)
        if best is not Order.BELOW and self._edges:
            best = max(best, self._chained_order(lower, upper), self._transferred_order(lower, upper))
        if best is Order.UNKNOWN:
            best = self._order_by_signs(lower, upper)
        if best is Order.AT_MOST and self.are_distinct(lower, upper):
            return Order.BELOW
        return best

    def _direct_order(self, lower: Term, upper: Term) -> Order:
        return order_by_ranges(lower, self.range_of(lower), upper, self.range_of(upper))

    def _transferred_order(self, lower: Term, upper: Term) -> Order:
        """Return the strongest order that follows from one known order of terms with other coefficients."""
        best = Order.UNKNOWN
        for edge in self._edges:
            if _read_the_same_power(edge.lower, lower) and _read_the_same_power(edge.upper, upper):
                ranges = [self.range_of(term) for term in (edge.lower, edge.upper, lower, upper)]
                order = order_by_ratio((edge.lower, edge.upper), (lower, upper), ranges, strict=edge.strict)
                best = max(best, order)
        return best

    def _order_by_signs(self, lower: Term, upper: Term) -> Order:
        """Return the order that follows for the negative values of a variable as well as for the others."""
        names = variable(lower), variable(upper)
        if any((variable(edge.lower), variable(edge.upper)) == names for edge in self._edges):
            for term in (lower, upper):
                if self.range_of(term).base_low < 0.0 < self.range_of(term).base_high:
                    cases = self._case(variable(term), NEGATIVE), self._case(variable(term), NOT_NEGATIVE)
                    return min(case.order(lower, upper) for case in cases)
        return Order.UNKNOWN

    def _case(self, name: Variable, values: Spans) -> Self:
        case = copy(self)
        case._values = dict(self._values)
        case._ranges = dict(self._ranges)
        case._edge_ranges = []
        case._links = {}
        case.narrow(name, values)
        return case

    def _chained_order(self, lower: Term, upper: Term) -> Order:
        """Return the strongest order along lower <= edge <= edge ... <= upper."""
        edges = self._edges
        if not self._edge_ranges:  # looked up once: all pairs of edges are asked for them
            self._edge_ranges = [(self.range_of(edge.lower), self.range_of(edge.upper)) for edge in edges]
        start, end = self.range_of(lower), self.range_of(upper)
        reached = [
            _through(order_by_ranges(lower, start, edge.lower, values), edge)
            for edge, (values, _) in zip(edges, self._edge_ranges, strict=True)
        ]
        pending = [index for index, order in enumerate(reached) if order]
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
        for edge, order, (_, values) in zip(edges, reached, self._edge_ranges, strict=True):
            if order and (last := order_by_ranges(edge.upper, values, upper, end)):
                best = max(best, order, last)
        return best

    def _link(self, here: int, there: int) -> Order:
        order = self._links.get((here, there))
        if order is None:
            before, after = self._edges[here].upper, self._edges[there].lower
            order = order_by_ranges(before, self._edge_ranges[here][1], after, self._edge_ranges[there][0])
            self._links[here, there] = order
        return order


def _read_the_same_power(one: Term, other: Term) -> bool:
    return one.feature == other.feature and one.lag == other.lag and one.power == other.power


def _through(order: Order, edge: Edge) -> Order:
    """Return the order of a chain after an edge, given its order up to that edge."""
    return Order.BELOW if order and edge.strict else order
