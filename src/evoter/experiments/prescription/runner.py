"""The runner of prescription: rule sets and networks against the same predictor, all models in one run."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from evoter.experiments.prescription import diabetes, heart_failure
from evoter.experiments.runners import Outcome

COMPARISONS: Mapping[str, Callable[..., dict[str, Outcome]]] = {
    "heart-failure": heart_failure.compare,
    "diabetes": lambda seed, **settings: diabetes.compare(seed, **settings).outcomes,
}


def run(
    variant: str, models: Sequence[str], seed: int, *, data: str, parameters: Mapping[str, Any]
) -> dict[str, Outcome]:
    """Compare prescriptors on a data set; parameters are those of the comparison."""
    found = COMPARISONS[data](seed, **parameters)
    return {name: found[name] for name in models}
