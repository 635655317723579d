"""Sweeps: what they find gains what it says on the rows, and no other condition of its kind gains more."""

from dataclasses import dataclass
from itertools import combinations, product
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domains import compare
from evoter.genome.arrays import table_rows
from evoter.genome.codec import read_condition
from evoter.genome.cuts import cuts_and_levels
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.kernels.conditions.trends import BOTH_SIDES, NEITHER_SIDE, ONLY_ABOVE, ONLY_BELOW
from evoter.kernels.layout import WORD, Floats, Grammar, Ints, Refinement, Rows, Words
from evoter.kernels.refinement.sweep import N_FOUND, N_RATIOS, best_condition, best_split
from evoter.rules.model import Condition, Operator, Term
from evoter.rules.schema import Feature, Kind, Schema
from laws import examples
from refining import PLAIN_OPERATORS, STRICT_OPERATORS, grammar_of, held, refinement_of
from tasks import MIXED, mixed_columns

GRID = np.arange(1, 101) / 100


@allocating_kernel
def split(histogram: Floats, n: int, total: float, wanted: int, found: Floats) -> None:
    best_split(histogram, n, total, wanted, found)


@allocating_kernel
def condition_for(
    state: Words, grammar: Grammar, refinement: Refinement, members: Ints, gains: Floats, scratch: Floats, codes: Ints,
    numbers: Floats, trial: Ints,
) -> bool:  # fmt: skip
    return best_condition(
        state,
        grammar,
        refinement,
        0,
        members,
        gains,
        len(members),
        scratch[N_FOUND:],
        scratch[:N_FOUND],
        codes,
        numbers,
        trial,
    )


def best_by_force(histogram: list[float]) -> float:
    return max(max(sum(histogram[: k + 1]), sum(histogram[k + 1 :])) for k in range(len(histogram) - 1))


@examples(500)
@given(st.lists(st.one_of(st.just(0), st.integers(-3, 3)), min_size=2, max_size=12))
@example([0, 0])
@example([-1, -1])
@example([1, 0, 0, 0, -1])
def test_a_split_is_the_best_of_all(histogram: list[int]) -> None:
    numbers, found = [float(number) for number in histogram], np.full(3, np.nan)
    split(np.array(numbers), len(numbers) - 1, sum(numbers), BOTH_SIDES, found)
    gain, cut, above = found[0], int(found[1]), bool(found[2])
    assert gain == best_by_force(numbers)
    assert 0 <= cut < len(numbers) - 1
    assert gain == sum(numbers[cut + 1 :] if above else numbers[: cut + 1]), "the cut gains what it says"


@examples(500)
@given(st.lists(st.integers(-3, 3), min_size=2, max_size=12))
def test_a_split_of_which_one_side_is_wanted_is_the_best_of_that_side(histogram: list[int]) -> None:
    numbers = [float(number) for number in histogram]
    cuts = range(1, len(numbers))
    best = {ONLY_BELOW: max(sum(numbers[:k]) for k in cuts), ONLY_ABOVE: max(sum(numbers[k:]) for k in cuts)}
    for wanted, expected in {**best, NEITHER_SIDE: -np.inf}.items():
        found = np.full(3, np.nan)
        split(np.array(numbers), len(numbers) - 1, sum(numbers), wanted, found)
        assert found[0] == expected
        if wanted != NEITHER_SIDE:
            assert bool(found[2]) is (wanted == ONLY_ABOVE)


@given(st.integers(0, 4), st.integers(0, 6), st.integers(0, 4))
def test_of_cuts_between_the_same_rows_the_middle_one_is_taken(before: int, between: int, after: int) -> None:
    """Cut k comes after bin k: those from the last gain on, through all empty bins, part the same rows."""
    histogram = np.array([0.0] * before + [2.0] + [0.0] * between + [-1.0] + [0.0] * after)
    found = np.empty(3)
    split(histogram, len(histogram) - 1, 1.0, BOTH_SIDES, found)
    assert found.tolist() == [2.0, (2 * before + between) // 2, 0.0]


@dataclass
class Task:
    """Rows that gain or lose by a condition, and the sweep over them."""

    schema: Schema
    rows: Rows
    columns: Floats
    members: Ints
    gains: Floats
    operators: tuple[float, ...] = PLAIN_OPERATORS
    comparison_rate: float = 0.0
    set_rate: float = 0.0
    missing_rate: float = 0.5

    def found(self, seed: int, n_tries: int = 1) -> Condition | None:
        """Return the condition that a sweep finds."""
        grammar = grammar_of(
            self.schema,
            self.columns,
            operators=self.operators,
            comparison_rate=self.comparison_rate,
            set_rate=self.set_rate,
            missing_rate=self.missing_rate,
        )
        rewards = np.zeros((len(self.rows.valid) * WORD, 1))
        refinement = refinement_of(self.rows, grammar, rewards, n_tries=n_tries)
        codes, numbers = np.zeros(N_CODES, np.int64), np.zeros(N_NUMBERS)
        n_bins = max(N_RATIOS + 1, len(grammar.constants) + 1, *(len(f.categories) + 1 for f in self.schema.features))
        # Behind the bins lies a number that no sweep may touch.
        scratch, guard = np.full(N_FOUND + n_bins + 1, np.nan), -12.5
        scratch[-1] = guard
        state = np.array([seed], np.uint64)
        trial = np.zeros(N_CODES, np.int64)
        some = condition_for(state, grammar, refinement, self.members, self.gains, scratch[:-1], codes, numbers, trial)
        assert scratch[-1] == guard
        return read_condition(codes, numbers, self.schema) if some else None

    def gain_of(self, condition: Condition) -> float:
        """Return what a condition gains on the rows where it holds."""
        return float(self.gains[held([condition], self.schema, self.rows)[0, self.members]].sum())

    def best_gain(self, condition: Condition) -> float:
        """Return the most that a condition on the same terms gains: on any cut, category, or pair of coefficients."""
        left, right = condition.left, condition.right
        if isinstance(right, Term):
            return self._best_ratio(left, right, mirrored=condition.operator in (Operator.GE, Operator.LT))
        feature = self.schema.feature(left.feature)
        if feature.kind is Kind.NUMERIC:
            cuts, _ = cuts_and_levels(self.columns[self.schema.position(feature.name)])
            signs = ("<=", ">") if self.operators == PLAIN_OPERATORS else ("<", ">=")
            rivals = [compare(left, sign, cut) for sign, cut in product(signs, cuts.tolist())]
        elif feature.kind is Kind.CATEGORICAL:
            rivals = [compare(left, sign, category) for sign, category in product(("=", "!="), feature.categories)]
            if self.set_rate > 0.0:
                sizes = range(2, len(feature.categories) - 1)
                rivals += [compare(left, "in", some) for n in sizes for some in combinations(feature.categories, n)]
        else:
            rivals = [compare(left, "=", False), compare(left, "=", True)]
        if feature.missing and left.lag == 0 and self.missing_rate > 0.0:
            rivals += [compare(left, "is missing"), compare(left, "is present")]
        assert condition in rivals
        return max(self.gain_of(rival) for rival in rivals)

    def _best_ratio(self, left: Term, right: Term, *, mirrored: bool) -> float:
        """Return the best of all coefficients from the grid, one of them 1; `mirrored` is `>=` and `<`."""
        assert 1.0 in (left.coefficient, right.coefficient)
        assert {left.coefficient, right.coefficient} <= {*GRID.tolist()}
        a, b = (self._terms(term) for term in ((right, left) if mirrored else (left, right)))
        with np.errstate(over="ignore", invalid="ignore"):
            at_most = np.concatenate([a <= GRID[:, None] * b, GRID[:, None] * a <= b])
            above = np.concatenate([a > GRID[:, None] * b, GRID[:, None] * a > b])
        return float(max((at_most @ self.gains).max(), (above @ self.gains).max()))

    def _terms(self, term: Term) -> Floats:
        """Return a term of a comparison, before its coefficient, for the rows that gain or lose."""
        feature, place = self.schema.feature(term.feature), self.schema.position(term.feature)
        members = self.rows.steps[self.members] if len(self.rows.steps) else self.members
        values = self.rows.values[self.rows.starts[place] - term.lag * self.rows.lag_stride + members]
        if len(self.rows.steps):
            values = np.where(self.rows.history[self.members] >= term.lag, values, np.nan)
        if feature.scaled:
            values = (values - feature.bounds[0]) / (feature.bounds[1] - feature.bounds[0])
        with np.errstate(over="ignore"):
            powers: Floats = (values, values * values, values * values * values)[term.power - 1]
        return powers


def check(task: Task, condition: Condition) -> None:
    """A condition that was found gains no less than any other on its terms."""
    assert task.gain_of(condition) == task.best_gain(condition)


def task_of(rng: Random, schema: Schema, columns: Floats, **options: object) -> Task:
    """Some of the rows of a table, with gains that are whole numbers, so that sums are exact."""
    n_rows = columns.shape[1]
    members = np.array(sorted(rng.sample(range(n_rows), rng.randint(1, n_rows))), np.int64)
    gains = np.array([float(rng.choice([-2, -1, 1, 1, 3])) for _ in members])
    return Task(schema, table_rows(columns, schema), columns, members, gains, **options)  # type: ignore[arg-type]


NUMBERS = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from([np.nan, np.nan, np.inf, -np.inf, 0.1, 0.2, 0.30000000000000004, 0.3, 5e-324, -0.0, 1e308, -1e308]),
)


@examples(300)
@given(st.lists(NUMBERS, min_size=2, max_size=80), st.booleans(), st.booleans(), st.integers(0, 2**32))
def test_the_best_cut_of_a_number(values: list[float], missing: bool, strict: bool, seed: int) -> None:
    schema = Schema([Feature("x", missing=missing)], ["go"])
    operators = STRICT_OPERATORS if strict else PLAIN_OPERATORS
    task = task_of(Random(seed), schema, np.array([values]), operators=operators)
    condition = task.found(seed)
    if condition is not None:
        check(task, condition)
    else:
        assert len(cuts_and_levels(task.columns[0])[0]) == 0


@examples(400)
@given(
    st.lists(st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0, -1.0, np.nan]), min_size=1, max_size=70),
    st.integers(1, 5),
    st.booleans(),
    st.sampled_from([0.0, 1.0]),
    st.integers(0, 2**32),
)
def test_the_best_category_or_set(
    values: list[float], n_categories: int, missing: bool, set_rate: float, seed: int
) -> None:
    """Also beside categories that the schema does not list: they differ from all that it does."""
    categories = tuple("uvwxy"[:n_categories])
    schema = Schema([Feature("sort", Kind.CATEGORICAL, categories=categories, missing=missing)], ["go"])
    columns = np.array([[value if value < n_categories else -1.0 for value in values]])
    task = task_of(Random(seed), schema, columns, set_rate=set_rate)
    condition = task.found(seed)
    assert (condition is None) == (n_categories == 1), "nothing is asked of a feature with a single value"
    if condition is not None:
        check(task, condition)


@examples(100)
@given(st.lists(st.sampled_from([0.0, 1.0, np.nan]), min_size=1, max_size=70), st.booleans(), st.integers(0, 2**32))
def test_the_best_truth_value(values: list[float], missing: bool, seed: int) -> None:
    schema = Schema([Feature("wild", Kind.BOOLEAN, missing=missing)], ["go"])
    task = task_of(Random(seed), schema, np.array([values]))
    condition = task.found(seed)
    assert condition is not None
    check(task, condition)


SHARES = st.one_of(
    st.integers(0, 30).map(lambda number: number / 10),
    st.integers(0, 100).map(lambda number: number / 100),
    st.floats(0.0, 9.0, allow_subnormal=False).filter(lambda x: x == 0.0 or x > 1e-90),
    st.sampled_from([np.nan, np.inf, 1e200, 7.0, 0.07, 0.14, 0.29, 0.57]),
)


@examples(1_000)
@given(st.lists(st.tuples(SHARES, SHARES), min_size=3, max_size=40), st.booleans(), st.integers(0, 2**32))
def test_the_best_ratio_of_two_features(pairs: list[tuple[float, float]], scaled: bool, seed: int) -> None:
    """Ties at thresholds fall on the side where the condition puts them; overflows are no special case."""
    bounds = {"low": 0.0, "high": 1e200, "scaled": True} if scaled else {"low": 0.0}
    schema = Schema([Feature(name, **bounds) for name in ("x", "y")], ["go"])  # type: ignore[arg-type]
    columns = np.array(pairs).T
    task = task_of(Random(seed), schema, columns, comparison_rate=1.0, missing_rate=0.0)
    condition = task.found(seed)
    if condition is None:
        assert any(len(cuts_and_levels(column)[0]) == 0 for column in columns)
        return
    assert isinstance(condition.right, Term)
    assert condition.left.feature == "x", "the earlier feature comes first"
    assert condition.left.power != condition.right.power or condition.left.power == 1
    check(task, condition)


@pytest.mark.parametrize("unit", [1.0, 3.0, 1e200])
def test_rows_on_a_threshold_are_parted_from_those_just_above_it(unit: float) -> None:
    """Whatever the rounding: no threshold of the grid lies between the two but the one that the first row is on."""
    schema = Schema([Feature("x", low=0), Feature("y", low=0)], ["go"])
    for share in GRID[:-1]:
        columns = np.array([[share * unit, 1.0000001 * share * unit, 0.0, 9.0], [unit, unit, 9.0, 0.0]])
        for rows, sign in product((columns, columns[::-1].copy()), (1.0, -1.0)):
            gains = sign * np.array([1.0, -1.0, 1.0, -1.0])
            task = Task(schema, table_rows(rows, schema), rows, np.arange(4), gains, comparison_rate=1.0)
            for seed in range(2):
                condition = task.found(seed)
                assert condition is not None
                check(task, condition)


@pytest.mark.parametrize("seed", range(20))
def test_infinite_powers_are_compared_as_conditions_compare_them(seed: int) -> None:
    schema = Schema([Feature("x", low=0), Feature("y", low=0)], ["go"])
    columns = np.array([[1e200, 1e200, np.inf, 2.0, np.inf], [2e200, 1e200, np.inf, np.inf, 2.0]])
    gains = np.array([3.0, 3.0, 3.0, -1.0, -2.0])
    task = Task(schema, table_rows(columns, schema), columns, np.arange(5), gains, comparison_rate=1.0)
    condition = task.found(seed)
    assert condition is not None
    check(task, condition)


@pytest.mark.parametrize("low", [-1.0, None])
def test_features_of_any_sign_are_compared_too(low: float | None) -> None:
    """Ratios order nothing there, so each try takes one pair of coefficients, and the better side of it."""
    features = [Feature("x", low=low, high=5), Feature("y", low=0, high=5), Feature("z", low=low, high=5)]
    schema = Schema(features, ["go"])
    columns = np.random.default_rng(0).uniform(-1, 5, (3, 60))
    columns[1] = np.abs(columns[1])
    columns[0, ::7] = np.nan
    gains = np.where(columns[0] < columns[2], 1.0, -1.0)
    task = Task(schema, table_rows(columns, schema), columns, np.arange(60), gains, comparison_rate=0.9)
    found = [task.found(seed, n_tries=8) for seed in range(100)]
    comparisons = [condition for condition in found if condition is not None and isinstance(condition.right, Term)]
    for condition in comparisons:
        opposite = {Operator.LE: Operator.GT, Operator.LT: Operator.GE}
        opposite |= {other: one for one, other in opposite.items()}
        other_side = compare(condition.left, opposite[condition.operator], condition.right)
        assert task.gain_of(condition) >= task.gain_of(other_side)
    best = [
        c for c in comparisons if {t.feature for t in c.terms} == {"x", "z"} and task.gain_of(c) == (gains > 0).sum()
    ]
    assert len(best) > 5


@pytest.mark.parametrize("shared", [False, True])
@examples(150)
@given(seed=st.integers(0, 2**32))
def test_lags_look_back(seed: int, shared: bool) -> None:
    """A series of one word after another: what a lag reads is what the mask of the condition reads."""
    rng = Random(seed)
    features = [
        Feature("x", low=0, high=4, missing=True),
        Feature("y", low=0, high=4),
        Feature("sort", Kind.CATEGORICAL, categories=("u", "v", "w")),
    ]
    schema = Schema(features, ["go"], max_lag=rng.choice([1, 3]))
    values = [[rng.choice([np.nan, 0.0, 1.0, 2.0, 2.5, 4.0]) for _ in range(3 * WORD)] for _ in "xy"]
    columns = np.array([*values, [rng.choice([-1.0, 0.0, 1.0, 2.0]) for _ in range(3 * WORD)]])
    rows = table_rows(columns, schema)
    valid = rows.valid[1:]
    history = np.arange(WORD, 3 * WORD, dtype=np.int64)
    task = task_of(rng, schema, columns[:, WORD:], comparison_rate=0.5)
    task.rows = rows._replace(starts=rows.starts + WORD, lag_stride=1, valid=valid, history=history)
    if shared:
        steps = np.array([rng.randrange(2 * WORD) for _ in history], np.int64)
        task.rows = task.rows._replace(history=steps % 5, steps=steps)
    task.columns = columns
    condition = task.found(seed, n_tries=4)
    if condition is not None:
        check(task, condition)


@pytest.mark.parametrize("seed", range(20))
def test_rows_without_history_are_not_asked_for_one(seed: int) -> None:
    schema = Schema([Feature(name, low=0, high=1) for name in "xy"], ["go"], max_lag=3)
    columns = np.random.default_rng(seed).random((2, 50))
    condition = task_of(Random(seed), schema, columns, comparison_rate=0.7).found(seed, n_tries=50)
    assert condition is None or {term.lag for term in condition.terms} == {0}


def test_among_all_features_the_best_is_found_in_the_end() -> None:
    rng = np.random.default_rng(3)
    columns = mixed_columns(rng, 200)
    wanted = compare("d", "<=", 2.0)
    schema = Schema(MIXED.features, ["go"])
    inside = held([wanted], schema, table_rows(columns, schema))[0, :200]
    gains = np.where(inside, 1.0, -1.0)
    task = Task(schema, table_rows(columns, schema), columns, np.arange(200), gains)
    found = [task.found(seed, n_tries=500) for seed in range(30)]
    right = [condition for condition in found if condition is not None and task.gain_of(condition) == inside.sum()]
    assert len(right) > 10, "every try draws one feature"
    assert {condition.left.feature for condition in right} == {"d"}


def test_where_nothing_varies_nothing_is_found() -> None:
    schema = Schema([Feature("x", missing=True), Feature("gone", missing=True)], ["go"])
    columns = np.array([[4.0, 4.0, np.nan], [np.nan] * 3])
    assert task_of(Random(0), schema, columns).found(1, n_tries=20) is None


def test_equality_alone_leaves_numbers_without_conditions() -> None:
    schema = Schema([Feature("x")], ["go"])
    task = task_of(Random(0), schema, np.arange(9.0)[None], operators=(1.0, 1.0, 0.0, 0.0, 0.0, 0.0))
    assert task.found(1) is None


def test_missing_values_are_tested_for_where_that_is_wanted() -> None:
    schema = Schema([Feature("x", missing=True)], ["go"])
    columns = np.array([[1.0, 2.0, 3.0, np.nan, np.nan, np.nan]])
    gains = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    for sign, operator in ((1.0, Operator.IS_PRESENT), (-1.0, Operator.IS_MISSING)):
        task = Task(schema, table_rows(columns, schema), columns, np.arange(6), sign * gains)
        assert task.found(5) == Condition(Term("x"), operator)
        task.missing_rate = 0.0
        condition = task.found(5)
        assert condition is not None
        assert not condition.operator.tests_missing
