"""See which rule covers what
==========================

A rule that holds nearly everywhere, one that rarely decides, one that is often wrong: the coverage map shows them.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from evoter import CoverageDisplay, EvoterClassifier

tumours = load_breast_cancer(as_frame=True)
diagnosis = tumours.target_names[tumours.target]
X_train, X_test, y_train, y_test = train_test_split(
    tumours.data, diagnosis, test_size=0.3, stratify=diagnosis, random_state=0
)
model = EvoterClassifier(generations=30, random_state=0).fit(X_train, y_train)
print(f"accuracy on other tumours: {model.score(X_test, y_test):.3f}")

# %%
# A line for each rule, a column for each held-out tumour. Tumours are sorted by the rule that decides them: blue
# where it is right, orange where it is wrong. Where a rule holds too but comes too late to decide, the colour is light.
# The intervals on the right say how far the shares can be trusted.
display = CoverageDisplay.from_estimator(model, X_test, y_test)

# %%
# How much do decisions depend on each feature? The share of training rows decided otherwise if it were unknown:
read = model.feature_importances_ > 0
for name, share in zip(
    model.feature_names_in_[read], model.feature_importances_[read], strict=True
):
    print(f"{name}: {share:.1%}")
