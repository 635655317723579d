"""One candidate of a front: best, at the knee, by weights, by validation, by its neighbours, within bounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evoter.evolution.fronts.front import Candidate, Front, make_front
from evoter.rules.model import RuleSet
from fronts import ACCURACY, OBJECTIVES, front, ruleset, with_behaviours
from laws import examples

ACCURACIES = [0.62, 0.79, 0.86, 0.91, 0.925, 0.93, 0.941, 0.95]
SIZES = [0, 1, 2, 3, 4, 6, 9, 17]
FRONT = front(ACCURACIES, SIZES)
POINTS = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=20)


def test_the_best_of_an_objective() -> None:
    assert FRONT.select().n_conditions == 17
    assert FRONT.select("best", objective="complexity").n_conditions == 0


def test_bounds() -> None:
    assert FRONT.select(at_most={"conditions": 8}).scores == {"accuracy": 0.93, "complexity": 6}
    assert FRONT.select(objective="complexity", at_least={"accuracy": 0.9}).n_conditions == 3
    assert FRONT.select(at_most={"complexity": 8, "rules": 4}, at_least={"accuracy": 0.9}).n_conditions == 4


def test_bounds_that_nobody_keeps() -> None:
    with pytest.raises(ValueError, match=r"accuracy at least 0.99 .* the most is 0.95; loosen"):
        FRONT.select(at_least={"accuracy": 0.99})
    large = Front(tuple(each for each in FRONT if each.n_conditions >= 3), OBJECTIVES)
    with pytest.raises(ValueError, match=r"conditions at most 1 .* the least is 3"):
        large.select("knee", at_most={"conditions": 1})
    with pytest.raises(ValueError, match="no objective 'condition'; did you mean 'conditions'"):
        FRONT.select(at_most={"condition": 8})


def test_the_knee() -> None:
    assert FRONT.select("knee").n_conditions == 3


@examples(300)
@given(POINTS)
def test_the_knee_is_farthest_from_the_line_between_the_ends(points: list[tuple[int, int]]) -> None:
    made = make_front([ruleset(0)] * len(points), points, OBJECTIVES)
    knee = made.select("knee")
    (a, b), (c, d) = made.scores[0], made.scores[-1]

    def below(accuracy: float, size: float) -> float:
        """Twice the area of the triangle with the ends, positive towards more accuracy and less complexity."""
        return float((a - c) * (b - size) - (b - d) * (a - accuracy))

    best = max(below(*row) for row in made.scores)
    assert below(knee.scores["accuracy"], knee.scores["complexity"]) == pytest.approx(best)


def test_weights_are_the_worth_of_a_unit() -> None:
    assert FRONT.select(weights={"accuracy": 1, "complexity": 0.0015}).n_conditions == 9
    assert FRONT.select(weights={"accuracy": 1, "complexity": 0.03}).n_conditions == 3
    assert FRONT.select("weights", weights={"complexity": 1}).n_conditions == 0
    with pytest.raises(ValueError, match="no objective 'accurcy'; did you mean 'accuracy'"):
        FRONT.select(weights={"accurcy": 1})
    with pytest.raises(ValueError, match="the weight of 'accuracy' must be a finite number, 0 or more, got -1"):
        FRONT.select(weights={"accuracy": -1})
    with pytest.raises(ValueError, match="at least one weight"):
        FRONT.select(weights={"accuracy": 0})


def test_validation_by_scores_and_by_a_function() -> None:
    scores = [0.1, 0.5, np.nan, 0.7, 0.7, 0.2, 0.2, 0.2]
    assert FRONT.select(validation=scores).n_conditions == 3, "of equal scores, the smaller rule set"
    assert FRONT.select(validation=np.array(scores), at_least={"conditions": 5}).n_conditions == 9
    asked: list[int] = []

    def validate(ruleset: RuleSet) -> float:
        asked.append(ruleset.n_conditions)
        return -abs(ruleset.n_conditions - 6)

    assert FRONT.select("validation", validation=validate, at_most={"conditions": 9}).n_conditions == 6
    assert max(asked) == 9, "only candidates within the bounds are validated"
    with pytest.raises(ValueError, match="a score for each of 8 candidates"):
        FRONT.select(validation=[1.0])


def test_neighbours() -> None:
    """The winner by score stands alone; the one with good neighbours is preferred."""
    made = front([0.90, 0.89, 0.885, 0.7, 0.6, 0.5], [9, 8, 7, 3, 2, 1])
    lonely = [[1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 1], [1, 1, 1, 0, 1, 1], [1, 1, 0, 1, 1, 1]]
    made = with_behaviours(made, [*lonely, [1, 0, 1, 1, 1, 1]])
    assert made.select().n_conditions == 9
    assert made.select("neighbours", n_neighbours=1).n_conditions == 7, "two equal means: fewer conditions"
    assert made.select("neighbours", n_neighbours=1, at_least={"conditions": 8}).n_conditions == 8
    assert made.select("neighbours", n_neighbours=99).n_conditions == 1, "everybody is everybody's neighbour"
    dear = {"accuracy": 1.0, "complexity": 1.0}
    assert made.select("neighbours", n_neighbours=1, weights=dear).n_conditions == 1, "means of what is weighed"
    with pytest.raises(ValueError, match="n_neighbours must be 1 or more"):
        made.select("neighbours", n_neighbours=0)
    with pytest.raises(ValueError, match="give each Candidate its behaviour"):
        FRONT.select("neighbours")


@examples(100)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.lists(st.integers(0, 2), min_size=4, max_size=4)), min_size=1),
    st.integers(1, 4),
)
def test_the_mean_of_neighbours_by_definition(population: list[tuple[int, list[int]]], n_neighbours: int) -> None:
    candidates = [Candidate(ruleset(0), {"accuracy": float(a)}, np.array(b, np.int8)) for a, b in population]
    made = Front(tuple(candidates), (ACCURACY,))

    def mean(i: int) -> float:
        others = [j for j in range(len(population)) if j != i]
        others.sort(key=lambda j: sum(a != b for a, b in zip(population[i][1], population[j][1], strict=True)))
        return float(np.mean([population[j][0] for j in [i, *others[:n_neighbours]]]))

    chosen = made.select("neighbours", n_neighbours=n_neighbours)
    assert max(map(mean, range(len(population)))) == pytest.approx(mean([c is chosen for c in candidates].index(True)))


def test_ways_that_contradict_each_other() -> None:
    with pytest.raises(ValueError, match="unknown way to select 'kne'; did you mean 'knee'"):
        FRONT.select("kne")
    with pytest.raises(ValueError, match="does not use weights"):
        FRONT.select("knee", weights={"accuracy": 1})
    with pytest.raises(ValueError, match="needs validation="):
        FRONT.select("validation")
    with pytest.raises(ValueError, match="weights or validation, not both"):
        FRONT.select(weights={"accuracy": 1}, validation=[1.0] * 8)
    with pytest.raises(ValueError, match="no objective 'size'"):
        FRONT.select(objective="size")
    with pytest.raises(ValueError, match="no candidates"):
        Front((), OBJECTIVES).select()


@pytest.mark.parametrize("by", ["best", "knee", "weights"])
def test_scores_that_are_no_numbers_are_never_chosen(by: str) -> None:
    rows = [
        {"accuracy": np.nan, "complexity": 0.0},
        {"accuracy": 0.1, "complexity": 9.0},
        {"accuracy": -np.inf, "complexity": 1.0},
    ]
    made = Front(tuple(Candidate(ruleset(n), row) for n, row in enumerate(rows)), OBJECTIVES)
    weights = {"accuracy": 1.0} if by == "weights" else None
    assert made.select(by, weights=weights) is made[1]
