"""Every form, operator, power and missing value means the same in masks, policies, sweeps and the interpreter."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from antecedents import degenerate_columns
from coded import grammar_of, relation_of, truth_of, written
from domains import COMPARISONS, ORDERS
from evoter.genome.arrays import empty_antecedents, empty_population, table_rows
from evoter.genome.codec import encode
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.conditions.codes import (
    COMPARISON,
    CONSTANT,
    LEFT_LAG,
    LEFT_POWER,
    MEMBERSHIP,
    N_CODES,
    N_FORMS,
    N_OPERATORS,
    OPERATOR,
    PRESENCE,
    RIGHT,
    RIGHT_LAG,
    RIGHT_POWER,
    SUM,
    SUMMED,
    THRESHOLD,
    UNKNOWN,
)
from evoter.kernels.conditions.logic import DEPENDS, UNRELATED
from evoter.kernels.conditions.meaning import compare, form_of, raised
from evoter.kernels.evaluation.masks import fill_masks
from evoter.kernels.evaluation.policies import decide_each
from evoter.kernels.evaluation.sharing import fill_conditions
from evoter.kernels.layout import N_CONDITIONS, N_RULES, WORD, Antecedents, Floats, Ints, Population, Rows
from evoter.kernels.refinement.sweep import _value
from evoter.problems.control.rollout import room_for
from evoter.rules.condition import SET_OPERATORS, Sum
from evoter.rules.forms import sum as sum_form
from evoter.rules.forms.form import NO_FEATURE, OPERATORS
from evoter.rules.interpreter import holds
from evoter.rules.model import MAX_POWER, Condition, Operator, Rule, RuleSet, Term
from evoter.rules.schema import Feature, Kind, Schema
from laws import n_cases
from tasks import as_rows

Bools = NDArray[np.bool_]

VALUES = (np.nan, np.nan, -np.inf, -1.5, -0.0, 0.0, 0.5, 1.0, 2.0, 1e200, np.inf)
POWERS = range(1, MAX_POWER + 1)
LAGS = (0, 1)

FEATURES = {
    "raw": {},
    "scaled": {"low": -1.0, "high": 3.0, "scaled": True},
    "without span": {"low": 2.0, "high": 2.0, "scaled": True},
}


def numeric_schema(kind: str) -> Schema:
    """Two features that may be missing, whose values conditions can look back at."""
    return Schema([Feature(name, missing=True, **FEATURES[kind]) for name in "xy"], ["go"], max_lag=1)  # type: ignore[arg-type]


def numeric_conditions() -> list[Condition]:
    """Conditions of all forms, with all operators, powers and lags."""
    tests = [Condition(Term("x", lag=lag), test) for lag in LAGS for test in Operator if test.tests_missing]
    thresholds = [
        Condition(Term("x", coefficient, power, lag), operator, constant)
        for coefficient, power, lag, operator, constant in product(
            (1.0, 0.3, -0.5, 0.0), POWERS, LAGS, COMPARISONS, (0.0, 0.5, -1.5)
        )
    ]
    comparisons = [
        Condition(Term("x", 0.3, power, lag), operator, Term("y", 0.7, other_power, other_lag))
        for power, other_power, lag, other_lag, operator in product(POWERS, POWERS, LAGS, LAGS, COMPARISONS)
    ]
    sums = [
        Condition(Term("x", coefficient, lag=lag), operator, Sum(Term(name, other, lag=other_lag), constant))
        for coefficient, lag, operator, name, other, other_lag, constant in product(
            (1.0, 0.3), LAGS, ORDERS, "xy", (1.0, -1.0, 0.1, -0.7), LAGS, (0.0, 0.5, -1.35)
        )
        if (name, other_lag) != ("x", lag)
    ]
    return [*tests, *thresholds, *comparisons, *sums]


def series(columns: Floats, schema: Schema) -> Rows:
    """Rows that are the steps of one series, behind a word of padding."""
    padded = np.hstack([np.full((len(columns), WORD), np.nan), columns])
    rows = table_rows(padded, schema)
    valid = rows.valid[1:]
    history = np.arange(len(valid) * WORD, dtype=np.int64)
    return rows._replace(starts=rows.starts + WORD, lag_stride=1, valid=valid, history=history)


def bits(masks: NDArray[np.uint64], n_rows: int) -> Bools:
    return np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")[:, :n_rows].astype(np.bool_)


def by_antecedents(pool: Antecedents, rows: Rows, n_rows: int) -> Bools:
    """Where each antecedent holds, by masks of antecedents."""
    slots = np.arange(len(pool.facts))
    masks = np.full((len(slots), len(rows.valid)), ~np.uint64(0))
    fill_masks(0, len(slots), rows, pool, slots, slots, masks, np.zeros(len(slots), np.int64))
    return bits(masks, n_rows)


def by_conditions(pool: Antecedents, rows: Rows, n_rows: int) -> Bools:
    """Where each antecedent of one condition holds, by masks of conditions."""
    n = len(pool.facts)
    masks = np.full((n, len(rows.valid)), ~np.uint64(0))
    codes, numbers = np.ascontiguousarray(pool.codes[:, 0]), np.ascontiguousarray(pool.numbers[:, 0])
    fill_conditions(0, n, np.arange(n), rows, codes, numbers, masks)
    return bits(masks, n_rows)


def by_policies(population: Population, schema: Schema, columns: Floats) -> Bools:
    """Where the only rule of each individual is active, when each plays an episode of these observations."""
    n, n_steps = population.size, columns.shape[1]
    past = room_for(schema, n)
    held = np.empty((n, n_steps), np.bool_)
    for step in range(n_steps):
        past.ring[step % len(past.ring)] = columns[:, step]
        applied, decided = np.zeros((n, 1), np.int64), np.zeros((n, 2), np.int64)
        decide_each(0, n, population, np.arange(n + 1), past, step, np.empty(n, np.int64), applied, decided)
        held[:, step] = applied[:, 0] == 1
    return held


@allocating_kernel
def swept(rows: Rows, codes: Ints, numbers: Floats, out: Bools) -> None:
    """Compare two features as sweeps do: terms one by one, then their products with coefficients."""
    for row in range(len(out)):
        left = _value(rows, codes[0], codes[LEFT_LAG], codes[LEFT_POWER], row)
        right = _value(rows, codes[RIGHT], codes[RIGHT_LAG], codes[RIGHT_POWER], row)
        out[row] = compare(codes[OPERATOR], numbers[0] * left, numbers[1] * right)


def by_sweeps(pool: Antecedents, rows: Rows, n_rows: int) -> Bools:
    """Where each comparison of two features holds, in the arithmetic of sweeps."""
    held = np.empty((len(pool.facts), n_rows), np.bool_)
    for out, codes, numbers in zip(held, pool.codes[:, 0], pool.numbers[:, 0], strict=True):
        swept(rows, codes, numbers, out)
    return held


def by_interpreter(conditions: list[Condition], schema: Schema, columns: Floats) -> Bools:
    steps = as_rows(columns, schema)
    histories = [steps[max(now - schema.max_lag, 0) : now + 1] for now in range(len(steps))]
    return np.array([[holds(condition, history, schema) for history in histories] for condition in conditions])


def one_rule_each(conditions: list[Condition], schema: Schema) -> Population:
    return encode([RuleSet([Rule([condition], "go")], "go", schema) for condition in conditions], schema)


@pytest.mark.parametrize("kind", FEATURES)
def test_every_form_means_the_same_everywhere(kind: str) -> None:
    schema = numeric_schema(kind)
    conditions = numeric_conditions()
    columns = degenerate_columns(VALUES, 2)
    columns = columns[:, np.random.default_rng(1).permutation(columns.shape[1])]
    n = columns.shape[1]
    population = one_rule_each(conditions, schema)
    pool, rows = population.antecedents, series(columns, schema)
    shared = rows._replace(steps=np.minimum(rows.history, n - 1))  # rows that share the values of one series
    expected = by_interpreter(conditions, schema, columns)
    for layout in (rows, shared):
        assert (by_antecedents(pool, layout, n) == expected).all()
        assert (by_conditions(pool, layout, n) == expected).all()
    assert (by_policies(population, schema, columns) == expected).all()
    compared = np.array([isinstance(condition.right, Term) for condition in conditions])
    some = Antecedents(*(array[compared] for array in pool))
    assert (by_sweeps(some, rows, n) == expected[compared]).all()
    assert expected.any(axis=1).mean() > 0.6, "most conditions hold somewhere"


def test_sums_are_rounded_as_in_python() -> None:
    """A sum equals itself: a fused multiply-add, which rounds once, would miss the constant in about half of the cases."""
    schema = numeric_schema("raw")
    rng = Random(4)
    n = n_cases(2_000)
    columns = np.array([[rng.uniform(-9, 9) for _ in range(n)], [rng.uniform(-900, 900) for _ in range(n)]])
    conditions, fused = [], 0
    for x, y in columns.T.tolist():
        k = rng.choice([0.1, -0.7, 0.003, rng.uniform(-2, 2)])
        conditions += [Condition(Term("x"), order, Sum(Term("y", k), x + k * y)) for order in ("<=", ">=", "<", ">")]
        fused += float(Fraction(x) + Fraction(k) * Fraction(y)) != x + k * y
    assert fused > n / 10, "cases in which a fused multiply-add gives another sum"
    population, rows = one_rule_each(conditions, schema), series(columns, schema)
    wanted = np.tile([True, True, False, False], n)
    own = np.repeat(np.arange(n), 4)  # each condition is asked on the row that it was made for
    for held in (
        by_antecedents(population.antecedents, rows, n),
        by_conditions(population.antecedents, rows, n),
        by_policies(population, schema, columns),
    ):
        assert (held[np.arange(4 * n), own] == wanted).all()


def test_categories_and_truth_values_mean_the_same_everywhere() -> None:
    features = [
        Feature("sort", Kind.CATEGORICAL, categories=("u", "v"), missing=True),
        Feature("wild", Kind.BOOLEAN, missing=True),
    ]
    schema = Schema(features, ["go"], max_lag=1)
    constants: list[tuple[str, str | bool]] = [("sort", "u"), ("sort", "v"), ("wild", False), ("wild", True)]
    conditions = [
        Condition(Term(name, lag=lag), operator, constant)
        for (name, constant), lag, operator in product(constants, LAGS, ("=", "!="))
    ]
    columns = np.array([[0.0, 1.0, np.nan, -1.0, 1.0, np.nan], [0.0, np.nan, 1.0, 1.0, 0.0, np.nan]])
    population, rows = one_rule_each(conditions, schema), series(columns, schema)
    expected = by_interpreter(conditions, schema, columns)
    assert (by_antecedents(population.antecedents, rows, 6) == expected).all()
    assert (by_conditions(population.antecedents, rows, 6) == expected).all()
    assert (by_policies(population, schema, columns) == expected).all()


@allocating_kernel
def form(codes: Ints) -> int:
    return form_of(codes)


@allocating_kernel
def compared(operator: int, left: float, right: float) -> bool:
    return compare(operator, left, right)


@allocating_kernel
def power_of(value: float, power: int) -> float:
    return raised(value, power)


def coded(operator: int, right: int, power: int = 1, other_power: int = 1) -> Ints:
    codes = np.zeros(N_CODES, np.int64)
    codes[[OPERATOR, RIGHT, LEFT_POWER, RIGHT_POWER]] = operator, right, power, other_power
    return codes


def test_every_code_has_one_form_and_every_form_a_code() -> None:
    found = {(o, right): form(coded(o, right)) for o in range(-2, N_OPERATORS + 2) for right in range(-3, 3)}
    assert set(found.values()) == set(range(N_FORMS)) - {SUM}
    for (operator, right), number in found.items():
        is_operator = 0 <= operator < N_OPERATORS
        if is_operator and OPERATORS[operator].tests_missing:
            expected = PRESENCE if right == CONSTANT else UNKNOWN
        elif is_operator and OPERATORS[operator] in SET_OPERATORS:
            expected = MEMBERSHIP if right == CONSTANT else UNKNOWN
        else:
            expected = THRESHOLD if right == CONSTANT else COMPARISON if right >= 0 else UNKNOWN
        assert number == (expected if is_operator else UNKNOWN), (operator, right)


def test_the_law_above_runs_over_all_operators_and_forms() -> None:
    assert len(OPERATORS) == N_OPERATORS
    assert NO_FEATURE == CONSTANT, "the language and the kernels write alike that there is no second feature"
    assert sum_form.SUMMED == SUMMED, "the language and the kernels write alike that two features are added"
    conditions = numeric_conditions()
    codes, _ = written(conditions, numeric_schema("raw"))
    for condition, row in zip(conditions, codes, strict=True):
        if condition.operator.tests_missing:
            expected = PRESENCE
        else:
            expected = {Term: COMPARISON, Sum: SUM}.get(type(condition.right), THRESHOLD)
        assert form(row) == expected
    assert {form(row) for row in codes} == set(range(N_FORMS)) - {UNKNOWN, MEMBERSHIP}
    assert {condition.operator for condition in conditions} == set(Operator) - set(SET_OPERATORS)


def test_sets_mean_the_same_everywhere() -> None:
    """With categories in both numbers of the codes, ones that the schema does not list, and missing values."""
    for n_categories in (2, 4, 52, 53, 104):
        names = tuple(f"c{number}" for number in range(n_categories))
        schema = Schema([Feature("sort", Kind.CATEGORICAL, categories=names, missing=True)], ["go"], max_lag=1)
        rng = Random(n_categories)
        sets = [rng.sample(names, rng.randint(2, n_categories)) for _ in range(20)]
        conditions = [
            Condition(Term("sort", lag=lag), operator, some)
            for some in sets
            for lag in LAGS
            for operator in ("in", "not in")
        ]
        columns = np.array([[*range(n_categories), np.nan, -1.0, 0.0, np.nan, -1.0]])
        n = columns.shape[1]
        population, rows = one_rule_each(conditions, schema), series(columns, schema)
        expected = by_interpreter(conditions, schema, columns)
        assert {form(row) for row in population.antecedents.codes[:, 0]} == {MEMBERSHIP}
        assert (by_antecedents(population.antecedents, rows, n) == expected).all()
        assert (by_conditions(population.antecedents, rows, n) == expected).all()
        assert (by_policies(population, schema, columns) == expected).all()


def test_a_sum_is_told_from_a_comparison_by_the_code_of_its_second_power() -> None:
    for operator, right in product(range(-2, N_OPERATORS + 2), range(-3, 3)):
        is_order = 0 <= operator < N_OPERATORS and OPERATORS[operator] in ORDERS
        of_sum = form(coded(operator, right, other_power=SUMMED))
        if right >= 0:
            assert of_sum == (SUM if is_order else UNKNOWN), (operator, right)
        else:
            assert of_sum == form(coded(operator, right)), (operator, right)


NOT_CODES = [
    *(coded(operator, right) for operator in (-1, N_OPERATORS, 99) for right in (CONSTANT, 1)),
    *(coded(operator, right) for operator in range(N_OPERATORS) for right in (-2, -9)),
    *(coded(operator, 1) for operator in range(N_OPERATORS) if OPERATORS[operator].tests_missing),
    *(coded(OPERATORS.index(each), 1, other_power=SUMMED) for each in COMPARISONS if each not in ORDERS),
    *(coded(OPERATORS.index(each), 1, power, SUMMED) for each in ORDERS for power in (-1, 0, 2)),
]
"""Codes that are no condition."""

NOT_POWERS = [
    *(coded(OPERATORS.index(operator), CONSTANT, power) for operator in COMPARISONS for power in (-1, 0, 4)),
    *(coded(OPERATORS.index(operator), 1, power) for operator in COMPARISONS for power in (-1, 0, 4)),
    *(coded(OPERATORS.index(operator), 1, 1, power) for operator in COMPARISONS for power in (-1, 4)),
]
"""Conditions with powers that the language does not have."""


def test_codes_that_are_no_condition_hold_nowhere() -> None:
    schema = numeric_schema("raw")
    columns = degenerate_columns(VALUES, 2)
    n, n_rows = len(NOT_CODES) + len(NOT_POWERS), columns.shape[1]
    pool = empty_antecedents(n, 1)
    pool.facts[:, N_CONDITIONS] = 1
    pool.codes[:, 0] = [*NOT_CODES, *NOT_POWERS]
    pool.numbers[:, 0] = 1.0, 0.5, 0.0
    population = empty_population(n, 1, pool)
    population.header[:, N_RULES] = 1
    population.rules[:, 0, 0] = np.arange(n)
    for rows in (table_rows(columns, schema), series(columns, schema)):
        assert not by_antecedents(pool, rows, n_rows).any()
        assert not by_conditions(pool, rows, n_rows).any()
    assert not by_policies(population, schema, columns).any()


def test_nothing_is_concluded_from_codes_that_are_no_condition() -> None:
    schema = numeric_schema("raw")
    grammar = grammar_of(schema)
    conditions = numeric_conditions()[::7]
    codes, numbers = written(conditions, schema)
    for unknown in NOT_CODES:
        pair = np.array([unknown, unknown]), np.array([[1.0, 0.5, 0.0], [1.0, 0.5, 0.0]])
        assert truth_of(grammar, *pair) == DEPENDS
        assert relation_of(grammar, *pair) == UNRELATED
        for known, known_numbers in zip(codes, numbers, strict=True):
            for order in ([0, 1], [1, 0]):
                both = np.array([unknown, known])[order], np.array([[1.0, 0.5, 0.0], known_numbers])[order]
                assert relation_of(grammar, *both) == UNRELATED


def test_an_unknown_operator_or_power_is_false_or_missing() -> None:
    for left, right in product(VALUES, VALUES):
        assert not any(compared(operator, left, right) for operator in (-1, 6, 7, 8, 99))
    assert all(np.isnan(power_of(2.0, power)) for power in (-1, 0, 4, 99))
    assert [power_of(2.0, power) for power in POWERS] == [2.0, 4.0, 8.0]
