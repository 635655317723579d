"""Policies: rules that act as another policy does, learnt from what it would do where the rules themselves lead.

Rules that are learnt from the states a teacher visits fail in states that it never gets into. So the rules play, the
teacher says what it would have done in the states that they met, these are added, and rules are learnt again (dataset
aggregation: Ross, Gordon and Bagnell, 2011).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from evoter.analysis.formatting import percent
from evoter.analysis.intervals import mean_interval
from evoter.estimators.classifier import EvoterClassifier
from evoter.estimators.control.task import ControlTask, match_task, read_environment
from evoter.estimators.policy import EvoterPolicy
from evoter.kernels.layout import Floats, Ints
from evoter.problems.control.problem import EXPERIENCE, TEST, VALIDATION, draw_seeds
from evoter.problems.deciding import decide_columns
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema

if TYPE_CHECKING:
    from evoter.estimators.control.task import Environment

Teacher = Callable[[Any], Any]
"""A policy: what it does in a state, given one observation."""

Act = Callable[[Floats], Ints]
"""What is done in some states, by the numbers of actions."""

N_ROUNDS: Final = 5
N_EPISODES: Final = 10
N_VALIDATION: Final = 50
N_COMPARED: Final = 2_000
"""Validation states of each round about which the teacher is asked."""

MAX_STATES: Final = 8_000
"""The states that are learnt from; of more, a random choice is kept."""

PARSIMONY: Final = 0.005
"""The share of the states in which a condition must bring agreement: in most of them either action does."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round: the states that were learnt from, the size of the rules, and what they earn in validation episodes.

    `fidelity` is the share of the states that they meet there in which the teacher would do the same.
    """

    n_states: int
    n_conditions: int
    mean_return: float
    fidelity: float


@dataclass(frozen=True, slots=True, eq=False)
class PolicyTwin:
    """A policy as rules that acts as a teacher does; it is called with an observation, as the teacher is.

    `returns` and `teacher_returns` are those of the same new episodes. `fidelity` is the share of the `n_states` that
    the rules met in these episodes in which the teacher would have done the same.
    """

    policy: EvoterPolicy
    returns: Floats
    teacher_returns: Floats
    fidelity: float
    n_states: int
    rounds: tuple[Round, ...]

    @property
    def ruleset(self) -> RuleSet:
        """The rules."""
        ruleset: RuleSet = self.policy.ruleset_
        return ruleset

    def __call__(self, observation: Any) -> Any:
        """Return the action to take."""
        return self.policy(observation)

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "return": float(self.returns.mean()),
            "teacher_return": float(self.teacher_returns.mean()),
            "episodes": len(self.returns),
            "fidelity": self.fidelity,
            "states": self.n_states,
            "conditions": self.ruleset.n_conditions,
            "rounds": [
                {
                    "states": each.n_states,
                    "conditions": each.n_conditions,
                    "return": each.mean_return,
                    "fidelity": each.fidelity,
                }
                for each in self.rounds
            ],
        }

    def __repr__(self) -> str:
        own, teachers = _mean_text(self.returns), _mean_text(self.teacher_returns)
        lines = [
            f"mean return {own}; of the teacher {teachers} ({len(self.returns):,} new episodes)",
            f"the same action as the teacher in {percent(self.fidelity)} of {self.n_states:,} states",
            "",
            self.ruleset.to_text(declarations=False),
        ]
        return "\n".join(lines)


def distil_policy(
    teacher: Teacher,
    env: "Environment",
    *,
    n_rounds: int = N_ROUNDS,
    n_episodes: int = N_EPISODES,
    n_test: int = 100,
    feature_names: list[str] | None = None,
    action_names: list[str] | None = None,
    action_levels: int | None = None,
    random_state: int = 0,
    **parameters: Any,
) -> PolicyTwin:
    """Learn a policy as rules that acts as a teacher does, and compare their returns.

    Parameters
    ----------
    teacher : callable
        Takes one observation as the environment gives it and returns an action, such as
        `lambda seen: model.predict(seen, deterministic=True)[0]` for a model of stable-baselines3.
    env : str, gymnasium.Env or callable
        As for `EvoterPolicy`.
    n_rounds : int, default=5
        In the first round rules are learnt from the states that the teacher meets, in each further one also from those
        that the rules met since. The rules of the round with the best return in validation episodes are kept, of
        equally good ones those that act most as the teacher does.
    n_episodes : int, default=10
        Episodes that are played in each round to meet states; 50 others validate.
    n_test : int, default=100
        New episodes in which both are compared.
    feature_names, action_names, action_levels
        As for `EvoterPolicy`. With levels, an action of the teacher counts as the nearest.
    random_state : int, default=0
        The seed of everything.
    **parameters
        Parameters of `EvoterClassifier`, which learns the rules; `parsimony` is 0.005 by default, which is to say that
        a condition must bring agreement with the teacher in half a percent of the states.

    Returns
    -------
    PolicyTwin
        The policy with its returns beside those of the teacher.

    Examples
    --------
    >>> from evoter import distil_policy
    >>> twin = distil_policy(lambda seen: int(seen[2] + 0.3 * seen[3] > 0), "CartPole-v1", n_rounds=1, generations=5)
    >>> len(twin.ruleset.rules) <= 2, float(twin.teacher_returns.mean())
    (True, 500.0)
    """
    for name, value in (("n_rounds", n_rounds), ("n_episodes", n_episodes), ("n_test", n_test)):
        if value < 1:
            raise ValueError(f"{name} must be 1 or more, got {value!r}")
    named: dict[str, Any] = {
        "feature_names": feature_names, "action_names": action_names, "action_levels": action_levels
    }  # fmt: skip
    task = read_environment(env, **named)
    ask = _acting(teacher, task)
    seeds = draw_seeds(random_state, EXPERIENCE, n_rounds * n_episodes).reshape(n_rounds, n_episodes)
    validation = draw_seeds(random_state, VALIDATION, N_VALIDATION)
    rng = np.random.default_rng(random_state)
    states, _ = play(task, ask, seeds[0])
    states, actions = _some(rng, states, ask(states))
    rounds: list[Round] = []
    best: tuple[tuple[float, float], RuleSet] | None = None
    for number in range(n_rounds):
        rules = _learn(states, actions, task, random_state, parameters)
        act = _rules_acting(rules)
        visited, returns = play(task, act, validation)
        visited = visited[np.sort(rng.permutation(len(visited))[:N_COMPARED])]
        standing = float(returns.mean()), float(np.mean(act(visited) == ask(visited)))
        rounds.append(Round(len(states), rules.n_conditions, *standing))
        if best is None or standing > best[0]:
            best = standing, rules
        if number + 1 < n_rounds:
            met, _ = play(task, act, seeds[number + 1])
            both = np.concatenate([states, met]), np.concatenate([actions, ask(met)])
            states, actions = _some(rng, *both)
    assert best is not None
    tests = draw_seeds(random_state, TEST, n_test)
    act = _rules_acting(best[1])
    met, returns = play(task, act, tests)
    return PolicyTwin(
        EvoterPolicy.from_ruleset(best[1], env, **named),
        returns,
        play(task, ask, tests)[1],
        float(np.mean(act(met) == ask(met))),
        len(met),
        tuple(rounds),
    )


def play(task: ControlTask, act: Act, seeds: Ints) -> tuple[Floats, Floats]:
    """Play an episode for every seed; return all states that were met, a row each, and the returns."""
    batch = task.batch
    observations = batch.reset(seeds).copy()
    playing, returns, met = np.arange(len(seeds)), np.zeros(len(seeds)), []
    for _ in range(batch.max_steps):
        met.append(observations)
        after, rewards, done = batch.step(act(observations))
        returns[playing] += rewards
        alive = np.flatnonzero(~done)
        observations = after[alive].copy()
        if len(alive) == 0:
            break
        batch.keep(alive)
        playing = playing[alive]
    return np.concatenate(met), returns


def _acting(teacher: Teacher, task: ControlTask) -> Act:
    """Return what a teacher does, by the numbers of actions; it sees observations as the environment gives them."""
    levels = np.array([np.ravel(action) for action in task.actions], np.float64)

    def act(observations: Floats) -> Ints:
        numbers = np.empty(len(observations), np.int64)
        for row, observation in enumerate(observations.astype(task.observation_dtype)):
            action = np.ravel(np.asarray(teacher(observation.reshape(task.observation_shape)), np.float64))
            if action.shape != levels.shape[1:]:
                raise ValueError(
                    f"the teacher's action has {action.size} values, but actions of the environment have "
                    f"{levels.shape[1]}: return one action for one observation"
                )
            distances = np.abs(levels - action).sum(axis=1)
            numbers[row] = int(np.argmin(distances))
            if not task.has_levels and distances[numbers[row]] > 0.0:
                raise ValueError(f"the teacher's action {action.tolist()} is none of {task.actions}")
        return numbers

    return act


def _some(rng: np.random.Generator, states: Floats, actions: Ints) -> tuple[Floats, Ints]:
    """Return states and actions, a random choice where there are too many."""
    kept = np.sort(rng.permutation(len(states))[:MAX_STATES])
    return states[kept], actions[kept]


def _rules_acting(rules: RuleSet) -> Act:
    return lambda observations: decide_columns(rules, np.ascontiguousarray(observations.T)).actions


class _StateClassifier(EvoterClassifier):
    """A classifier whose rows are observations, with the names, ranges and units of their environment."""

    states: Schema

    def _describe(self, examples: Any, actions: Iterable[str]) -> tuple[Schema, Floats]:
        return Schema(self.states.features, actions), np.ascontiguousarray(examples.T)


def _learn(states: Floats, actions: Ints, task: ControlTask, seed: int, parameters: dict[str, Any]) -> RuleSet:
    """Learn rules from states and what the teacher does there, over all parts of an observation."""
    names = np.array(task.schema.actions, object)
    if len(np.unique(actions)) < 2:
        return RuleSet([], str(names[actions[0]]), task.schema)
    model = _StateClassifier(**{"random_state": seed, "parsimony": PARSIMONY, **parameters})
    model.states = task.schema
    model.fit_probabilities(states, np.eye(len(names))[actions], names.astype(str))
    # Without records of the states that rules were learnt from, which say nothing about episodes.
    return match_task(model.ruleset_, task.schema).replace(records=(), counts=None)


def _mean_text(returns: Floats) -> str:
    interval = mean_interval(returns)
    return f"{float(interval.mean):.1f} ± {float(interval.half):.1f}"
