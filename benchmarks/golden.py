"""Golden results: the rules that fixed seeds give on five tasks, to compare before and after a change of the code.

Run `python benchmarks/golden.py > before.txt` in both states and compare what it prints. A difference means that the
search has changed; code that is only moved or renamed must not cause one.
"""

import hashlib
import sys

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeRegressor

from evoter import EvoterClassifier, EvoterPolicy, EvoterPrescriptor, EvoterTimeSeriesClassifier, RuleSet, dumps
from evoter.datasets import fetch_credit_approval, fetch_hypotension_2009


def iris() -> RuleSet:
    """Evolve rules for a small numeric table."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    return EvoterClassifier(generations=60, random_state=1).fit(X, y).ruleset_


def credit_approval() -> RuleSet:
    """Evolve rules for a table of numbers and categories with missing values."""
    data = fetch_credit_approval()
    return EvoterClassifier(generations=30, random_state=2).fit(data.data, data.target).ruleset_


def credit_approval_by_vote() -> RuleSet:
    """Evolve rules that vote."""
    data = fetch_credit_approval()
    return EvoterClassifier(generations=10, mode="vote", random_state=3).fit(data.data, data.target).ruleset_


def hypotension() -> RuleSet:
    """Evolve rules with lags for series."""
    data = fetch_hypotension_2009()
    model = EvoterTimeSeriesClassifier(max_lag=5, generations=10, random_state=4)
    return model.fit(data.data, data.target).ruleset_


def diet_or_drug() -> RuleSet:
    """Evolve a prescription against a predictor that is fitted first."""
    rng = np.random.default_rng(5)
    cases = pd.DataFrame({"age": rng.integers(20, 90, 600), "sex": rng.choice(["female", "male"], 600)})
    action = pd.Series(rng.choice(["diet", "insulin", "metformin"], 600), name="drug")
    best = np.where(cases.age > 60, "insulin", np.where(cases.sex == "female", "metformin", "diet"))
    cured = pd.Series(np.where(rng.random(600) < 0.1 + 0.8 * (action == best), 1.0, 0.0), name="cured")
    categories = make_column_transformer((OneHotEncoder(), ["sex", "drug"]), remainder="passthrough")
    predictor = make_pipeline(categories, DecisionTreeRegressor(min_samples_leaf=10, random_state=0))
    return EvoterPrescriptor(predictor, generations=20, random_state=5).fit(cases, action, cured).ruleset_


def cart_pole() -> RuleSet:
    """Evolve a policy."""
    return EvoterPolicy("CartPole-v1", random_state=6).fit().ruleset_


TASKS = (iris, credit_approval, credit_approval_by_vote, hypotension, diet_or_drug, cart_pole)


if __name__ == "__main__":
    for task in TASKS:
        ruleset = task()
        digest = hashlib.sha256(dumps(ruleset.replace(counts=None)).encode()).hexdigest()[:16]  # as before counts
        sys.stdout.write(f"{task.__name__}: {digest}\n{ruleset.to_text(declarations=False)}\n\n")
        sys.stdout.flush()
