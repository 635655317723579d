"""What would have to change: the nearest changes of a row that alter the decision of a rule set.

The search deepens: all changes of one feature, then of two, and so on. Of a feature it tries one value for each way its
conditions can turn out, which is enough for any number of features as long as conditions read one feature each. Where
conditions join two features, single changes are complete, and larger ones are tried at the ends of ranges as well.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from evoter.rules.answers.changes import Change, Counterfactual, Counterfactuals
from evoter.rules.answers.nearby_values import NearbyValues
from evoter.rules.condition import Constant
from evoter.rules.errors import SchemaError, did_you_mean
from evoter.rules.interpreter import decide_now, holds
from evoter.rules.model import RuleSet
from evoter.rules.modes import Decision, Procedure, mode_of
from evoter.rules.values import Row, read

MAX_TRIED = 10_000
"""How many changed rows are decided at most, which takes about a second."""

Values = Mapping[str, Constant | None]


def counterfactuals(
    ruleset: RuleSet,
    row_or_history: Row | Sequence[Row],
    *,
    fixed: Collection[str] = (),
    to: str | None = None,
    n: int = 1,
) -> Counterfactuals:
    """Return the nearest changes that alter the decision on a row, or on the last row of a history in time order.

    Changes of fewer features come first, then smaller ones: as parts of the range of a feature, where another category
    counts as the whole range. Values stay in the ranges of the schema and have the decimals of the data, so that whole
    numbers stay whole. A missing value is proposed only where the schema allows one. Each result was decided again.

    Parameters
    ----------
    ruleset : RuleSet
        The rules.
    row_or_history : mapping or sequence of mappings
        The values of the features; of a history only the last row may change.
    fixed : collection of str
        Features that must not change.
    to : str or None
        The action that is wanted; None for any other one.
    n : int
        How many to return at most; they differ in the features that change or in the decision.

    Examples
    --------
    >>> from evoter.rules.parser import parse
    >>> rules = parse("age < 25 AND income <= 30000 -> refuse; debts > 2 -> refuse; Default -> grant")
    >>> print(counterfactuals(rules, {"age": 22, "income": 28500, "debts": 1}, n=2))
    it would be grant (by the default) with income 30001 instead of 28500
    it would be grant (by the default) with age 25 instead of 22
    """
    if n < 1:
        raise ValueError(f"n must be 1 or more, not {n}")
    for name in fixed:
        if name not in ruleset.schema:
            raise SchemaError(f"fixed: there is no feature {name!r}{did_you_mean(name, ruleset.schema.names)}")
    if to is not None and to not in ruleset.schema.actions:
        raise SchemaError(f"to: there is no action {to!r}{did_you_mean(to, ruleset.schema.actions)}")
    history = [row_or_history] if isinstance(row_or_history, Mapping) else list(row_or_history)
    return _Search(ruleset, history, fixed, to).run(n)


class _Search:
    """The search for changes of one row."""

    def __init__(self, ruleset: RuleSet, history: Sequence[Row], fixed: Collection[str], to: str | None) -> None:
        features = [ruleset.schema.feature(name) for name in ruleset.features_used]
        self.ruleset = ruleset
        self.to = to
        self.row: dict[str, Constant | None] = {feature.name: read(feature, history[-1]) for feature in features}
        self.earlier = history[:-1]
        self.decision = self._decide({})
        self.nearby = NearbyValues(ruleset, [*self.earlier, self.row], fixed)
        self.tried = 0
        self.seen: set[frozenset[tuple[str, Constant | None]]] = set()
        self.found: dict[tuple[frozenset[str], tuple[str, ...]], tuple[float, dict[str, Constant | None]]] = {}

    def run(self, n: int) -> Counterfactuals:
        """Search with growing numbers of changed features until there are enough results."""
        if self._is_wanted(self.decision):
            raise ValueError(f"to: the decision is {self.to!r} already; name another action")
        results: list[Counterfactual] = []
        for size in range(1, len(self.nearby.free) + 1):
            self.seen.clear()
            self.found.clear()
            self._deepen({}, self.decision, size)
            known = [(set(_names(result)), result.decision.actions) for result in results]
            nearest = sorted(self.found.items(), key=lambda item: item[1][0])
            for (names, actions), (_, changes) in nearest:
                if not any(fewer < names and actions == same for fewer, same in known):
                    results.append(self._result(changes))
            if len(results) >= n or self.tried >= MAX_TRIED:
                break
        return Counterfactuals(tuple(results[:n]), self.tried < MAX_TRIED, self.to)

    def _deepen(self, changes: dict[str, Constant | None], decision: Decision, left: int) -> None:
        row = {**self.row, **changes}
        for name in self._branches(row, decision, changes):
            for value in self.nearby.of(name, row):
                longer = {**changes, name: value}
                key = frozenset(longer.items())
                if key in self.seen:
                    continue
                if self.tried >= MAX_TRIED:
                    return
                self.seen.add(key)
                self.tried += 1
                reached = self._decide(longer)
                if self._is_wanted(reached):
                    if left == 1:
                        self._keep(longer, reached)
                elif left > 1:
                    self._deepen(longer, reached, left - 1)

    def _branches(self, row: Row, decision: Decision, changed: Collection[str]) -> Iterator[str]:
        """Yield the features that matter next.

        Where the first active rule in an order decides, another decision needs that this rule no longer holds, or that
        one before it holds which does not; elsewhere, any rule matters.
        """
        history = [*self.earlier, row]
        plan = mode_of(self.ruleset.mode).plan(self.ruleset)
        matter = set()
        for index in plan.order:
            rule = self.ruleset.rules[index]
            is_decider = plan.procedure is Procedure.IN_ORDER and index in decision.deciding
            for condition in rule.conditions:
                if (
                    is_decider
                    or plan.procedure is not Procedure.IN_ORDER
                    or not holds(condition, history, self.ruleset.schema)
                ):
                    matter |= {term.feature for term in condition.terms if term.lag == 0}
            if is_decider:
                break
        return (name for name in self.nearby.free if name in matter and name not in changed)

    def _keep(self, changes: dict[str, Constant | None], decision: Decision) -> None:
        """Keep the smallest changes for each set of features and each decision."""
        changes = self._shrunk(changes, decision) if len(changes) > 1 else changes
        cost = self.nearby.cost(changes)
        key = frozenset(changes), decision.actions
        if key not in self.found or cost < self.found[key][0]:
            self.found[key] = cost, changes

    def _shrunk(self, changes: dict[str, Constant | None], decision: Decision) -> dict[str, Constant | None]:
        """Return smaller changes of the same features with the same decision, one feature at a time."""
        for name in list(changes):
            others = {**self.row, **{each: value for each, value in changes.items() if each != name}}
            options = sorted(self.nearby.of(name, others), key=lambda value: self.nearby.cost({name: value}))
            for value in options:
                if self.nearby.cost({name: value}) >= self.nearby.cost({name: changes[name]}):
                    break
                if self._decide({**changes, name: value}).actions == decision.actions:
                    changes = {**changes, name: value}
                    break
        return changes

    def _result(self, changes: Values) -> Counterfactual:
        ordered = [name for name in self.ruleset.features_used if name in changes]
        described = tuple(Change(self.ruleset.schema.feature(name), self.row[name], changes[name]) for name in ordered)
        return Counterfactual(described, self._decide(changes), {**self.row, **changes})

    def _decide(self, changes: Values) -> Decision:
        return decide_now(self.ruleset, [*self.earlier, {**self.row, **changes}])

    def _is_wanted(self, decision: Decision) -> bool:
        if self.to is None:
            return decision.actions != self.decision.actions
        return decision.action == self.to


def _names(result: Counterfactual) -> Iterator[str]:
    return (change.feature.name for change in result.changes)
