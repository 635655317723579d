"""Compare what models can express
===============================

One condition that compares two features expresses what a tree needs many nodes for, and a power bends the boundary.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from evoter import BoundaryDisplay, parse
from evoter.analysis.displays.complexity_display import complexity_of

# %%
# The paper's rule for cart-pole, without and with its power:
legend = "where velocity.of.cart: numeric [-2..2]; angle.of.pole: numeric [-0.4..0.4]; actions: Left | Right"
rules = {
    "linear": parse(
        f"0.11*velocity.of.cart < 0.87*angle.of.pole -> Left; Default -> Right; {legend}"
    ),
    "cubic": parse(
        f"0.11*velocity.of.cart^3 < 0.87*angle.of.pole -> Left; Default -> Right; {legend}"
    ),
}

# %%
# A tree and a forest learn the same decisions from 500 examples. The colour is paler where a model is less certain.
ranges = {"velocity.of.cart": (-2.0, 2.0), "angle.of.pole": (-0.4, 0.4)}
velocity, angle = np.random.default_rng(0).uniform([-2, -0.4], [2, 0.4], size=(500, 2)).T
examples = pd.DataFrame({"velocity.of.cart": velocity, "angle.of.pole": angle})
actions = {
    "linear": np.where(0.11 * velocity < 0.87 * angle, "Left", "Right"),
    "cubic": np.where(0.11 * velocity**3 < 0.87 * angle, "Left", "Right"),
}
models = {
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "forest": RandomForestClassifier(10, random_state=0),
}
figure, rows = plt.subplots(
    2, 3, figsize=(11, 6), sharex=True, sharey=True, layout="constrained"
)
for row, (name, rule) in zip(rows, rules.items(), strict=True):
    BoundaryDisplay.from_ruleset(rule, ax=row[0])
    row[0].set_title(f"{name} rule, 1 condition")
    for ax, (title, model) in zip(row[1:], models.items(), strict=True):
        model.fit(examples, actions[name])
        BoundaryDisplay.from_estimator(model, examples, ranges=ranges, legend=False, ax=ax)
        ax.set_title(f"{title}, {complexity_of(model)} decision nodes")
for ax in rows.flat:
    ax.set(xlabel="velocity of cart", ylabel="angle of pole")
    ax.label_outer()
