"""The runner of control experiments: a policy is sought, and played in new episodes."""

from collections.abc import Mapping, Sequence
from typing import Any

from evoter.experiments.control.policies import seek
from evoter.experiments.outcome import Outcome


def run(
    variant: str,
    models: Sequence[str],
    seed: int,
    *,
    env: str,
    perfect: float,
    within: int,
    generations: int,
    n_test: int,
    parameters: Mapping[str, Any],
    n_jobs: int = 1,
) -> dict[str, Outcome]:
    """Seek a policy; `within` so many generations it should be found, and `perfect` is what it can earn at most.

    How many generations it took is a measure of runs that found one.
    """
    (model,) = models
    found, policy = seek(env, seed, generations=generations, n_test=n_test, n_jobs=n_jobs, **parameters)
    measures = {
        "in_time": float(found.solved and found.generations <= within),
        "solved": float(found.solved),
        "perfect": float(found.test_score >= perfect),
        "score": found.test_score,
        "conditions": found.n_conditions,
    }
    if found.solved:
        measures["generations"] = found.generations
    curve = {"score": tuple(policy.history_["best"].tolist())}
    return {model: Outcome(measures, curve, str(policy.ruleset_), seconds=found.seconds)}
