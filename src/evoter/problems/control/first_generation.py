"""The first generation of policies: random rule sets that differ, and in which no rule is idle."""

from collections.abc import Iterator

import numpy as np

from evoter.evolution.mechanisms.curriculum import Curriculum
from evoter.evolution.problem import Problem
from evoter.evolution.settings import Settings
from evoter.genome.arrays import empty_antecedents, empty_offspring, empty_population
from evoter.genome.codec import decode
from evoter.kernels.layout import Population
from evoter.kernels.pool import N_CLOCK, NEXT_SERIAL, resolve
from evoter.kernels.variation.breed import create
from evoter.problems.control.problem import FIRST_GENERATION, draw_seeds
from evoter.rules.model import RuleSet
from evoter.rules.simplify import simplify

LEAST_CONDITIONS = 2
"""A policy that reads a single value learns little from an episode."""

MOST_DRAWS = 50
"""Maximum number of random populations that rule sets are taken from."""


def draw_first_generation(problem: Problem, settings: Settings, seed: int) -> list[RuleSet]:
    """Draw up to a population of different rule sets of two conditions and more, none of which logic can spare.

    Most random rule sets are as good as none: they decide the same everywhere, or have rules that others hide. Where
    each costs episodes, they are better not tried.
    """
    found: dict[RuleSet, None] = {}
    for drawn in _random_populations(problem, settings, seed):
        for i in range(drawn.size):
            ruleset = decode(drawn, i, problem.schema, problem.mode)
            if LEAST_CONDITIONS <= ruleset.n_conditions == simplify(ruleset).n_conditions:
                found[ruleset] = None
        if len(found) >= settings.population_size:
            break
    return list(found)[: settings.population_size]


def draw_random_generation(problem: Problem, settings: Settings, seed: int) -> list[RuleSet]:
    """Draw a population of random rule sets as they come."""
    drawn = next(_random_populations(problem, settings, seed))
    return [decode(drawn, i, problem.schema, problem.mode) for i in range(drawn.size)]


def _random_populations(problem: Problem, settings: Settings, seed: int) -> Iterator[Population]:
    """Yield random populations over one pool of antecedents: each is valid until the next one is drawn."""
    size, max_rules = settings.population_size, settings.max_rules
    pool = empty_antecedents(size * max_rules, settings.max_conditions)
    offspring = empty_offspring(size, max_rules, settings.max_conditions)
    parents = empty_population(0, max_rules, pool)
    table = np.zeros(1 << (2 * size * max_rules - 1).bit_length(), np.int64)
    clock = np.zeros(N_CLOCK, np.int64)
    clock[NEXT_SERIAL] = 1
    grammar = Curriculum(problem.grammar(settings), settings).stages[0]
    for seed_of_draw in draw_seeds(seed, FIRST_GENERATION, MOST_DRAWS).tolist():
        create(0, size, seed_of_draw, grammar, settings.rates(), offspring)
        drawn = empty_population(size, max_rules, pool)
        resolve(parents, offspring, drawn, table, clock)
        yield drawn
