"""Checks of what comes from outside, a caller's evaluation or a saved state, before compiled code relies on it."""

from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from evoter.evolution.checkpoint import CheckpointError
from evoter.evolution.mechanisms.constraints import constraints_of
from evoter.evolution.problem import Evaluation, Problem
from evoter.evolution.settings import Settings
from evoter.genome.codec import read_condition
from evoter.kernels.conditions.codes import (
    CONSTANT,
    IN,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    N_CODES,
    N_NUMBERS,
    NOT_IN,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SET_BITS,
    SUM_CONSTANT,
    SUMMED,
)
from evoter.kernels.layout import (
    ACTION,
    COMPLEXITY,
    DEFAULT,
    N_ANTECEDENT_FACTS,
    N_CONDITIONS,
    N_HEADER,
    N_RULE_FACTS,
    SIZE,
    SLOT,
    Antecedents,
    Floats,
    Ints,
    Population,
)
from evoter.rules.forms.form import OPERATORS
from evoter.rules.forms.registry import form_of
from evoter.rules.model import MAX_POWER, check_condition
from evoter.rules.schema import Kind, Schema

MAX_SEED = 2**63 - 1
"""The largest whole number that a kernel takes."""


def checked_seed(seed: int) -> int:
    """Return a seed as a plain whole number."""
    if isinstance(seed, bool) or not isinstance(seed, Integral) or not 0 <= seed <= MAX_SEED:
        raise ValueError(f"seed must be a whole number from 0 to 2**63 - 1, got {seed!r}")
    return int(seed)


def check_evaluation(evaluation: Evaluation, population: Population, n_scores: int) -> None:
    """Refuse an evaluation that is not one of this population."""
    n, max_rules = population.size, population.max_rules
    expected = Evaluation((n, n_scores), (n, max_rules), (n, max_rules), (n,))  # type: ignore[arg-type]
    for name, array, shape in zip(Evaluation._fields, evaluation, expected, strict=True):
        if np.shape(array) != shape:
            raise ValueError(f"the evaluation's {name} must have the shape {shape}, got {np.shape(array)}")


def check_saved(population: Population, evaluation: Evaluation, problem: Problem, settings: Settings) -> None:
    """Refuse a saved population unless every number in it is one that evolution could have written."""
    size, max_rules, max_conditions = settings.population_size, settings.max_rules, settings.max_conditions
    n_slots = len(population.antecedents.facts)
    _check_array("header", population.header, np.int64, (size, N_HEADER))
    _check_array("rules", population.rules, np.int64, (size, max_rules, N_RULE_FACTS))
    _check_array("certainties", population.certainties, np.float64, (size, max_rules))
    _check_array("default_certainties", population.default_certainties, np.float64, (size,))
    _check_array("facts", population.antecedents.facts, np.int64, (n_slots, N_ANTECEDENT_FACTS))
    _check_array("codes", population.antecedents.codes, np.int64, (n_slots, max_conditions, N_CODES))
    _check_array("numbers", population.antecedents.numbers, np.float64, (n_slots, max_conditions, N_NUMBERS))
    n_scores = len(problem.objectives) + len(constraints_of(problem, settings))
    _check_array("scores", evaluation.scores, np.float64, (size, n_scores))
    _check_array("times_applied", evaluation.times_applied, np.int64, (size, max_rules))
    _check_array("times_decided", evaluation.times_decided, np.int64, (size, max_rules))
    _check_array("default_applied", evaluation.default_applied, np.int64, (size,))
    n_actions = len(problem.schema.actions)
    _check_range("a number of rules", population.n_rules, 0, max_rules)
    _check_range("a default", population.header[:, DEFAULT], 0, n_actions - 1)
    _check_range("a slot", population.used_slots, 0, n_slots - 1)
    _check_range("an action", population.rules[:, :, ACTION], 0, n_actions - 1)
    for certainties in (population.certainties, population.default_certainties):
        if not ((certainties > 0.0) & (certainties <= 1.0)).all():
            raise _damaged("a certainty that is not above 0 and at most 1")
    if n_slots > size * max_rules:
        raise _damaged(f"{n_slots} antecedents, more than there are rules")
    check_antecedents(population.antecedents, problem.schema, max_conditions)
    used = np.arange(max_rules) < population.n_rules[:, None]
    slots = np.where(used, population.rules[:, :, SLOT], 0)
    sizes = np.append(population.antecedents.facts[:, SIZE], 0)[slots]
    if not np.array_equal(np.where(used, sizes, 0).sum(axis=1), population.header[:, COMPLEXITY]):
        raise _damaged("a count of conditions that is wrong")


def check_reference(reference: NDArray[np.generic], problem: Problem) -> None:
    """Refuse a saved reference of hypervolumes that is none."""
    n_objectives = len(problem.objectives)
    _check_array("reference", reference, np.float64, (n_objectives if n_objectives > 1 else 0,))
    if not np.isfinite(reference).all():
        raise _damaged("a reference that is not finite")


def check_antecedents(antecedents: Antecedents, schema: Schema, max_conditions: int) -> None:
    """Refuse antecedents unless each is one over the schema that evolution could have written."""
    n_conditions = antecedents.facts[:, N_CONDITIONS]
    _check_range("a number of conditions", n_conditions, 1, max_conditions)
    used = np.arange(max_conditions) < n_conditions[:, None]
    codes, numbers = antecedents.codes[used], antecedents.numbers[used]
    if not np.isfinite(numbers).all():
        raise _damaged("a number that is not finite")
    last = len(schema.features) - 1
    _check_range("a feature", codes[:, LEFT], 0, last)
    _check_range("a trailing feature", codes[:, RIGHT], CONSTANT, last)
    _check_range("an operator", codes[:, OPERATOR], 0, len(OPERATORS) - 1)
    _check_range("a power", codes[:, LEFT_POWER], 1, MAX_POWER)
    is_sum = (codes[:, RIGHT_POWER] == SUMMED) & (codes[:, RIGHT] != CONSTANT)
    _check_range("a power", codes[~is_sum, RIGHT_POWER], 1, MAX_POWER)
    if numbers[~is_sum, SUM_CONSTANT].any():
        raise _damaged("the constant of a sum in a condition that is none")
    for column in (LEFT_LAG, RIGHT_LAG):
        _check_range("a lag", codes[:, column], 0, schema.max_lag)
    n_categories = np.array([_n_constants(schema, position) for position in range(len(schema.features))])
    is_set = np.isin(codes[:, OPERATOR], (IN, NOT_IN))
    limits = np.where((codes[:, RIGHT] == CONSTANT) & ~is_set, n_categories[codes[:, LEFT]], 0)
    constants = numbers[:, RIGHT_NUMBER]
    listed = (constants >= 0) & (constants < limits) & (constants == np.floor(constants))
    if not (listed | (limits == 0)).all():
        raise _damaged("a category that the schema does not list")
    _check_sets(numbers[is_set], n_categories[codes[is_set, LEFT]])
    counted = np.zeros(used.shape, np.int64)
    counted[used] = [_counted(*condition, schema) for condition in zip(codes, numbers, strict=True)]
    if not np.array_equal(counted.sum(axis=1), antecedents.facts[:, SIZE]):
        raise _damaged("an antecedent that counts for more or less than its conditions")


def _counted(codes: Ints, numbers: Floats, schema: Schema) -> int:
    """Return what a condition counts towards complexity; refuse one that makes no sense."""
    try:
        condition = read_condition(codes, numbers, schema)
        check_condition(condition, schema)
    except ValueError as error:
        raise _damaged(f"a condition that makes no sense: {error}") from None
    return form_of(condition).n_conditions(condition)


def _check_sets(numbers: Floats, n_categories: NDArray[np.int64]) -> None:
    """Refuse sets with other bits than those of a feature's categories, and empty ones."""
    for column, bits in ((LEFT_COEFFICIENT, n_categories), (RIGHT_NUMBER, n_categories - SET_BITS)):
        limits = 2.0 ** np.clip(bits, 0, SET_BITS)
        words = numbers[:, column]
        if not ((words >= 0) & (words < limits) & (words == np.floor(words))).all():
            raise _damaged("a set of categories that the schema does not list")
    if not numbers.any(axis=1).all():
        raise _damaged("an empty set of categories")


def _n_constants(schema: Schema, position: int) -> int:
    """Return how many constants a feature can be compared with, 0 where any number will do."""
    feature = schema.features[position]
    return {Kind.NUMERIC: 0, Kind.BOOLEAN: 2, Kind.CATEGORICAL: len(feature.categories)}[feature.kind]


def _check_array(name: str, array: NDArray[np.generic], dtype: type[np.generic], shape: tuple[int, ...]) -> None:
    if array.dtype != np.dtype(dtype) or array.shape != shape:
        expected = f"{np.dtype(dtype)} of shape {shape}"
        raise _damaged(f"{name} as {array.dtype} of shape {array.shape} instead of {expected}")


def _check_range(name: str, values: NDArray[np.int64], least: int, most: int) -> None:
    if values.size and (values.min() < least or values.max() > most):
        raise _damaged(f"{name} outside {least} to {most}")


def _damaged(what: str) -> CheckpointError:
    return CheckpointError(f"the checkpoint is damaged, it holds {what}: delete the file to start again")
