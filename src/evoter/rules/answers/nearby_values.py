"""Values that a feature could have instead: for each way its conditions can turn out, the nearest one."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

from evoter.rules.condition import Condition, Constant
from evoter.rules.forms.registry import form_of
from evoter.rules.model import RuleSet
from evoter.rules.reasoning.spans import double, intersection, ordinal
from evoter.rules.reasoning.steps import admitted_around
from evoter.rules.reasoning.variables import MISSING, present
from evoter.rules.schema import Feature, Kind
from evoter.rules.values import Row

MAX_DECIMALS = 17
"""More decimals than any measured value has."""

FINE = 1_000_000
"""Values with so many digits that the range has more steps than this are results of arithmetic: no unit shows."""

_LARGEST = ordinal(math.nextafter(math.inf, 0.0))


class NearbyValues:
    """The values that features may take instead of those in a history, whose last row is the one that may change.

    `fixed` features never change, nor do values of earlier rows.
    """

    def __init__(self, ruleset: RuleSet, history: Sequence[Row], fixed: Iterable[str]) -> None:
        self.ruleset = ruleset
        self.schema = ruleset.schema
        self._history = history
        self._free = [name for name in ruleset.features_used if name not in frozenset(fixed)]
        conditions = dict.fromkeys(condition for rule in ruleset.rules for condition in rule.conditions)
        self._readers = {
            name: [each for each in conditions if any((t.feature, t.lag) == (name, 0) for t in each.terms)]
            for name in self._free
        }
        self._decimals = {
            name: decimals_of(self.schema.feature(name), history[-1][name], self._readers[name])
            for name in self._free
            if self.schema.feature(name).kind is Kind.NUMERIC
        }

    @property
    def free(self) -> tuple[str, ...]:
        """The features that may change, as far as rules read them now."""
        return tuple(name for name in self._free if self._readers[name])

    def of(self, name: str, row: Row) -> Iterator[Constant | None]:
        """Yield values of a feature, one for each way its conditions can turn out in a row; never the present one.

        Where another free feature is read beside it, its extreme values count as well: two features may have to change
        together.
        """
        feature = self.schema.feature(name)
        sets = [self._satisfying(condition, name, row) for condition in self._readers[name]]
        if feature.kind is Kind.NUMERIC:
            for condition in self._readers[name]:
                sets += [self._satisfying(condition, name, other) for other in self._extremes(condition, name, row)]
            values: Iterator[Constant] = self._numbers(feature, row[name], [*dict.fromkeys(sets)])
        else:
            values = _categories(feature, sets)
        for value in values:
            if value != row[name]:
                yield value
        if feature.missing and row[name] is not None:
            yield None

    def cost(self, changes: Mapping[str, Constant | None]) -> float:
        """Return how large changes are: parts of the range for numbers, 1 for other values and 2 for removing one."""
        return sum(self._cost(name, value) for name, value in changes.items())

    def _cost(self, name: str, value: Constant | None) -> float:
        before = self._history[-1][name]
        if value is None:
            return 2.0
        if not isinstance(value, float) or not isinstance(before, float):
            return 1.0
        low, high = self.schema.feature(name).bounds
        span = high - low
        return abs(value - before) / (span if 0.0 < span < math.inf else 1.0 + abs(before))

    def _satisfying(self, condition: Condition, name: str, row: Row) -> tuple[tuple[int, int], ...]:
        history = [*self._history[:-1], row]
        spans = form_of(condition).satisfying_now(condition, name, history, self.schema)
        return tuple(span for span in spans if span[0] < MISSING)

    def _extremes(self, condition: Condition, name: str, row: Row) -> Iterator[Row]:
        """Yield rows in which the other feature of a condition has the ends of its range, if it may change."""
        others = {term.feature for term in condition.terms if term.lag == 0} - {name}
        for other in others & set(self._free):
            for end in self.schema.feature(other).bounds:
                if abs(end) < math.inf:
                    yield {**row, other: end}

    def _numbers(
        self, feature: Feature, now: Constant | None, sets: Sequence[tuple[tuple[int, int], ...]]
    ) -> Iterator[float]:
        domain = intersection(present(feature), ((-_LARGEST, _LARGEST),))
        if not domain:
            return
        first, last = domain[0][0], domain[-1][1]
        starts = {start for spans in sets for low, high in spans for start in (low, high + 1)}
        inside = sorted({first, *(start for start in starts if first < start <= last), last + 1})
        reference = now if isinstance(now, float) and abs(now) < math.inf else _middle(feature)
        for start, following in pairwise(inside):
            if reference == now and start <= ordinal(reference) < following:
                continue  # as it is now
            found = nearest_in(start, following - 1, reference, self._decimals[feature.name], feature.step)
            if found is not None:
                yield found


def decimals_of(feature: Feature, value: object, conditions: Sequence[Condition]) -> int:
    """Return the decimals of the values of a feature: those of its range and of a value, or else of its conditions.

    0 means whole numbers. Values with very many digits, of which no unit can be told, have as many decimals as divide
    the range into a million steps.

    >>> (
    ...     decimals_of(Feature("length", low=1.0, high=6.9), 5.1, []),
    ...     decimals_of(Feature("age", low=18, high=95), 50.0, []),
    ... )
    (1, 0)
    """
    known = [each for each in (feature.low, feature.high, value) if isinstance(each, float) and abs(each) < math.inf]
    if len(known) < 2:
        known += [each for condition in conditions for each in form_of(condition).thresholds(condition)]
    decimals = max((_decimals(each) for each in known), default=MAX_DECIMALS)
    low, high = feature.bounds
    span = high - low if 0.0 < high - low < math.inf else max(map(abs, known), default=1.0)
    coarse = MAX_DECIMALS if span == 0.0 else max(1, math.ceil(math.log10(FINE) - math.log10(span)))
    return min(decimals, coarse) if decimals else 0


def nearest_in(first: int, last: int, reference: float, decimals: int, step: float | None = None) -> float | None:
    """Return the value nearest to a reference among the doubles with ordinals from `first` to `last`.

    It is a multiple of the step if there is one. Otherwise it has the given decimals, or more if no such value is
    there; whole numbers (0 decimals) get none.

    >>> nearest_in(ordinal(5.25) + 1, ordinal(9.0), 5.1, 1), nearest_in(ordinal(3.2), ordinal(3.7), 3.0, 0)
    (5.3, None)
    """
    wanted = min(max(reference, double(first)), double(last))
    if step is not None:
        return _nearest_of(admitted_around(wanted, step), first, last, reference)
    for digits in range(decimals, MAX_DECIMALS + 1):
        scale = 10**digits
        exact = Fraction(wanted) * scale
        near = [float(Fraction(each, scale)) for each in (math.floor(exact), math.ceil(exact))]
        found = _nearest_of(near, first, last, reference)
        if found is not None or digits == 0:
            return found
    return wanted


def _nearest_of(values: Iterable[float], first: int, last: int, reference: float) -> float | None:
    fitting = [value for value in values if first <= ordinal(value) <= last]
    return min(fitting, key=lambda value: abs(value - reference), default=None)


def _decimals(value: float) -> int:
    exponent = Decimal(repr(value)).normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _middle(feature: Feature) -> float:
    """Return a value to be near to where a feature has none: the middle of its range, as far as it has one."""
    ends = [end for end in feature.bounds if abs(end) < math.inf]
    return sum(end / len(ends) for end in ends) if ends else 0.0


def _categories(feature: Feature, sets: Sequence[tuple[tuple[int, int], ...]]) -> Iterator[Constant]:
    """Yield each category or truth value; of those that all conditions treat alike, all are as near."""
    names: Sequence[Constant] = feature.categories or (False, True)
    seen = set()
    for position, name in enumerate(names):
        outcome = tuple(any(low <= position <= high for low, high in spans) for spans in sets)
        if outcome not in seen:
            seen.add(outcome)
            yield name
