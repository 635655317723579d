"""Many classes: the few that an individual can predict, numbered within each individual."""

import numpy as np

from evoter.kernels.layout import ACTION, DEFAULT, Ints, Population


def renumbered(population: Population) -> tuple[Population, Ints]:
    """Return a population whose actions are numbered within each individual, and the action of each number, or -1.

    Actions that an individual does not have get no number; the others keep their order.
    """
    used = np.arange(population.max_rules) < population.n_rules[:, None]
    defaults = population.header[:, DEFAULT, None]
    actions = np.hstack([np.where(used, population.rules[:, :, ACTION], defaults), defaults])
    order = np.argsort(actions, axis=1, kind="stable")
    ascending = np.take_along_axis(actions, order, axis=1)
    is_new = np.diff(ascending, axis=1, prepend=-1) > 0
    numbers = np.empty_like(actions)
    np.put_along_axis(numbers, order, np.cumsum(is_new, axis=1) - 1, axis=1)
    known = np.full((population.size, int(is_new.sum(axis=1).max(initial=1))), -1, np.int64)
    individuals, places = np.nonzero(is_new)
    known[individuals, (np.cumsum(is_new, axis=1) - 1)[individuals, places]] = ascending[individuals, places]
    rules, header = population.rules.copy(), population.header.copy()
    rules[:, :, ACTION], header[:, DEFAULT] = numbers[:, :-1], numbers[:, -1]
    return population._replace(rules=rules, header=header), known
