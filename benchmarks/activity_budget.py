"""Human activity from raw signals: what the number of conditions, the protocol and the search each contribute."""

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.tree import DecisionTreeClassifier

from evoter.experiments.activity.signals import load_signals
from evoter.experiments.classification.runner import run
from evoter.experiments.classification.splits import split

DATA = "raw-random"
PROTOCOLS = {"clean": "clean split", "paper": "the paper's protocol"}

LARGE = {"max_rules": 64, "max_conditions": 12}
BUDGETS: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "default": ("evoter", {}),
    "cheap conditions": ("evoter", {"parsimony": 0.0005, **LARGE}),
    "free conditions": ("evoter", {"parsimony": 0.0001, **LARGE}),
    "long search": ("evoter", {"parsimony": 0.0005, **LARGE, "settings": {"refinement_moves": 40_000}}),
    "preset paper": ("evoter-paper", {}),
    "preset paper, long": ("evoter-paper", {"generations": 2_000, "patience": None, "max_seconds": 1_200}),
}
"""Models of the reproduction, and what is changed of each."""

NODES = (61, 142, None)
"""Sizes of the trees beside them: the paper's conditions, the paper's features, and as many nodes as there are."""


def rules(name: str, protocol: str, seed: int) -> str:
    """Fit rules with one of the budgets and return a line of the table."""
    model, parameters = BUDGETS[name]
    begin = time.process_time()
    of_paper = model == "evoter-paper"
    outcome = run(
        protocol,
        [model],
        seed,
        data=DATA,
        parameters=None if of_paper else parameters,
        paper_parameters=parameters if of_paper else None,
    )[model]
    found = outcome.measures
    seconds = time.process_time() - begin
    return (
        f"| {name} | {PROTOCOLS[protocol]} | {found['train_accuracy']:.3f} | {found['accuracy']:.3f} | "
        f"{found['parameters']:.0f} | {found['features']:.0f} | {seconds:.0f} |"
    )


def tree(n_nodes: int | None, protocol: str, seed: int) -> str:
    """Fit a tree with so many decision nodes and return a line of the table."""
    task = load_signals(DATA)
    rows = split(task, protocol, seed)
    begin = time.process_time()
    model = DecisionTreeClassifier(max_leaf_nodes=None if n_nodes is None else n_nodes + 1, random_state=seed)
    model.fit(task.data.iloc[rows.train], rows.labels)
    seconds = time.process_time() - begin
    train, test = (model.score(task.data.iloc[part], task.target[part]) for part in (rows.train, rows.test))
    used = len(set(model.tree_.feature[model.tree_.feature >= 0].tolist()))
    return (
        f"| tree | {PROTOCOLS[protocol]} | {train:.3f} | {test:.3f} | "
        f"{model.get_n_leaves() - 1} | {used} | {seconds:.0f} |"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for every budget and protocol as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budgets", nargs="*", choices=list(BUDGETS), default=list(BUDGETS))
    parser.add_argument("--protocols", nargs="+", choices=list(PROTOCOLS), default=list(PROTOCOLS))
    parser.add_argument("--no-trees", action="store_true", help="rules only")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    sys.stdout.write("| model | protocol | training | test | conditions | features used | CPU seconds |\n")
    sys.stdout.write("|---|---|---:|---:|---:|---:|---:|\n")
    for name in chosen.budgets:
        for protocol in chosen.protocols:
            sys.stdout.write(rules(name, protocol, chosen.seed) + "\n")
            sys.stdout.flush()
    for n_nodes in () if chosen.no_trees else NODES:
        for protocol in chosen.protocols:
            sys.stdout.write(tree(n_nodes, protocol, chosen.seed) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
