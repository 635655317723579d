"""The grammar as arrays: what random conditions may look like, from a schema, the data and the settings."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evoter.genome.cuts import cuts_and_levels
from evoter.kernels.layout import (
    ANY_TREND,
    BOOLEAN,
    CATEGORICAL,
    FIRST_CUT,
    FIRST_LEVEL,
    FIRST_PARTNER,
    KIND,
    LAST_CUT,
    LAST_LEVEL,
    LAST_PARTNER,
    MISSING,
    N_CATEGORIES,
    N_FEATURE_FACTS,
    NO_TREND,
    NUMERIC,
    ONLY_FALLING,
    ONLY_RISING,
    SCALED,
    Floats,
    Grammar,
    Ints,
)
from evoter.rules.errors import SchemaError
from evoter.rules.forms.trend import Trend
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.schema import Kind, Schema

KIND_CODES = {Kind.NUMERIC: NUMERIC, Kind.CATEGORICAL: CATEGORICAL, Kind.BOOLEAN: BOOLEAN}

TREND_CODES = {
    None: ANY_TREND,
    Trend.RISING: ONLY_RISING,
    Trend.FALLING: ONLY_FALLING,
    Trend.CONSTANT: NO_TREND,
}

N_GRID_CUTS = 201
"""Constants per feature where no data tell which ones matter: an even grid over the feature's range."""


def build_grammar(
    schema: Schema,
    columns: Floats | None,
    *,
    operators: Sequence[float],
    max_power: int,
    comparison_rate: float,
    set_rate: float,
    missing_rate: float,
    uniform_constants: bool,
    evolve_certainty: bool,
    sum_rate: float = 0.0,
    feature_weights: Floats | None = None,
    guardrails: Guardrails | None = None,
    constant_coefficients: bool = False,
    cuts: Sequence[Floats] | None = None,
) -> Grammar:
    """Build the grammar for a schema; `columns` holds the data feature by feature, or None to use the ranges alone.

    `cuts` gives the constants of each numeric feature instead, where they were agreed on.
    `operators` are the relative frequencies of = != < <= > >=. Features that take a single value get no conditions
    but tests for missing.
    Comparisons between features pair scaled features with scaled ones and raw ones with raw ones, of the same unit;
    sums join any two. `guardrails` say which features no condition reads, and which conditions suit which action. With
    `constant_coefficients`, comparisons of order with a constant have a coefficient and a power as well.
    """
    given = None if cuts is None else iter(cuts)
    all_cuts: list[Floats] = []
    levels: list[Floats] = []
    varies = np.zeros(len(schema.features), np.bool_)
    empty = np.empty(0)
    for position, feature in enumerate(schema.features):
        if feature.kind is not Kind.NUMERIC:
            varies[position] = feature.kind is Kind.BOOLEAN or len(feature.categories) > 1
            all_cuts.append(empty)
            levels.append(empty)
            continue
        if given is not None:
            feature_cuts, feature_levels = next(given), empty
        else:
            values = _grid(feature.bounds, feature.name) if columns is None else columns[position]
            feature_cuts, feature_levels = cuts_and_levels(values)
        if sum(operators[:2]) == 0:
            feature_levels = empty
        varies[position] = len(feature_cuts) > 0 or len(feature_levels) > 1
        all_cuts.append(feature_cuts)
        levels.append(feature_levels)
    missing = np.array([feature.missing for feature in schema.features], dtype=np.bool_)
    readable = _readable(schema, guardrails)
    varies &= readable
    usable = (varies | (missing & readable & (missing_rate > 0.0))).astype(np.float64)
    weights = usable if feature_weights is None else usable * feature_weights
    if weights.sum() == 0:
        weights = readable.astype(np.float64)  # Nothing varies: any condition is as good as any other.
    tables = [*all_cuts, *levels]
    stops = np.cumsum([len(table) for table in tables])
    starts = stops - [len(table) for table in tables]
    n = len(schema.features)
    first_partner, last_partner, partners = _partners(schema, varies)
    facts = np.zeros((n, N_FEATURE_FACTS), np.int64)
    facts[:, KIND] = [KIND_CODES[feature.kind] for feature in schema.features]
    facts[:, N_CATEGORIES] = [2 if f.kind is Kind.BOOLEAN else len(f.categories) for f in schema.features]
    facts[:, SCALED] = [feature.scaled for feature in schema.features]
    facts[:, MISSING] = missing
    facts[:, FIRST_CUT], facts[:, LAST_CUT] = starts[:n], stops[:n]
    facts[:, FIRST_LEVEL], facts[:, LAST_LEVEL] = starts[n:], stops[n:]
    facts[:, FIRST_PARTNER], facts[:, LAST_PARTNER] = first_partner, last_partner
    return Grammar(
        features=facts,
        ranges=np.array([feature.bounds for feature in schema.features]),
        constants=np.concatenate(tables),
        partners=partners,
        trends=_trends(schema, guardrails),
        feature_cdf=cumulative(weights),
        operator_cdf=cumulative(operators),
        n_actions=len(schema.actions),
        max_lag=schema.max_lag,
        max_power=max_power,
        comparison_rate=comparison_rate,
        sum_rate=sum_rate,
        set_rate=set_rate,
        missing_rate=missing_rate,
        uniform_constants=uniform_constants,
        evolve_certainty=evolve_certainty,
        constant_coefficients=constant_coefficients,
    )


def _readable(schema: Schema, guardrails: Guardrails | None) -> NDArray[np.bool_]:
    """Tell which features conditions may read."""
    unread = () if guardrails is None else guardrails.forbidden_features
    return np.array([name not in unread for name in schema.names], dtype=np.bool_)


def _trends(schema: Schema, guardrails: Guardrails | None) -> Ints:
    """Return what rules for each action may test of each feature; nothing where all may test everything."""
    if guardrails is None or not guardrails.monotone:
        return np.empty((0, 0), np.int64)
    required = [[guardrails.required_trend(name, action) for action in schema.actions] for name in schema.names]
    return np.array([[TREND_CODES[trend] for trend in row] for row in required], dtype=np.int64)


def cumulative(weights: Sequence[float] | Floats) -> Floats:
    """Turn relative frequencies into cumulative probabilities."""
    array = np.asarray(weights, dtype=np.float64)
    probabilities: Floats = np.cumsum(array) / array.sum()
    return probabilities


def _grid(bounds: tuple[float, float], name: str) -> Floats:
    if not np.isfinite(bounds).all():
        raise SchemaError(f"feature {name!r} has no range and there are no data to take one from; set low and high")
    return np.linspace(bounds[0], bounds[1], N_GRID_CUTS + 1)


def _partners(schema: Schema, varies: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """Return per feature where its group of comparable features begins and ends, and the groups one after another."""
    groups: dict[object, list[int]] = {}
    for position, feature in enumerate(schema.features):
        if feature.kind is Kind.NUMERIC and varies[position]:
            groups.setdefault((feature.scaled, feature.unit), []).append(position)
    starts = np.zeros(len(schema.features), np.int64)
    stops = np.zeros(len(schema.features), np.int64)
    members: list[int] = []
    for group in groups.values():
        starts[group] = len(members)
        members += group
        stops[group] = len(members)
    return starts, stops, np.array(members, dtype=np.int64)
