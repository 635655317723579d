"""Rules that predict numbers, beside a tuned tree, a forest, lasso, FIGS, RuleFit and symbolic regression.

`python benchmarks/regression.py` prints a table; `--splits 5` says how many random splits (70/30, no row on both sides)
are averaged, `--sets diabetes friedman1` which sets. Peers that are not installed are left out: the environment of
`benchmarks/requirements-peers.txt` has them. Everything that is tuned is tuned by cross-validation on training rows.
"""

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.datasets import load_diabetes, make_friedman1, make_friedman2, make_friedman3
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LassoCV
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

from evoter import EvoterRegressor
from evoter.datasets import fetch_contraceptive_choice, fetch_heart_failure, fetch_human_activity

Table = tuple[pd.DataFrame, np.ndarray]


class Fitted(NamedTuple):
    """A fitted model: how it predicts, and its size, in conditions or what corresponds to them."""

    predict: Callable[[pd.DataFrame], np.ndarray]
    size: float
    model: Any = None


def _friedman(make: Callable[..., Any], noise: float) -> Callable[[], Table]:
    def load() -> Table:
        X, y = make(1_000, noise=noise, random_state=0)
        return pd.DataFrame(X, columns=[f"x{number + 1}" for number in range(X.shape[1])]), y

    return load


def _diabetes() -> Table:
    X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    return X, y.to_numpy()


def _heart_failure() -> Table:
    found = fetch_heart_failure(download=False)
    table = found.data.assign(outcome=found.target)
    return table.drop(columns="time"), table["time"].to_numpy(float)


def _children() -> Table:
    found = fetch_contraceptive_choice(download=False)
    table = found.data.assign(method=found.target)
    name = next(column for column in table.columns if "child" in column.lower())
    return table.drop(columns=name), table[name].to_numpy(float)


_GRAVITY = 40
"""The place of tGravityAcc-mean()-X among the features of human activity."""


def _activity() -> Table:
    """The mean of gravity along one axis, from forty of the other 560 features, evenly spaced, on 1,500 rows."""
    table = fetch_human_activity(download=False).data.iloc[:1_500]
    chosen = [place for place in np.linspace(20, table.shape[1] - 1, 40).astype(int) if place != _GRAVITY]
    return table.iloc[:, chosen], table.iloc[:, _GRAVITY].to_numpy(float)


SETS: dict[str, Callable[[], Table]] = {
    "diabetes": _diabetes,
    "friedman1": _friedman(make_friedman1, 1.0),
    "friedman2": _friedman(make_friedman2, 100.0),
    "friedman3": _friedman(make_friedman3, 0.1),
    "heart failure: time": _heart_failure,
    "contraception: children": _children,
    "human activity: feature": _activity,
}
"""The sets; the last three stand in for California housing, which cannot be had without a network."""


def evoter(X: pd.DataFrame, y: np.ndarray, seed: int, **parameters: Any) -> Fitted:
    """Fit rules."""
    model = EvoterRegressor(random_state=seed, **parameters).fit(X, y)
    return Fitted(model.predict, model.ruleset_.n_conditions, model)


def evoter_constants(X: pd.DataFrame, y: np.ndarray, seed: int) -> Fitted:
    """Fit rules without linear terms."""
    return evoter(X, y, seed, linear=False)


def tree(X: pd.DataFrame, y: np.ndarray, seed: int) -> Fitted:
    """Fit a tree whose number of leaves is chosen by cross-validation; its size is the number of its decisions."""
    leaves = {"max_leaf_nodes": [2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96]}
    search = GridSearchCV(DecisionTreeRegressor(random_state=seed), leaves, cv=5).fit(_plain(X), y)
    return Fitted(lambda rows: search.predict(_plain(rows, X)), search.best_estimator_.get_n_leaves() - 1)


def forest(X: pd.DataFrame, y: np.ndarray, seed: int) -> Fitted:
    """Fit a forest; its size is the number of decisions of all trees."""
    model = RandomForestRegressor(100, random_state=seed).fit(_plain(X), y)
    return Fitted(lambda rows: model.predict(_plain(rows, X)), sum(t.get_n_leaves() - 1 for t in model.estimators_))


def lasso(X: pd.DataFrame, y: np.ndarray, seed: int) -> Fitted:
    """Fit a sparse linear model; its size is the number of its coefficients."""
    model = make_pipeline(StandardScaler(), LassoCV(cv=5, random_state=seed)).fit(_plain(X), y)
    return Fitted(lambda rows: model.predict(_plain(rows, X)), int(np.count_nonzero(model[-1].coef_)))


def figs(X: pd.DataFrame, y: np.ndarray, seed: int) -> Fitted:
    """Fit a sum of trees whose number of decisions is chosen by cross-validation."""
    model = import_module("imodels").FIGSRegressor(random_state=seed)
    search = GridSearchCV(model, {"max_rules": [4, 8, 16, 32]}, cv=3)
    search.fit(_plain(X).to_numpy(), y)
    return Fitted(lambda rows: search.predict(_plain(rows, X).to_numpy()), int(search.best_estimator_.complexity_))


def rulefit(X: pd.DataFrame, y: np.ndarray, seed: int) -> Fitted:
    """Fit a sparse sum of rules and features; its size is the number of conditions and linear terms."""
    model = import_module("imodels").RuleFitRegressor(random_state=seed).fit(_plain(X).to_numpy(), y)
    used = [rule for rule in model.rules_ if rule.args[0] != 0]
    size = sum(str(rule).count(" and ") + 1 for rule in used)
    n_linear = int(np.count_nonzero(np.asarray(model.coef)[: _plain(X).shape[1]]))
    return Fitted(lambda rows: model.predict(_plain(rows, X).to_numpy()), size + n_linear)


def gplearn(X: pd.DataFrame, y: np.ndarray, seed: int) -> Fitted:
    """Fit a formula by genetic programming; its size is the number of its nodes."""
    model = (
        import_module("gplearn.genetic")
        .SymbolicRegressor(
            population_size=1_000,
            generations=20,
            function_set=("add", "sub", "mul", "div", "sqrt", "log", "max", "min"),
            parsimony_coefficient="auto",
            random_state=seed,
        )
        .fit(_plain(X).to_numpy(), y)
    )
    return Fitted(lambda rows: model.predict(_plain(rows, X).to_numpy()), model._program.length_)


def evoter_small(X: pd.DataFrame, y: np.ndarray, seed: int) -> Fitted:
    """Fit rules of at most eleven conditions, half as many as the tuned tree has decisions on average."""
    return evoter(X, y, seed, constraints={"complexity": 11})


MODELS = {
    "EVOTER": evoter,
    "EVOTER, at most 11": evoter_small,
    "EVOTER, constants": evoter_constants,
    "tree, tuned": tree,
    "lasso": lasso,
    "FIGS": figs,
    "RuleFit": rulefit,
    "gplearn": gplearn,
    "forest": forest,
}
"""What is compared; the forest is no transparent model."""


def _plain(X: pd.DataFrame, like: pd.DataFrame | None = None) -> pd.DataFrame:
    """Return a table of numbers: categories become columns of 0 and 1, those of the training table."""
    made = pd.get_dummies(X).astype(float)
    return made if like is None else made.reindex(columns=_plain(like).columns, fill_value=0.0)


def run(name: str, model: str, split: int) -> dict[str, Any]:
    """Fit a model on one split of a set, and measure it on the rows that it has not seen."""
    X, y = SETS[name]()
    X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=split)
    begin = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = MODELS[model](X_train, y_train, split)
    seconds = time.process_time() - begin
    predicted = np.asarray(fitted.predict(X_test), float)
    r2 = 1.0 - float(((y_test - predicted) ** 2).sum() / ((y_test - y_test.mean()) ** 2).sum())
    record = {"set": name, "model": model, "split": split, "r2": r2, "size": float(fitted.size), "seconds": seconds}
    if fitted.model is not None:
        ends = fitted.model.predict_interval(X_test)
        record["coverage"] = float(((ends[:, 0] <= y_test) & (y_test <= ends[:, 1])).mean())
    return record


def table(records: list[dict[str, Any]]) -> str:
    """Return the means over splits as a Markdown table: R2 and size by set, and CPU seconds over all."""
    frame = pd.DataFrame(records)
    means = frame.groupby(["set", "model"])[["r2", "size"]].mean()
    models = [model for model in MODELS if model in set(frame["model"])]
    lines = [f"| set | {' | '.join(models)} |", f"|---|{'---|' * len(models)}"]
    for name in dict.fromkeys(frame["set"]):
        cells = [
            f"{means.loc[(name, model), 'r2']:.3f} / {means.loc[(name, model), 'size']:,.0f}"
            if (name, model) in means.index
            else ""
            for model in models
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    overall = frame.groupby("model")[["r2", "size", "seconds"]].mean()
    cells = [f"**{overall.loc[model, 'r2']:.3f} / {overall.loc[model, 'size']:,.0f}**" for model in models]
    lines.append(f"| mean | {' | '.join(cells)} |")
    seconds = [f"{overall.loc[model, 'seconds']:.1f}" for model in models]
    lines.append(f"| CPU seconds | {' | '.join(seconds)} |")
    if "coverage" in frame:
        covered = frame.groupby("model")["coverage"].mean()
        shown = [f"{covered[model]:.1%}" if covered.notna()[model] else "" for model in models]
        lines.append(f"| 90% intervals cover | {' | '.join(shown)} |")
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--first", type=int, default=0, help="seed of the first split")
    parser.add_argument("--sets", nargs="+", choices=list(SETS), default=list(SETS))
    parser.add_argument("--models", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--output", type=Path, help="a JSON file for the records, which is continued if it exists")
    options = parser.parse_args()
    records = json.loads(options.output.read_text()) if options.output and options.output.exists() else []
    done = {(record["set"], record["model"], record["split"]) for record in records}
    for name in options.sets:
        for model in options.models:
            for split in range(options.first, options.first + options.splits):
                if (name, model, split) in done:
                    continue
                try:
                    records.append(run(name, model, split))
                except ImportError as error:
                    sys.stderr.write(f"{model}: {error}\n")
                    break
                shown = {
                    key: round(value, 4) if isinstance(value, float) else value for key, value in records[-1].items()
                }
                sys.stderr.write(f"{shown}\n")
                if options.output:
                    options.output.write_text(json.dumps(records, indent=1))
    sys.stdout.write(f"{table(records)}\n")


if __name__ == "__main__":
    main()
