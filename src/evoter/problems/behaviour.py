"""Behaviours: the decisions of whole populations on fixed rows, packed into bits."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evoter.genome.deciding import claim_order, row_decider
from evoter.kernels.evaluation.behaviour import decide_planes
from evoter.kernels.layout import Floats, Ints, Population, Words
from evoter.kernels.threads import Threads
from evoter.problems.examples import examples_of
from evoter.problems.mask_cache import MaskCache
from evoter.rules.model import Mode
from evoter.rules.schema import Schema
from evoter.tables.panel import Panel

SAMPLE_ROWS: Final = 512
"""Default number of rows that behaviours are compared on: enough to see differences of a fraction of a percent."""

_SEED: Final = 0
"""The sample is part of the task, not of the search."""


@dataclass(frozen=True, slots=True)
class Behaviours:
    """Decides for populations on the rows of a mask cache; `valid` has a bit for each real row."""

    cache: MaskCache
    valid: Words
    mode: Mode
    n_actions: int

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(np.bitwise_count(self.valid).sum())

    @property
    def n_planes(self) -> int:
        """The number of bits needed for an action."""
        return max(1, (self.n_actions - 1).bit_length())

    def planes(self, population: Population, threads: Threads) -> Words:
        """Return the decisions of each individual [individual, plane, word]: bit `p` of an action is in plane `p`."""
        n = population.size
        decider = row_decider(self.mode)
        order = claim_order(population, self.mode)
        planes = np.zeros((n, self.n_planes, len(self.valid)), np.uint64)
        for masks in self.cache.chunks(population, threads):
            last_word = masks.first_word + masks.words.shape[1]
            part = np.zeros((n, self.n_planes, masks.words.shape[1]), np.uint64)
            valid = self.valid[masks.first_word : last_word]
            work = float(population.n_rules.sum()) * masks.words.shape[1] * decider.cost
            inputs = (decider.code, order, masks.mask_rows, masks.words, valid, self.n_actions)
            threads.run(decide_planes, n, work, population, *inputs, part)
            planes[:, :, masks.first_word : last_word] = part
        return planes

    def decisions(self, planes: Words) -> Ints:
        """Unpack planes into the action of each individual for each bit, including the bits of padding."""
        bits = np.unpackbits(planes.view(np.uint8), axis=2, bitorder="little").astype(np.int64)
        actions: Ints = (bits << np.arange(planes.shape[1])[:, None]).sum(axis=1)
        return actions


def sample_behaviours(schema: Schema, data: Floats | Panel, mode: Mode, *, n_rows: int = SAMPLE_ROWS) -> Behaviours:
    """Decide on a fixed random sample of at most `n_rows` rows of a table, or instances of a panel.

    A table is given feature by feature.
    """
    if n_rows < 1:
        raise ValueError(f"n_rows must be 1 or more, got {n_rows}")
    n_all = len(data) if isinstance(data, Panel) else data.shape[1]
    if n_all > n_rows:
        chosen = np.sort(np.random.default_rng(_SEED).choice(n_all, n_rows, replace=False))
        data = data[chosen] if isinstance(data, Panel) else data[:, chosen]
    rows = examples_of(schema, data).rows()
    return Behaviours(MaskCache(rows), rows.valid, mode, len(schema.actions))
