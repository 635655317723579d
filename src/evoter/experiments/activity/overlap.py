"""How much the features that several runs use have in common, compared with what chance would give."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import combinations, permutations
from math import exp, lgamma
from statistics import fmean
from typing import NamedTuple

from scipy.stats import hypergeom

NEAR = 5
"""How many steps apart two lags of the same signal still count as near: a tenth of a second at 50 Hz."""

SignalLag = tuple[str, int]
"""A signal and a lag."""


class Share(NamedTuple):
    """A share that was found, and its expectation for random sets of the same sizes."""

    found: float
    by_chance: float


class Overlap(NamedTuple):
    """What runs have in common, each measure a mean over pairs of runs, or over runs.

    `union` is the features that both of two runs use among those that either uses; `shared` the share of a run's
    features that another given run uses, too; `elsewhere` the share that at least one other run uses; `near` the share
    that another given run uses exactly or with a lag that is at most NEAR steps away, None where there are no lags.
    """

    n_runs: int
    n_used: float
    n_features: int
    union: Share
    shared: Share
    elsewhere: Share
    near: Share | None


def overlap(runs: Sequence[Collection[str]], features: Sequence[str]) -> Overlap | None:
    """Compare the features that some runs used, out of all that there are; None with fewer than two runs.

    >>> found = overlap([["x", "y"], ["y", "z"]], ["x", "y", "z", "u"])
    >>> found.shared.found, found.shared.by_chance
    (0.5, 0.5)
    """
    used = [set(run) for run in runs if run]
    if len(used) < 2:
        return None
    n = len(features)
    pairs, ordered = list(combinations(used, 2)), list(permutations(used, 2))
    return Overlap(
        n_runs=len(used),
        n_used=fmean(map(len, used)),
        n_features=n,
        union=Share(
            fmean(len(a & b) / len(a | b) for a, b in pairs),
            fmean(expected_union_share(len(a), len(b), n) for a, b in pairs),
        ),
        shared=Share(fmean(len(a & b) / len(a) for a, b in ordered), fmean(len(b) / n for _, b in ordered)),
        elsewhere=_elsewhere(used, n),
        near=_near(ordered, features),
    )


@cache
def expected_union_share(n_first: int, n_second: int, n: int) -> float:
    """Return the expectation of |A and B| / |A or B| for random sets of these sizes among n.

    With the paper's 142 of 1,152 features it is what the paper calls an overlap of 6 % by chance:

    >>> round(expected_union_share(142, 142, 1152), 3)
    0.066
    """
    counts = range(max(0, n_first + n_second - n), min(n_first, n_second) + 1)
    chances = hypergeom.pmf(counts, n, n_first, n_second)
    return float(sum(p * k / (n_first + n_second - k) for k, p in zip(counts, chances, strict=True)))


def _elsewhere(used: Sequence[set[str]], n: int) -> Share:
    found, missed = [], []
    for index, run in enumerate(used):
        others = [other for number, other in enumerate(used) if number != index]
        found.append(len(run & set().union(*others)) / len(run))
        nowhere = 1.0
        for other in others:
            nowhere *= 1 - len(other) / n
        missed.append(nowhere)
    return Share(fmean(found), 1 - fmean(missed))


def _near(ordered: Sequence[tuple[set[str], set[str]]], features: Sequence[str]) -> Share | None:
    lags = {feature: lag for feature in features if (lag := signal_and_lag(feature)) is not None}
    if len(lags) != len(features):
        return None
    known = set(lags.values())
    n = len(known)
    found, chances = [], []
    for first, second in ordered:
        targets = {lags[feature] for feature in second}
        near = [{each for each in _neighbours(lags[feature]) if each in known} for feature in first]
        found.append(fmean(bool(each & targets) for each in near))
        chances.append(fmean(chance_of_a_hit(len(each), len(targets), n) for each in near))
    return Share(fmean(found), fmean(chances))


def _neighbours(signal_lag: SignalLag) -> Iterator[SignalLag]:
    signal, lag = signal_lag
    return ((signal, lag + distance) for distance in range(-NEAR, NEAR + 1))


@cache
def chance_of_a_hit(n_targets: int, n_drawn: int, n: int) -> float:
    """Return the probability that at least one of `n_drawn` random features among n is one of the targets.

    >>> round(chance_of_a_hit(2, 3, 10), 4)
    0.5333
    """
    if n_targets + n_drawn > n:
        return 1.0
    missed = lgamma(n - n_targets + 1) + lgamma(n - n_drawn + 1) - lgamma(n - n_targets - n_drawn + 1) - lgamma(n + 1)
    return 1 - exp(missed)


def signal_and_lag(feature: str) -> SignalLag | None:
    """Return the signal and the lag in a name such as `gyro_x[12]`; None where there is no lag.

    >>> signal_and_lag("gyro_x[12]")
    ('gyro_x', 12)
    """
    signal, bracket, lag = feature.removesuffix("]").rpartition("[")
    return (signal, int(lag)) if bracket else None
