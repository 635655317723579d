"""Edit and simplify a rule set by hand
====================================

A model that is text can be changed as text, and simplified without a single decision changing.
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
# Somebody who knows flowers adds a rule in front, gives it a name and pins it, so that nothing removes it.
edited = parse(
    f'1. "tiny petals" pinned: petal width (cm) <= 0.6 -> setosa\n{model.ruleset_}'
)
print(edited.to_text("aligned", declarations=False))

# %%
# The map of coverage shows what the new rule does: it takes over what was the default's.
display = CoverageDisplay.from_ruleset(edited, iris.data, species)

# %%
# Rules grow weeds when many people edit them. `simplify` removes what can be proved to change nothing: here a rule that
# an earlier one implies, a condition that others imply, and one that is always true in the range of the feature.
weedy = parse("""
1. petal width (cm) > 1.75 AND petal width (cm) > 1.5 -> virginica
2. petal width (cm) > 2 -> versicolor
3. petal length (cm) <= 2.45 AND petal width (cm) <= 3 -> setosa
4. Default -> versicolor

where
  petal length (cm): numeric [1..6.9]
  petal width (cm): numeric [0.1..2.5]
  actions: setosa | versicolor | virginica
""")
print(simplify(weedy).to_text("aligned", declarations=False))

# %%
# The same decisions, on a thousand flowers that never grew:
rng = np.random.default_rng(0)
flowers = pd.DataFrame(
    {
        "petal length (cm)": rng.uniform(1, 6.9, 1000),
        "petal width (cm)": rng.uniform(0.1, 2.5, 1000),
    }
)
before = CoverageDisplay.from_ruleset(weedy, flowers)
after = CoverageDisplay.from_ruleset(simplify(weedy), flowers)
print((before.statistics.predictions == after.statistics.predictions).all())
