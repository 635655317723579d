"""Sums in exact moves: weighted sums of two features that a round asks about, each on a grid of its own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from evoter.federated.grids import even_edges
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.variation.sums import TENTHS
from evoter.rules.schema import Kind, Schema

N_SUMS: Final = 8
"""How many sums each round of exact moves tries."""

MAX_SUMS: Final = 256
"""How many sums a request may ask about at most."""

_N_EDGES: Final = 64
_DECADES: Final = 0.7
"""How far, as powers of ten, a coefficient is from the ratio of what the two features vary by."""


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of two numeric features: the positions of both in the schema, and the coefficient of the second."""

    pairs: Ints
    weights: Floats

    @classmethod
    def none(cls) -> Self:
        """Return no sums."""
        return cls(np.empty((0, 2), np.int64), np.empty(0))

    def __len__(self) -> int:
        return len(self.weights)

    def values(self, columns: Floats) -> Iterator[Floats]:
        """Yield each sum for all rows, computed as conditions are: `columns[feature, row]`, NaN where one is.

        One after the other: of the most that a request may have, a site would run out of memory.
        """
        for (left, right), weight in zip(self.pairs.tolist(), self.weights.tolist(), strict=True):
            with np.errstate(over="ignore", invalid="ignore"):  # a request may have coefficients of any size
                added: Floats = columns[left] + weight * columns[right]
            yield added


def draw_sums(
    schema: Schema, cuts: Sequence[Floats], n: int, rng: np.random.Generator
) -> tuple[Sums, tuple[Floats, ...]]:
    """Draw sums of which both features decide something, and their grids: even steps between the outermost cuts."""
    numeric = [position for position, feature in enumerate(schema.features) if feature.kind is Kind.NUMERIC]
    ends = [(position, some[0], some[-1]) for position, some in zip(numeric, cuts, strict=True) if len(some) > 1]
    if len(ends) < 2:
        return Sums.none(), ()
    pairs, weights, grids = [], [], []
    for _ in range(n):
        (left, low, high), (right, other_low, other_high) = (
            ends[k] for k in rng.choice(len(ends), 2, replace=False).tolist()
        )
        ratio = (high - low) / (other_high - other_low) * 10.0 ** rng.uniform(-_DECADES, _DECADES)
        weight = short_coefficient(ratio) * (1.0 if rng.random() < 0.5 else -1.0)
        added = sorted((weight * other_low, weight * other_high))
        pairs.append((left, right))
        weights.append(weight)
        grids.append(even_edges(low + added[0], high + added[1], _N_EDGES))
    return Sums(np.array(pairs, np.int64), np.array(weights)), tuple(grids)


def short_coefficient(ratio: float) -> float:
    """Return the number of at most two digits that is nearest to a ratio, in proportion.

    >>> short_coefficient(0.0371), short_coefficient(96.0), short_coefficient(1.3)
    (0.04, 100.0, 1.5)
    """
    exponent = int(np.floor(np.log10(ratio)))
    digits = [*TENTHS, 10 * TENTHS[0]]
    tenths = min(digits, key=lambda each: abs(np.log(each / 10.0) - np.log(ratio / 10.0**exponent)))
    return tenths * 10.0 ** (exponent - 1) if exponent > 0 else tenths / 10.0 ** (1 - exponent)
