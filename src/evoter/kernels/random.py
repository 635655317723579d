"""A counter-based random generator: what is drawn depends on its key alone, never on threads or machines."""

import numpy as np

from evoter.kernels.compilation import kernel
from evoter.kernels.layout import Floats, Words

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """Scramble a word (the finaliser of SplitMix64)."""
    word = (word ^ (word >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))


@kernel
def seed_stream(state: Words, seed: int, generation: int, individual: int) -> None:
    """Start the stream of one individual of one generation of one run."""
    word = mix(np.uint64(seed) + _STEP)
    word = mix(word ^ (np.uint64(generation) * _MIX_1 + _STEP))
    state[0] = mix(word ^ (np.uint64(individual) * _MIX_2 + _STEP))


@kernel
def uniform(state: Words) -> float:
    """Draw a number from [0, 1)."""
    state[0] += _STEP
    return float(mix(state[0]) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@kernel
def below(state: Words, n: int) -> int:
    """Draw a whole number from 0 to n - 1."""
    return int(uniform(state) * n)


@kernel
def search(table: Floats, value: float) -> int:
    """Return the index of the first entry of a sorted table that is above a value, or its length."""
    first, last = 0, len(table)
    while first < last:
        middle = (first + last) // 2
        if table[middle] <= value:
            first = middle + 1
        else:
            last = middle
    return first


@kernel
def choose(state: Words, cdf: Floats) -> int:
    """Draw an index with the given cumulative probabilities."""
    return min(search(cdf, uniform(state)), len(cdf) - 1)
