"""Grids: the constants that conditions may have, from counts of rows between edges and without any value of a row."""

from collections.abc import Callable
from typing import Final

import numpy as np

from evoter.kernels.layout import Floats, Ints
from evoter.rules.schema import Feature, Kind, Schema

N_CUTS: Final = 64
"""Constants for each feature at most."""

LEAST_CUTS: Final = 8
"""As many at least, also where small counts are suppressed."""

ROWS_PER_CELL: Final = 4
"""How many times the smallest count that is told the rows of a class in a bin should be on average."""

N_ROUNDS: Final = 6
"""How often a sketch asks for counts: each round divides bins with too many rows by ten."""

_FIRST_EDGES: Final = 200
"""About as many edges the first round has."""

_MOST_EDGES: Final = 2_000

Count = Callable[[tuple[Floats, ...]], list[Ints]]
"""Asks how many rows lie between edges, for each numeric feature; the last count is that of missing values."""


def sketch_cuts(
    schema: Schema, count: Count, *, n_cuts: int | Callable[[int], int], n_rounds: int = N_ROUNDS
) -> tuple[Floats, ...]:
    """Return cuts for each numeric feature, between which about equally many rows lie.

    How many there should be may be given by a function of the number of rows, which the first round tells.

    Cuts are numbers with few digits: multiples of a step that is 1, 2 or 5 times a power of ten, and a tenth of it
    wherever more rows lie between two of them than should.
    """
    features = [feature for feature in schema.features if feature.kind is Kind.NUMERIC]
    edges = tuple(first_edges(feature) for feature in features)
    if not features:
        return ()
    counts = count(edges)
    if not isinstance(n_cuts, int):
        n_cuts = n_cuts(max(int(part.sum()) for part in counts))
    for _ in range(n_rounds - 1):
        finer = tuple(
            _divided(edge, number[:-1], n_cuts, feature)
            for edge, number, feature in zip(edges, counts, features, strict=True)
        )
        if all(len(new) == len(old) for new, old in zip(finer, edges, strict=True)):
            break
        edges, counts = finer, count(finer)
    return tuple(choose_cuts(edge, number[:-1], n_cuts) for edge, number in zip(edges, counts, strict=True))


def first_edges(feature: Feature) -> Floats:
    """Return edges over the range of a feature, at even steps: `low` is below the first and `high` is not above all.

    >>> first_edges(Feature("x", low=0.0, high=1.0))[:3].tolist()
    [0.005, 0.01, 0.015]
    >>> first_edges(Feature("x", low=0.0, high=1.0, step=1.0)).tolist()
    [0.5]
    """
    low, high = feature.bounds
    if feature.is_binary:
        return np.array([0.5])
    if not low < high:
        return np.empty(0)
    return even_edges(low, high, _FIRST_EDGES)


def even_edges(low: float, high: float, n: int) -> Floats:
    """Return up to about `n` numbers with few digits at even steps: `low` is below the first, `high` not above all.

    >>> even_edges(0.13, 0.87, 4).tolist()
    [0.2, 0.4, 0.6, 0.8]
    """
    step, decimals = _step((high - low) / n)
    numbers = np.arange(np.floor(low / step) + 1, np.ceil(high / step))
    edges = np.unique(np.round(numbers * step, max(decimals, 0)))
    inside: Floats = edges[(edges >= low) & (edges < high)]
    return inside


def _step(width: float) -> tuple[float, int]:
    """Return the number among 1, 2 and 5 times a power of ten that is next above a width, and its decimals."""
    exponent = int(np.floor(np.log10(width)))
    for factor in (1.0, 2.0, 5.0):
        if factor * 10.0**exponent >= width:
            return factor * 10.0**exponent, -exponent
    return 10.0 ** (exponent + 1), -exponent - 1


def _divided(edges: Floats, counts: Ints, n_cuts: int, feature: Feature) -> Floats:
    """Return edges with further ones, a tenth of the distance apart, in bins that have more rows than a cut should."""
    ends = np.concatenate([[feature.bounds[0]], edges, [feature.bounds[1]]])
    too_many = np.flatnonzero(counts > max(counts.sum() / n_cuts, 1))
    if feature.is_binary or len(edges) == 0 or len(edges) + 9 * len(too_many) > _MOST_EDGES:
        return edges
    added = []
    for bin_ in too_many:
        low, high = ends[bin_], ends[bin_ + 1]
        if high - low <= 1e-9 * max(abs(low), abs(high), 1e-300):
            continue  # one value, for all that can be told
        step, decimals = _step((high - low) / 10.0)
        numbers = np.round(np.arange(np.floor(low / step) + 1, np.ceil(high / step)) * step, max(decimals, 0))
        added.append(numbers[(numbers > low) & (numbers < high)])
    return np.unique(np.concatenate([edges, *added]))


def choose_cuts(edges: Floats, counts: Ints, n_cuts: int) -> Floats:
    """Return at most `n_cuts` of the edges, so that about as many rows lie between each two of them.

    Edges with no rows below or above them divide nothing; of those that divide rows alike, the middle one is taken.

    >>> choose_cuts(np.array([1.0, 2.0, 3.0, 4.0]), np.array([5, 0, 5, 0, 5]), 8).tolist()
    [1.0, 3.0]
    """
    below = np.cumsum(np.maximum(counts, 0))
    total = int(below[-1])
    upto = below[:-1]
    divides = (upto > 0) & (upto < total)
    levels, first, repeated = np.unique(upto[divides], return_index=True, return_counts=True)
    if len(levels) == 0:
        return np.empty(0)
    candidates: Floats = edges[divides][first + (repeated - 1) // 2]
    if len(levels) <= n_cuts:
        return candidates
    wanted = np.arange(1, n_cuts + 1) * (total / (n_cuts + 1))
    nearest = np.searchsorted(levels, wanted)
    nearest = np.clip(nearest, 0, len(levels) - 1)
    lower = np.maximum(nearest - 1, 0)
    nearer_below = wanted - levels[lower] <= np.abs(levels[nearest] - wanted)
    chosen: Floats = candidates[np.unique(np.where(nearer_below, lower, nearest))]
    return chosen


def n_cuts_for(n_rows: int, n_sites: int, n_classes: int, min_cell_count: int) -> int:
    """Return how many cuts a feature gets: few where counts below `min_cell_count` are suppressed and rows are few.

    >>> n_cuts_for(398, 3, 2, 1), n_cuts_for(398, 3, 2, 5), n_cuts_for(100_000, 3, 2, 5)
    (64, 8, 64)
    """
    if min_cell_count <= 1:
        return N_CUTS
    fine = n_rows / max(n_sites * n_classes * ROWS_PER_CELL * min_cell_count, 1)
    return int(np.clip(fine, LEAST_CUTS, N_CUTS))
