"""What a policy is to control, read from a gymnasium environment: names, ranges, actions and a batch to play in."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from evoter.environments.batch import BatchEnvironment
from evoter.environments.specs import FLAPPY_BIRD, EnvironmentSpec, find_spec
from evoter.rules.errors import did_you_mean
from evoter.rules.model import RuleSet
from evoter.rules.modes import Task, check_mode
from evoter.rules.schema import Feature, Schema

if TYPE_CHECKING:
    import gymnasium

    Environment = str | gymnasium.Env[Any, Any] | Callable[[], gymnasium.Env[Any, Any]]

UNLIMITED = 1_000
"""Steps of an episode where the environment sets no limit."""

UNBOUNDED = 1e9
"""A range as wide as this is none."""


@dataclass(frozen=True)
class ControlTask:
    """An environment as evolution needs it.

    `actions` are what the environment calls the schema's actions, levels of continuous ones if it `has_levels`;
    `target` is the return at which it counts as solved, None if it is not known. Observations in the batch are flat
    rows of floats; `observation_shape` and `observation_dtype` are those of the environment.
    """

    name: str
    schema: Schema
    actions: list[Any]
    batch: BatchEnvironment
    target: float | None
    has_levels: bool = False
    observation_shape: tuple[int, ...] = (-1,)
    observation_dtype: str = "float64"


def read_environment(
    environment: "Environment",
    *,
    max_lag: int = 0,
    feature_names: Sequence[str] | None = None,
    units: Mapping[str, str] | None = None,
    action_names: Sequence[str] | None = None,
    action_levels: int | None = None,
) -> ControlTask:
    """Describe an environment, given by its id, by an example that gymnasium can make again, or by what makes it.

    Observations are a box of any shape. Actions are discrete, or a box of which each dimension is cut into
    `action_levels` levels.
    """
    make = _maker(environment)
    example = make()
    spec = example.spec
    facts = None if spec is None else find_spec(spec.id)
    limit = None if spec is None else spec.max_episode_steps
    max_steps = UNLIMITED if limit is None else limit
    actions, default_names = _actions(example.action_space, action_levels)
    if facts is not None and len(facts.actions) == len(actions):
        default_names = list(facts.actions)
    features = _features(example.observation_space, facts, feature_names, units)
    schema = Schema(features, default_names if action_names is None else action_names, max_lag)
    if len(schema.actions) != len(actions):
        raise ValueError(f"action_names has {len(schema.actions)} names, but there are {len(actions)} actions")
    batch: BatchEnvironment
    target = None if spec is None else spec.reward_threshold
    if facts is not None and facts.batch is not None and _is_plain(spec):
        batch = facts.batch(max_steps)
        if facts.reward_per_step is not None:
            target = facts.reward_per_step * max_steps
    else:
        from evoter.environments.gymnasium_batch import GymnasiumBatch

        batch = GymnasiumBatch(make, np.array(actions), max_steps)
    space = example.observation_space
    example.close()
    return ControlTask(
        name="" if spec is None else spec.id,
        schema=schema,
        actions=actions,
        batch=batch,
        target=target,
        has_levels=action_levels is not None,
        observation_shape=tuple(space.shape or ()),
        observation_dtype=str(space.dtype),
    )


def _maker(environment: "Environment") -> "Callable[[], gymnasium.Env[Any, Any]]":
    try:
        import gymnasium
    except ImportError as error:
        raise ImportError("policies need gymnasium: pip install 'evoter[control]'") from error
    if isinstance(environment, str):
        if environment.startswith(FLAPPY_BIRD):
            import evoter.environments.flappy_bird  # noqa: F401 (registers itself)
        return partial(gymnasium.make, gymnasium.spec(environment))
    if isinstance(environment, gymnasium.Env):
        if environment.spec is None:
            kind = type(environment.unwrapped).__name__
            raise ValueError(f"gymnasium cannot make this {kind} again: give what makes it, such as lambda: {kind}()")
        return partial(gymnasium.make, environment.spec)
    if callable(environment):
        return environment
    raise TypeError(f"env is an id, an environment or a function that makes one, not {type(environment).__name__}")


def _is_plain(spec: "gymnasium.envs.registration.EnvSpec | None") -> bool:
    """Tell whether an environment is as it was published, so that a compiled batch may replace it."""
    return spec is not None and not spec.additional_wrappers and not set(spec.kwargs) - {"render_mode"}


def _features(
    space: "gymnasium.Space[Any]",
    facts: EnvironmentSpec | None,
    feature_names: Sequence[str] | None,
    units: Mapping[str, str] | None,
) -> list[Feature]:
    from gymnasium.spaces import Box

    if not isinstance(space, Box):
        raise ValueError(f"observations must be a Box of numbers, not {space}: flatten them with a gymnasium wrapper")
    size = int(np.prod(space.shape))
    known_names = facts.features if facts is not None and len(facts.features) == size else None
    names = feature_names or known_names or [f"x{k}" for k in range(size)]
    if len(names) != size:
        raise ValueError(f"feature_names has {len(names)} names, but observations have {size} values")
    if units is None:
        units = dict(zip(names, facts.units, strict=True)) if facts is not None and known_names else {}
    for name in units:
        if name not in names:
            raise ValueError(f"units has the feature {name!r}{did_you_mean(name, names)}; known: {', '.join(names)}")
    bounds = zip(np.ravel(space.low).tolist(), np.ravel(space.high).tolist(), strict=True)
    return [
        Feature(name, low=_bound(low), high=_bound(high), unit=units.get(name, ""))
        for name, (low, high) in zip(names, bounds, strict=True)
    ]


def _bound(bound: float) -> float | None:
    return None if abs(bound) >= UNBOUNDED else bound


def _actions(space: "gymnasium.Space[Any]", levels: int | None) -> tuple[list[Any], list[str]]:
    from gymnasium.spaces import Box, Discrete

    if isinstance(space, Discrete):
        if levels is not None:
            raise ValueError(
                f"action_levels={levels} has no effect here, since the environment's actions are {space}, which are "
                "discrete already: leave action_levels out"
            )
        numbers = [int(space.start) + k for k in range(int(space.n))]
        return list(numbers), [str(number) for number in numbers]
    if isinstance(space, Box) and levels is not None:
        grids = [
            np.linspace(low, high, levels) for low, high in zip(space.low.ravel(), space.high.ravel(), strict=True)
        ]
        chosen = [np.array(values, space.dtype).reshape(space.shape) for values in itertools.product(*grids)]
        return list(chosen), [", ".join(f"{value:g}" for value in action.ravel()) for action in chosen]
    advice = "set action_levels to cut them into levels" if isinstance(space, Box) else "discrete actions are needed"
    raise ValueError(f"the environment's actions are {space}: {advice}")


def match_task(ruleset: RuleSet, schema: Schema) -> RuleSet:
    """Return given rules over all parts of an observation, in their order, and the actions of an environment.

    Features and actions are found by name; what the rules declare about a feature stays as they say.
    """
    check_mode(ruleset.mode, Task.CONTROL)
    for what, names, known in (
        ("read", ruleset.features_used, schema.names),
        ("take the action", _actions_taken(ruleset), schema.actions),
    ):
        for name in names:
            if name not in known:
                listed = ", ".join((*schema.names, *schema.actions))
                raise ValueError(f"the rules {what} {name!r}, but are not about this environment, which has {listed}")
    own = ruleset.schema
    features = [own.feature(name) if name in own else schema.feature(name) for name in schema.names]
    return ruleset.replace(schema=Schema(features, schema.actions, max(own.max_lag, schema.max_lag)))


def _actions_taken(ruleset: RuleSet) -> list[str]:
    return list(dict.fromkeys([*(rule.action for rule in ruleset.rules), ruleset.default]))
