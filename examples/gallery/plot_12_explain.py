"""Explain decisions
=================

Every decision has a rule that made it, values that made the rule hold, and other rules that did not hold.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from evoter import BoundaryDisplay, EvoterClassifier

tumours = load_breast_cancer(as_frame=True)
diagnosis = tumours.target_names[tumours.target]
X_train, X_test, y_train, y_test = train_test_split(
    tumours.data, diagnosis, test_size=0.3, stratify=diagnosis, random_state=0
)
model = EvoterClassifier(constraints={"complexity": 4}, generations=20, random_state=0).fit(
    X_train, y_train
)
print(model.ruleset_.to_text("aligned", declarations=False))

# %%
# A closer look at one of the tumours that the rules get wrong:
wrong = X_test[model.predict(X_test) != y_test]
case = wrong.iloc[[0]]
print(f"{len(wrong)} of {len(X_test)} wrong; the first one:")
print(model.explain(case))

# %%
# The probabilities of the deciding rule, from the tumours that it decided in training:
for name, probability in zip(model.classes_, model.predict_proba(case)[0], strict=True):
    print(f"{name}: {probability:.3f}")

# %%
# The plane passes through this case: all features that are not on an axis are held at its values.
values = {name: float(value) for name, value in case.iloc[0].items()}
display = BoundaryDisplay.from_estimator(model, X_test, at=values)
across, upwards = display.plane.x.feature.name, display.plane.y.feature.name
display.ax_.plot(
    values[across], values[upwards], "*", color="black", markersize=16, label="the case"
)
display.ax_.annotate(
    "the case", (values[across], values[upwards]), (10, 6), textcoords="offset points"
)
