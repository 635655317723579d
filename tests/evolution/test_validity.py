"""Numbers that evolution cannot have written never reach compiled code, which would trust them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evoter.evolution.checkpoint import Checkpoint, CheckpointError
from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Evaluation
from evoter.evolution.stopping import Generations
from evoter.kernels.conditions.codes import (
    CONSTANT,
    EQ,
    IN,
    LE,
    LEFT,
    LEFT_LAG,
    LEFT_POWER,
    OPERATOR,
    RIGHT,
    RIGHT_NUMBER,
    RIGHT_POWER,
    SUM_CONSTANT,
    SUMMED,
)
from evoter.kernels.layout import (
    ACTION,
    COMPLEXITY,
    DEFAULT,
    N_CONDITIONS,
    N_RULES,
    SIZE,
    SLOT,
    Antecedents,
    Floats,
    Ints,
)
from evoter.rules.model import Condition, Rule, RuleSet, Term
from tasks import MIXED, SMALL, mixed_problem, plain_problem

START = RuleSet([Rule([Condition(Term("colour"), "=", "red"), Condition(Term("a"), "<", 0.5)], "yes")], "no", MIXED)


def new_run() -> Evolution:
    return Evolution(mixed_problem(1), SMALL, seed=5, warm_start=[START])


def with_condition(checkpoint: Checkpoint, change: Callable[[Any, Any], None]) -> Checkpoint:
    """Change the first condition of the first antecedent, which is about the colour."""
    pool = checkpoint.population.antecedents
    pool.codes[0, 0, RIGHT] = CONSTANT
    change(pool.codes[0, 0], pool.numbers[0, 0])
    return checkpoint


def changed(**changes: object) -> Callable[[Checkpoint], Checkpoint]:
    def change(checkpoint: Checkpoint) -> Checkpoint:
        parts: dict[str, Any] = {"population": checkpoint.population, "evaluation": checkpoint.evaluation}
        for name, value in changes.items():
            part = "evaluation" if name in Evaluation._fields else "population"
            parts[part] = parts[part]._replace(**{name: value})
        facts = {name: getattr(checkpoint, name) for name in Checkpoint.__slots__}
        return Checkpoint(**{**facts, **parts})

    return change


def written(array: str, place: tuple[int, ...], value: float) -> Callable[[Checkpoint], Checkpoint]:
    def change(checkpoint: Checkpoint) -> Checkpoint:
        pool = checkpoint.population.antecedents
        arrays = {**checkpoint.population._asdict(), **pool._asdict(), **checkpoint.evaluation._asdict()}
        arrays[array][place] = value
        return checkpoint

    return change


def coded(place: int, code: int) -> Callable[[Checkpoint], Checkpoint]:
    return lambda checkpoint: with_condition(checkpoint, lambda codes, numbers: codes.__setitem__(place, code))


def numbered(number: float, column: int = RIGHT_NUMBER) -> Callable[[Checkpoint], Checkpoint]:
    return lambda checkpoint: with_condition(checkpoint, lambda codes, numbers: numbers.__setitem__(column, number))


def as_sum(feature: int, operator: int, coefficient: float) -> Callable[[Checkpoint], Checkpoint]:
    """A sum of the first feature, which is numeric, and another."""

    def change(codes: Ints, numbers: Floats) -> None:
        codes[[LEFT, OPERATOR, RIGHT, RIGHT_POWER]] = 0, operator, feature, SUMMED
        numbers[:] = 1.0, coefficient, 3.0

    return lambda checkpoint: with_condition(checkpoint, change)


def as_set(low: float, high: float) -> Callable[[Checkpoint], Checkpoint]:
    def change(codes: Ints, numbers: Floats) -> None:
        codes[OPERATOR] = IN
        numbers[:] = low, high, 0.0

    return lambda checkpoint: with_condition(checkpoint, change)


DAMAGES = {
    "too few individuals": (changed(header=np.zeros((2, 3), np.int64)), "header as int64 of shape"),
    "floats for ints": (changed(header=np.zeros((SMALL.population_size, 3))), "header as float64 of shape"),
    "wrong byte order": (
        changed(default_certainties=np.ones(SMALL.population_size, ">f8")),
        "default_certainties as >f8",
    ),
    "too many scores": (changed(scores=np.zeros((SMALL.population_size, 2))), "scores as float64 of shape"),
    "counts of other width": (
        changed(times_applied=np.zeros((SMALL.population_size, 1), np.int64)),
        "times_applied as",
    ),
    "too many rules": (written("header", (0, N_RULES), 1_000), "a number of rules outside 0 to 6"),
    "fewer than no rules": (written("header", (0, N_RULES), -1), "a number of rules outside 0 to 6"),
    "unknown default": (written("header", (0, DEFAULT), 3), "a default outside 0 to 2"),
    "unknown action": (written("rules", (0, 0, ACTION), -1), "an action outside 0 to 2"),
    "slot beyond the pool": (written("rules", (0, 0, SLOT), 10**9), "a slot outside 0 to"),
    "negative slot": (written("rules", (0, 0, SLOT), -1), "a slot outside 0 to"),
    "wrong complexity": (written("header", (0, COMPLEXITY), 1_000), "a count of conditions that is wrong"),
    "no certainty": (written("certainties", (0, 0), 0.0), "a certainty that is not above 0 and at most 1"),
    "certainty NaN": (written("default_certainties", (0,), np.nan), "a certainty that is not above 0 and at most 1"),
    "too many conditions": (written("facts", (0, N_CONDITIONS), 99), "a number of conditions outside 1 to 4"),
    "no conditions": (written("facts", (0, N_CONDITIONS), 0), "a number of conditions outside 1 to 4"),
    "unknown feature": (coded(LEFT, 11), "a feature outside 0 to 10"),
    "unknown trailing feature": (coded(RIGHT, -2), "a trailing feature outside -1 to 10"),
    "unknown operator": (coded(OPERATOR, 10), "an operator outside 0 to 9"),
    "unknown category in a set": (as_set(9.0, 0.0), "a set of categories that the schema does not list"),
    "half a category in a set": (as_set(0.5, 0.0), "a set of categories that the schema does not list"),
    "category beyond the first number of a set": (
        as_set(1.0, 1.0),
        "a set of categories that the schema does not list",
    ),
    "empty set": (as_set(0.0, 0.0), "an empty set of categories"),
    "unknown power": (coded(LEFT_POWER, 4), "a power outside 1 to 3"),
    "unknown trailing power": (coded(RIGHT_POWER, 0), "a power outside 1 to 3"),
    "lag": (coded(LEFT_LAG, 1), "a lag outside 0 to 0"),
    "unknown category": (numbered(3.0), "a category that the schema does not list"),
    "half a category": (numbered(0.5), "a category that the schema does not list"),
    "constant of a sum": (numbered(3.0, SUM_CONSTANT), "the constant of a sum in a condition that is none"),
    "sum for equality": (as_sum(1, EQ, 0.5), "a condition that makes no sense: a sum of 'a' and"),
    "sum of one feature": (as_sum(0, LE, 0.5), "a condition that makes no sense: a sum reads two features"),
    "sum without a coefficient": (as_sum(1, LE, 0.0), "a condition that makes no sense: feature"),
    "sum that counts as one": (as_sum(1, LE, 0.5), "an antecedent that counts for more or less than its conditions"),
    "size of an antecedent": (written("facts", (0, SIZE), 99), "an antecedent that counts for more or less"),
    "infinite constant": (numbered(np.inf), "a number that is not finite"),
    "order of categories": (coded(OPERATOR, 2), "a condition that makes no sense: 'colour' is categorical"),
    "category against number": (coded(RIGHT, 0), "a condition that makes no sense: 'colour' is categorical"),
}


@pytest.mark.parametrize(("damage", "message"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_state_is_refused(damage: Callable[[Checkpoint], Checkpoint], message: str) -> None:
    evolution = new_run()
    evolution.run(Generations(0))
    state = evolution.state()
    new_run().restore(state)
    with pytest.raises(CheckpointError, match=f"it holds {message}.*: delete the file to start again"):
        new_run().restore(damage(state))


def test_more_antecedents_than_rules_are_refused() -> None:
    evolution = new_run()
    evolution.run(Generations(0))
    state = evolution.state()
    pool = state.population.antecedents
    facts, codes, numbers = (np.repeat(array, 100, axis=0) for array in pool)
    many = Antecedents(facts, codes, numbers)  # type: ignore[arg-type]
    with pytest.raises(CheckpointError, match="antecedents, more than there are rules"):
        new_run().restore(changed(antecedents=many)(state))


@pytest.mark.parametrize("name", Evaluation._fields)
def test_an_evaluation_of_other_shape_is_refused(name: str) -> None:
    evolution = Evolution(plain_problem(0), SMALL)
    children = evolution.ask()
    evaluation = evolution.problem.evaluate(children, evolution.threads, 0)
    odd = evaluation._replace(**{name: getattr(evaluation, name)[:-1]})
    with pytest.raises(ValueError, match=rf"the evaluation's {name} must have the shape \(40.*got \(39"):
        evolution.tell(children, odd)
