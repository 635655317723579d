"""A run of a few hundred generations as a script: with checkpoints for others to kill, or interrupting itself."""

import hashlib
import json
import random
import signal
import sys
from pathlib import Path

from evoter.evolution.engine import Evolution
from evoter.evolution.history import COLUMNS
from evoter.evolution.stopping import Generations
from evoter.genome.arrays import compact
from tasks import SMALL, mixed_problem

N_GENERATIONS = 300


def new_run() -> Evolution:
    """The run, always the same."""
    return Evolution(mixed_problem(7, n_rows=300), SMALL, seed=11)


def summary(evolution: Evolution) -> dict[str, object]:
    """All that a run ends with and that does not depend on the clock."""
    population = compact(evolution.population)
    arrays = [*population.antecedents, *population[1:], *evolution.evaluation]
    return {
        "ruleset": str(evolution.result().best),
        # Equal NaN must count as equal.
        "history": {name: repr(evolution.history[name].tolist()) for name in COLUMNS if name != "seconds"},
        "population": hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest(),
        "generation": evolution.generation,
    }


def with_checkpoints(checkpoint: Path, outcome: Path) -> None:
    """Write the state after every generation, and a summary at the end."""
    evolution = new_run()
    begun = False

    def tell_once(evolution: Evolution, progress: float) -> None:
        nonlocal begun
        if not begun:
            sys.stdout.write("begun\n")
            sys.stdout.flush()
        begun = True

    evolution.run(Generations(N_GENERATIONS), [tell_once], checkpoint=checkpoint, checkpoint_seconds=0)
    outcome.write_text(json.dumps(summary(evolution)))


def with_interrupts(outcome: Path) -> None:
    """Be interrupted after every few milliseconds, go on each time, and write a summary at the end."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    evolution = new_run()
    evolution.step()
    evolution.step()  # All kernels are compiled then: the compiler does not survive being interrupted all the time.
    rng = random.Random(5)
    signal.signal(signal.SIGALRM, interrupt)
    interruptions = 0
    while evolution.generation < N_GENERATIONS:
        try:
            signal.setitimer(signal.ITIMER_REAL, rng.uniform(0.0002, 0.004))
            result = evolution.run(Generations(N_GENERATIONS))
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:  # between two runs
            continue
        assert result.history.n_generations == evolution.generation + 1
        interruptions += result.reason == "interrupted"
    outcome.write_text(json.dumps({**summary(evolution), "interruptions": interruptions}))


if __name__ == "__main__":
    if sys.argv[1] == "checkpoints":
        with_checkpoints(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        with_interrupts(Path(sys.argv[2]))
