"""Of equal children one is evaluated, and without a oversampling nothing changes."""

from evoter.evolution.engine import Evolution
from evoter.genome.arrays import join
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse
from tasks import SMALL, decoded, mixed_problem, plain_problem

PROBLEM = plain_problem(0)


def first_children(texts: list[str], oversampling: int) -> list[RuleSet]:
    """What is evaluated first when a run starts from some rule sets."""
    start = [parse(text).replace(schema=PROBLEM.schema) for text in texts]
    evolution = Evolution(PROBLEM, SMALL.replace(oversampling=oversampling), warm_start=start)
    return decoded(evolution, evolution.ask())


def test_of_equal_children_one_is_left() -> None:
    texts = [f"x > {constant} -> {action}; Default -> no" for constant in (0.5, 0.25) for action in ("yes", "no")]
    texts.append("x > 0.5 -> yes; Default -> yes")
    repeated = [*texts[:2], *texts]
    plain = first_children(repeated, 1)[: len(repeated)]
    distinct = first_children(repeated, 2)[: len(texts)]
    assert plain[2:] == distinct == [parse(text).replace(schema=PROBLEM.schema) for text in texts]


def test_those_who_survive_are_not_bred_again() -> None:
    evolution = Evolution(
        PROBLEM, SMALL.replace(max_rules=1, max_conditions=1, comparison_rate=0.0, sum_rate=0.0, oversampling=6), seed=1
    )
    evolution.step()
    for _ in range(3):
        elite = set(evolution.leaders(SMALL.n_elites))
        assert not elite & set(decoded(evolution, evolution.ask()))
        evolution.step()


def test_repeated_children_fill_up_where_there_are_no_others() -> None:
    settings = SMALL.replace(
        population_size=200, max_rules=1, max_conditions=1, comparison_rate=0.0, sum_rate=0.0, oversampling=2
    )
    tiny = plain_problem(0, n_rows=3)
    children = Evolution(tiny, settings).ask()
    assert children.size == 200
    assert len(set(decoded(Evolution(tiny, settings), children))) < 200


def test_hardly_any_individual_is_there_twice() -> None:
    """Rules of one condition with few constants repeat soon."""
    settings = SMALL.replace(max_rules=2, max_conditions=1, n_refined=2, refinement_interval=1, oversampling=4)
    evolutions = {n: Evolution(mixed_problem(1), settings.replace(oversampling=n), seed=3) for n in (1, 4)}
    n_distinct = {}
    for n, evolution in evolutions.items():
        for _ in range(4):
            evolution.step()
        assert evolution.population.size == settings.population_size
        n_distinct[n] = len(set(decoded(evolution, evolution.population)))
    assert n_distinct[1] < n_distinct[4] == settings.population_size


def test_children_share_the_pool_of_their_parents() -> None:
    """Neither those that are evaluated nor those that are dropped overwrite what the parents or each other refer to."""
    evolution = Evolution(mixed_problem(1), SMALL.replace(oversampling=2), seed=3)
    evolution.step()
    for _ in range(3):
        parents = decoded(evolution, evolution.population)
        children = evolution.ask()
        both = join(evolution.population, children)
        assert decoded(evolution, both) == parents + decoded(evolution, children)
        assert both.size == 2 * SMALL.population_size - SMALL.n_elites
        evolution.step()
