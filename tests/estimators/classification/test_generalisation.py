"""What is learnt does not depend on the units of a column, and noise teaches nothing."""

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import rankdata
from sklearn.datasets import load_breast_cancer, load_iris, load_wine

from evoter import EvoterClassifier
from evoter.kernels.layout import Floats

INCREASING: dict[str, Callable[[Floats], Floats]] = {
    "exp": lambda x: np.exp(x / np.abs(x).max(axis=0) * 3),
    "cubes": lambda x: x**3,
    "ranks": lambda x: rankdata(x, method="dense", axis=0).astype(float),
}


def quick(**parameters: object) -> EvoterClassifier:
    settings = {"refinement_moves": 500}
    return EvoterClassifier(generations=12, random_state=0, settings=settings, **parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize("function", INCREASING.values(), ids=INCREASING)
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_decisions_do_not_change_with_an_increasing_function_of_the_columns(
    load: Callable[..., tuple[Floats, Floats]], function: Callable[[Floats], Floats]
) -> None:
    X, y = load(return_X_y=True)
    X = np.round(X, 3)
    changed = function(X)
    plain, other = (quick(forms=["constants", "sets"]).fit(table, y) for table in (X, changed))
    assert np.array_equal(plain.predict(X), other.predict(changed))
    assert plain.ruleset_.n_conditions == other.ruleset_.n_conditions


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_shuffled_labels_give_no_rules_on_most_shuffles(load: Callable[..., tuple[Floats, Floats]]) -> None:
    X, y = load(return_X_y=True)
    sizes = [quick().fit(X, np.random.default_rng(seed).permutation(y)).ruleset_.n_conditions for seed in range(6)]
    assert sum(size == 0 for size in sizes) >= 4
    assert max(sizes) <= 8


def test_two_seeds_decide_almost_alike() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    decisions = [EvoterClassifier(random_state=seed).fit(X[::2], y[::2]).predict(X[1::2]) for seed in (0, 1)]
    assert (decisions[0] == decisions[1]).mean() > 0.93
