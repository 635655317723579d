"""Decision boundaries: the paper's cart-pole rule over two features, and models that learn it from examples."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import evoter
from evoter import EvoterTimeSeriesClassifier
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

FEATURES = ("velocity.of.cart", "angle.of.pole")
LEFT, RIGHT = "Left", "Right"

LEARNERS: dict[str, dict[str, Any]] = {
    "evoter": {"settings": {"comparison_rate": 1.0, "max_power": 3}},
    "evoter-paper": {"preset": "paper"},
}
"""How EVOTER learns the rules: series of one step, whose values are compared as they are."""

MODELS = ("rule", *LEARNERS, "bayes", "tree", "forest")

N_STEPS = 200
"""Number of grid points along each axis."""


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """The probability of Right at each point of the plane, the share of wrong decisions there, and the model's size."""

    shares: NDArray[np.float64]
    wrong: float
    size: int
    rules: str = ""


def plane() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return velocities and angles of a grid of points, both arrays [angle, velocity]."""
    velocity, angle = np.meshgrid(np.linspace(-2, 2, N_STEPS), np.linspace(-0.4, 0.4, N_STEPS))
    return velocity, angle


def surfaces(name: str, seed: int, n_examples: int, models: Sequence[str] = MODELS) -> dict[str, Surface]:
    """Return the surface of a rule, and those of models that learnt it from examples drawn at random."""
    velocity, angle = plane()
    grid = np.column_stack([velocity.ravel(), angle.ravel()])
    examples = _examples(seed, n_examples)
    ruleset = evoter.parse(RULES[name])
    truth, known = _decide(ruleset, grid), _decide(ruleset, examples)
    made = {}
    for title in models:
        size, rules = ruleset.n_conditions, ""
        if title == "rule":
            shares = truth.astype(np.float64)
        elif title in LEARNERS:
            learner = EvoterTimeSeriesClassifier(channels=FEATURES, random_state=seed, **LEARNERS[title])
            learner.fit(examples[:, :, np.newaxis], np.where(known, RIGHT, LEFT))
            shares = (learner.predict(grid[:, :, np.newaxis]) == RIGHT).astype(np.float64)
            size, rules = learner.ruleset_.n_conditions, learner.ruleset_.to_text(declarations=False)
        else:
            model, count = _model(title, seed)
            shares = model.fit(examples, known).predict_proba(grid)[:, 1]
            size = count(model)
        wrong = float(np.mean((shares > 0.5) != truth))
        made[title] = Surface(shares.reshape(velocity.shape), wrong, size, rules)
    return made


def _model(title: str, seed: int) -> tuple[Any, Callable[[Any], int]]:
    """Return a model of scikit-learn's, not yet fitted, and how its size is counted."""
    if title == "bayes":
        return GaussianNB(), count_parameters
    if title == "tree":
        return four_level_tree(seed), count_nodes
    return RandomForestClassifier(10, random_state=seed), count_all_nodes


def four_level_tree(seed: int) -> DecisionTreeClassifier:
    """Return the tree of Figures 7 and 8, not yet fitted."""
    return DecisionTreeClassifier(max_depth=4, random_state=seed)


def fitted_tree(name: str, seed: int, n_examples: int) -> DecisionTreeClassifier:
    """Return the tree that has learnt a rule from the same examples as the other models, with the names of actions."""
    examples = _examples(seed, n_examples)
    known = _decide(evoter.parse(RULES[name]), examples)
    return four_level_tree(seed).fit(examples, np.where(known, RIGHT, LEFT))


def _examples(seed: int, n: int) -> NDArray[np.float64]:
    return np.random.default_rng(seed).uniform([-2, -0.4], [2, 0.4], (n, 2))


def _decide(ruleset: RuleSet, points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for which points a rule set says Right."""
    actions = decide_columns(ruleset, encode(points, ruleset.schema)).actions
    return np.asarray(actions == ruleset.schema.actions.index("Right"))


def run(variant: str, models: Sequence[str], seed: int, *, n_examples: int) -> dict[str, Outcome]:
    """Compare the rule called `variant` with what models learn of it from `n_examples` examples."""
    found = surfaces(variant, seed, n_examples, models)
    return {
        name: Outcome({"wrong": found[name].wrong, "size": found[name].size}, rules=found[name].rules)
        for name in models
    }
