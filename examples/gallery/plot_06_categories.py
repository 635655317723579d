"""Use categories and missing values as they are
=============================================

Text columns and missing values need no preparation: rules name categories, and `is missing` is a condition.
"""

import numpy as np
import pandas as pd

from evoter import BoundaryDisplay, EvoterClassifier

# %%
# Synthetic loans. Without work, savings decide about repayment; with work, income does. Applicants who do not state
# their savings repay only if they own a house.
rng = np.random.default_rng(0)
n = 800
table = pd.DataFrame(
    {
        "work": rng.choice(["employed", "self-employed", "none"], n, p=[0.6, 0.2, 0.2]),
        "owner": rng.random(n) < 0.4,
        "income": rng.gamma(6.0, 500.0, n).round(),
        "savings": rng.gamma(1.5, 9000.0, n).round(),
    }
)
table.loc[rng.random(n) < 0.3, "savings"] = np.nan
repaid = np.where(table.work == "none", table.savings > 12_000, table.income > 2000)
repaid = np.where(table.savings.isna(), table.owner, repaid)
repaid = np.where(rng.random(n) < 0.04, ~repaid, repaid)
answer = np.where(repaid, "repaid", "failed")
model = EvoterClassifier(random_state=0).fit(table, answer)
print(model.ruleset_)

# %%
# Categories are labelled on their axis. All other features are held fixed: numbers at their median and others at the
# most frequent value, unless `at` says otherwise.
display = BoundaryDisplay.from_estimator(model, table, answer, features=("savings", "work"))

# %%
# Explanation of a case with unknown savings:
print(model.explain({"work": "employed", "owner": True, "income": 3100.0, "savings": None}))
