"""Read a rule set
===============

A rule set is text that a person can write, and an object that can decide, explain its decisions and be plotted.
"""

from evoter import BoundaryDisplay, explain, parse

# %%
# The rules are read from the top: the first one whose conditions all hold decides. Below them the features are
# declared, with ranges and units; `parse` checks the rules against these declarations.
rules = parse("""
1. petal length <= 2.45 cm -> setosa
2. petal width <= 1.75 cm AND petal length <= 4.95 cm -> versicolor
3. Default -> virginica

where
  petal length: numeric [1..6.9] cm
  petal width: numeric [0.1..2.5] cm
  actions: setosa | versicolor | virginica
""")
print(rules.to_text("aligned", declarations=False))

# %%
# The decision for one flower, and the reason:
print(explain(rules, {"petal length": 5.1, "petal width": 1.6}))

# %%
# The two features span a plane. The dashed lines are the conditions, labelled with the numbers of their rules; each is
# drawn where it matters.
display = BoundaryDisplay.from_ruleset(rules)
