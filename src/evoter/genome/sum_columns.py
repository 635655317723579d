"""Chooses the sums of two features that exact moves may cut, and lays them out.

There are too many pairs to try in every move, so that they are screened once: a shallow tree of single cuts divides
the rows into parts; in each part, sums of the features that separate it best are compared with the better of their two
features alone; those that are ahead by most are kept, each with the best coefficient on a grid of short numbers.
"""

from typing import Final

import numpy as np

from evoter.genome.distinct_rows import number_rows
from evoter.kernels.layout import KIND, N_SUM_TERMS, NO_RANK, NUMERIC, Floats, Grammar, Ints, Rows, SumColumns
from evoter.kernels.refinement.screening import cut_lines, cut_sums
from evoter.kernels.variation.sums import STEPS_PER_SPREAD

N_ROWS: Final = 1_000
"""The number of rows that pairs are screened on."""

N_LINES: Final = 24
"""The number of features, or lags of features, whose pairs are screened: those that separate some part best."""

MAX_LAGGED: Final = 400
"""The number of features and lags among which these are found; of more lags, evenly spaced ones are looked at."""

N_LEVELS: Final = 3
"""The depth of the tree whose parts the pairs are screened in, the root not counted."""

PER_PART: Final = 6
"""The number of sums kept for each part of the rows."""

MAX_REWARDS: Final = 8
"""The number of dimensions of the rewards that screening looks at; more are projected."""

MAX_CUTS: Final = 1_000

_FACTORS: Final = (0.3, 1.0, 3.0)
"""Coefficients to try at first, in units of what makes both features vary alike."""

_AHEAD: Final = 1e-3
"""The part of the variance that a sum must explain beyond the better of its features."""

_SEED: Final = 0
"""A fixed seed: the columns belong to the task, not to the search."""

_STEPS: Final = (-9, -3, -1, 1, 3, 9)
"""Steps along the numbers of two digits, of which there are ninety between 1 and 10."""

_NEARLY: Final = 0.97
"""The part of what a coefficient of two digits brings that one digit must bring to be preferred."""


Line = tuple[int, int]
"""A feature and a lag."""


def no_sums(n_rows: int) -> SumColumns:
    """Return an empty list of sums."""
    return SumColumns(
        terms=np.empty((0, N_SUM_TERMS), np.int64),
        coefficients=np.empty(0),
        first_cuts=np.zeros(1, np.int64),
        constants=np.empty(0),
        ranks=np.empty((0, n_rows), np.uint16),
    )


def choose_sums(rows: Rows, grammar: Grammar, rewards: Floats) -> SumColumns:
    """Screen the pairs of numeric features of some rows; `rewards[row, action]` say what matters."""
    n_rows = len(rewards)
    terms = _varying_terms(grammar, rows)
    real = np.flatnonzero(np.unpackbits(rows.valid.view(np.uint8), bitorder="little")[:n_rows])
    if grammar.sum_rate == 0.0 or len(terms) < 2 or len(real) < 2:
        return no_sums(n_rows)
    generator = np.random.default_rng(_SEED)
    lines = np.array([read_line(rows, feature, lag, real) for feature, lag in terms])
    lines[~np.isfinite(lines)] = np.nan
    # Equal rows are one row with the sum of their rewards, so that a weight of 2 is the same as two rows.
    numbers = number_rows(lines, np.zeros(len(real), np.int64))
    _, first = np.unique(numbers, return_index=True)
    sampled = np.sort(generator.permutation(len(first))[:N_ROWS])
    together = np.array([np.bincount(numbers, column) for column in rewards[real].T]).T
    lines, gains = lines[:, first[sampled]], _centred(together[sampled], generator)
    levels, single = _parts(lines, gains)
    best = np.argsort(-(single / np.maximum(single.max(axis=0), 1e-300)).max(axis=1), kind="stable")[:N_LINES]
    chosen = np.sort(best)
    found = _screen(lines[chosen], gains, levels, single[chosen])
    spreads = {terms[k]: _spread(lines[k]) for k in chosen}
    return _lay_out([(terms[chosen[a]], terms[chosen[b]], k) for a, b, k in found], spreads, rows, n_rows)


def read_line(rows: Rows, feature: int, lag: int, positions: Ints) -> Floats:
    """Return the values of a feature at a lag for some rows, NaN where there is too little history."""
    steps = positions if len(rows.steps) == 0 else rows.steps[positions]
    values: Floats = rows.values[np.maximum(rows.starts[feature] - lag * rows.lag_stride + steps, 0)]
    return np.where(rows.history[positions] >= lag, values, np.nan) if len(rows.history) > 0 else values


def _varying_terms(grammar: Grammar, rows: Rows) -> list[Line]:
    """Return the numeric features that vary, each with the lags to look at."""
    features = [int(f) for f in np.unique(grammar.partners) if grammar.features[f, KIND] == NUMERIC]
    depth = grammar.max_lag + 1 if rows.lag_stride > 0 else 1
    n_lags = max(1, min(depth, MAX_LAGGED // max(len(features), 1)))
    lags = np.unique(np.linspace(0, depth - 1, n_lags).astype(np.int64))
    return [(feature, int(lag)) for feature in features for lag in lags]


def _centred(rewards: Floats, generator: np.random.Generator) -> Floats:
    """Return rewards less their means, scaled to a variance of 1 in all, in few dimensions."""
    centred = rewards - rewards.mean(axis=0)
    if centred.shape[1] > MAX_REWARDS:
        centred = centred @ generator.normal(size=(centred.shape[1], MAX_REWARDS))
    total = float((centred**2).sum())
    scaled: Floats = centred / np.sqrt(total) if total > 0.0 else centred
    return scaled


def _parts(lines: Floats, rewards: Floats) -> tuple[Ints, Floats]:
    """Grow a tree of the best single cuts; return the part of each row at each level, and all gains [line, part].

    Parts are numbered through all levels.
    """
    n_rows, n_parts = lines.shape[1], 2 ** (N_LEVELS + 1) - 1
    levels = np.zeros((N_LEVELS + 1, n_rows), np.int64)
    gains = np.zeros((len(lines), n_parts))
    for level in range(N_LEVELS + 1):
        cuts = np.full((len(lines), n_parts), np.nan)
        here = np.zeros((len(lines), n_parts))
        cut_lines(lines, rewards, levels[level], n_parts, here, cuts)
        gains = np.maximum(gains, here)
        if level < N_LEVELS:
            parts = levels[level]
            line = np.argmax(here, axis=0)[parts]
            beyond = lines[line, np.arange(n_rows)] > cuts[line, parts]
            levels[level + 1] = 2 * parts + 1 + beyond
    return levels, gains


def _screen(lines: Floats, rewards: Floats, levels: Ints, single: Floats) -> list[tuple[int, int, float]]:
    """Return the pairs of lines whose sums are most ahead of both lines in some part, with their coefficients."""
    spreads = np.array([_spread(line) for line in lines])
    order = np.argsort(spreads, kind="stable")  # The feature that varies less comes first, so that factors are below 1.
    pairs = np.array([(order[a], order[b]) for a in range(len(order)) for b in range(a + 1, len(order))])
    ratios = spreads[pairs[:, 0]] / spreads[pairs[:, 1]]
    several = [(pairs, sign * short_coefficients(factor * ratios)) for factor in _FACTORS for sign in (1.0, -1.0)]
    pairs = np.concatenate([pair for pair, _ in several])
    coefficients = np.concatenate([coefficient for _, coefficient in several])
    ahead = _ahead(lines, pairs, coefficients, rewards, levels, single)
    kept: dict[tuple[int, int, float], None] = {}
    for part in range(ahead.shape[1]):
        for k in np.argsort(-ahead[:, part], kind="stable")[:PER_PART]:
            if ahead[k, part] > _AHEAD:
                pair = pairs[k]
                coefficient = _climb(lines, pair, coefficients[k], ahead[k, part], rewards, levels, single, part)
                kept[int(pair[0]), int(pair[1]), coefficient] = None
    return list(kept)


def _ahead(lines: Floats, pairs: Ints, coefficients: Floats, rewards: Floats, levels: Ints, single: Floats) -> Floats:
    """Return by how much each sum explains more than the better of its two lines, in each part."""
    gains = np.zeros((len(pairs), len(levels), single.shape[1]))
    cut_sums(lines, pairs, coefficients, rewards, levels, single.shape[1], gains)
    differences: Floats = gains.max(axis=1) - np.maximum(single[pairs[:, 0]], single[pairs[:, 1]])
    return differences


def _climb(
    lines: Floats, pair: Ints, coefficient: float, reached: float, rewards: Floats, levels: Ints, single: Floats,
    part: int,
) -> float:  # fmt: skip
    """Move a coefficient along the numbers of two digits as long as the sum gains in a part; prefer one digit."""

    def try_all(coefficients: list[float]) -> Floats:
        pairs = np.array([pair] * len(coefficients))
        return _ahead(lines, pairs, np.array(coefficients), rewards, levels, single)[:, part]

    while True:
        around = [moved_coefficient(coefficient, step) for step in _STEPS]
        ahead = try_all(around)
        best = int(np.argmax(ahead))
        if ahead[best] <= reached:
            break
        coefficient, reached = around[best], float(ahead[best])
    short = float(f"{coefficient:.0e}")
    return short if try_all([short])[0] >= _NEARLY * reached else coefficient


def short_coefficients(wanted: Floats) -> Floats:
    """Return the numbers of one digit that are nearest, in proportion, to positive numbers.

    >>> short_coefficients(np.array([0.0447, 1.0, 760.0])).tolist()
    [0.04, 1.0, 800.0]
    """
    return np.array([float(f"{number:.0e}") for number in wanted])


def moved_coefficient(coefficient: float, n_steps: int) -> float:
    """Return the number of two digits that comes some steps after a coefficient by size, or before it.

    >>> moved_coefficient(-0.099, 1), moved_coefficient(1.0, -1), moved_coefficient(0.03, 3)
    (-0.1, 0.99, 0.033)
    """
    digits, exponent = f"{abs(coefficient):.1e}".split("e")
    mantissa, decade = round(10 * float(digits)) - 10 + n_steps, int(exponent)
    moved = float(f"{(10 + mantissa % 90) / 10:.1f}e{decade + mantissa // 90}")
    return float(np.copysign(moved, coefficient))


def _spread(line: Floats) -> float:
    """Return what a line varies by: the distance of its quartiles, or its standard deviation if that is 0."""
    present = line[np.isfinite(line)]
    low, high = np.percentile(present, [25, 75]) if len(present) else (0.0, 0.0)
    width = float(high - low)
    if not 0.0 < width < np.inf:
        with np.errstate(over="ignore"):
            width = float(present.std()) if len(present) else 0.0
    return width if 0.0 < width < np.inf else 1.0


def _lay_out(found: list[tuple[Line, Line, float]], spreads: dict[Line, float], rows: Rows, n_rows: int) -> SumColumns:
    """Return the columns of the sums, each with its cuts: multiples of a power of ten that suits the spread."""
    positions = np.arange(n_rows)
    terms, coefficients, constants = [], [], []
    ranks = np.full((len(found), n_rows), NO_RANK, np.uint16)
    for number, ((left, left_lag), (right, right_lag), coefficient) in enumerate(found):
        first, second = read_line(rows, left, left_lag, positions), read_line(rows, right, right_lag, positions)
        with np.errstate(over="ignore", invalid="ignore"):
            values = first + coefficient * second
        present = np.isfinite(values)
        spread = spreads[left, left_lag] + abs(coefficient) * spreads[right, right_lag]
        cuts = _round_cuts(np.unique(values[present]), spread)
        ranks[number, present] = np.searchsorted(cuts, values[present], side="left")
        terms.append((left, left_lag, right, right_lag))
        coefficients.append(coefficient)
        constants.append(cuts)
    if not found:
        return no_sums(n_rows)
    return SumColumns(
        terms=np.array(terms, dtype=np.int64),
        coefficients=np.array(coefficients),
        first_cuts=np.cumsum([0, *map(len, constants)]).astype(np.int64),
        constants=np.concatenate(constants),
        ranks=ranks,
    )


@np.errstate(over="ignore", invalid="ignore")  # of numbers beyond all doubles, which then have no cuts
def _round_cuts(values: Floats, spread: float) -> Floats:
    """Return the multiples of a power of ten that separate ascending values, of which a spread has at least twenty."""
    decimals = int(np.clip(np.ceil(np.log10(STEPS_PER_SPREAD / spread)), -22, 22))
    scale = 10.0 ** abs(decimals)
    for outside in (0.0, 0.01):
        ends = np.quantile(values, [outside, 1.0 - outside]) if len(values) else np.zeros(2)
        low, high = ends * scale if decimals >= 0 else ends / scale
        if high - low <= MAX_CUTS:
            break
    if not np.isfinite(low) or not np.isfinite(high):
        return np.empty(0)
    wanted = np.floor(low) + np.arange(min(np.ceil(high) - np.floor(low) + 1, MAX_CUTS))
    cuts = wanted / scale if decimals >= 0 else wanted * scale
    n_below = np.searchsorted(values, cuts, side="right")
    separating = (np.diff(n_below, prepend=0) > 0) & (n_below < len(values))
    kept: Floats = cuts[separating] + 0.0
    return kept
