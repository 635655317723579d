"""Read a rule set
===============

A rule set is text that a person can write, and a value that decides, explains and draws itself.
"""

from evoter import BoundaryDisplay, explain, parse

# %%
# The rules are read from the top: the first one whose conditions all hold decides. Below them stands what they are
# about, with ranges and units; `parse` checks one against the other.
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
# What is decided about one flower, and why:
print(explain(rules, {"petal length": 5.1, "petal width": 1.6}))

# %%
# Both features span a plane. The dashed lines are the conditions themselves, with the numbers of their rules; each is
# drawn where it matters.
display = BoundaryDisplay.from_ruleset(rules)
