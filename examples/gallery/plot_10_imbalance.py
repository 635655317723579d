"""Rare classes and unequal costs
==============================

If few people are ill, predicting `well` for everybody is accurate and useless; costs say how bad each mistake is.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.metrics import confusion_matrix

from evoter import BoundaryDisplay, EvoterClassifier

# %%
# Two synthetic blood values of 1,500 people, of whom 6 in 100 are ill; the two groups overlap.
rng = np.random.default_rng(0)
ill = rng.random(1500) < 0.06
values = pd.DataFrame(
    rng.normal(5.0, 1.0, size=(1500, 2)) + 1.6 * ill[:, None],
    columns=["glucose", "lactate"],
)
state = np.where(ill, "ill", "well")
train, test = slice(0, 1000), slice(1000, None)

# %%
# Missing somebody who is ill costs twelve times as much as a false alarm. Both models are fitted to the same people and
# differ only in what they optimise.
models = {
    "accuracy": EvoterClassifier(random_state=0),
    "costs": EvoterClassifier(
        metric={("ill", "well"): 12.0, ("well", "ill"): 1.0}, random_state=0
    ),
}
figure, axes = plt.subplots(1, 2, figsize=(12, 4.4), sharey=True, layout="constrained")
for ax, (name, model) in zip(axes, models.items(), strict=True):
    model.fit(values[train], state[train])
    (found, missed), (false, _) = confusion_matrix(
        state[test], model.predict(values[test]), labels=["ill", "well"]
    )
    BoundaryDisplay.from_estimator(
        model,
        values[test],
        state[test],
        features=("glucose", "lactate"),
        legend="beside",
        ax=ax,
    )
    ax.label_outer()
    ax.set_title(
        f"{name}: {missed} of {found + missed} missed,\n{false} false alarms, cost {12 * missed + false}"
    )
    print(name, model.ruleset_.to_text("aligned", declarations=False), sep="\n", end="\n\n")
