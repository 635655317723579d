"""`evoter fit --cluster` without Ray or without a cluster says what to do, before anything is read or searched."""

import sys
from pathlib import Path

import pytest

from commands import fails, patients, write_rows
from evoter.cli.fit.learning import search_messages
from evoter.execution.ray_connection import import_ray

FIT = ("fit", "patients.csv", "--target", "risk", "--cluster", "auto")


@pytest.fixture(autouse=True)
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "patients.csv", patients())


def test_without_ray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert fails(*FIT) == ("evaluation on a cluster needs Ray", "install it with pip install 'evoter[cluster]'")


def test_without_a_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ConnectionError("Could not find any running Ray instance.")

    monkeypatch.setattr(import_ray(), "init", fail)
    monkeypatch.setattr(import_ray(), "is_initialized", lambda: False)
    message, hint = fails(*FIT, "--quiet")
    assert message.startswith("no Ray cluster was found on this machine")
    assert hint.startswith("start one with `ray start --head`, or give the address that it printed")
    assert hint.endswith("set RAY_AUTH_MODE=token")


def test_what_ray_prints_is_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints to standard output, for example when memory runs out, and that must not come between JSON."""
    with search_messages(progress=False, on_cluster=True):
        sys.stdout.write("(raylet) 1 Workers killed due to memory pressure\n")
    assert capsys.readouterr() == ("", "(raylet) 1 Workers killed due to memory pressure\n")
