"""Ordinary models to compare rules with: a tree, a forest, logistic regression and the most frequent class."""

import warnings
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.formatting import counted
from evoter.cli.fit.column_roles import Plan
from evoter.cli.output import Failure, nearest
from evoter.tables import ColumnKind

TREE, LOGISTIC, FOREST, MAJORITY = "tree", "logistic", "forest", "majority"
MODELS = (TREE, LOGISTIC, FOREST, MAJORITY)
_FOLDS = 5


def check_models(names: Sequence[str]) -> None:
    """Refuse an unknown model."""
    for name in names:
        if name not in MODELS:
            hint = nearest(name, MODELS, f"known: {', '.join(MODELS)}")
            raise Failure(f"there is no model {name!r} to compare with", hint)


def design(plan: Plan) -> tuple[NDArray[Any], list[int], list[int]]:
    """Return the features as an array, and the indices of its numeric and of its categorical columns."""
    columns, numbers, categories = [], [], []
    for index, view in enumerate(plan.features):
        if view.kind is ColumnKind.CATEGORICAL:
            columns.append(view.values.fill_null("(missing)").to_numpy().astype(object))
            categories.append(index)
        else:
            columns.append(view.values.cast(float).fill_null(float("nan")).to_numpy().astype(object))
            numbers.append(index)
    return np.column_stack(columns), numbers, categories


def build(name: str, numbers: list[int], categories: list[int], seed: int) -> Any:
    """Return an untrained model, in a pipeline with the preprocessing that it needs."""
    from sklearn.compose import ColumnTransformer
    from sklearn.dummy import DummyClassifier
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.impute import SimpleImputer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    prepared = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
            ("categories", OneHotEncoder(handle_unknown="ignore"), categories),
        ]
    )
    models = {
        TREE: DecisionTreeClassifier(random_state=seed, min_samples_leaf=5),
        LOGISTIC: LogisticRegression(max_iter=2_000),
        FOREST: RandomForestClassifier(300, random_state=seed),
        MAJORITY: DummyClassifier(strategy="most_frequent"),
    }
    return make_pipeline(prepared, models[name])


def predict_with(
    name: str, plan: Plan, train: NDArray[np.int64] | None, test: NDArray[np.int64], seed: int
) -> tuple[list[str], str]:
    """Train a model; return its answers on the test rows, and its size in words.

    Without training rows the answers are cross-validated: each row is answered by a model that was trained neither on
    it nor on other rows with the same identifier.
    """
    features, numbers, categories = design(plan)
    labels = np.array(plan.labels)
    model = build(name, numbers, categories, seed)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # convergence and rare classes: the result shows both
            if train is None:
                names = test if plan.identifiers is None else np.array(plan.identifiers)[test]
                return _cross_validated(model, features[test], labels[test], names, seed)
            model.fit(features[train], labels[train])
            return model.predict(features[test]).tolist(), size_of(model)
    except ValueError as error:  # a fold that lacks a class, or infinite numbers
        reason = str(error).splitlines()[0].rstrip(".")
        raise Failure(f"{name} cannot be fitted here: {reason}", "--model none compares rule files only") from None


def _cross_validated(
    model: Any, features: NDArray[Any], labels: NDArray[Any], names: NDArray[Any], seed: int
) -> tuple[list[str], str]:
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, cross_val_predict

    n_names = len(set(names.tolist()))
    n_folds = min(_FOLDS, n_names, max(Counter(labels.tolist()).values()))
    kind = StratifiedKFold if n_names == len(names) else StratifiedGroupKFold
    folds = kind(n_folds, shuffle=True, random_state=seed)
    answers = cross_val_predict(model, features, labels, groups=names, cv=folds)
    return answers.tolist(), size_of(model.fit(features, labels))


def size_of(model: Any) -> str:
    """Return the size of a fitted model in words."""
    last = model[-1]
    if hasattr(last, "estimators_"):
        leaves = sum(int(tree.get_n_leaves()) for tree in last.estimators_)
        return f"{counted(len(last.estimators_), 'tree')}, {leaves:,} leaves"
    if hasattr(last, "get_n_leaves"):
        n_leaves = int(last.get_n_leaves())
        return f"{n_leaves} leaves, {counted(n_leaves - 1, 'condition')}"
    return counted(int(last.coef_.size), "weight") if hasattr(last, "coef_") else "one answer"
