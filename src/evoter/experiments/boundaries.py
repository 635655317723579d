"""Decision boundaries: the paper's cart-pole rule over two features, and models that learn it from examples."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import evoter
from evoter.experiments.classification.table_models import count_all_nodes, count_nodes, count_parameters
from evoter.experiments.runners import Outcome
from evoter.problems.deciding import decide_columns
from evoter.rules.model import RuleSet
from evoter.tables import encode

LEGEND = "where velocity.of.cart: numeric [-2..2]; angle.of.pole: numeric [-0.4..0.4]; actions: Left | Right"
RULES = {
    "linear": f"0.11*velocity.of.cart < 0.87*angle.of.pole -> Left; Default -> Right; {LEGEND}",
    "cubic": f"0.11*velocity.of.cart^3 < 0.87*angle.of.pole -> Left; Default -> Right; {LEGEND}",
}
"""The paper's rule without and with its power."""

N_STEPS = 200
"""Number of grid points along each axis."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The probability of Right at each point of the plane, the share of wrong decisions there, and the model's size."""

    shares: NDArray[np.float64]
    wrong: float
    size: int


def plane() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return velocities and angles of a grid of points, both arrays [angle, velocity]."""
    velocity, angle = np.meshgrid(np.linspace(-2, 2, N_STEPS), np.linspace(-0.4, 0.4, N_STEPS))
    return velocity, angle


def surfaces(name: str, seed: int, n_examples: int) -> dict[str, Surface]:
    """Return the surface of a rule, and those of models that learnt it from examples drawn at random."""
    ruleset = evoter.parse(RULES[name])
    velocity, angle = plane()
    grid = np.column_stack([velocity.ravel(), angle.ravel()])
    examples = np.random.default_rng(seed).uniform([-2, -0.4], [2, 0.4], (n_examples, 2))
    truth, known = _decide(ruleset, grid), _decide(ruleset, examples)
    made = {"rule": Surface(truth.astype(float).reshape(velocity.shape), 0.0, ruleset.n_conditions)}
    models: dict[str, tuple[Any, Any]] = {
        "bayes": (GaussianNB(), count_parameters),
        "tree": (DecisionTreeClassifier(max_depth=4, random_state=seed), count_nodes),
        "forest": (RandomForestClassifier(10, random_state=seed), count_all_nodes),
    }
    for title, (model, count) in models.items():
        shares = model.fit(examples, known).predict_proba(grid)[:, 1]
        made[title] = Surface(shares.reshape(velocity.shape), float(np.mean((shares > 0.5) != truth)), count(model))
    return made


def _decide(ruleset: RuleSet, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for which points a rule set says Right."""
    actions = decide_columns(ruleset, encode(points, ruleset.schema)).actions
    return np.asarray(actions == ruleset.schema.actions.index("Right"))


def run(variant: str, models: Sequence[str], seed: int, *, n_examples: int) -> dict[str, Outcome]:
    """Compare the rule called `variant` with what models learn of it from `n_examples` examples."""
    found = surfaces(variant, seed, n_examples)
    return {name: Outcome({"wrong": found[name].wrong, "size": found[name].size}) for name in models}
