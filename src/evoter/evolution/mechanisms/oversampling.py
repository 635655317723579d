"""Oversampling: more children are bred than evaluated, so that no rule set is evaluated twice."""

import numpy as np

from evoter.genome.arrays import join, pick
from evoter.kernels.layout import DEFAULT, Ints, Population


def pick_distinct(children: Population, survivors: Population, n: int) -> Population:
    """Return the first `n` children that differ from each other and from the survivors.

    If there are too few, duplicates follow. Equal antecedents lie in one slot of the pool that both populations share.
    """
    everyone = _rows(join(survivors, children))
    first = np.unique(everyone, axis=0, return_index=True)[1]
    new = np.sort(first[first >= survivors.size]) - survivors.size
    repeated = np.setdiff1d(np.arange(children.size), new)
    return pick(children, np.concatenate([new, repeated])[:n])


def _rows(population: Population) -> Ints:
    """Return a row of numbers for each individual that is equal where individuals are."""
    used = np.arange(population.max_rules) < population.n_rules[:, None]
    rules = np.where(used[:, :, None], population.rules, -1).reshape(population.size, -1)
    certainties = np.where(used, population.certainties, 0.0).view(np.int64)
    defaults = population.default_certainties[:, None].view(np.int64)
    return np.hstack([population.header[:, [DEFAULT]], rules, certainties, defaults])
