"""A Ray cluster gives the bytes of one thread, also where workers and nodes die, are slow, or lack memory."""

import os
import signal
import subprocess
import sys
import time
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import ENVIRONMENT, patients, run, write_rows
from evoter import EvoterClassifier
from evoter.evolution.checkpoint import load_checkpoint
from evoter.evolution.engine import Evolution
from evoter.evolution.executor import ThreadExecutor
from evoter.evolution.sharding import Shards, Tally
from evoter.evolution.stopping import Generations
from evoter.execution import ClusterError, RayExecutor
from evoter.execution.conformance import CASES, check_executor, digest, expected
from evoter.execution.ray_connection import check_versions, connect, import_ray
from evoter.execution.ray_executor import RayEvaluation
from evoter.execution.ray_worker import versions
from evoter.execution.starting import start_executor
from evoter.kernels.layout import Population
from evoter.kernels.threads import Threads


def test_ray_conforms(evaluation: RayEvaluation) -> None:
    check_executor(evaluation)
    assert evaluation.pool.n_lost == 0


def test_a_node_that_is_lost_and_replaced_changes_nothing(cluster: Any, evaluation: RayEvaluation) -> None:
    """One node goes in the middle of a run; while there is one worker, it does the work of both."""
    [node] = list(cluster.worker_nodes)

    def lose(evolution: Evolution, progress: float) -> None:
        if evolution.generation == 0:
            cluster.remove_node(node)
        if evolution.generation == 2:
            cluster.add_node(num_cpus=1, object_store_memory=80 * 2**20)

    with pytest.warns(RuntimeWarning, match="workers died"):
        found = digest("weights and log-loss", evaluation, [lose])
    assert found == expected("weights and log-loss")
    check_executor(evaluation, ["classification"])


def strike(path: Path, kills: bool) -> None:
    """Kill or delay this process, if a file is there: the first process to see it takes it away."""
    try:
        path.unlink()
    except FileNotFoundError:
        return
    if kills:
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.5)


@dataclass
class Marked:
    """Shards that do something to the process that counts them, if a file is there."""

    shards: Shards
    path: Path
    kills: bool

    @property
    def n_shards(self) -> int:
        return self.shards.n_shards

    def take(self, first: int, last: int) -> "Marked":
        return Marked(self.shards.take(first, last), self.path, self.kills)

    def count(self, population: Population, threads: Threads) -> Tally:
        strike(self.path, self.kills)
        return self.shards.count(population, threads)


@dataclass
class MarkedCall:
    """A function, or a method, that does something to the process that calls it, if a file is there."""

    call: Any
    path: Path
    kills: bool

    def __call__(self, *arguments: Any) -> Any:
        strike(self.path, self.kills)
        return self.call(*arguments)

    work = __call__  # as policies are played


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that marks what workers do for a task: counting, playing, or letting islands evolve."""
    import_ray().cloudpickle.register_pickle_by_value(sys.modules[__name__])  # workers cannot import tests

    def mark(name: str, path: Path, *, kills: bool) -> None:
        case = CASES[name]

        def make(executor: Any) -> Any:
            problem: Any = case.make(executor)
            if name == "control":
                problem._player = MarkedCall(problem._player.work, path, kills)
            elif case.settings.n_islands > 1:
                assert executor.takes_islands(problem)
                problem.evaluate = MarkedCall(problem.evaluate, path, kills)
            else:
                marking = Marked(problem.shards, path, kills)
                # On the class: some tasks have an attribute and some a property.
                monkeypatch.setattr(type(problem), "shards", property(lambda self: marking), raising=False)
            return problem

        expected(name)  # before it is changed
        monkeypatch.setitem(CASES, name, type(case)(make, case.settings))

    return mark


MORTAL = (
    "weights and log-loss", "series", "regression", "prescription", "front", "control", "islands on few rows"
)  # fmt: skip
"""A case of each kind of task."""


@pytest.mark.parametrize("name", MORTAL)
def test_a_worker_killed_in_the_middle_of_a_generation_changes_nothing(
    evaluation: RayEvaluation, marked: Any, tmp_path: Path, name: str
) -> None:
    marked(name, tmp_path / "kill", kills=True)
    n_lost = evaluation.pool.n_lost

    def kill_soon(evolution: Evolution, progress: float) -> None:
        if evolution.generation == 1:
            (tmp_path / "kill").touch()

    so_far = rf" \({n_lost + 1} so far\)" if n_lost else ""  # equal warnings would be shown only once
    with pytest.warns(
        RuntimeWarning, match=f"1 of 2 workers died; their work is done again, with the same result{so_far}$"
    ):
        found = digest(name, evaluation, [kill_soon])
    assert found == expected(name)
    assert evaluation.pool.n_lost == n_lost + 1
    assert not (tmp_path / "kill").exists()


def rows_held(evaluation: RayEvaluation, case: str) -> list[int]:
    """Evaluate a task and return how many of its runs of shards each worker holds."""
    problem = CASES[case].make(evaluation)
    evaluation.evaluate(problem, Evolution(problem, CASES[case].settings, seed=1).ask(), 0)
    runs = {held.key for held in evaluation._hold(problem, [])}
    return [len(member.held & runs) for member in evaluation.pool._members]


def test_no_worker_holds_the_rows_of_another(evaluation: RayEvaluation) -> None:
    """Also where the first to start, or the survivor of two, had all rows for a while."""
    deadline = time.monotonic() + 60
    while len(evaluation.pool.processes) < 2 and time.monotonic() < deadline:  # one may have been killed just now
        time.sleep(0.1)
    assert rows_held(evaluation, "classification") == [1, 1]
    problem = CASES["classification"].make(evaluation)
    population = Evolution(problem, CASES["classification"].settings, seed=1).ask()
    second = evaluation.pool._members[1]
    second.ready = False  # as if it had not started yet
    evaluation.pool._welcome, welcome = lambda: None, evaluation.pool._welcome  # type: ignore[method-assign]
    evaluation.evaluate(problem, population, 0)
    runs = {held.key for held in evaluation._hold(problem, [])}
    assert [len(member.held & runs) for member in evaluation.pool._members] == [2, 0]
    evaluation.pool._welcome = welcome  # type: ignore[method-assign]
    found = evaluation.evaluate(problem, population, 0)
    assert [len(member.held & runs) for member in evaluation.pool._members] == [1, 1]
    alone = problem.evaluate(population, Threads(1), 0)
    assert [a.tobytes() for a in found] == [b.tobytes() for b in alone]


def test_a_slow_worker_changes_nothing(evaluation: RayEvaluation, marked: Any, tmp_path: Path) -> None:
    marked("weights and log-loss", tmp_path / "wait", kills=False)
    (tmp_path / "wait").touch()
    assert digest("weights and log-loss", evaluation) == expected("weights and log-loss")
    assert not (tmp_path / "wait").exists()


def test_a_store_of_objects_that_is_nearly_full_changes_nothing(evaluation: RayEvaluation) -> None:
    ray = import_ray()
    kept = [ray.put(np.zeros(2**20)) for _ in range(9)]  # 8 MB each
    check_executor(evaluation, ["classification", "regression"])
    assert ray.get(kept[0]).sum() == 0.0


def test_an_error_in_a_worker_is_raised_here(evaluation: RayEvaluation) -> None:
    class Broken:
        def work(self, population: Population, argument: Any, threads: Threads) -> Any:
            raise ValueError("the environment has gone")

    population = Evolution(CASES["control"].make(evaluation), CASES["control"].settings).ask()
    with pytest.raises(ValueError, match="the environment has gone"):
        evaluation.work_on(Broken(), population, np.zeros(1, np.int64))
    check_executor(evaluation, ["control"])


class Lent:
    """A description of an executor that runs already and stays open."""

    def __init__(self, executor: RayEvaluation) -> None:
        self.executor = executor

    def start(self, threads: Threads) -> RayEvaluation:
        lent = copy(self.executor)
        lent.close = threads.close  # type: ignore[method-assign]
        return lent


def test_estimators_give_the_same_rules(evaluation: RayEvaluation) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3)).round(2)
    y = X[:, 0] + X[:, 1] > 0
    model = EvoterClassifier(generations=3, population_size=30, random_state=0, settings={"refinement_moves": 50})
    alone = model.fit(X, y).ruleset_
    assert model.set_params(executor=Lent(evaluation)).fit(X, y).ruleset_ == alone


def test_a_cluster_without_a_free_processor_is_an_error_that_says_so(evaluation: RayEvaluation) -> None:
    busy = RayExecutor(n_workers=1, least_work=0, start_seconds=0.1).start(Threads(1))
    with pytest.raises(ClusterError, match=r"no worker has started within 0\.1 seconds; .*`ray status`"):
        check_executor(busy, ["many classes"])
    busy.close()
    assert import_ray().is_initialized(), "the connection belongs to whoever made it"


def test_the_command_line_gives_the_same_rules(
    spare: Any, cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks for a worker for each processor; one is free, and does all the work."""
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "patients.csv", patients())
    command = ("fit", "patients.csv", "--target", "risk", "--generations", "2", "--population", "20", "--yes")
    for name, more in (("alone", []), ("cluster", ["--cluster", cluster.address])):
        result = run(*command, "--setting", "refinement_moves=50", "--output", f"{name}.json", *more)
        assert result.exit_code == 0, result.output
        said = f"evaluating on the Ray cluster at {cluster.address}: 1 worker" in result.stderr
        assert said == (name == "cluster")
    assert (tmp_path / "alone.json").read_bytes() == (tmp_path / "cluster.json").read_bytes()


def test_workers_are_gathered_before_rows_are_handed_out(spare: Any, evaluation: RayEvaluation) -> None:
    late = RayExecutor(n_workers=1, least_work=0).start(Threads(1))
    assert not late.pool._members[0].ready
    assert rows_held(late, "classification") == [1]
    late.close()


RUN = """
import sys
from evoter.evolution.engine import Evolution
from evoter.evolution.stopping import Generations
from evoter.execution import RayExecutor
from evoter.execution.conformance import CASES
from evoter.kernels.threads import Threads
from pathlib import Path

case = CASES["weights and log-loss"]
with_ray = RayExecutor(sys.argv[1], n_workers=1, least_work=0).start(Threads(1))
evolution = Evolution(case.make(with_ray), case.settings, seed=7, executor=with_ray)
evolution.run(Generations(1_000), [lambda *_: print("alive", flush=True)], checkpoint=Path(sys.argv[2]), checkpoint_seconds=0)
"""


def test_a_driver_that_is_killed_is_resumed_from_its_checkpoint(
    spare: Any, evaluation: RayEvaluation, cluster: Any, tmp_path: Path
) -> None:
    file = tmp_path / "run.checkpoint"
    driver = subprocess.Popen(
        [sys.executable, "-c", RUN, cluster.address, str(file)], stdout=subprocess.PIPE, env=ENVIRONMENT, text=True
    )
    assert driver.stdout is not None
    for _ in range(3):
        assert driver.stdout.readline() == "alive\n"
    driver.kill()
    driver.wait()
    driver.stdout.close()
    reached = load_checkpoint(file).generation
    assert reached >= 1
    case = CASES["weights and log-loss"]
    found = []
    for executor, path in ((evaluation, file), (ThreadExecutor(), None)):
        evolution = Evolution(case.make(executor), case.settings, seed=7, executor=executor)
        result = evolution.run(Generations(reached + 3), checkpoint=path)
        found.append((str(result.best), [array.tobytes() for array in evolution.evaluation]))
    assert found[0] == found[1]


def test_without_ray_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ImportError, match=r"needs Ray; install it with pip install 'evoter\[cluster\]'"):
        start_executor("ray", Threads(1))


def test_without_a_cluster_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = import_ray()

    def fail(*_: object, **__: object) -> None:
        raise ConnectionError("Could not find any running Ray instance. Please specify.")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", fail)
    with pytest.raises(ClusterError, match=r"no Ray cluster was found on this machine .*ray start --head"):
        connect("auto")


OTHER_VERSION = """
import sys
from evoter.execution import RayExecutor
from evoter.execution.ray_connection import import_ray
from evoter.kernels.threads import Threads

import_ray().__version__ = "2.9.0"
RayExecutor(sys.argv[1]).start(Threads(1))
"""


def test_another_version_of_ray_is_refused(cluster: Any) -> None:
    """The cluster is a real one; the process that connects says that it has another version."""
    command = [sys.executable, "-c", OTHER_VERSION, cluster.address]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "evoter.execution.errors.ClusterError: the Ray cluster runs another version of Ray or Python" in done.stderr
    assert "this process, which has Ray 2.9.0" in done.stderr
    assert "install the same versions on all machines" in done.stderr


def test_workers_with_other_software_are_refused() -> None:
    check_versions(versions(), versions(), "process 1")
    with pytest.raises(ClusterError, match=r"process 1 has evoter 0\.0\.1, this process has"):
        check_versions(versions(), {**versions(), "evoter": "0.0.1"}, "process 1")


def test_executors_are_named_or_described() -> None:
    assert isinstance(start_executor("threads", Threads(1)), ThreadExecutor)
    with pytest.raises(ValueError, match="there is no executor 'rays': use one of threads, processes, ray"):
        start_executor("rays", Threads(1))
    with pytest.raises(ValueError, match="n_workers must be 1 or more, got 0"):
        RayExecutor(n_workers=0)
