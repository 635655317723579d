"""Trade-offs on bundled data: breast cancer by accuracy, number of conditions and cost of the measurements."""

import argparse
from pathlib import Path
from typing import Any

import pandas as pd
from rich.console import Console
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from evoter import EvoterClassifier, ParetoDisplay

PRICES = {"mean": 1.0, "worst": 1.0, "error": 5.0}
"""Invented prices for each kind of measurement; errors need several images."""


def main() -> None:
    """Evolve two fronts, print them, select candidates, and draw the first front if requested."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--png", type=Path, metavar="FILE", help="draw the front into FILE (needs matplotlib)")
    arguments.add_argument("--generations", type=int, default=100, metavar="N", help="generations of each run (100)")
    arguments.add_argument("--quick", action="store_true", help="refine rules briefly: does it run?")
    chosen = arguments.parse_args()
    picture: Path | None = chosen.png
    run: dict[str, Any] = {"generations": chosen.generations, "random_state": 0}
    if chosen.quick:
        run["settings"] = {"refinement_moves": 50}
    console = Console(highlight=False)
    tumours = load_breast_cancer(as_frame=True)
    diagnosis = tumours.target_names[tumours.target]
    X_train, X_test, y_train, y_test = train_test_split(
        tumours.data, diagnosis, test_size=0.3, stratify=diagnosis, random_state=0
    )

    console.rule("accuracy and complexity")
    model = EvoterClassifier(objectives=["accuracy", "complexity"], **run).fit(X_train, y_train)
    console.print(model.front_)
    accuracies = [model.with_ruleset(k).score(X_test, y_test) for k in range(len(model.front_))]
    console.print("accuracy on other tumours:", " ".join(f"{accuracy:.3f}" for accuracy in accuracies))
    for wish in ({"by": "knee"}, {"at_most": {"conditions": 2}}, {"by": "neighbours"}):
        candidate = model.front_.select(**wish)
        console.print(f"select({', '.join(f'{k}={v!r}' for k, v in wish.items())}):", candidate.scores)
    console.print(model.ruleset_.to_text("aligned", declarations=False))

    console.rule("accuracy and price, at most six conditions")
    priced = EvoterClassifier(
        objectives=["accuracy", "feature_cost"],
        feature_prices=prices(X_train),
        constraints={"complexity": 6},
        **run,
    ).fit(X_train, y_train)
    console.print(priced.front_)
    if picture is not None:
        ParetoDisplay.from_estimator(model).figure_.savefig(picture, dpi=110)


def prices(table: pd.DataFrame) -> dict[str, float]:
    """Return the price of each column."""
    return {name: next(price for kind, price in PRICES.items() if kind in name) for name in table.columns}


if __name__ == "__main__":
    main()
