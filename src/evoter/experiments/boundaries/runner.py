"""The runner of decision boundaries: how much of the plane each model gets wrong."""

from collections.abc import Sequence

from evoter.experiments.boundaries.surfaces import surfaces
from evoter.experiments.outcome import Outcome


def run(variant: str, models: Sequence[str], seed: int, *, n_examples: int) -> dict[str, Outcome]:
    """Compare the rule called `variant` with what models learn of it from so many examples."""
    found = surfaces(variant, seed, n_examples)
    return {name: Outcome({"wrong": found[name].wrong, "size": found[name].size}) for name in models}
