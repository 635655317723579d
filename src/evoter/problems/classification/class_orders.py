"""Orders of rows by their classes: sorted and padded for the kernels, or spread so that every prefix is a sample."""

import numpy as np

from evoter.kernels.layout import WORD, Ints


def spread_by_class(classes: Ints) -> Ints:
    """Return all rows in an order whose every prefix has about the class proportions of the whole."""
    # A fixed seed: the sample belongs to the task, not to the search.
    shuffled = np.random.default_rng(0).permutation(len(classes))
    quantiles = np.empty(len(classes))
    for c in np.unique(classes):
        members = shuffled[classes[shuffled] == c]
        quantiles[members] = (np.arange(len(members)) + 0.5) / len(members)
    return np.argsort(quantiles, kind="stable")


def sorted_by_class(classes: Ints, n_classes: int) -> tuple[Ints, Ints]:
    """Return the rows sorted by class, each class padded with -1 to whole words, and the word each class begins at."""
    parts = []
    segments = [0]
    for c in range(n_classes):
        members = np.flatnonzero(classes == c)
        n_words = -(-len(members) // WORD)
        part = np.full(n_words * WORD, -1)
        part[: len(members)] = members
        parts.append(part)
        segments.append(segments[-1] + n_words)
    return np.concatenate(parts), np.array(segments, dtype=np.int64)
