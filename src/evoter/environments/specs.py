"""What is known of some environments: names for what a policy reads and does, and batches that are compiled."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evoter.environments.batch import BatchEnvironment
from evoter.environments.cart_pole import BatchCartPole
from evoter.environments.flappy_batch import BatchFlappyBird

FLAPPY_BIRD = "evoter/FlappyBird"


@dataclass(frozen=True, slots=True)
class Known:
    """The names of an environment's observations with their units, the names of its actions, and its compiled batch."""

    features: tuple[str, ...]
    units: tuple[str, ...]
    actions: tuple[str, ...]
    batch: Callable[[int], BatchEnvironment] | None = None


KNOWN: Mapping[str, Known] = {
    "CartPole": Known(
        ("position.of.cart", "velocity.of.cart", "angle.of.pole", "rotation.rate.of.pole"),
        ("m", "m/s", "rad", "rad/s"),
        ("Left", "Right"),
        BatchCartPole,
    ),
    FLAPPY_BIRD: Known(
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
    ),
    "MountainCar": Known(("position", "velocity"), ("m", "m/step"), ("Left", "Coast", "Right")),
    "MountainCarContinuous": Known(("position", "velocity"), ("m", "m/step"), ()),
    "Acrobot": Known(
        ("cos.angle.1", "sin.angle.1", "cos.angle.2", "sin.angle.2", "rotation.rate.1", "rotation.rate.2"),
        ("", "", "", "", "rad/s", "rad/s"),
        ("Torque left", "No torque", "Torque right"),
    ),
    "Pendulum": Known(("cos.angle", "sin.angle", "rotation.rate"), ("", "", "rad/s"), ()),
    "LunarLander": Known(
        ("x", "y", "x.velocity", "y.velocity", "angle", "rotation.rate", "left.leg.contact", "right.leg.contact"),
        ("m", "m", "m/s", "m/s", "rad", "rad/s", "", ""),
        ("Coast", "Left engine", "Main engine", "Right engine"),
    ),
}
"""By the name of an environment without its version."""


def known(environment_id: str) -> Known | None:
    """Return what is known of the environment with an id such as CartPole-v1.

    >>> known("CartPole-v1").actions
    ('Left', 'Right')
    """
    return KNOWN.get(environment_id.rpartition("-v")[0])
