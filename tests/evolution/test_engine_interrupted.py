"""Whatever ends a run, Ctrl-C or the death of its process, going on gives exactly the uninterrupted result."""

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from evoter.evolution.checkpoint import load_checkpoint
from evoter.evolution.engine import Evolution, Watcher
from evoter.evolution.stopping import Generations
from long_run import N_GENERATIONS, new_run, summary
from project import TESTS
from tasks import SMALL, plain_problem

SCRIPT = [sys.executable, str(TESTS / "long_run.py")]

posix = pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")


@pytest.fixture(scope="module")
def uninterrupted() -> dict[str, object]:
    evolution = new_run()
    evolution.run(Generations(N_GENERATIONS))
    return summary(evolution)


def press_ctrl_c_at(generation: int) -> Watcher:
    def watcher(evolution: Evolution, progress: float) -> None:
        if evolution.generation == generation:
            raise KeyboardInterrupt

    return watcher


def test_ctrl_c_keeps_the_best_so_far(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.npz"
    evolution = Evolution(plain_problem(0), SMALL, seed=2)
    result = evolution.run(Generations(20), [press_ctrl_c_at(8)], checkpoint=checkpoint, checkpoint_seconds=3_600)
    assert result.reason == "interrupted"
    assert result.history.n_generations == 9
    assert result.score == evolution.history["best"][8]
    assert load_checkpoint(checkpoint).generation == 8, "the checkpoint is written at once"

    resumed = Evolution(plain_problem(0), SMALL, seed=2)
    resumed.run(Generations(20), checkpoint=checkpoint)
    whole = Evolution(plain_problem(0), SMALL, seed=2)
    whole.run(Generations(20))
    assert summary(resumed) == summary(whole)


def test_ctrl_c_before_there_is_anything_to_keep_is_passed_on() -> None:
    class Slow:
        """A problem whose evaluation is interrupted."""

        def __init__(self) -> None:
            problem = plain_problem(0)
            self.schema, self.mode, self.objectives = problem.schema, problem.mode, problem.objectives
            self.grammar, self.fingerprint = problem.grammar, problem.fingerprint

        def evaluate(self, *_: object) -> None:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Evolution(Slow(), SMALL).run(Generations(5))  # type: ignore[arg-type]


@posix
def test_ctrl_c_at_any_moment_leaves_a_whole_generation(tmp_path: Path, uninterrupted: dict[str, object]) -> None:
    outcome = tmp_path / "outcome.json"
    subprocess.run([*SCRIPT, "interrupts", str(outcome)], check=True)
    result = json.loads(outcome.read_text())
    assert result.pop("interruptions") > 10
    assert result == uninterrupted


@posix
def test_a_run_killed_at_any_moment_resumes_to_the_same_end(tmp_path: Path, uninterrupted: dict[str, object]) -> None:
    """SIGKILL leaves no chance to clean up; the state is written after every generation, so most kills hit a write."""
    checkpoint, outcome = tmp_path / "run.npz", tmp_path / "outcome.json"
    command = [*SCRIPT, "checkpoints", str(checkpoint), str(outcome)]
    rng = random.Random(3)
    reached = []
    for _ in range(4):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            time.sleep(rng.uniform(0.0, 0.15))
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        reached.append(load_checkpoint(checkpoint).generation)
    assert reached == sorted(reached)
    assert 0 < reached[-1] < N_GENERATIONS, "the kills came while it ran"
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert json.loads(outcome.read_text()) == uninterrupted
