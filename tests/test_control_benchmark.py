"""The benchmarks of control really run, if only for a moment; how good what they find is says nothing here."""

import dataclasses
import doctest
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gymnasium")

from evoter import EvoterPolicy
from evoter.experiments.control import Search, search_policy
from project import ROOT

sys.path.append(str(ROOT / "benchmarks"))  # where its scripts find their modules

import control
import control_peers

SMALL: dict[str, Any] = {
    "n_episodes": 2,
    "n_validation": 3,
    "n_confirmation": 3,
    "population_size": 10,
    "max_rules": 2,
    "max_conditions": 1,
}


def test_the_benchmark_runs() -> None:
    script = ROOT / "benchmarks" / "control.py"
    arguments = [
        "--only",
        "cart-pole v0",
        "--seeds",
        "1",
        "--first",
        "0",
        "--most",
        "0.2",
        "--rules",
        "--set",
        "max_rules=1",
    ]
    done = subprocess.run(
        [sys.executable, str(script), *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "140"},
    )
    assert "cart-pole v0" in done.stdout
    assert "of 1 in 5" in done.stdout
    assert "2. Default" in done.stderr or "1. Default" in done.stderr, "one rule at most"
    assert doctest.testmod(control).attempted == 1


@pytest.mark.parametrize("name", [name for name in control.GOALS if "cart-pole" in name])
def test_every_goal_is_sought(name: str) -> None:
    goal = control.GOALS[name]
    small = dataclasses.replace(goal, generations=1, n_test=3, parameters={**goal.parameters, **SMALL})
    outcome, policy = search_policy(small.env, 0, generations=1, n_test=small.n_test, **small.parameters)
    assert isinstance(policy, EvoterPolicy)
    assert (outcome.seed, outcome.solved) == (0, policy.solved_)
    assert outcome.generations <= 1
    assert 0 < outcome.test_score <= 500
    assert len(control.summary(small, [outcome])) == 6


def test_a_search_begins_with_a_given_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.txt"
    path.write_text("rotation.rate.of.pole <= -0.39 -> Left; angle.of.pole <= -0.0166 -> Left; Default -> Right")
    control.main(["--only", "cart-pole v0", "--seeds", "1", "--start", str(path)])
    assert "│ 1 of 1 in 5 │ 0 │" in " ".join(capsys.readouterr().out.split()), "found in the first generation"
    assert EvoterPolicy("CartPole-v0").load(str(path)).score(10) == 200.0, "the task is easy with it"


def test_what_was_found_too_late_or_fails_a_test_does_not_count() -> None:
    goal = control.GOALS["cart-pole v1"]
    found = Search(0, 3, True, 500.0, 2, 1.0, 1.0)
    late = Search(1, goal.generations + 1, True, 500.0, 3, 1.0, 1.0)
    imperfect = Search(2, 2, True, 499.9, 2, 1.0, 1.0)
    never = Search(3, 25, False, 80.0, 9, 1.0, 1.0)
    within, needed, perfect, sizes, *_ = control.summary(goal, [found, late, imperfect, never])
    assert within == f"2 of 4 in {goal.generations}"
    assert needed == f"3 {goal.generations + 1} 2 -"
    assert perfect == "2 of 4"
    assert sizes == "2.3, most 3"


def test_rules_are_set_beside_peers(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are counted, all of them, and the peers are given as many."""
    monkeypatch.setitem(control_peers.RULES, "n_validation", 1)
    line, steps, elapsed = control_peers.evolve("MountainCar-v0", 0, 1, 1)
    assert steps > 40 * 200, "a generation of forty, an episode each"
    assert elapsed > 0
    assert line.startswith("| MountainCar-v0 | 0 | EVOTER | -")
    assert f" | {steps:,} | " in line
    assert "Default" in capsys.readouterr().out


def test_a_peer_learns() -> None:
    pytest.importorskip("stable_baselines3")
    at_time, at_steps = control_peers.learn("MountainCar-v0", "PPO", 0, 512, 0.01, 1)
    assert "| MountainCar-v0 | 0 | PPO | -200.0 | " in at_time
    assert " weights |" in at_steps


def test_the_decision_boundaries_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    import decision_boundaries

    decision_boundaries.main([str(tmp_path / "boundaries.png"), "--examples", "50"])
    assert (tmp_path / "boundaries.png").stat().st_size > 10_000


def test_a_policy_is_filmed(tmp_path: Path) -> None:
    pytest.importorskip("pygame")
    image, sequence = pytest.importorskip("PIL.Image"), pytest.importorskip("PIL.ImageSequence")
    import policy_animation

    assert doctest.testmod(policy_animation).failed == 0
    path = tmp_path / "policy.gif"
    policy_animation.main([str(path), "--generations", "1", "--frames", "3"])
    with image.open(path) as film:  # in which frames that are equal have become one
        shown = [picture.info["duration"] for picture in sequence.Iterator(film)]
    assert sum(shown) == 3 * policy_animation.MILLISECONDS


def test_steps_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    import environments

    environments.main(["--quick"])
    printed = capsys.readouterr().out
    assert "compiled / Python" in printed
    assert printed.count("steps/s") == 6
