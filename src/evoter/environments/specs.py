"""Specifications of some environments: names of observations and actions, compiled batches, and targets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evoter.environments.batch import BatchEnvironment
from evoter.environments.cart_pole import BatchCartPole
from evoter.environments.flappy_batch import BatchFlappyBird

FLAPPY_BIRD = "evoter/FlappyBird"


@dataclass(frozen=True, slots=True)
class EnvironmentSpec:
    """The names of an environment's observations with their units, the names of its actions, and its compiled batch.

    `reward_per_step` is what each step that goes well is worth, where an episode can go well until its last step: such
    an environment is solved by an episode of full length. For others it is None, and gymnasium's threshold is the
    target.
    """

    features: tuple[str, ...]
    units: tuple[str, ...]
    actions: tuple[str, ...]
    batch: Callable[[int], BatchEnvironment] | None = None
    reward_per_step: float | None = None


SPECS: Mapping[str, EnvironmentSpec] = {
    "CartPole": EnvironmentSpec(
        ("position.of.cart", "velocity.of.cart", "angle.of.pole", "rotation.rate.of.pole"),
        ("m", "m/s", "rad", "rad/s"),
        ("Left", "Right"),
        BatchCartPole,
        reward_per_step=1.0,
    ),
    FLAPPY_BIRD: EnvironmentSpec(
        (
            "player.y",
            "player.vel",
            "next.pipe.dist.to.player",
            "next.pipe.top.y",
            "next.pipe.bottom.y",
            "next.next.pipe.dist.to.player",
            "next.next.pipe.top.y",
            "next.next.pipe.bottom.y",
        ),
        ("px", "px/frame", "px ahead", "px", "px", "px ahead", "px", "px"),  # heights and distances do not compare
        ("No flap", "Flap"),
        BatchFlappyBird,
        reward_per_step=1.0,
    ),
    "MountainCar": EnvironmentSpec(("position", "velocity"), ("m", "m/step"), ("Left", "Coast", "Right")),
    "MountainCarContinuous": EnvironmentSpec(("position", "velocity"), ("m", "m/step"), ()),
    "Acrobot": EnvironmentSpec(
        ("cos.angle.1", "sin.angle.1", "cos.angle.2", "sin.angle.2", "rotation.rate.1", "rotation.rate.2"),
        ("", "", "", "", "rad/s", "rad/s"),
        ("Torque left", "No torque", "Torque right"),
    ),
    "Pendulum": EnvironmentSpec(("cos.angle", "sin.angle", "rotation.rate"), ("", "", "rad/s"), ()),
    "LunarLander": EnvironmentSpec(
        ("x", "y", "x.velocity", "y.velocity", "angle", "rotation.rate", "left.leg.contact", "right.leg.contact"),
        ("m", "m", "m/s", "m/s", "rad", "rad/s", "", ""),
        ("Coast", "Left engine", "Main engine", "Right engine"),
    ),
}
"""By the name of an environment without its version."""


def find_spec(environment_id: str) -> EnvironmentSpec | None:
    """Return the specification of the environment with an id such as CartPole-v1, None if there is none.

    >>> find_spec("CartPole-v1").actions
    ('Left', 'Right')
    """
    return SPECS.get(environment_id.rpartition("-v")[0])
