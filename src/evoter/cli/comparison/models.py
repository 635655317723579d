"""Ordinary models to compare rules with: two trees, a forest, logistic regression and the most frequent class."""

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

Ints = NDArray[np.int64]

TREE, TUNED_TREE, LOGISTIC, FOREST, MAJORITY = "tree", "tuned-tree", "logistic", "forest", "majority"
MODELS = (TREE, TUNED_TREE, LOGISTIC, FOREST, MAJORITY)
_FOLDS = 5

LEAVES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128)
"""The numbers of leaves that the tuned tree chooses from; of equally good ones, the smallest."""


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
        TUNED_TREE: DecisionTreeClassifier(random_state=seed, min_samples_leaf=5),
        LOGISTIC: LogisticRegression(max_iter=2_000),
        FOREST: RandomForestClassifier(300, random_state=seed),
        MAJORITY: DummyClassifier(strategy="most_frequent"),
    }
    return make_pipeline(prepared, models[name])


def predict_with(
    name: str, plan: Plan, train: Ints | None, test: Ints, seed: int, measure: str = "accuracy"
) -> tuple[list[str], str]:
    """Train a model; return its answers on the test rows, and its size in words.

    Without training rows the answers are cross-validated: each row is answered by a model that was trained neither on
    it nor on other rows with the same identifier. A model that is tuned is tuned by the `measure` of scikit-learn.
    """
    features, numbers, categories = design(plan)
    labels = np.array(plan.labels)
    names = np.arange(len(labels)) if plan.identifiers is None else np.array(plan.identifiers)
    model = build(name, numbers, categories, seed)

    def fitted(rows: Ints) -> Any:
        tuned = _tune(model, features[rows], labels[rows], names[rows], seed, measure) if name == TUNED_TREE else model
        return tuned.fit(features[rows], labels[rows])

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # convergence and rare classes: the result shows both
            if train is not None:
                trained = fitted(train)
                return trained.predict(features[test]).tolist(), size_of(trained)
            answers = np.empty(len(test), dtype=object)
            for rest, fold in _folds(labels[test], names[test], seed):
                answers[fold] = fitted(test[rest]).predict(features[test[fold]])
            return answers.tolist(), size_of(fitted(test))
    except ValueError as error:  # a fold that lacks a class, or infinite numbers
        reason = str(error).splitlines()[0].rstrip(".")
        raise Failure(f"{name} cannot be fitted here: {reason}", "--model none compares rule files only") from None


def _folds(labels: NDArray[Any], names: NDArray[Any], seed: int) -> list[tuple[Ints, Ints]]:
    """Divide rows into folds by class; rows with the same name stay together."""
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    n_names = len(set(names.tolist()))
    n_folds = min(_FOLDS, n_names, max(Counter(labels.tolist()).values()))
    kind = StratifiedKFold if n_names == len(names) else StratifiedGroupKFold
    return list(kind(n_folds, shuffle=True, random_state=seed).split(labels, labels, names))


def _tune(
    model: Any, features: NDArray[Any], labels: NDArray[Any], names: NDArray[Any], seed: int, measure: str
) -> Any:
    """Return the untrained model with the number of leaves that is best in a cross-validation of the training rows."""
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV

    if max(Counter(labels.tolist()).values()) < 2 or len(set(names.tolist())) < 2:
        return model
    step = f"{model.steps[-1][0]}__max_leaf_nodes"
    grid = GridSearchCV(
        model, {step: list(LEAVES)}, cv=_folds(labels, names, seed), scoring=measure, refit=False, error_score="raise"
    )
    return clone(model).set_params(**grid.fit(features, labels).best_params_)


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
