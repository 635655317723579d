"""Random tables with degenerate values, as numbers for kernels and as rows for the interpreter, and small tasks on them."""

from random import Random

import numpy as np

from domains import CONSTANTS, random_condition
from evoter.evolution.engine import Evolution
from evoter.evolution.settings import Settings
from evoter.genome.codec import decode
from evoter.kernels.layout import Floats, Ints, Population
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.model import Mode, Rule, RuleSet
from evoter.rules.schema import Feature, Kind, Schema
from strategies import Row, Value

DEGENERATE = [float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 5e-324, 1e308, -1e308]
UNKNOWN = "a category that no schema lists"

SMALL = Settings(
    population_size=40,
    n_refined=4,
    refinement_interval=3,
    refinement_moves=10,
    refinement_tries=10,
    n_elites=2,
    max_rules=6,
    max_conditions=4,
    max_initial_rules=4,
    max_initial_conditions=3,
    operators=(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    comparison_rate=0.3,
    max_power=3,
    sum_rate=0.2,
    set_rate=0.3,
    missing_rate=0.2,
)
"""Settings under which everything happens often."""


def random_columns(rng: Random, schema: Schema, n_rows: int) -> Floats:
    """Values inside and outside the schema's ranges, missing ones, infinities, and categories it does not list."""
    columns = np.empty((len(schema.features), n_rows))
    for column, feature in zip(columns, schema.features, strict=True):
        column[:] = [_random_number(rng, feature) for _ in range(n_rows)]
    return columns


def _random_number(rng: Random, feature: Feature) -> float:
    if rng.random() < 0.1:
        return float("nan")
    if feature.kind is Kind.CATEGORICAL:
        return float(rng.randint(-1, len(feature.categories) - 1))
    if feature.kind is Kind.BOOLEAN:
        return float(rng.random() < 0.5)
    bounds = [bound for bound in (feature.low, feature.high) if bound is not None]
    return rng.choice([rng.choice(CONSTANTS), rng.uniform(-3.0, 10.0), *bounds, rng.choice(DEGENERATE)])


def as_rows(columns: Floats, schema: Schema) -> list[Row]:
    """The rows of a table as the interpreter reads them."""
    return [
        {feature.name: _value(number, feature) for feature, number in zip(schema.features, row, strict=True)}
        for row in columns.T.tolist()
    ]


def _value(number: float, feature: Feature) -> Value:
    if number != number:
        return None
    if feature.kind is Kind.CATEGORICAL:
        return feature.categories[int(number)] if number >= 0 else UNKNOWN
    return bool(number) if feature.kind is Kind.BOOLEAN else number


def as_columns(rows: list[Row], schema: Schema) -> Floats:
    """The rows of the interpreter as a table of numbers."""
    columns = np.empty((len(schema.features), len(rows)))
    for column, feature in zip(columns, schema.features, strict=True):
        column[:] = [_number(row[feature.name], feature) for row in rows]
    return columns


def _number(value: Value, feature: Feature) -> float:
    if value is None:
        return float("nan")
    return float(feature.categories.index(value)) if isinstance(value, str) else float(value)


def random_ruleset(rng: Random, schema: Schema, mode: Mode, most_rules: int = 6) -> RuleSet:
    """A rule set whose rules share conditions and certainties, so that many are active and tie."""
    pool = [random_condition(rng, schema) for _ in range(rng.randint(1, 5))]
    certainties = rng.choice([[1.0], [0.5, 1.0], [0.1, 0.2, 0.3, 0.7]])
    rules = [
        Rule(rng.choices(pool, k=rng.randint(1, 3)), rng.choice(schema.actions), rng.choice(certainties))
        for _ in range(rng.randint(0, most_rules))
    ]
    return RuleSet(rules, rng.choice(schema.actions), schema, rng.choice(certainties), mode)


MIXED = Schema(
    [
        Feature("a", low=0, high=1, scaled=True),
        Feature("b", low=-5, high=5, scaled=True, missing=True),
        Feature("c", low=0, high=9, unit="cm"),
        Feature("d", low=-2, high=9, unit="cm", missing=True),
        Feature("few", low=0, high=3),
        Feature("colour", Kind.CATEGORICAL, categories=("red", "green", "blue"), missing=True),
        Feature("only", Kind.CATEGORICAL, categories=("one",), missing=True),
        Feature("wild", Kind.BOOLEAN),
        Feature("same", low=4, high=4),
        Feature("same or missing", low=4, high=4, missing=True),
        Feature("gone", missing=True),
    ],
    actions=["no", "yes", "perhaps"],
)
"""Features of every kind, among them some that say nothing."""

PLAIN = Schema([Feature(name, low=0, high=1) for name in "xyz"], actions=["no", "yes"])


def mixed_columns(rng: np.random.Generator, n_rows: int) -> Floats:
    """A table for the schema MIXED whose values stay within it."""
    columns = np.array(
        [
            rng.random(n_rows),
            rng.uniform(-5, 5, n_rows),
            rng.uniform(0, 9, n_rows),
            rng.uniform(-2, 9, n_rows),
            rng.integers(0, 4, n_rows),
            rng.integers(0, 3, n_rows),
            np.zeros(n_rows),
            rng.integers(0, 2, n_rows),
            np.full(n_rows, 4.0),
            np.full(n_rows, 4.0),
            np.full(n_rows, np.nan),
        ]
    )
    for place, feature in enumerate(MIXED.features):
        if feature.missing:
            columns[place, rng.random(n_rows) < 0.2] = np.nan
    return columns


def mixed_problem(seed: int, *, mode: Mode = Mode.FIRST, max_lag: int = 0, n_rows: int = 150) -> ClassificationProblem:
    """A task with features of every kind."""
    rng = np.random.default_rng(seed)
    schema = Schema(MIXED.features, MIXED.actions, max_lag)
    return ClassificationProblem(schema, mixed_columns(rng, n_rows), rng.integers(0, 3, n_rows), mode=mode)


def plain_problem(seed: int, *, mode: Mode = Mode.FIRST, max_lag: int = 0, n_rows: int = 100) -> ClassificationProblem:
    """A task with three numeric features."""
    rng = np.random.default_rng(seed)
    columns = np.round(rng.random((3, n_rows)), 3)
    schema = Schema(PLAIN.features, PLAIN.actions, max_lag)
    classes = (columns[0] + 0.3 * columns[1] > 0.6).astype(np.int64)
    return ClassificationProblem(schema, columns, classes, mode=mode)


def decoded(evolution: Evolution, population: Population) -> list[RuleSet]:
    """All individuals of a population as rule sets."""
    problem = evolution.problem
    return [decode(population, i, problem.schema, problem.mode) for i in range(population.size)]


def active_parents(evolution: Evolution) -> list[RuleSet]:
    """The individuals that variation sees: without the rules that held nowhere."""
    applied: Ints = evolution.evaluation.times_applied
    return [
        ruleset.replace(rules=tuple(rule for rule, count in zip(ruleset.rules, counts, strict=False) if count > 0))
        for ruleset, counts in zip(decoded(evolution, evolution.population), applied, strict=True)
    ]
