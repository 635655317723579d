"""The first generation of policies: random rule sets that differ, and in which nothing is idle."""

from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Problem
from evoter.evolution.settings import Settings
from evoter.genome.codec import decode
from evoter.rules.model import RuleSet
from evoter.rules.simplify import simplify

LEAST_CONDITIONS = 2
"""Who reads one thing only learns little from an episode."""

MOST_RULESETS = 300
"""No more are drawn: in a large population there are good ones enough, and to look for more would take seconds."""

MOST_DRAWS = 50
"""After so many populations there are as many as there will be."""


def draw_first_generation(problem: Problem, settings: Settings, seed: int) -> list[RuleSet]:
    """Draw different rule sets of two conditions and more, none of which logic can spare, to begin a population with.

    Most random rule sets are as good as none: they decide the same everywhere, or have rules that others hide. Where
    each costs episodes, they are better not tried.
    """
    found: dict[RuleSet, None] = {}
    enough = min(settings.population_size, MOST_RULESETS)
    for draw in range(MOST_DRAWS):
        drawn = Evolution(problem, settings, seed=(seed + draw) % 2**31).ask()
        for i in range(drawn.size):
            ruleset = decode(drawn, i, problem.schema, problem.mode)
            if len(found) >= enough:
                return list(found)
            if LEAST_CONDITIONS <= ruleset.n_conditions == simplify(ruleset).n_conditions:
                found[ruleset] = None
    return list(found)
