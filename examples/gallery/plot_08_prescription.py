"""Prescribe, and see what it costs
================================

Rules that say what to do are evolved against a predictor of the outcome; two objectives give a front of policies.
"""

import numpy as np
import pandas as pd

from evoter import EvoterPrescriptor, ParetoDisplay

# %%
# A synthetic history of 600 cases. The drug that helps depends on age, insulin is expensive, and metformin must never
# be given where creatinine is high.
rng = np.random.default_rng(0)
cases = pd.DataFrame(
    {"age": rng.integers(20, 90, 600), "creatinine": rng.gamma(4, 0.3, 600).round(2)}
)
drug = pd.Series(rng.choice(["metformin", "insulin", "diet"], 600), name="drug")
best = np.where(cases.age > 60, "insulin", "metformin")
cured = pd.Series(
    np.where(rng.random(600) < 0.3 + 0.6 * (drug == best), "yes", "no"), name="cured"
)
policy = EvoterPrescriptor(
    objectives={"cured": "maximise"},
    action_costs={"metformin": 1.0, "insulin": 5.0, "diet": 0.0},
    forbidden=[("creatinine > 1.5", "metformin")],
    select="knee",
    population_size=100,
    generations=30,
    random_state=0,
).fit(cases, drug, cured)

# %%
# Each point is a whole policy: from diet for everybody, which costs nothing, to the best according to the predictor.
# The selected one is at the knee, beyond which more money gains little.
display = ParetoDisplay.from_front(policy.front_, x="cost", y="cured")

# %%
# The selected policy, and its recommendation for one case:
print(policy.ruleset_.to_text("aligned", declarations=False))
print(policy.explain({"age": 45, "creatinine": 1.1}))
