"""Candidate numbers for rules: levels of the target, and linear functions of single features with several offsets."""

from typing import Final, NamedTuple

import numpy as np

from evoter.kernels.layout import Floats, Ints

N_LEVELS: Final = 24
"""The number of constants to choose from: the loss of a level instead of the best number is then negligible."""

N_OFFSETS: Final = 8
"""The number of offsets of each linear function."""

MAX_TERMS: Final = 6
"""The number of features that linear terms may have, those with the largest share of the target's variance."""

_ROUNDS: Final = 20
"""Rounds of the improvement of levels; few are needed."""


class Candidates(NamedTuple):
    """The numbers that a rule can have: `constants[a] + slopes[a] * terms[term_of[a], row]`, `term_of` -1 without.

    `terms` are features that no row lacks, centred and divided by their deviation; `positions` are their places in the
    schema, `centres` and `scales` what they were before.
    """

    constants: Floats
    slopes: Floats
    term_of: Ints
    terms: Floats
    positions: Ints
    centres: Floats
    scales: Floats

    def values(self, rows: Ints) -> Floats:
        """Return the number of each candidate on some rows [row, candidate]."""
        if not len(self.terms):
            return np.broadcast_to(self.constants, (len(rows), len(self.constants)))
        read = np.where(self.term_of >= 0, self.terms[self.term_of][:, rows].T, 0.0)
        values: Floats = self.constants + self.slopes * read
        return values


def choose_candidates(
    columns: Floats, may_be_terms: Ints, numbers: Floats, weights: Floats, importances: Floats | None
) -> Candidates:
    """Return levels of the numbers, and linear functions of those features that explain most of them."""
    positions, terms, centres, scales = _standardised(columns, may_be_terms, weights)
    centred = numbers - np.average(numbers, weights=weights)
    slopes = short(terms @ (weights * centred) / weights.sum()) if len(terms) else np.empty(0)
    explained = slopes**2 / max(float(np.average(centred**2, weights=weights)), np.finfo(float).tiny)
    if importances is not None and importances.sum() > 0.0:
        explained = explained + importances[positions] / importances.sum()
    chosen = np.sort(np.argsort(-explained, kind="stable")[:MAX_TERMS])
    constants, factors, term_of = [levels_of(numbers, weights, N_LEVELS)], [], []
    for number, t in enumerate(chosen):
        offsets = levels_of(numbers - slopes[t] * terms[t], weights, N_OFFSETS)
        constants.append(offsets)
        factors.append(np.full(len(offsets), slopes[t]))
        term_of.append(np.full(len(offsets), number))
    n_levels = len(constants[0])
    return Candidates(
        np.concatenate(constants),
        np.concatenate([np.zeros(n_levels), *factors]),
        np.concatenate([np.full(n_levels, -1), *term_of]).astype(np.int64),
        np.ascontiguousarray(terms[chosen]),
        positions[chosen],
        centres[chosen],
        scales[chosen],
    )


def _standardised(columns: Floats, places: Ints, weights: Floats) -> tuple[Ints, Floats, Floats, Floats]:
    """Return the features that vary and have no missing or infinite value, centred and scaled."""
    read = columns[places]
    usable = np.isfinite(read).all(axis=1) if len(places) else np.empty(0, np.bool_)
    places, read = places[usable], read[usable]
    if not len(places):
        return places, np.empty((0, columns.shape[1])), np.empty(0), np.empty(0)
    centres = short(np.average(read, axis=1, weights=weights))
    scales = short(np.sqrt(np.average((read - centres[:, None]) ** 2, axis=1, weights=weights)))
    varies = scales > 1e-9 * np.maximum(np.abs(centres), 1e-300)
    terms = (read[varies] - centres[varies, None]) / scales[varies, None]
    return places[varies], terms, centres[varies], scales[varies]


def levels_of(numbers: Floats, weights: Floats, n: int) -> Floats:
    """Return at most `n` levels with a small mean squared distance of the numbers to the nearest one, ascending.

    >>> levels_of(np.array([1.0, 1.0, 5.0, 9.0]), np.ones(4), 8)
    array([1., 5., 9.])
    """
    order = np.argsort(numbers, kind="stable")
    ascending, own = numbers[order], weights[order]
    distinct = np.unique(short(ascending))
    if len(distinct) <= n:
        return distinct
    reached = np.cumsum(own)
    levels = np.unique(ascending[np.searchsorted(reached, (np.arange(n) + 0.5) / n * reached[-1])])
    for _ in range(_ROUNDS):
        nearest = np.searchsorted((levels[1:] + levels[:-1]) / 2.0, ascending)
        totals = np.bincount(nearest, own, len(levels))
        means = np.bincount(nearest, own * ascending, len(levels)) / np.where(totals > 0.0, totals, 1.0)
        levels = np.unique(short(np.where(totals > 0.0, means, levels)))
    return levels


def short(numbers: Floats) -> Floats:
    """Return numbers to ten digits: a row of weight 2 and two equal rows then give the same candidates."""
    return np.array([float(f"{number:.10g}") for number in numbers.tolist()])
