"""Hard episodes: those in which good policies fail, found by letting a few of them play many."""

import numpy as np

from evoter.kernels.layout import Floats, Ints

N_SCOUTS = 8
"""Number of the best candidates so far that play many episodes, to find the hard ones."""

SCOUTED = 2
"""The number of episodes that they play, as a multiple of those of a generation."""

BEFORE_SCOUTING = 0.125
"""The share of the episodes that has been played before: the best so far must be good ones."""


def insert_hardest(seeds: Ints, first: int, share: float, tried: Ints, returns: Floats) -> Ints:
    """Return the seeds of episodes with a share of those from `first` on replaced by the hardest that were tried.

    `returns` has a row for each policy that tried them; the hardest are those with the lowest mean. They are spread
    evenly, so that a race sees as many of them in each round.

    >>> insert_hardest(np.arange(6), 2, 0.5, np.array([70, 80, 90]), np.array([[3.0, 1.0, 2.0]])).tolist()
    [0, 1, 80, 3, 90, 5]
    """
    n_hard = min(round(share * (len(seeds) - first)), len(tried))
    changed = seeds.copy()
    if n_hard > 0:
        hardest = np.argsort(returns.mean(axis=0), kind="stable")[:n_hard]
        changed[first + np.arange(n_hard) * (len(seeds) - first) // n_hard] = tried[hardest]
    return changed
