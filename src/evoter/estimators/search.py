"""One run of the engine on behalf of an estimator: threads, seed, progress display and checkpoint."""

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.utils import check_random_state

from evoter.evolution.checkpoint import load_checkpoint
from evoter.evolution.engine import Evolution, Result, Watcher
from evoter.evolution.problem import Problem
from evoter.evolution.settings import Settings
from evoter.evolution.stopping import Stopping
from evoter.kernels.threads import Threads
from evoter.problems.prescription.problem import PrescriptionProblem
from evoter.problems.warming import kernels_are_cold, warm_up, warm_up_policies, warm_up_prescriptions
from evoter.rules.model import Mode, RuleSet

RandomState = int | np.random.RandomState | None


def search(
    problem: Problem,
    settings: Settings,
    until: Stopping,
    *,
    random_state: RandomState,
    n_jobs: int | None,
    warm_start: Sequence[RuleSet],
    watchers: Sequence[Watcher],
    checkpoint: Path | None,
    verbose: int,
    seed: int | None = None,
) -> Result:
    """Evolve rule sets for a problem and return the best; a seed that was drawn before takes that of `random_state`."""
    threads = Threads(count_threads(n_jobs))
    seed = draw_seed(random_state, checkpoint) if seed is None else seed
    evolution = Evolution(problem, settings, seed=seed, threads=threads, warm_start=warm_start)
    prescribes = isinstance(problem, PrescriptionProblem)
    load_kernels(problem.mode, len(problem.objectives) > 1, prescriptions=prescribes, verbose=verbose)
    try:
        if not verbose:
            return evolution.run(until, watchers, checkpoint=checkpoint)
        from evoter.evolution.progress import ProgressDisplay  # as below: rich is slow to import

        with ProgressDisplay() as display:
            return evolution.run(until, [*watchers, display], checkpoint=checkpoint)
    finally:
        threads.close()


def load_kernels(
    mode: Mode,
    several_objectives: bool = False,
    *,
    prescriptions: bool = False,
    policies: bool = False,
    verbose: int = 0,
) -> None:
    """Compile what a run needs, or load it, before any clock runs; say so where it takes long."""
    if kernels_are_cold():
        from evoter.evolution.progress import announce_compilation  # rich is slow to import

        announce_compilation(bool(verbose))
    warm_up(mode, several_objectives=several_objectives)
    if prescriptions:
        warm_up_prescriptions(mode)
    if policies:
        warm_up_policies()


def count_threads(n_jobs: int | None) -> int:
    """Return the number of threads that `n_jobs` stands for: None is 1, -1 all cores, -2 all but one.

    >>> count_threads(None), count_threads(3)
    (1, 3)
    """
    if n_jobs == 0:
        raise ValueError("n_jobs must not be 0: use 1 for one thread, -1 for all cores")
    if n_jobs is None:
        return 1
    return n_jobs if n_jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + n_jobs)


def draw_seed(random_state: RandomState, checkpoint: Path | None) -> int:
    """Return the seed of a run; one that may have any seed takes that of the checkpoint it goes on from."""
    if random_state is None and checkpoint is not None and checkpoint.exists():
        return load_checkpoint(checkpoint).seed
    return int(check_random_state(random_state).randint(2**31 - 1))
