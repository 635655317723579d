"""The example over Flower: its sites are processes that keep their rows, and one of them leaves and returns."""

import importlib.util
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from evoter.federated import FederatedClassifier, Site
from federated_tables import make_table
from project import ROOT

EXAMPLE = ROOT / "examples" / "federated_flower"
sys.path.insert(0, str(EXAMPLE))

from federated_app import sockets  # noqa: E402

sys.path.remove(str(EXAMPLE))

RUN = {
    "generations": 2,
    "population_size": 20,
    "settings": {"refinement_moves": 2},
    "random_state": 0,
    "retry_seconds": 300.0,
}


class Sockets:
    """A transport to processes that listen on local sockets, as the relays of the example pass requests on."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._paths = {path.name: path for path in paths}
        self.n_asked = 0
        self.n_unanswered = 0

    def addresses(self) -> Sequence[str]:
        """Return the names of all sockets, whether anyone listens or not."""
        return list(self._paths)

    def ask(self, request: bytes, addresses: Sequence[str]) -> dict[str, bytes]:
        """Ask one process after the other."""
        self.n_asked += 1
        answers = {}
        for address in addresses:
            try:
                answers[address] = sockets.ask(self._paths[address], request)
            except OSError:
                self.n_unanswered += 1
        return answers


@contextmanager
def serving(name: str, folder: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run a site as a process."""
    table, socket = folder / f"{name}.csv", folder / name
    options = ["--target", "label", "--name", name, "--socket", str(socket), "--min-cell-count", "1"]
    command = [sys.executable, str(EXAMPLE / "serve_site.py"), str(table), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_killed_site_that_is_started_again_changes_nothing(tmp_path: Path) -> None:
    table, labels = make_table(120)
    for k, name in enumerate("ab"):
        table.assign(label=labels)[np.arange(120) % 2 == k].to_csv(tmp_path / f"{name}.csv", index=False)
    with serving("a", tmp_path) as first, serving("b", tmp_path) as second:
        for process in (first, second):
            assert process.stdout is not None
            assert "serves" in process.stdout.readline()
        transport = Sockets([tmp_path / "a", tmp_path / "b"])
        back: list[object] = []

        def leave_and_return(evolution: object, progress: float) -> None:
            if not back:
                second.kill()
                second.wait()
                back.append(serving("b", tmp_path))
                back[0].__enter__()  # type: ignore[attr-defined]

        try:
            model = FederatedClassifier(**RUN, watchers=[leave_and_return]).fit(transport)  # type: ignore[arg-type]
        finally:
            back[0].__exit__(None, None, None)  # type: ignore[attr-defined]
    assert transport.n_unanswered > 0
    whole = FederatedClassifier(**RUN).fit([Site(table, labels, name="all", min_cell_count=1)])  # type: ignore[arg-type]
    assert model.ruleset_ == whole.ruleset_


@pytest.mark.skipif(importlib.util.find_spec("flwr") is None, reason="needs examples/federated_flower/requirements.txt")
def test_the_example_runs_over_flower() -> None:
    done = subprocess.run([sys.executable, str(EXAMPLE / "try_it.py")], check=True, capture_output=True, text=True)
    assert "the rules are those of one site with all rows" in done.stdout
