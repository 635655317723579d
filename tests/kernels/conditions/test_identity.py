"""Conditions as arrays: turning round keeps their meaning, and one order makes equal antecedents equal arrays."""

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from coded import written
from domains import compare, random_condition, random_histories, random_schema
from evoter.genome.codec import read_condition
from evoter.kernels.compilation import allocating_kernel
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS, SUM_CONSTANT
from evoter.kernels.conditions.identity import copy_condition, orient, sort_conditions
from evoter.kernels.layout import Floats, Ints
from evoter.rules.condition import Sum
from evoter.rules.interpreter import holds
from evoter.rules.model import Term
from evoter.rules.schema import Feature, Schema
from laws import examples


@allocating_kernel
def oriented(codes: Ints, numbers: Floats) -> None:
    orient(codes, numbers)


@allocating_kernel
def ordered(codes: Ints, numbers: Floats, n: int) -> None:
    sort_conditions(codes, numbers, n)


@allocating_kernel
def copied(codes: Ints, numbers: Floats, to_codes: Ints, to_numbers: Floats) -> None:
    copy_condition(codes, numbers, to_codes, to_numbers)


@examples(300)
@given(st.integers(0, 2**32))
def test_turning_a_comparison_round_keeps_its_meaning(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    condition = random_condition(rng, schema)
    codes, numbers = written([condition], schema)
    oriented(codes[0], numbers[0])
    turned = read_condition(codes[0], numbers[0], schema)
    for history in random_histories(rng, [condition], schema, n_points=20):
        assert holds(turned, history, schema) == holds(condition, history, schema)
    if isinstance(turned.right, Term):
        places = [(schema.position(term.feature), term.lag) for term in turned.terms]
        assert places == sorted(places)
    if isinstance(turned.right, Sum) and turned.left.coefficient == abs(turned.right.added.coefficient) == 1.0:
        places = [(schema.position(term.feature), term.lag) for term in turned.terms]
        assert places == sorted(places)
    again = codes.copy(), numbers.copy()
    oriented(codes[0], numbers[0])
    assert (codes == again[0]).all()
    assert (numbers == again[1]).all()


@examples(200)
@given(st.integers(0, 2**32))
def test_conditions_in_any_order_become_equal_arrays(seed: int) -> None:
    rng = Random(seed)
    schema = random_schema(rng)
    conditions = [random_condition(rng, schema) for _ in range(rng.randint(1, 6))]
    codes, numbers = written(conditions, schema)
    ordered(codes, numbers, len(conditions))
    found = [read_condition(*pair, schema) for pair in zip(codes, numbers, strict=True)]
    assert sorted(map(repr, found)) == sorted(map(repr, conditions))
    shuffled_codes, shuffled_numbers = written(rng.sample(conditions, len(conditions)), schema)
    ordered(shuffled_codes, shuffled_numbers, len(conditions))
    assert (shuffled_codes == codes).all()
    assert (shuffled_numbers == numbers).all()


def test_plain_sums_and_differences_in_either_order_become_equal_arrays() -> None:
    schema = Schema([Feature("x"), Feature("y")], ["go"])
    pairs = [
        (compare("y", "<", Sum(Term("x"), 3.0)), compare("x", "<", Sum(Term("y"), 3.0))),
        (compare("y", "<=", Sum(Term("x", -1.0), 3.0)), compare("x", ">=", Sum(Term("y", -1.0), -3.0))),
        (compare("y", ">", Sum(Term("x", -1.0), 0.0)), compare("x", "<", Sum(Term("y", -1.0), 0.0))),
    ]
    for pair in pairs:
        codes, numbers = written(pair, schema)
        for row in range(2):
            oriented(codes[row], numbers[row])
        assert (codes[0] == codes[1]).all()
        assert numbers[0].tobytes() == numbers[1].tobytes()


def test_what_no_sum_has_is_cleared() -> None:
    """A comparison that is written over a sum is equal to one that is not."""
    schema = Schema([Feature("x"), Feature("y")], ["go"])
    codes, numbers = written([compare("x", "<", Term("y", 0.5))] * 2, schema)
    numbers[1, SUM_CONSTANT] = 7.0
    for row in range(2):
        oriented(codes[row], numbers[row])
    assert (numbers[0] == numbers[1]).all()


def test_copies_are_whole() -> None:
    codes, numbers = np.arange(N_CODES), np.arange(N_NUMBERS, dtype=np.float64)
    to_codes, to_numbers = np.zeros(N_CODES, np.int64), np.zeros(N_NUMBERS)
    copied(codes, numbers, to_codes, to_numbers)
    assert (to_codes == codes).all()
    assert (to_numbers == numbers).all()
