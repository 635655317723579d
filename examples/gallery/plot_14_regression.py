"""Rules that predict numbers
==========================

Each rule predicts a number, a constant or a linear term in one feature, with an interval around it.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import train_test_split

from evoter import EvoterRegressor

X, progression = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
X = X.rename(
    columns={
        "bp": "blood pressure",
        "s1": "cholesterol",
        "s2": "ldl",
        "s3": "hdl",
        "s4": "cholesterol per hdl",
        "s5": "log triglycerides",
        "s6": "glucose",
    }
)
X_train, X_test, y_train, y_test = train_test_split(
    X, progression, test_size=0.3, random_state=0
)
model = EvoterRegressor(target_name="progression", generations=20, random_state=0)
model.fit(X_train, y_train)
print(model.ruleset_.to_text("aligned", declarations=False))

# %%
# How the disease progresses is hard to tell from one visit: a forest of 100 trees explains more, but not much more.
forest = RandomForestRegressor(random_state=0).fit(X_train, y_train)
print(f"R2 on unseen patients: {model.score(X_test, y_test):.2f}")
print(f"R2 of a forest there:  {forest.score(X_test, y_test):.2f}")

# %%
# Why one patient gets this number, and how far off it may be:
print(model.explain(X_test.iloc[[0]]))

# %%
# Predictions with their intervals: nine in ten of the true numbers should lie within.
predicted, ends = model.predict(X_test), model.predict_interval(X_test)
inside = (ends[:, 0] <= y_test) & (y_test <= ends[:, 1])
print(f"{inside.mean():.0%} of the true numbers lie in their 90% intervals")
figure, axes = plt.subplots(figsize=(7, 4))
axes.vlines(predicted, *ends.T, color="lightgrey", label="interval")
for within, colour, label in (
    (inside, "tab:blue", "true number, within"),
    (~inside, "tab:red", "true number, outside"),
):
    axes.scatter(
        predicted[within], y_test[within], color=colour, s=12, zorder=3, label=label
    )
axes.set(xlabel="predicted progression", ylabel="true progression")
axes.legend(loc="lower right")
