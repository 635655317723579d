"""The sizes of rule sets, and the cost of the features that their conditions read."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, entry_kernel
from evoter.kernels.conditions.codes import LEFT, RIGHT
from evoter.kernels.layout import N_CONDITIONS, N_RULES, SIZE, SLOT, Floats, Ints, Population


@allocating_kernel
def price_features(population: Population, applied: Ints, prices: Floats, costs: Floats) -> None:
    """Write the cost of each individual, given a price per feature; rules that hold on no row are free."""
    pool = population.antecedents
    paid_by = np.full(len(prices), -1)
    for i in range(len(population.header)):
        cost = 0.0
        for r in range(population.header[i, N_RULES]):
            if applied[i, r] == 0:
                continue
            slot = population.rules[i, r, SLOT]
            for c in range(pool.facts[slot, N_CONDITIONS]):
                for side in (LEFT, RIGHT):
                    feature = pool.codes[slot, c, side]
                    if feature >= 0 and paid_by[feature] != i:
                        paid_by[feature] = i
                        cost += prices[feature]
        costs[i] = cost


@entry_kernel
def measure_sizes(population: Population, applied: Ints, n_rules: Floats, n_conditions: Floats) -> None:
    """Write the number of rules of each individual and what its conditions count; rules without rows do not count."""
    facts = population.antecedents.facts
    for i in range(len(population.header)):
        rules = 0
        conditions = 0
        for r in range(population.header[i, N_RULES]):
            if applied[i, r] > 0:
                rules += 1
                conditions += facts[population.rules[i, r, SLOT], SIZE]
        n_rules[i] = rules
        n_conditions[i] = conditions
