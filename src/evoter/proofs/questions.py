"""The questions that can be asked about rule sets."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, TypeVar

from evoter.proofs.budget import Budget, Progress
from evoter.proofs.claims import Impossible, NoDifference, NoFall, NotDeciding, Taken
from evoter.proofs.problem import Problem
from evoter.proofs.proving import STOPPED, settle
from evoter.proofs.result import ProofResult, Status
from evoter.proofs.space import Conjunction
from evoter.proofs.statements import Given, conditions_of, printed, read_statement
from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.guardrails import monotone as directions
from evoter.rules.model import RuleSet
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.numbers.actions import read_action
from evoter.rules.schema import Kind

MAX_SECONDS = 60.0
"""How long a question may take unless the caller says otherwise."""

T = TypeVar("T")

Direction = Literal["increasing", "decreasing"]


def equivalent(
    a: RuleSet,
    b: RuleSet,
    *,
    certainties: bool = False,
    within_ranges: bool = False,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> ProofResult:
    """Tell whether two rule sets decide the same on every input, with `certainties` also equally certain.

    Inputs are all finite numbers, all categories whether listed or not, missing values, and histories of any length;
    with `within_ranges`, only what the schemas of both declare: ranges, steps, categories, and missing values where
    they may occur.

    >>> from evoter import parse
    >>> a = parse("age > 65 -> high; Default -> low")
    >>> b = parse("age <= 65 -> low; Default -> high")
    >>> equivalent(a, b)
    <refuted: both decide the same; not for age = missing, decided low and high>
    >>> print(equivalent(a, b, within_ranges=True))
    proved: both decide the same
    """
    problem = Problem(NoDifference(certainties), [a, b], within_ranges=within_ranges)
    claim = "both decide the same with the same certainty" if certainties else "both decide the same"
    return settle(problem, claim, Budget(max_seconds, progress))


def never(
    ruleset: RuleSet,
    condition: Given,
    action: str,
    *,
    within_ranges: bool = False,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> ProofResult:
    """Tell whether an action is never taken where a condition holds, or never at all if the condition is "".

    >>> from evoter import parse
    >>> rules = parse("pain > 7 AND age >= 18 -> opioid; pain > 3 -> ibuprofen; Default -> none")
    >>> never(rules, "age < 18", "opioid").status
    <Status.PROVED: 'proved'>
    >>> print(never(rules, "age < 21", "opioid"))
    refuted: never opioid where age < 21; not for pain = 10, age = 20, decided opioid
    """
    return _taken(ruleset, condition, action, Budget(max_seconds, progress), within_ranges, is_never=True)


def implies(
    ruleset: RuleSet,
    condition: Given,
    action: str,
    *,
    within_ranges: bool = False,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> ProofResult:
    """Tell whether an action is always taken where a condition holds; in mode all, perhaps among others.

    >>> from evoter import parse
    >>> implies(parse("a + b > 10 -> high; Default -> low"), "a > 6 AND b > 6", "high").proved
    True
    """
    return _taken(ruleset, condition, action, Budget(max_seconds, progress), within_ranges, is_never=False)


def prove(
    ruleset: RuleSet,
    that: str,
    *,
    within_ranges: bool = False,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> ProofResult:
    """Tell whether a statement holds: `conditions -> action`, or `conditions -> never action`.

    >>> from evoter import parse
    >>> rules = parse("pain > 7 AND age >= 18 -> opioid; pain > 3 -> ibuprofen; Default -> none")
    >>> prove(rules, that="age is missing -> never opioid").proved
    True
    """
    condition, action, is_never = read_statement(that, ruleset)
    return _taken(ruleset, condition, action, Budget(max_seconds, progress), within_ranges, is_never=is_never)


def _taken(
    ruleset: RuleSet, condition: Given, action: str, budget: Budget, within_ranges: bool, *, is_never: bool
) -> ProofResult:
    _check_action(ruleset, action)
    given = conditions_of(condition, ruleset.schema)
    claim = f"{'never' if is_never else 'always'} {action}"
    if given:
        claim += f" where {printed(given, ruleset.schema)}"
    conjunction = Conjunction(given, ruleset.schema)
    problem = Problem(Taken(action, is_never), [ruleset], given=[conjunction], within_ranges=within_ranges)
    return settle(problem, claim, budget)


def monotone(
    ruleset: RuleSet,
    feature: str,
    *,
    order: Sequence[str] | None = None,
    direction: Direction = "increasing",
    within_ranges: bool = False,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> ProofResult:
    """Tell whether decisions never fall when a feature rises and all else stays (with `decreasing`, never rise).

    `order` lists the actions from the lowest to the highest; without it, they are in the order of the schema, and
    constants in their own; rules with linear terms are refused. A value
    that is missing stays missing. Where rules look back, any of the values may rise, now or earlier.

    >>> from evoter import parse
    >>> rules = parse("age > 65 -> high; age > 40 AND bmi > 30 -> high; Default -> low")
    >>> monotone(rules, "age", order=["low", "high"]).proved
    True
    """
    kind = ruleset.schema.feature(feature).kind
    if kind is not Kind.NUMERIC:
        raise RuleError(f"{feature!r} is {kind}: decisions can rise with numeric features only")
    if mode_of(ruleset.mode).procedure is Procedure.EVERY:
        raise RuleError("in mode all there may be several actions, which have no order; ask about never or implies")
    if direction not in ("increasing", "decreasing"):
        raise ValueError(f"direction must be 'increasing' or 'decreasing', not {direction!r}")
    if ruleset.schema.target is not None:
        order = _numbers_in_order(ruleset, order)
    ranks = _ranks(ruleset, order)
    claim = f"higher {feature} never lowers the decision"
    if direction == "decreasing":
        ranks = {action: -rank for action, rank in ranks.items()}
        claim = f"higher {feature} never raises the decision"
    listed = ruleset.schema.actions if order is None else tuple(order)
    claim = f"{claim} ({' < '.join(listed)})"
    rising = directions.Monotone(feature, directions.Direction(direction))
    if directions.is_kept_by_form(rising, ruleset, listed):
        return ProofResult(claim, Status.PROVED, method="form")
    problem = Problem(NoFall(ranks), [ruleset, ruleset], within_ranges=within_ranges, moved=feature)
    return settle(problem, claim, Budget(max_seconds, progress))


def _numbers_in_order(ruleset: RuleSet, order: Sequence[str] | None) -> Sequence[str]:
    """Return numeric actions from the smallest to the largest; linear terms have no fixed place, and are refused."""
    if order is not None:
        raise RuleError("numbers have an order of their own: leave out the order of the actions")
    for action in ruleset.schema.actions:
        if read_action(action).feature:
            raise RuleError(
                f"{action} changes with {read_action(action).feature}: only constants can be proved monotone"
            )
    return sorted(ruleset.schema.actions, key=lambda action: read_action(action).constant)


def _ranks(ruleset: RuleSet, order: Sequence[str] | None) -> dict[str, int]:
    names = ruleset.schema.actions if order is None else tuple(order)
    for action in names:
        _check_action(ruleset, action)
    taken = {ruleset.default, *(rule.action for rule in ruleset.rules)}
    absent = sorted(taken - set(names))
    if absent or len(set(names)) < len(names):
        wrong = f"lacks {absent[0]!r}" if absent else "names an action twice"
        raise RuleError(f"the order of the actions {wrong}; list each action once, from the lowest to the highest")
    return {action: rank for rank, action in enumerate(names)}


def unreachable_rules(
    ruleset: RuleSet,
    *,
    within_ranges: bool = False,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> tuple[ProofResult, ...]:
    """Tell for each rule, in order, whether it never decides; a refutation is a point at which it does.

    >>> from evoter import parse
    >>> rules = parse("age > 65 -> high; age > 70 AND bmi > 30 -> higher; Default -> low")
    >>> [result.proved for result in unreachable_rules(rules)]
    [False, True]
    """
    budget = Budget(max_seconds, progress)

    def ask(rule: int) -> ProofResult:
        problem = Problem(NotDeciding(rule), [ruleset], within_ranges=within_ranges)
        return settle(problem, f"rule {rule + 1} never decides", budget.part(budget.left, f"rule {rule + 1}"))

    return tuple(_one_by_one(ask, range(len(ruleset.rules)), budget, lambda rule: f"rule {rule + 1} never decides"))


@dataclass(frozen=True, slots=True)
class GapsAndOverlaps:
    """Where no rule holds, and which rules with different actions hold together.

    `gap` is about the claim that some rule always holds. `overlaps` has a result for each pair of rules (counted from
    1) with different actions that can hold together, or of which it is not known.
    """

    gap: ProofResult
    overlaps: dict[tuple[int, int], ProofResult]

    def __str__(self) -> str:
        return "\n".join([str(self.gap), *map(str, self.overlaps.values())])


def gaps_and_overlaps(
    ruleset: RuleSet,
    *,
    within_ranges: bool = False,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> GapsAndOverlaps:
    """Find inputs for which no rule holds, and pairs of rules with different actions that hold together.

    >>> from evoter import parse
    >>> found = gaps_and_overlaps(parse("x > 5 -> a; x < 3 -> b; x > 7 -> b; Default -> a"))
    >>> print(found)
    refuted: some rule always holds; not for x = 4, decided a
    refuted: rules 1 and 3 never hold together; not for x = 10, decided a
    """
    budget = Budget(max_seconds, progress)
    gap = covered(ruleset, within_ranges=within_ranges, max_seconds=max_seconds, progress=progress)
    rules, claim = ruleset.rules, "rules {} and {} never hold together"
    pairs = [pair for pair in combinations(range(len(rules)), 2) if rules[pair[0]].action != rules[pair[1]].action]
    problem = Problem(Impossible(), [ruleset], within_ranges=within_ranges)

    def said(pair: tuple[int, int]) -> str:
        return claim.format(pair[0] + 1, pair[1] + 1)

    def ask(pair: tuple[int, int]) -> ProofResult:
        return settle(
            problem.where(*pair), said(pair), budget.part(budget.left, f"rules {pair[0] + 1} and {pair[1] + 1}")
        )

    results = [] if gap.reason == STOPPED else _one_by_one(ask, pairs, budget, said)
    found = zip(pairs, results, strict=False)
    return GapsAndOverlaps(gap, {(i + 1, j + 1): result for (i, j), result in found if not result.proved})


def covered(
    ruleset: RuleSet,
    *,
    within_ranges: bool = False,
    max_seconds: float = MAX_SECONDS,
    progress: Progress | None = None,
) -> ProofResult:
    """Tell whether some rule holds on every input, so that the default is never needed.

    >>> from evoter import parse
    >>> covered(parse("x > 5 -> a; x <= 5 -> b; Default -> a"))
    <refuted: some rule always holds; not for x = missing, decided a>
    """
    conjunctions = [Conjunction(rule.conditions, ruleset.schema) for rule in ruleset.rules]
    problem = Problem(Impossible(), [ruleset], excluded=conjunctions, within_ranges=within_ranges)
    return settle(problem, "some rule always holds", Budget(max_seconds, progress))


def _one_by_one(
    ask: Callable[[T], ProofResult], cases: Iterable[T], budget: Budget, claim: Callable[[T], str]
) -> list[ProofResult]:
    """Settle several claims within one budget; after Ctrl-C or without time the others are unknown."""
    results: list[ProofResult] = []
    reason = ""
    for case in cases:
        if not reason and budget.left <= 0.0:
            reason = f"undecided after {budget.max_seconds:g} s"
        if reason:
            results.append(ProofResult(claim(case), Status.UNKNOWN, reason=reason))
            continue
        try:
            results.append(ask(case))
        except KeyboardInterrupt:
            results.append(ProofResult(claim(case), Status.UNKNOWN, reason=STOPPED))
        if results[-1].reason == STOPPED:
            reason = STOPPED
    return results


def _check_action(ruleset: RuleSet, action: str) -> None:
    if action not in ruleset.schema.actions:
        raise RuleError(f"unknown action {action!r}{did_you_mean(action, ruleset.schema.actions)}")
