"""Twins of forests beside trees, rule sets learnt from labels and TE2Rules: python benchmarks/distillation.py.

On stratified splits 70/30, a forest of 300 trees is trained on the training rows, and imitated by models that see its
answers on these rows and on queries; nothing else is learnt from. Fidelity is the share of test rows on which a model
answers as the forest does, accuracy the share on which it is right. A tree gets the same rows, queries and answers as
the twin; its size is tuned by five-fold cross-validation, or limited to that of the twin. Conditions are those of the
printed rules, for a tree the number of its splits, which is the least that can be said of it. `--te2rules` and
`--policies` need what is listed in `benchmarks/requirements-distillation-peers.txt`.
"""

import argparse
import os
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from evoter import EvoterClassifier, distil, distil_policy
from evoter.analysis.intervals import mean_interval

TEST_SHARE = 0.3
LEAVES = (2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
FEW_LEAVES = 2
Table = Any
"""A data frame."""


def read_diabetes() -> tuple[Table, NDArray[Any]]:
    """Return whether the disease has progressed far after a year."""
    data = load_diabetes(as_frame=True, scaled=False)
    return data.data, np.where(data.target > 140, "high", "low")


def read_credit() -> tuple[Table, NDArray[Any]]:
    """Return German credit, from the folder `development` of EVOTER_DATA."""
    table = pd.read_parquet(Path(os.environ["EVOTER_DATA"]) / "development" / "german_credit.parquet")
    labels = np.where(table.pop("target").astype(str) == "1", "good", "bad")
    return table, labels


def _bundled(load: Callable[..., Any]) -> Callable[[], tuple[Table, NDArray[Any]]]:
    def read() -> tuple[Table, NDArray[Any]]:
        data = load(as_frame=True)
        return data.data, np.array([str(name) for name in data.target_names])[data.target]

    return read


SETS: dict[str, Callable[[], tuple[Table, NDArray[Any]]]] = {
    "breast cancer": _bundled(load_breast_cancer),
    "wine": _bundled(load_wine),
    "diabetes": read_diabetes,
    "german credit": read_credit,
    "digits": _bundled(load_digits),
}


def with_indicators(model: Any) -> Any:
    """Return a model that reads categories as indicators."""
    categories = make_column_selector(dtype_exclude="number")
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), categories), remainder="passthrough"
    )
    return make_pipeline(encoder, model)


def tuned_tree(X: Table, y: NDArray[Any], most_leaves: int | None = None) -> tuple[Any, int]:
    """Return a tree and its number of splits; its size is chosen by cross-validation unless it is given."""
    if most_leaves is not None:
        model = with_indicators(DecisionTreeClassifier(max_leaf_nodes=max(FEW_LEAVES, most_leaves), random_state=0))
        model.fit(X, y)
        return model, int(model[-1].tree_.node_count - model[-1].get_n_leaves())
    pipeline = with_indicators(DecisionTreeClassifier(random_state=0))
    search = GridSearchCV(pipeline, {"decisiontreeclassifier__max_leaf_nodes": LEAVES}, cv=5).fit(X, y)
    tree = search.best_estimator_[-1]
    return search, int(tree.tree_.node_count - tree.get_n_leaves())


def te2rules(forest: Any, X: Table, labels: NDArray[Any], rest: Table) -> tuple[NDArray[Any], int]:
    """Return what TE2Rules makes of the forest: its answers on the other rows, and its conditions."""
    encoder, model = forest[0], forest[-1]
    names = [f"x{k}" for k in range(encoder.transform(X[:1]).shape[1])]
    low, high = model.classes_
    explainer = import_module("te2rules.explainer").ModelExplainer(model, feature_names=names, verbose=False)
    rules = explainer.explain(encoder.transform(X).tolist(), [int(label == high) for label in labels])
    said = np.array(explainer.predict(encoder.transform(rest).tolist()))
    return np.where(said == 1, high, low), sum(rule.count("&") + 1 for rule in rules)


def compare(name: str, n_splits: int, generations: int, with_te2rules: bool) -> None:
    """Measure all models on some splits of a data set, and print means."""
    X, y = SETS[name]()
    figures: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
    for seed in range(n_splits):
        train, test = train_test_split(np.arange(len(X)), test_size=TEST_SHARE, random_state=seed, stratify=y)
        X_train, X_test, y_train, y_test = X.iloc[train], X.iloc[test], y[train], y[test]
        forest = with_indicators(RandomForestClassifier(300, random_state=seed)).fit(X_train, y_train)
        original = forest.predict(X_test)

        def note(
            model: str,
            said: NDArray[Any],
            size: float,
            begun: float,
            original: NDArray[Any] = original,
            right: NDArray[Any] = y_test,
        ) -> None:
            agrees, correct = float(np.mean(said == original)), float(np.mean(said == right))
            figures[model].append((agrees, correct, size, time.process_time() - begun))

        begun = time.process_time()
        note("the forest itself", original, np.nan, begun)
        run: dict[str, Any] = {"random_state": seed, "generations": generations, "n_jobs": 1}
        begun = time.process_time()
        own = EvoterClassifier(**run).fit(X_train, y_train)
        note("rules from labels", own.predict(X_test), own.ruleset_.n_conditions, begun)
        twin = None
        variants: dict[str, dict[str, Any]] = {
            "twin, rows only": {"query_share": 0.0},
            "twin, classes only": {"softness": 0.0},
            "twin": {},
        }
        for model, options in variants.items():
            begun = time.process_time()
            twin = distil(forest, X_train, X_test=X_test, y_test=y_test, front=model == "twin", **options, **run)
            note(model, twin.predict(X_test), twin.ruleset.n_conditions, begun)
        assert twin is not None
        for number, candidate in enumerate(twin.front):
            if number != twin.front.chosen:
                said = twin.choose(number).predict(X_test)
                note(f"twin, size {number}", said, candidate.n_conditions, time.process_time())
        seen = twin.evidence
        for model, leaves in {"tree": None, "tree of the twin's size": twin.ruleset.n_conditions + 1}.items():
            begun = time.process_time()
            tree, size = tuned_tree(seen.learnt, seen.answers.labels, leaves)
            note(model, tree.predict(X_test), size, begun)
        begun = time.process_time()
        tree, size = tuned_tree(X_train, y_train)
        note("tree from labels", tree.predict(X_test), size, begun)
        if with_te2rules and len(forest.classes_) == FEW_LEAVES:
            begun = time.process_time()
            said, size = te2rules(forest, seen.learnt, seen.answers.labels, X_test)
            note("TE2Rules", said, size, begun)
    report(name, figures, n_splits)


def report(name: str, figures: dict[str, list[tuple[float, float, float, float]]], n_splits: int) -> None:
    """Print the means of a data set, and the difference of accuracy that distillation makes."""
    for model, rows in figures.items():
        if len(rows) < n_splits:  # a size that not every front has
            continue
        fidelity, accuracy, size, seconds = np.mean(rows, axis=0)
        shown = "-" if np.isnan(size) else f"{size:.1f}"
        sys.stdout.write(f"| {name} | {model} | {fidelity:.3f} | {accuracy:.3f} | {shown} | {seconds:.1f} |\n")
    gains = np.array(figures["twin"])[:, 1] - np.array(figures["rules from labels"])[:, 1]
    gain = mean_interval(gains, test_per_train=TEST_SHARE / (1 - TEST_SHARE))
    sys.stdout.write(
        f"{name}: accuracy of the twin less that of rules from labels {float(gain.mean):+.3f} ± {float(gain.half):.3f} "
        f"({n_splits} splits)\n"
    )
    sys.stdout.flush()


def distil_ppo(seeds: int) -> None:
    """Train PPO on cart-pole, imitate it, and print the returns of both."""
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_util import make_vec_env

    torch.set_num_threads(1)
    # Settings that were tuned for this environment by others (those of RL Baselines3 Zoo).
    tuned: dict[str, Any] = {
        "n_steps": 32, "batch_size": 256, "gae_lambda": 0.8, "gamma": 0.98, "n_epochs": 20, "ent_coef": 0.0,
        "learning_rate": 1e-3,
    }  # fmt: skip
    for seed in range(seeds):
        begun = time.process_time()
        model = PPO("MlpPolicy", make_vec_env("CartPole-v1", 8, seed=seed), seed=seed, device="cpu", **tuned)
        model.learn(60_000)
        trained = time.process_time() - begun
        begun = time.process_time()

        def teacher(seen: Any, model: Any = model) -> int:
            return int(model.predict(seen, deterministic=True)[0])

        for rounds in (1, 5):
            begun = time.process_time()
            twin = distil_policy(teacher, "CartPole-v1", n_rounds=rounds, random_state=seed)
            spent = time.process_time() - begun
            weights = sum(part.numel() for part in model.policy.parameters())
            heading = f"PPO seed {seed} ({weights:,} weights, {trained:.0f} CPU s)"
            sys.stdout.write(f"{heading}, {rounds} rounds ({spent:.0f} CPU s)\n{twin!r}\n{twin.rounds}\n\n")
            sys.stdout.flush()


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", choices=list(SETS), default=list(SETS))
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--generations", type=int, default=200)
    parser.add_argument("--te2rules", action="store_true", help="also TE2Rules, for two classes")
    parser.add_argument("--policies", type=int, default=0, metavar="SEEDS", help="imitate PPO on cart-pole")
    given = parser.parse_args()
    warnings.simplefilter("ignore", UserWarning)
    sys.stdout.write("| data | model | fidelity | accuracy | conditions | CPU s |\n|---|---|---:|---:|---:|---:|\n")
    for name in given.only:
        compare(name, given.splits, given.generations, given.te2rules)
    distil_ppo(given.policies)
    sys.stdout.write(f"load {os.getloadavg()[0]:.1f}\n")


if __name__ == "__main__":
    main()
