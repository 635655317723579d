"""A search with a checkpoint: continued after any SIGKILL to the same rules, refused for another table or settings."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import evoter
from commands import ENVIRONMENT, QUICK, fails, patients, run, run_json, write_rows
from evoter.rules.files.writing import locked

FIT = ("fit", "patients.csv", "--target", "risk", *QUICK)

KILLED = """
import os, random, signal, sys, time
import numpy as np
from evoter import EvoterClassifier
from evoter.cli.app import run
from evoter.cli.fit.files import write_files
from evoter.evolution.engine import Evolution

Evolution.run.__kwdefaults__["checkpoint_seconds"] = 0.0  # after each generation
# Kernels are loaded once for all children; no frame of polars is made, because its threads do not survive a fork.
EvoterClassifier(generations=2, n_jobs=1).fit(np.arange(40.0).reshape(20, 2), [0, 1] * 10)

def started(*more):
    child = os.fork()
    if not child:
        sys.argv = ["evoter", *sys.argv[1:], *more]
        try:
            run()
        except SystemExit as error:
            os._exit(error.code)
    return child

assert os.waitpid(started("--output", "whole.json"), 0)[1] == 0
rng, kills, status = random.Random(0), 0, signal.SIGKILL
while status == signal.SIGKILL:
    child = started("--output", "killed.json", "--checkpoint", "run.npz")
    if kills < 5:
        while not os.path.exists("run.npz"):
            time.sleep(0.01)
        time.sleep(rng.uniform(0.0, 0.6))
        os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    kills += status == signal.SIGKILL
assert status == 0
print(kills, *sorted(os.listdir()))
"""


@pytest.fixture
def place(folder: Path) -> Path:
    """Go to a directory with a table."""
    write_rows(folder / "patients.csv", patients())
    return folder


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_search_that_was_killed_ends_with_the_rules_of_one_that_was_not(place: Path) -> None:
    command = [*FIT, "--generations", "60", "--patience", "60", "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *command],
        cwd=place,
        env=ENVIRONMENT,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    kills, *names = done.stdout.split()
    assert int(kills) >= 2
    assert evoter.load(place / "killed.json") == evoter.load(place / "whole.json")
    assert not [name for name in names if name.endswith((".tmp", ".lock"))]


def test_the_same_command_continues_and_others_are_refused(place: Path) -> None:
    command = (*FIT, "--checkpoint", "run.npz", "--quiet")
    first = run_json(*command, "--output", "a.json")
    result = run(*command[:-1], "--output", "b.json", "--generations", "14")
    assert result.exit_code == 0
    assert "continuing from run.npz" in result.stderr
    again = run_json(*command, "--output", "c.json")
    assert (first["run"]["generations"], again["run"]["generations"]) == (10, 14), "it had gone on"
    assert "checkpoint" not in again["settings"]
    other = "continue with the same ones, or use another file"
    assert fails(*command, "--max-rules", "3") == (
        "run.npz: the checkpoint was written with other settings: max_initial_rules 4 (now 3), max_rules 64 (now 3)",
        other,
    )
    write_rows(place / "patients.csv", patients(seed=1))
    message, hint = fails(*command)
    assert message.startswith("run.npz: the checkpoint was written for other data")
    assert hint == other


def test_a_file_that_is_no_checkpoint_is_not_replaced(place: Path) -> None:
    (place / "notes.txt").write_text("mine", encoding="utf-8")
    message, hint = fails(*FIT, "--quiet", "--checkpoint", "notes.txt")
    assert message.startswith("notes.txt: not a checkpoint of evoter")
    assert hint == "delete it to start again"
    assert (place / "notes.txt").read_text("utf-8") == "mine"
    assert fails(*FIT, "--checkpoint", "patients.csv")[0] == "'patients.csv' is the table, which would be replaced"
    assert "is a file that the fit writes" in fails(*FIT, "--checkpoint", "patients.rules.txt")[0]
    assert fails(*FIT, "--checkpoint", "nowhere/run.npz")[0] == "there is no directory 'nowhere' to write to"


def test_a_checkpoint_in_use_names_the_process(place: Path) -> None:
    with locked(place / "run.npz"):
        message, hint = fails(*FIT, "--checkpoint", "run.npz")
    assert f"run.npz is in use by process {os.getpid()} on" in message
    assert hint == "wait until it ends, or use another file"


@pytest.mark.filterwarnings("default")
def test_a_checkpoint_that_cannot_be_written_is_one_warning(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("evoter.evolution.checkpoint.save_checkpoint", full)
    result = run(*FIT, "--checkpoint", "run.npz")
    assert result.exit_code == 0
    warnings = [line for line in result.stderr.splitlines() if "checkpoint" in line]
    assert len(warnings) == 1
    assert warnings[0].startswith("warning: run.npz: the checkpoint could not be written (No space left on device)")
