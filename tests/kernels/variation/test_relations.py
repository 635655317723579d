"""The quick tests of variation claim nothing that the exact logic denies, and miss nothing of the plainest forms."""

from collections import Counter
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from compiled import compiled
from domains import COMPARISONS, CONSTANTS, compare, random_condition, random_schema
from evoter.genome.codec import read_condition, write_condition
from evoter.genome.grammar import build_grammar
from evoter.kernels.layout import N_CODES, N_NUMBERS, Floats, Grammar, Ints
from evoter.kernels.variation.relations import (
    ALWAYS,
    CONTRADICTION,
    DEPENDS,
    FIRST_IMPLIES,
    NEVER,
    SECOND_IMPLIES,
    UNRELATED,
    acceptable,
    prune_conditions,
    relation,
    truth,
)
from evoter.rules import logic
from evoter.rules.interpreter import holds
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples, n_cases

NEGATIONS = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@compiled
def truth_of(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    return truth(grammar, codes[0], numbers[0])


@compiled
def relation_of(grammar: Grammar, codes: Ints, numbers: Floats) -> int:
    return relation(grammar, codes[0], numbers[0], codes[1], numbers[1])


@compiled
def is_acceptable(grammar: Grammar, codes: Ints, numbers: Floats, candidate: int) -> bool:
    return acceptable(grammar, codes, numbers, len(codes), candidate)


@compiled
def pruned(grammar: Grammar, codes: Ints, numbers: Floats, n_pruned: int) -> int:
    return prune_conditions(grammar, codes, numbers, n_pruned, len(codes))


def grammar_of(schema: Schema) -> Grammar:
    return build_grammar(
        schema,
        np.zeros((len(schema.features), 1)),
        operators=[1.0] * 6,
        max_power=3,
        comparison_rate=0.5,
        missing_rate=0.1,
        uniform_constants=False,
        evolve_certainty=False,
    )


def written(conditions: list[Condition], schema: Schema) -> tuple[Ints, Floats]:
    codes = np.zeros((len(conditions), N_CODES), np.int64)
    numbers = np.zeros((len(conditions), N_NUMBERS))
    for place, condition in enumerate(conditions):
        write_condition(condition, schema, codes[place], numbers[place])
    return codes, numbers


def near(rng: Random, condition: Condition, schema: Schema) -> Condition:
    """A condition on the same terms with other numbers and another operator."""
    feature = schema.feature(condition.left.feature)
    if condition.operator.tests_missing:
        return random_condition(rng, schema)
    if feature.kind is not Kind.NUMERIC:
        return compare(condition.left, rng.choice(["=", "!="]), condition.right)

    def changed(term: Term) -> Term:
        return Term(term.feature, rng.choice([term.coefficient, rng.randint(1, 100) / 100]), term.power, term.lag)

    right = condition.right
    right = changed(right) if isinstance(right, Term) else rng.choice([right, rng.choice(CONSTANTS)])
    return Condition(changed(condition.left), rng.choice(COMPARISONS), right)


def ordinary_points(rng: Random, schema: Schema) -> list[dict[str, float]]:
    """Points away from the smallest and largest doubles, where real numbers and doubles behave alike."""
    bounds = {feature.name: feature.bounds for feature in schema.features if feature.kind is Kind.NUMERIC}
    return [
        {name: round(rng.uniform(max(low, -20.0), min(high, 20.0)), 3) for name, (low, high) in bounds.items()}
        for _ in range(50)
    ]


def claimed(number: int, a: Condition, b: Condition, schema: Schema) -> bool:
    """Ask the exact logic for a relation."""
    if number == CONTRADICTION:
        return logic.contradicts(a, b, schema)
    return logic.implies(a, b, schema) if number == FIRST_IMPLIES else logic.implies(b, a, schema)


def holds_at(number: int, a: Condition, b: Condition, schema: Schema, rng: Random) -> bool:
    """Try a relation at points."""
    for point in ordinary_points(rng, schema):
        history = [point] * (schema.max_lag + 1)
        x, y = holds(a, history, schema), holds(b, history, schema)
        if (number == CONTRADICTION and x and y) or (number == FIRST_IMPLIES and x > y):
            return False
        if number == SECOND_IMPLIES and y > x:
            return False
    return True


def test_claims_about_two_conditions_are_true() -> None:
    """Where the logic cannot confirm a claim, rounding of coefficients stands in the way and ordinary points agree."""
    counts: Counter[bool] = Counter()
    n = n_cases(6_000)
    for seed in range(n):
        rng = Random(seed)
        schema = random_schema(rng)
        a = random_condition(rng, schema)
        b = near(rng, a, schema) if rng.random() < 0.7 else random_condition(rng, schema)
        number = relation_of(grammar_of(schema), *written([a, b], schema))
        if number == UNRELATED:
            continue
        confirmed = claimed(number, a, b, schema)
        counts[confirmed] += 1
        if not confirmed:
            assert not a.left.is_plain or not b.left.is_plain or isinstance(a.right, Term)
            assert holds_at(number, a, b, schema, rng)
    assert counts[True] > n / 3
    assert counts[False] < 0.01 * counts[True]


@examples(1_500)
@given(st.integers(0, 2**32))
def test_claims_about_one_condition_are_true(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    condition = random_condition(rng, schema)
    number = truth_of(grammar_of(schema), *written([condition], schema))
    if number == NEVER:
        assert logic.truth(condition, schema) is logic.Truth.NEVER
    if number == ALWAYS and condition.operator.tests_missing:
        assert logic.truth(condition, schema) is logic.Truth.ALWAYS
    elif number == ALWAYS:  # of present values, which makes the opposite impossible
        opposite = compare(condition.left, NEGATIONS[condition.operator], condition.right)
        assert logic.truth(opposite, schema) is logic.Truth.NEVER


@examples(500)
@given(st.sampled_from(COMPARISONS), st.sampled_from(COMPARISONS), st.integers(1, 5), st.integers(1, 5))
def test_comparisons_with_constants_inside_the_range_are_related_completely(
    one: Operator, other: Operator, low: int, high: int
) -> None:
    schema = Schema([Feature("x", low=0, high=6)], ["go"])
    a, b = compare("x", one, float(low)), compare("x", other, float(high))
    number = relation_of(grammar_of(schema), *written([a, b], schema))
    related = [number for number in (CONTRADICTION, FIRST_IMPLIES, SECOND_IMPLIES) if claimed(number, a, b, schema)]
    assert number in (related or [UNRELATED])


def test_multiples_of_zero_are_equal() -> None:
    """x <= 0.5*y implies x < 0.9*y only while y is above 0."""
    schema = Schema([Feature("x", low=0, high=1), Feature("y", low=0, high=1)], ["go"])
    cases = {
        ("<=", "<"): UNRELATED,
        ("<=", "<="): FIRST_IMPLIES,
        ("<", "<="): FIRST_IMPLIES,
        ("<=", ">="): UNRELATED,
        ("<=", ">"): CONTRADICTION,
        ("<", ">="): CONTRADICTION,
        (">=", ">"): SECOND_IMPLIES,
        (">", ">="): UNRELATED,
    }
    for (one, other), expected in cases.items():
        pair = [compare("x", one, Term("y", 0.5)), compare("x", other, Term("y", 0.9))]
        assert relation_of(grammar_of(schema), *written(pair, schema)) == expected


@examples(500)
@given(st.integers(0, 2**32))
def test_pruning_keeps_the_meaning(seed: int) -> None:
    """With the first conditions known to be in order, as crossover calls it."""
    rng = Random(seed)
    features = [
        Feature("x", low=0, high=5),
        Feature("y", low=0, high=5, missing=True),
        Feature("sort", Kind.CATEGORICAL, categories=("u", "v", "w"), missing=True),
    ]
    schema = Schema(features, ["go"], max_lag=1)
    grammar = grammar_of(schema)

    def evolved() -> Condition:
        name, lag = rng.choice(["x", "y", "sort"]), rng.randint(0, 1)
        if name != "x" and rng.random() < 0.2:
            return Condition(Term(name, lag=lag), rng.choice([Operator.IS_MISSING, Operator.IS_PRESENT]))
        if name == "sort":
            return compare(Term(name, lag=lag), rng.choice(["=", "!="]), rng.choice("uvw"))
        return compare(Term(name, lag=lag), rng.choice(COMPARISONS), float(rng.randint(-1, 6)))

    conditions: list[Condition] = []
    for _ in range(6):
        codes, numbers = written([*conditions, evolved()], schema)
        if len(conditions) < 3 and is_acceptable(grammar, codes, numbers, len(codes) - 1):
            conditions = [read_condition(*pair, schema) for pair in zip(codes, numbers, strict=True)]
    n_pruned = len(conditions)
    conditions += [evolved() for _ in range(rng.randint(1, 4))]
    codes, numbers = written(conditions, schema)
    n = pruned(grammar, codes, numbers, n_pruned)
    values: list[dict[str, float | str | None]] = [
        {"x": x, "y": y, "sort": sort} for x in (0.0, 2.5, 3.0) for y in (None, 3.0, 4.5) for sort in ("u", "w", None)
    ]
    histories = [[rng.choice(values), now] for now in values] + [[now] for now in values]
    left = [read_condition(codes[k], numbers[k], schema) for k in range(max(n, 0))]
    for history in histories:
        held = all(holds(condition, history, schema) for condition in conditions)
        assert held == (n >= 0 and all(holds(condition, history, schema) for condition in left))
    if n > 0:
        grid = range(n)
        assert all(
            relation_of(grammar, codes[[i, j]], numbers[[i, j]]) == UNRELATED for i in grid for j in grid if i < j
        )


def test_what_says_nothing_is_not_acceptable() -> None:
    schema = Schema([Feature("x", low=0, high=5), Feature("y", low=0, high=5, missing=True)], ["go"])
    grammar = grammar_of(schema)

    def accepted(*conditions: Condition) -> bool:
        return is_acceptable(grammar, *written(list(conditions), schema), len(conditions) - 1)

    assert accepted(compare("x", "<", 3.0))
    assert not accepted(compare("x", "<", 6.0)), "a tautology"
    assert not accepted(compare("x", ">", 5.0)), "a falsehood"
    assert not accepted(compare("x", "<", 3.0), compare("x", "<", 4.0)), "implied"
    assert not accepted(compare("x", "<", 4.0), compare("x", "<", 3.0)), "makes another redundant"
    assert not accepted(compare("x", "<", 3.0), compare("x", ">", 4.0)), "a contradiction"
    assert accepted(compare("x", ">", 3.0), compare("x", "<", 4.0))
    assert not accepted(compare("y", ">", 3.0), Condition(Term("y"), Operator.IS_PRESENT))
    assert not accepted(Condition(Term("x"), Operator.IS_MISSING)), "never missing"
    assert truth_of(grammar, *written([compare("x", "<", Term("y"))], schema)) == DEPENDS
