"""Random rule sets dense in tautologies, contradictions and near misses, and points where their conditions change."""

import math
from collections.abc import Callable, Iterable, Sequence
from random import Random

from evoter.rules.condition import MIRRORED, Right, Sum
from evoter.rules.forms.form import Form
from evoter.rules.forms.registry import FORMS, form_of
from evoter.rules.model import Condition, Mode, Operator, Rule, RuleSet, Term
from evoter.rules.reasoning.steps import admitted_around
from evoter.rules.schema import Feature, Kind, Schema
from strategies import Row, Value

History = list[Row]

COMPARISONS = list(MIRRORED)
ORDERS = [Operator.LT, Operator.LE, Operator.GT, Operator.GE]
RANGES = [
    (0.0, 1.0),
    (0.0, 1.0),
    (0.0, 9.0),
    (-2.0, 3.0),
    (1.0, 4.0),
    (18.0, 95.0),
    (-7.0, -1.0),
    (0.0, None),
    (None, None),
]
CONSTANTS = [-2.0, -1.0, -0.5, 0.0, 0.3, 0.5, 1.0, 2.0, 3.0, 4.0, 9.0, 50.0, 1e-310, 1e200]
COEFFICIENTS = [1.0, 1.0, 1.0, 0.5, 0.25, 0.3, 0.7, 0.99, 0.01, 2.0, -1.0, -0.5, 0.0, 1e-300, 1e300]


def compare(left: str | Term, operator: str, right: Right = None) -> Condition:
    """A condition, with the left term plain where only its feature is given."""
    return Condition(Term(left) if isinstance(left, str) else left, Operator(operator), right)


def random_schema(rng: Random) -> Schema:
    """A schema of up to four features that share ranges, so that comparisons of two terms are often close."""
    features = []
    for name in "abcd"[: rng.randint(1, 4)]:
        missing = rng.random() < 0.25
        kind = rng.choice([Kind.NUMERIC] * 6 + [Kind.CATEGORICAL, Kind.BOOLEAN])
        if kind is Kind.CATEGORICAL:
            features.append(Feature(name, kind, categories=tuple("uvwx"[: rng.randint(1, 4)]), missing=missing))
        elif kind is Kind.BOOLEAN:
            features.append(Feature(name, kind, missing=missing))
        else:
            low, high = rng.choice(RANGES)
            scaled = low is not None and high is not None and rng.random() < 0.3
            step = rng.choice([None, None, None, 1.0, 1.0, 0.1])
            features.append(Feature(name, kind, low, high, scaled=scaled, missing=missing, step=step))
    return Schema(features, ["go", "stop", "wait"][: rng.randint(1, 3)], rng.choice([0, 0, 0, 1, 2]))


def random_term(rng: Random, schema: Schema, feature: Feature) -> Term:
    """A term whose coefficient comes from a small pool, or from the grid of evolution."""
    coefficient = rng.choice(COEFFICIENTS) if rng.random() < 0.6 else rng.randint(1, 100) / 100
    return Term(feature.name, coefficient, rng.choice([1, 1, 1, 2, 3]), rng.randint(0, schema.max_lag))


def random_condition(rng: Random, schema: Schema) -> Condition:
    """A condition that fits the schema, of any form."""
    forms = list(FORMS)
    weights = [0.06 if not form.compares else 0.5 if form.scales else 1.0 for form in forms]
    while True:
        condition = random_condition_of(rng.choices(forms, weights)[0], rng, schema)
        if condition is not None:
            return condition


def random_condition_of(form: Form, rng: Random, schema: Schema) -> Condition | None:
    """A condition of one form on a random feature; None where that feature is of another kind."""
    return _MAKERS[form.name](rng, schema, rng.choice(schema.features))


def _random_presence(rng: Random, schema: Schema, feature: Feature) -> Condition:
    return Condition(_plain(rng, schema, feature), rng.choice([Operator.IS_MISSING, Operator.IS_PRESENT]))


def _random_constant(rng: Random, schema: Schema, feature: Feature) -> Condition | None:
    if feature.kind is not Kind.NUMERIC:
        return None
    return Condition(random_term(rng, schema, feature), rng.choice(COMPARISONS), rng.choice(CONSTANTS))


def _random_category(rng: Random, schema: Schema, feature: Feature) -> Condition | None:
    if feature.kind is Kind.NUMERIC:
        return None
    value = rng.choice(feature.categories or (False, True))
    return Condition(_plain(rng, schema, feature), rng.choice([Operator.EQ, Operator.NE]), value)


def _random_membership(rng: Random, schema: Schema, feature: Feature) -> Condition | None:
    if len(feature.categories) < 2:
        return None
    chosen = rng.sample(feature.categories, rng.randint(2, len(feature.categories)))
    return Condition(_plain(rng, schema, feature), rng.choice([Operator.IN, Operator.NOT_IN]), chosen)


def _random_comparison(rng: Random, schema: Schema, feature: Feature) -> Condition | None:
    if feature.kind is not Kind.NUMERIC:
        return None
    other = rng.choice([each for each in schema.features if each.kind is Kind.NUMERIC])
    left, right = random_term(rng, schema, feature), random_term(rng, schema, other)
    return Condition(left, rng.choice(COMPARISONS), right)


def _random_sum(rng: Random, schema: Schema, feature: Feature) -> Condition | None:
    if feature.kind is not Kind.NUMERIC:
        return None
    left = _weighted(rng, schema, feature)
    others = [each for each in schema.features if each.kind is Kind.NUMERIC]
    added = _weighted(rng, schema, rng.choice(others))
    if (left.feature, left.lag) == (added.feature, added.lag):
        return None
    return Condition(left, rng.choice(ORDERS), Sum(added, rng.choice(CONSTANTS)))


def _weighted(rng: Random, schema: Schema, feature: Feature) -> Term:
    coefficient = rng.choice([each for each in COEFFICIENTS if each != 0.0]) if rng.random() < 0.7 else 1.0
    return Term(feature.name, coefficient, lag=rng.randint(0, schema.max_lag))


def _plain(rng: Random, schema: Schema, feature: Feature) -> Term:
    return Term(feature.name, lag=rng.randint(0, schema.max_lag))


_MAKERS: dict[str, Callable[[Random, Schema, Feature], Condition | None]] = {
    "test for missing": _random_presence,
    "comparison with a number": _random_constant,
    "comparison with a category": _random_category,
    "membership in a set": _random_membership,
    "weighted sum": _random_sum,
    "comparison of two terms": _random_comparison,
}
"""How to make a random condition of each form: a form that is not listed fails the laws over all forms."""


def random_ruleset(rng: Random) -> RuleSet:
    """A rule set whose rules share conditions, so that rules imply and contradict each other."""
    schema = random_schema(rng)
    pool = [random_condition(rng, schema) for _ in range(rng.randint(1, 6))]
    certainties = rng.choice([[1.0], [0.5, 1.0], [0.1, 0.2, 0.3, 0.7]])
    rules = tuple(
        Rule(
            tuple(rng.choice(pool) for _ in range(rng.randint(1, 4))),
            rng.choice(schema.actions),
            rng.choice(certainties),
            pinned=rng.random() < 0.1,
        )
        for _ in range(rng.randint(0, 6))
    )
    return RuleSet(rules, rng.choice(schema.actions), schema, rng.choice(certainties), rng.choice(list(Mode)))


def random_histories(rng: Random, conditions: Sequence[Condition], schema: Schema, n_points: int) -> list[History]:
    """Points of the domain, many of them where some condition is about to change, with more or less history."""
    pools = {feature.name: _interesting_numbers(feature, conditions) for feature in schema.features}
    comparisons = [condition for condition in conditions if len(condition.terms) == 2]
    histories = []
    for _ in range(n_points):
        length = schema.max_lag + 1 if rng.random() < 0.8 else rng.randint(1, schema.max_lag + 1)
        history = [
            {feature.name: _random_value(rng, feature, pools[feature.name]) for feature in schema.features}
            for _ in range(length)
        ]
        for condition in rng.sample(comparisons, min(len(comparisons), 2)):
            _balance(rng, condition, history, schema)
        histories.append(history)
    return histories


def neighbours(x: float, reach: int = 2) -> Iterable[float]:
    """Return x and the nearest doubles on either side."""
    yield x
    for target in (-math.inf, math.inf):
        near = x
        for _ in range(reach):
            near = math.nextafter(near, target)
            yield near


def _interesting_numbers(feature: Feature, conditions: Sequence[Condition]) -> list[float]:
    if feature.kind is not Kind.NUMERIC:
        return []
    low, high = feature.bounds
    tiny = math.ulp(0.0)
    seeds = [low, high, 0.0, 1.0, -1.0, 0.5, 2 * tiny, -2 * tiny, 5 * tiny]
    for condition in conditions:
        if condition.left.feature == feature.name:
            for threshold in form_of(condition).thresholds(condition):
                seeds += [threshold, *_roots(condition.left, threshold)]
    near = [x for seed in seeds for x in neighbours(seed)]
    if feature.step is not None:
        near = [x for seed in near for x in admitted_around(seed, feature.step)]
    return [x for x in near if low <= x <= high]


def _roots(term: Term, value: float) -> list[float]:
    """Return about where a term takes a value."""
    quotient = value / term.coefficient if abs(term.coefficient) > 1e-305 else 0.0
    if not math.isfinite(quotient):
        return []
    root = math.copysign(abs(quotient) ** (1 / term.power), quotient)
    return [root, -root] if term.power == 2 else [root]


def _random_value(rng: Random, feature: Feature, pool: Sequence[float]) -> Value:
    if feature.missing and rng.random() < 0.2:
        return None
    if feature.kind is Kind.CATEGORICAL:
        return rng.choice(feature.categories)
    if feature.kind is Kind.BOOLEAN:
        return rng.random() < 0.5
    if pool and rng.random() < 0.7:
        return rng.choice(pool)
    low, high = feature.bounds
    low, high = max(low, -10.0), min(high, 100.0)
    anywhere = min(max(rng.uniform(low, high), low), high)
    return anywhere if feature.step is None else max(admitted_around(anywhere, feature.step)[0], low)


def _balance(rng: Random, condition: Condition, history: History, schema: Schema) -> None:
    """Set the second variable of a comparison or a sum to where both sides are about equal."""
    left, right = condition.terms
    if max(left.lag, right.lag) >= len(history):
        return
    x = history[-1 - left.lag][left.feature]
    if not isinstance(x, float) or math.isinf(x):
        return
    feature = schema.feature(right.feature)
    is_sum = isinstance(condition.right, Sum)
    if isinstance(condition.right, Sum):
        roots = _roots(right, condition.right.constant - left.coefficient * x)
    else:
        read = _scaled(x, schema.feature(left.feature))
        roots = _roots(right, left.coefficient * read**left.power if abs(read) < 1e60 else 0.0)
    for root in roots:
        y = root if is_sum else _unscaled(root, feature)
        near = list(neighbours(y, 3) if feature.step is None else admitted_around(y, feature.step))
        near = [number for number in near if feature.bounds[0] <= number <= feature.bounds[1]]
        if near:
            history[-1 - right.lag][right.feature] = rng.choice(near)


def _scaled(x: float, feature: Feature) -> float:
    low, high = feature.bounds
    return (x - low) / (high - low) if feature.scaled and low < high else x


def _unscaled(x: float, feature: Feature) -> float:
    low, high = feature.bounds
    return low + x * (high - low) if feature.scaled else x
