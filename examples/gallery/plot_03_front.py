"""Trade accuracy against size
===========================

With two objectives, evolution returns a front: every rule set that no other one beats in both.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from evoter import ComplexityDisplay, EvoterClassifier, ParetoDisplay

tumours = load_breast_cancer(as_frame=True)
diagnosis = tumours.target_names[tumours.target]
X_train, X_test, y_train, y_test = train_test_split(
    tumours.data, diagnosis, test_size=0.3, stratify=diagnosis, random_state=0
)
model = EvoterClassifier(
    objectives=["accuracy", "complexity"],
    generations=25,
    population_size=300,
    random_state=0,
)
model.fit(X_train, y_train)
print(model.front_)

# %%
# On the training rows a larger rule set is always better, or it would not be on the front. The ring marks the
# candidate that the model uses.
display = ParetoDisplay.from_estimator(model)

# %%
# On unseen tumours this is not so: the same candidates and other models, scored on unseen rows. The size of a tree is
# its number of decision nodes, that of a linear model its number of parameters; the forest has thousands of nodes.
# Bars and the band are 95 % intervals: with so few tumours, most differences are within noise.
others = {
    "tree": DecisionTreeClassifier(max_depth=4, random_state=0),
    "logistic regression": make_pipeline(StandardScaler(), LogisticRegression()),
    "forest": RandomForestClassifier(100, random_state=0),
}
fitted = {name: other.fit(X_train, y_train) for name, other in others.items()}
figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
ComplexityDisplay.from_estimators(
    {"EVOTER": model, **fitted},
    X_test,
    y_test,
    highlight=["EVOTER"],
    muted=["forest"],
    ax=ax,
)

# %%
# A fitted model can be switched to another candidate without refitting:
small = model.with_ruleset(model.front_.select(at_most={"conditions": 2}))
print(small.ruleset_.to_text("aligned", declarations=False))
