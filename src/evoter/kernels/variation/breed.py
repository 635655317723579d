"""One generation: random at first, then children of parents chosen by tournament, each from its own stream."""

import numpy as np

from evoter.kernels.compilation import allocating_kernel, inlined_kernel
from evoter.kernels.conditions.codes import N_CODES, N_NUMBERS
from evoter.kernels.layout import (
    FIRST_NEW,
    N_NEW,
    N_RULES,
    Grammar,
    Ints,
    Offspring,
    Population,
    Rates,
    Words,
)
from evoter.kernels.random import below, seed_stream, uniform
from evoter.kernels.variation.crossover import clone, cross, random_ruleset
from evoter.kernels.variation.mutation import mutate


@inlined_kernel
def tournament(state: Words, ranks: Ints, size: int) -> int:
    """Draw `size` individuals and return the one of the best rank."""
    best = below(state, len(ranks))
    for _ in range(size - 1):
        rival = below(state, len(ranks))
        if ranks[rival] < ranks[best]:
            best = rival
    return best


@allocating_kernel
def create(first: int, last: int, seed: int, grammar: Grammar, rates: Rates, offspring: Offspring) -> None:
    """Make individuals `first` to `last` of generation 0 at random; each depends on no other and on no thread.

    It is a kernel of its own because it compiles in half the time of `breed`: the first generation is shown earlier.
    """
    state = np.empty(1, np.uint64)
    codes = np.empty((offspring.new_codes.shape[1] * 2, N_CODES), np.int64)
    numbers = np.empty((offspring.new_codes.shape[1] * 2, N_NUMBERS))
    next_new = first * offspring.rules.shape[1]
    for i in range(first, last):
        seed_stream(state, seed, 0, i)
        offspring.header[i, FIRST_NEW] = next_new
        random_ruleset(state, grammar, rates, offspring, i, codes, numbers)
        next_new += offspring.header[i, N_NEW]


@allocating_kernel
def breed(
    first: int,
    last: int,
    seed: int,
    generation: int,
    population: Population,
    ranks: Ints,
    applied: Ints,
    grammar: Grammar,
    rates: Rates,
    offspring: Offspring,
) -> None:
    """Make children `first` to `last` of a generation; what they become depends on no other child and no thread."""
    state = np.empty(1, np.uint64)
    codes = np.empty((offspring.new_codes.shape[1] * 2, N_CODES), np.int64)
    numbers = np.empty((offspring.new_codes.shape[1] * 2, N_NUMBERS))
    active = np.empty((2, population.rules.shape[1]), np.int64)
    next_new = first * offspring.rules.shape[1]
    for i in range(first, last):
        seed_stream(state, seed, generation, i)
        offspring.header[i, FIRST_NEW] = next_new
        offspring.header[i, N_RULES] = 0
        mother = tournament(state, ranks, rates.tournament_size)
        father = tournament(state, ranks, rates.tournament_size)
        if uniform(state) < rates.crossover_rate:
            cross(state, grammar, rates, population, applied, mother, father, offspring, i, codes, numbers, active)
        else:
            clone(offspring, i, population, applied, mother, active[0])
        if offspring.header[i, N_RULES] == 0:
            random_ruleset(state, grammar, rates, offspring, i, codes, numbers)
        if uniform(state) < rates.mutation_rate:
            mutate(state, grammar, rates, population.antecedents, offspring, i, codes, numbers)
        next_new += offspring.header[i, N_NEW]
