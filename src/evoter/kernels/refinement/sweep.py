"""Sweeps: the exact best condition on a feature, or on a pair of features, for rows that gain or lose by holding."""

from typing import Final

import numpy as np

from evoter.kernels.compilation import inlined_kernel, kernel
from evoter.kernels.conditions.codes import (
    CONSTANT,
    EQ,
    IN,
    IS_MISSING,
    IS_PRESENT,
    LE,
    LEFT,
    LEFT_COEFFICIENT,
    LEFT_LAG,
    LEFT_POWER,
    N_NUMBERS,
    NE,
    OPERATOR,
    RIGHT,
    RIGHT_LAG,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SUM_CONSTANT,
    SUMMED,
)
from evoter.kernels.conditions.identity import orient
from evoter.kernels.conditions.meaning import compare, is_missing, raised, scaled, term
from evoter.kernels.conditions.trends import BOTH_SIDES, ONLY_ABOVE, ONLY_BELOW, may_ask_for, sides
from evoter.kernels.evaluation.masks import value_at, value_index
from evoter.kernels.layout import (
    CATEGORICAL,
    FIRST_CUT,
    KIND,
    LAST_CUT,
    LOW,
    MISSING,
    N_CATEGORIES,
    NO_RANK,
    NUMERIC,
    SCALED,
    SUM_LEFT,
    SUM_LEFT_LAG,
    SUM_RIGHT,
    SUM_RIGHT_LAG,
    Floats,
    Grammar,
    Ints,
    Refinement,
    Rows,
    Words,
)
from evoter.kernels.random import below, choose, uniform
from evoter.kernels.variation.single_conditions import (
    is_constant,
    may_have_sets,
    random_partner,
    set_size,
    toggle_category,
    write_plain,
)

_GRID: Final = 100
N_RATIOS: Final = 2 * _GRID - 1
"""The thresholds of a ratio: 0.01 ... 1 by the right coefficient, then 1/0.99 ... 1/0.01 by the left one."""

_EVEN: Final = _GRID - 1
"""The threshold 1, at which both coefficients are 1."""

_SET: Final = 3
N_FOUND: Final = _SET + N_NUMBERS
"""What a sweep finds: the gain, the cut or category, which side of it, and a set of categories."""

_SUM_SHARE: Final = 0.5
"""How often a sum is tried instead of one of its features, where there are sums."""

_ROUNDING: Final = 1e-9
"""Quotients this close to a threshold may be equal to it."""


@kernel
def _value(rows: Rows, feature: int, lag: int, power: int, row: int) -> float:
    """Return a term of a comparison before its coefficient."""
    value = value_at(rows, feature, lag, row)
    if rows.scaled[feature]:
        value = scaled(value, rows.lows[feature], rows.spans[feature])
    return raised(value, power)


@kernel
def _left_coefficient(threshold: int) -> float:
    return 1.0 if threshold < _GRID else (N_RATIOS - threshold) / _GRID


@kernel
def _right_coefficient(threshold: int) -> float:
    return (threshold + 1) / _GRID if threshold < _GRID else 1.0


@kernel
def _is_at_most(left: float, right: float, threshold: int) -> bool:
    """Tell whether `left <= threshold * right` holds for two terms, computed as conditions are."""
    return compare(LE, term(left, _left_coefficient(threshold), 1), term(right, _right_coefficient(threshold), 1))


@kernel
def _ratio_bin(left: float, right: float) -> int:
    """Return the first threshold that `left <= threshold * right` holds for, the number of them if none, -1 for NaN."""
    if is_missing(left) or is_missing(right):
        return -1
    if left <= 0.0 or right == np.inf:
        return 0
    if right <= 0.0:
        return N_RATIOS
    if left <= right:
        steps = _GRID * (left / right)
        k = max(int(np.ceil(steps)) - 1, 0)
    else:
        steps = _GRID * (right / left)
        k = N_RATIOS - int(steps)
    if abs(steps - np.rint(steps)) < _ROUNDING:
        # On a threshold, the products that a condition compares say which side it is.
        if k > 0 and _is_at_most(left, right, k - 1):
            return k - 1
        if k < N_RATIOS and not _is_at_most(left, right, k):
            return k + 1
    return k


@kernel
def best_split(histogram: Floats, n: int, total: float, wanted: int, found: Floats) -> None:
    """Find the cut that gains most below or above it, among cuts 0 to n - 1; bin k holds what cut k first includes.

    `wanted` says which of the two sides may be taken. Writes to `found` the gain, the cut and 1 if the part above is
    the better one. Of cuts between the same rows, the middle one is taken: it is farthest from both.
    """
    best = -np.inf
    first = last = 0
    above = 0
    upto = 0.0
    previous = np.nan
    for k in range(n):
        upto += histogram[k]
        if histogram[k] == 0.0 and upto == previous:
            if last == k - 1:
                last = k
            continue
        previous = upto
        lower = upto if wanted == BOTH_SIDES or wanted == ONLY_BELOW else -np.inf
        upper = total - upto if wanted == BOTH_SIDES or wanted == ONLY_ABOVE else -np.inf
        if lower > best or upper > best:
            above = 1 if upper > lower else 0
            best = max(lower, upper)
            first = last = k
    found[0] = best
    found[1] = (first + last) // 2
    found[2] = above


@inlined_kernel
def _rank(refinement: Refinement, feature: int, lag: int, row: int) -> int:
    """Return the rank of a feature's value among its cuts, or the code of its category."""
    index = value_index(refinement.rows, feature, lag, row)
    return refinement.ranks[index] if index >= 0 else NO_RANK


@kernel
def _sweep_cuts(
    grammar: Grammar, refinement: Refinement, action: int, members: Ints, gains: Floats, n: int, histogram: Floats,
    found: Floats, feature: int, lag: int,
) -> float:  # fmt: skip
    """Find the best cut of a numeric feature; return the gain of all rows where it is present."""
    n_cuts = grammar.features[feature, LAST_CUT] - grammar.features[feature, FIRST_CUT]
    for k in range(n_cuts + 1):
        histogram[k] = 0.0
    total = 0.0
    for t in range(n):
        rank = _rank(refinement, feature, lag, members[t])
        if rank != NO_RANK:
            histogram[rank] += gains[t]
            total += gains[t]
    best_split(histogram, n_cuts, total, sides(grammar, action, feature, 1, CONSTANT, 1, 0.0), found)
    return total


@kernel
def _sweep_categories(
    grammar: Grammar, refinement: Refinement, action: int, members: Ints, gains: Floats, n: int, histogram: Floats,
    found: Floats, feature: int, lag: int,
) -> float:  # fmt: skip
    """Find the best category for = or !=; return the gain of all rows where the feature is present."""
    n_categories = grammar.features[feature, N_CATEGORIES]
    for k in range(n_categories + 1):
        histogram[k] = 0.0
    total = 0.0
    for t in range(n):
        rank = _rank(refinement, feature, lag, members[t])
        if rank != NO_RANK:
            histogram[rank] += gains[t]
            total += gains[t]
    found[0] = -np.inf
    for k in range(n_categories):
        if histogram[k] > found[0] and may_ask_for(grammar, action, feature, k):
            found[0], found[1], found[2] = histogram[k], k, 0
        if total - histogram[k] > found[0] and grammar.features[feature, KIND] == CATEGORICAL:
            found[0], found[1], found[2] = total - histogram[k], k, 1
    return total


@kernel
def _best_set(grammar: Grammar, feature: int, histogram: Floats, trial: Floats) -> float:
    """Write the set of the categories that gain by holding to `trial`, which no other set beats; return its gain."""
    trial[LEFT_COEFFICIENT] = trial[RIGHT_NUMBER] = 0.0
    gained = 0.0
    for code in range(grammar.features[feature, N_CATEGORIES]):
        if histogram[code] > 0.0:
            gained += histogram[code]
            toggle_category(trial, code)
    return gained


@kernel
def _keep_categories(
    state: Words, grammar: Grammar, refinement: Refinement, histogram: Floats, found: Floats, best: float,
    feature: int, lag: int, codes: Ints, numbers: Floats,
) -> float:  # fmt: skip
    """Write the condition on the swept categories if it gains more than `best`; return the gain of what is best now."""
    if found[0] > best:
        best = found[0]
        write_plain(codes, numbers, feature, lag, NE if found[2] == 1 else EQ, found[1])
    if not may_have_sets(grammar, feature) or uniform(state) >= grammar.set_rate:
        return best
    # What is chosen freely among many sets must gain more than what one category tells, by the price of a condition.
    chosen = found[_SET:]
    gained = _best_set(grammar, feature, histogram, chosen) - refinement.price
    n_categories = grammar.features[feature, N_CATEGORIES]
    if gained <= best or not 1 < set_size(chosen, n_categories) < n_categories - 1:
        return best
    write_plain(codes, numbers, feature, lag, IN, 0.0)
    for k in range(N_NUMBERS):
        numbers[k] = chosen[k]
    return gained


@kernel
def _sweep_ratios(
    refinement: Refinement, members: Ints, gains: Floats, n: int, histogram: Floats, wanted: int, found: Floats,
    codes: Ints,
) -> None:  # fmt: skip
    """Find the best coefficients for a comparison of the two terms in `codes`."""
    for k in range(N_RATIOS + 1):
        histogram[k] = 0.0
    total = 0.0
    for t in range(n):
        left = _value(refinement.rows, codes[LEFT], codes[LEFT_LAG], codes[LEFT_POWER], members[t])
        right = _value(refinement.rows, codes[RIGHT], codes[RIGHT_LAG], codes[RIGHT_POWER], members[t])
        k = _ratio_bin(left, right)
        if k >= 0:
            histogram[k] += gains[t]
            total += gains[t]
    best_split(histogram, N_RATIOS, total, wanted, found)


@kernel
def _try_sum(
    state: Words, grammar: Grammar, refinement: Refinement, action: int, members: Ints, gains: Floats, n: int,
    histogram: Floats, found: Floats, best: float, codes: Ints, numbers: Floats,
) -> float:  # fmt: skip
    """Cut one of the sums of two features; keep the condition if it gains more than `best` and its price.

    A sum counts as two conditions: it must beat a constant by the price of one.
    """
    sums = refinement.sums
    s = below(state, len(sums.coefficients))
    if max(sums.terms[s, SUM_LEFT_LAG], sums.terms[s, SUM_RIGHT_LAG]) > grammar.max_lag:
        return best  # Lags are not allowed yet.
    first = sums.first_cuts[s]
    n_cuts = sums.first_cuts[s + 1] - first
    for k in range(n_cuts + 1):
        histogram[k] = 0.0
    total = 0.0
    for t in range(n):
        rank = sums.ranks[s, members[t]]
        if rank != NO_RANK:
            histogram[rank] += gains[t]
            total += gains[t]
    wanted = sides(grammar, action, sums.terms[s, SUM_LEFT], 1, sums.terms[s, SUM_RIGHT], 1, sums.coefficients[s])
    best_split(histogram, n_cuts, total, wanted, found)
    gained = found[0] - refinement.price
    if gained <= best:
        return best
    operator = refinement.above if found[2] == 1 else refinement.at_most
    write_plain(codes, numbers, sums.terms[s, SUM_LEFT], sums.terms[s, SUM_LEFT_LAG], operator, 0.0)
    codes[RIGHT], codes[RIGHT_LAG], codes[RIGHT_POWER] = (
        sums.terms[s, SUM_RIGHT], sums.terms[s, SUM_RIGHT_LAG], SUMMED,
    )  # fmt: skip
    numbers[RIGHT_NUMBER], numbers[SUM_CONSTANT] = sums.coefficients[s], sums.constants[first + int(found[1])]
    orient(codes, numbers)
    return gained


@kernel
def _try_threshold(
    refinement: Refinement, members: Ints, gains: Floats, n: int, wanted: int, found: Floats, codes: Ints,
    threshold: int,
) -> None:  # fmt: skip
    """Find which side of one threshold gains more, for terms of any sign: there, ratios order nothing."""
    upto, total = 0.0, 0.0
    for t in range(n):
        left = _value(refinement.rows, codes[LEFT], codes[LEFT_LAG], codes[LEFT_POWER], members[t])
        right = _value(refinement.rows, codes[RIGHT], codes[RIGHT_LAG], codes[RIGHT_POWER], members[t])
        if not (is_missing(left) or is_missing(right)):
            total += gains[t]
            if _is_at_most(left, right, threshold):
                upto += gains[t]
    lower = upto if wanted == BOTH_SIDES or wanted == ONLY_BELOW else -np.inf
    upper = total - upto if wanted == BOTH_SIDES or wanted == ONLY_ABOVE else -np.inf
    found[0], found[1] = max(lower, upper), threshold
    found[2] = 1 if upper > lower else 0


@kernel
def _random_lag(state: Words, grammar: Grammar, refinement: Refinement) -> int:
    """Draw a lag, which is 0 where rows have no history."""
    return below(state, grammar.max_lag + 1) if refinement.rows.lag_stride > 0 else 0


@kernel
def _is_never_negative(grammar: Grammar, feature: int) -> bool:
    """Tell whether a feature's terms are never negative, so that thresholds of ratios order comparisons."""
    return bool(grammar.features[feature, SCALED] or grammar.ranges[feature, LOW] >= 0.0)


@kernel
def _try_comparison(
    state: Words, grammar: Grammar, refinement: Refinement, action: int, members: Ints, gains: Floats, n: int,
    histogram: Floats, found: Floats, best: float, feature: int, lag: int, codes: Ints, numbers: Floats, trial: Ints,
) -> float:  # fmt: skip
    """Compare a feature with a partner drawn at random; keep the comparison if it gains more than `best` and its price.

    A comparison reads two features, like two conditions: it must beat a constant by the price of one.
    """
    partner = random_partner(state, grammar, feature)
    if partner == CONSTANT:
        return best
    trial[LEFT], trial[LEFT_LAG], trial[LEFT_POWER] = feature, lag, 1 + below(state, grammar.max_power)
    trial[RIGHT], trial[RIGHT_LAG] = partner, _random_lag(state, grammar, refinement)
    trial[RIGHT_POWER] = 1 + below(state, grammar.max_power)
    if trial[LEFT_POWER] == trial[RIGHT_POWER]:
        trial[LEFT_POWER] = trial[RIGHT_POWER] = 1  # Equal powers say what none say.
    if partner == feature and trial[LEFT_LAG] == trial[RIGHT_LAG]:
        return best
    wanted = sides(grammar, action, feature, trial[LEFT_POWER], partner, trial[RIGHT_POWER], -1.0)
    if _is_never_negative(grammar, feature) and _is_never_negative(grammar, partner):
        _sweep_ratios(refinement, members, gains, n, histogram, wanted, found, trial)
    else:
        threshold = _EVEN if uniform(state) < 0.5 else below(state, N_RATIOS)
        _try_threshold(refinement, members, gains, n, wanted, found, trial, threshold)
    gained = found[0] - refinement.price
    if gained <= best:
        return best
    for k in range(len(codes)):
        codes[k] = trial[k]
    codes[OPERATOR] = refinement.above if found[2] == 1 else refinement.at_most
    threshold = int(found[1])
    numbers[LEFT_COEFFICIENT], numbers[RIGHT_NUMBER] = _left_coefficient(threshold), _right_coefficient(threshold)
    orient(codes, numbers)
    return gained


@kernel
def best_condition(
    state: Words, grammar: Grammar, refinement: Refinement, action: int, members: Ints, gains: Floats, n: int,
    histogram: Floats, found: Floats, codes: Ints, numbers: Floats, trial: Ints,
) -> bool:  # fmt: skip
    """Write the condition for which the rows where it holds gain most, among features drawn at random.

    It is one that rules for `action` may have.
    `members` are rows and `gains` what each gains if the condition holds there. Returns whether there is one.
    """
    best = -np.inf
    ordered = refinement.at_most >= 0
    for _ in range(1 + below(state, refinement.n_tries)):
        feature = choose(state, refinement.feature_cdf)
        lag = _random_lag(state, grammar, refinement)
        if is_constant(grammar, feature):
            continue
        facts = grammar.features[feature]
        if facts[KIND] == NUMERIC:
            if not ordered or facts[FIRST_CUT] == facts[LAST_CUT]:
                continue
            with_sums = grammar.sum_rate > 0.0 and len(refinement.sums.coefficients) > 0
            if with_sums and uniform(state) < _SUM_SHARE:
                best = _try_sum(
                    state, grammar, refinement, action, members, gains, n, histogram, found, best, codes, numbers
                )  # fmt: skip
                continue
            if uniform(state) < grammar.comparison_rate:
                best = _try_comparison(
                    state, grammar, refinement, action, members, gains, n, histogram, found, best, feature, lag,
                    codes, numbers, trial,
                )  # fmt: skip
                continue
            total = _sweep_cuts(grammar, refinement, action, members, gains, n, histogram, found, feature, lag)
            if found[0] > best:
                best = found[0]
                operator = refinement.above if found[2] == 1 else refinement.at_most
                write_plain(codes, numbers, feature, lag, operator, grammar.constants[facts[FIRST_CUT] + int(found[1])])
        else:
            total = _sweep_categories(grammar, refinement, action, members, gains, n, histogram, found, feature, lag)
            best = _keep_categories(state, grammar, refinement, histogram, found, best, feature, lag, codes, numbers)
        if facts[MISSING] and lag == 0 and grammar.missing_rate > 0.0:
            if total > best:
                best = total
                write_plain(codes, numbers, feature, lag, IS_PRESENT, 0.0)
            absent = -total
            for t in range(n):
                absent += gains[t]
            if absent > best:
                best = absent
                write_plain(codes, numbers, feature, lag, IS_MISSING, 0.0)
    return best > -np.inf
