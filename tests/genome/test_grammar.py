"""The grammar as arrays: tables of constants, partners, and which features are worth a condition."""

from typing import Any

import numpy as np
import pytest

from evoter.genome.cuts import cuts_and_levels
from evoter.genome.grammar import N_GRID_CUTS, build_grammar, cumulative
from evoter.kernels.layout import (
    FIRST_CUT,
    FIRST_LEVEL,
    FIRST_PARTNER,
    KIND,
    LAST_CUT,
    LAST_LEVEL,
    LAST_PARTNER,
    MISSING,
    N_CATEGORIES,
    SCALED,
    Floats,
    Grammar,
)
from evoter.rules.errors import SchemaError
from evoter.rules.schema import Feature, Kind, Schema
from tasks import MIXED, mixed_columns

COLUMNS = mixed_columns(np.random.default_rng(1), 60)


def grammar(schema: Schema = MIXED, columns: Floats | None = COLUMNS, **changes: Any) -> Grammar:
    options: dict[str, Any] = {
        "operators": [1.0] * 6,
        "max_power": 3,
        "comparison_rate": 0.3,
        "set_rate": 0.3,
        "missing_rate": 0.1,
        "uniform_constants": False,
        "evolve_certainty": True,
    }
    return build_grammar(schema, columns, **(options | changes))


def table(built: Grammar, place: int, first: int, last: int) -> Floats:
    return built.constants[built.features[place, first] : built.features[place, last]]


def partners(built: Grammar, schema: Schema) -> dict[str, list[str]]:
    return {
        feature.name: [schema.names[k] for k in built.partners[facts[FIRST_PARTNER] : facts[LAST_PARTNER]]]
        for feature, facts in zip(schema.features, built.features, strict=True)
    }


def probabilities(built: Grammar) -> list[float]:
    return [float(part) for part in np.diff(built.feature_cdf, prepend=0.0)]


def test_constants_are_the_cuts_and_levels_of_each_column() -> None:
    built = grammar()
    for place, feature in enumerate(MIXED.features):
        cuts, levels = cuts_and_levels(COLUMNS[place]) if feature.kind is Kind.NUMERIC else (np.empty(0), np.empty(0))
        assert table(built, place, FIRST_CUT, LAST_CUT).tolist() == cuts.tolist()
        assert table(built, place, FIRST_LEVEL, LAST_LEVEL).tolist() == levels.tolist()


def test_levels_are_left_out_where_nothing_is_compared_by_equality() -> None:
    built = grammar(operators=[0, 0, 1, 1, 1, 1])
    assert all(len(table(built, place, FIRST_LEVEL, LAST_LEVEL)) == 0 for place in range(len(MIXED.features)))


def test_facts_are_those_of_the_schema() -> None:
    built = grammar()
    assert built.features[:, SCALED].tolist() == [feature.scaled for feature in MIXED.features]
    assert built.features[:, MISSING].tolist() == [feature.missing for feature in MIXED.features]
    kinds = {Kind.NUMERIC: (0, 0), Kind.CATEGORICAL: (1, None), Kind.BOOLEAN: (2, 2)}
    for facts, feature in zip(built.features, MIXED.features, strict=True):
        kind, n_categories = kinds[feature.kind]
        assert facts[KIND] == kind
        assert facts[N_CATEGORIES] == (len(feature.categories) if n_categories is None else n_categories)
    assert built.ranges.tolist() == [list(feature.bounds) for feature in MIXED.features]
    assert (built.n_actions, built.max_lag, built.max_power) == (3, 0, 3)


def test_partners_are_comparable_and_vary() -> None:
    expected: dict[str, list[str]] = {name: [] for name in MIXED.names} | {
        "a": ["a", "b"],
        "b": ["a", "b"],
        "c": ["c", "d"],
        "d": ["c", "d"],
        "few": ["few"],
    }
    assert partners(grammar(), MIXED) == expected


def test_scaled_features_of_different_units_are_not_compared() -> None:
    units = {"a": "kg", "b": "kg", "c": "cm", "d": ""}
    schema = Schema([Feature(name, low=0, high=9, scaled=True, unit=unit) for name, unit in units.items()], ["go"])
    columns = np.arange(40.0).reshape(4, 10)
    assert partners(grammar(schema, columns), schema) == {"a": ["a", "b"], "b": ["a", "b"], "c": ["c"], "d": ["d"]}


def test_features_that_say_nothing_get_no_conditions() -> None:
    likely = dict(zip(MIXED.names, probabilities(grammar()), strict=True))
    assert likely.pop("same") == 0.0
    assert list(likely.values()) == pytest.approx([0.1] * 10)
    untested = dict(zip(MIXED.names, probabilities(grammar(missing_rate=0.0)), strict=True))
    assert [name for name, part in untested.items() if part == 0.0] == ["only", "same", "same or missing", "gone"]


def test_where_nothing_varies_all_features_are_alike() -> None:
    schema = Schema([Feature("x", low=1, high=1), Feature("y", low=2, high=2)], ["go"])
    assert probabilities(grammar(schema, np.array([[1.0], [2.0]]))) == [0.5, 0.5]


def test_features_can_be_preferred() -> None:
    schema = Schema([Feature(name, low=0, high=1) for name in "xyz"], ["go"])
    columns = np.random.default_rng(0).random((3, 9))
    assert probabilities(grammar(schema, columns, feature_weights=np.array([1.0, 0.0, 3.0]))) == [0.25, 0.0, 0.75]


def test_without_data_the_ranges_give_an_even_grid() -> None:
    schema = Schema([Feature("x", low=0, high=2)], ["go"])
    built = grammar(schema, None)
    cuts = table(built, 0, FIRST_CUT, LAST_CUT)
    assert len(cuts) == N_GRID_CUTS
    assert 0 < cuts[0] < cuts[-1] < 2
    assert np.diff(cuts).max() < 3 * np.diff(cuts).min()
    with pytest.raises(SchemaError, match=r"feature 'x' has no range .* set low and high"):
        grammar(Schema([Feature("x", low=0)], ["go"]), None)


def test_frequencies_accumulate() -> None:
    assert cumulative([1, 0, 3]).tolist() == [0.25, 0.25, 1.0]
