"""Edit and simplify a rule set by hand
====================================

A model that is text can be edited as text, and simplified without changing a single decision.
"""

import numpy as np
import pandas as pd
from sklearn.datasets import load_iris

from evoter import CoverageDisplay, EvoterClassifier, parse, simplify

iris = load_iris(as_frame=True)
species = iris.target_names[iris.target]
model = EvoterClassifier(random_state=0).fit(iris.data, species)
print(model.ruleset_)

# %%
# An expert adds a rule at the top, names it and pins it, so that simplification never removes it.
edited = parse(
    f'1. "tiny petals" pinned: petal width (cm) <= 0.6 -> setosa\n{model.ruleset_}'
)
print(edited.to_text("aligned", declarations=False))

# %%
# The coverage map shows what the new rule does: it takes over rows that the default used to decide.
display = CoverageDisplay.from_ruleset(edited, iris.data, species)

# %%
# Rules collect redundant parts when many people edit them. `simplify` removes what provably changes nothing: here a
# rule covered by an earlier one, a condition implied by another, and one that is always true in the feature's range.
redundant = parse("""
1. petal width (cm) > 1.75 AND petal width (cm) > 1.5 -> virginica
2. petal width (cm) > 2 -> versicolor
3. petal length (cm) <= 2.45 AND petal width (cm) <= 3 -> setosa
4. Default -> versicolor

where
  petal length (cm): numeric [1..6.9]
  petal width (cm): numeric [0.1..2.5]
  actions: setosa | versicolor | virginica
""")
print(simplify(redundant).to_text("aligned", declarations=False))

# %%
# The decisions are the same on a thousand random flowers:
rng = np.random.default_rng(0)
flowers = pd.DataFrame(
    {
        "petal length (cm)": rng.uniform(1, 6.9, 1000),
        "petal width (cm)": rng.uniform(0.1, 2.5, 1000),
    }
)
before = CoverageDisplay.from_ruleset(redundant, flowers)
after = CoverageDisplay.from_ruleset(simplify(redundant), flowers)
print((before.statistics.predictions == after.statistics.predictions).all())
