"""A twin of a black box
=====================

A forest of 200 trees cannot be read. Rules that answer as it does can, and they say where they do not.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from evoter import distil

tumours = load_breast_cancer(as_frame=True)
diagnosis = tumours.target_names[tumours.target]
X_train, X_test, y_train, y_test = train_test_split(
    tumours.data, diagnosis, test_size=0.3, stratify=diagnosis, random_state=0
)
forest = RandomForestClassifier(200, random_state=0).fit(X_train, y_train)
twin = distil(forest, X_train, X_test=X_test, y_test=y_test, generations=20, random_state=0)
print(twin)

# %%
# Fidelity against size: the rule sets of the front, on tumours that neither model has seen.
sizes = [candidate.n_conditions for candidate in twin.front]
shares = [candidate.scores["fidelity"] for candidate in twin.front]
figure, ax = plt.subplots(figsize=(6, 3))
ax.plot(sizes, shares, "o-")
ax.set(
    xlabel="conditions",
    ylabel="fidelity on unseen tumours",
    xlim=(0, None),
    ylim=(0.9, 1.0),
)
ax.grid(alpha=0.3)

# %%
# Around one tumour on which they disagree, a local twin is simpler still:
case = X_test.iloc[[twin.disagreement.rows[0]]]
near = distil(forest, X_train, local=case, front=False, generations=20, random_state=0)
print(near)
