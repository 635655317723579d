"""Surrogates that learn from the population's own steps, and again from those of its best."""

from typing import Any

import pytest

from evoter import EvoterPolicy
from evoter.estimators.control.surrogate_training import LastGeneration, SurrogateTraining
from evoter.estimators.control.task import read_environment
from evoter.problems.control.exploration import explore
from evoter.problems.control.problem import ControlProblem, draw_seeds
from evoter.rules.guardrails.guardrails import Guardrails
from evoter.rules.model import RuleSet
from evoter.rules.parser import parse


def cart_pole_training() -> tuple[SurrogateTraining, RuleSet]:
    task = read_environment("CartPole-v1")
    explored = explore(task.batch, 2, draw_seeds(1, 0, 10)).first(100)
    rails = Guardrails(task.schema, ControlProblem.mode)
    training = SurrogateTraining(task, "linear", explored.observations, explored, n_episodes=5, guardrails=rails)
    rules = parse("angle.of.pole > 0 -> Right; Default -> Left", task.schema)
    return training, rules


def test_it_learns_again_from_all_steps() -> None:
    training, rules = cart_pole_training()
    before = training.problem
    training.learn_from([rules, rules], draw_seeds(2, 0, 2), 30)
    assert len(training.examples.actions) == 130
    assert training.problem is not before
    seeds = draw_seeds(3, 0, 4)
    returns = [problem.try_out([rules], seeds).returns for problem in (before, training.problem)]
    assert (returns[0] != returns[1]).any(), "other examples make another surrogate"
    assert before.constants("angle.of.pole") == training.problem.constants("angle.of.pole")


def test_without_a_generation_there_are_no_leaders() -> None:
    assert LastGeneration().leaders(3) == []


def test_the_whole_loop_solves_cart_pole_and_repeats_itself() -> None:
    parameters: dict[str, Any] = {
        "surrogate": "linear",
        "examples_from": "policies",
        "retrain_after": 2,
        "generations": 8,
    }
    runs = [EvoterPolicy("CartPole-v0", random_state=5, **parameters).fit() for _ in range(2)]
    assert runs[0].ruleset_ == runs[1].ruleset_
    assert runs[0].score(20) > 150


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"examples_from": "policies"}, "examples_from='policies' has no effect here, since it needs a surrogate"),
        ({"retrain_after": 3}, "retrain_after=3 has no effect here"),
        ({"surrogate": "linear", "retrain_after": 3, "restart_after": 4}, "retrain_after and restart_after cannot be"),
        ({"surrogate": "linear", "retrain_after": 3, "checkpoint": "x"}, "retrain_after and checkpoint cannot be"),
    ],
)
def test_what_has_no_effect_is_refused(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EvoterPolicy("CartPole-v1", **parameters).fit()
