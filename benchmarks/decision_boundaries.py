"""Draw what a rule that compares features decides, beside other transparent models that learn it from examples."""

import argparse
from collections.abc import Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from rich.console import Console
from sklearn.base import ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import evoter
from evoter.estimators.rule_policy import RulePolicy

LEGEND = "where velocity.of.cart: numeric [-2..2]; angle.of.pole: numeric [-0.4..0.4]; actions: Left | Right"
RULES = {
    "linear": f"0.11*velocity.of.cart < 0.87*angle.of.pole -> Left; Default -> Right; {LEGEND}",
    "cubic": f"0.11*velocity.of.cart^3 < 0.87*angle.of.pole -> Left; Default -> Right; {LEGEND}",
}
"""The paper's rule without and with its power."""

MODELS: dict[str, ClassifierMixin] = {
    "naive Bayes": GaussianNB(),
    "decision tree, four levels": DecisionTreeClassifier(max_depth=4, random_state=0),
    "random forest, ten trees": RandomForestClassifier(10, random_state=0),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Draw the rules and the models side by side and save the figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", type=Path, default=Path("decision-boundaries.png"), help="the file to write")
    parser.add_argument("--examples", type=int, default=500, metavar="N", help="examples to learn from (500)")
    chosen = parser.parse_args(arguments)
    velocity, angle = np.meshgrid(np.linspace(-2, 2, 200), np.linspace(-0.4, 0.4, 200))
    grid = np.column_stack([velocity.ravel(), angle.ravel()])
    examples = np.random.default_rng(0).uniform([-2, -0.4], [2, 0.4], (chosen.examples, 2))
    figure, rows = plt.subplots(2, 4, figsize=(12, 5.6), sharex=True, sharey=True, layout="constrained")
    for axes, (name, text) in zip(rows, RULES.items(), strict=True):
        policy = RulePolicy(evoter.parse(text))
        truth = np.array([policy(point) for point in grid])
        actions = [policy(example) for example in examples]
        pictures = {f"{name} rule: 1 condition": truth.astype(float)}
        for title, model in MODELS.items():
            shares = model.fit(examples, actions).predict_proba(grid)[:, 1]
            wrong = np.mean((shares > 0.5) != truth)
            pictures[f"{title}: {wrong:.1%} wrong"] = shares
        for axis, (title, shares) in zip(axes, pictures.items(), strict=True):
            axis.pcolormesh(velocity, angle, shares.reshape(velocity.shape), cmap="RdYlGn_r", vmin=0, vmax=1)
            axis.set_title(title, fontsize=9)
    figure.supxlabel("velocity of cart")
    figure.supylabel("angle of pole")
    figure.savefig(chosen.path, dpi=110)
    Console().print(f"wrote {chosen.path}: green is Left, red is Right")


if __name__ == "__main__":
    main()
