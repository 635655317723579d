"""The first generation of policies: random rule sets that differ, and in which nothing is idle."""

from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Problem
from evoter.evolution.settings import Settings
from evoter.genome.codec import decode
from evoter.rules.model import RuleSet
from evoter.rules.simplify import simplify

LEAST_CONDITIONS = 2
"""Who reads one thing only learns little from an episode."""

MOST_DRAWS = 50
"""After so many populations there are as many as there will be."""


def draw_first_generation(problem: Problem, settings: Settings, seed: int) -> list[RuleSet]:
    """Draw up to a population of different rule sets of two conditions and more, none of which logic can spare.

    Most random rule sets are as good as none: they decide the same everywhere, or have rules that others hide. Where
    each costs episodes, they are better not tried.
    """
    found: dict[RuleSet, None] = {}
    for draw in range(MOST_DRAWS):
        drawn = Evolution(problem, settings, seed=(seed + draw) % 2**31).ask()
        for i in range(drawn.size):
            ruleset = decode(drawn, i, problem.schema, problem.mode)
            if LEAST_CONDITIONS <= ruleset.n_conditions == simplify(ruleset).n_conditions:
                found[ruleset] = None
        if len(found) >= settings.population_size:
            break
    return list(found)[: settings.population_size]
