"""Checkpoints round-trip, are never half written, and nothing but a checkpoint of the same run is gone on from."""

import io
import json
import os
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evoter.evolution.checkpoint import VERSION, CheckpointError, load_checkpoint, save_checkpoint
from evoter.evolution.engine import Evolution
from evoter.evolution.stopping import Generations
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.model import Condition, Mode, Rule, RuleSet, Term
from long_run import summary
from tasks import SMALL, mixed_problem, plain_problem


def finished(seed: int = 5) -> Evolution:
    evolution = Evolution(mixed_problem(1), SMALL, seed=seed)
    evolution.run(Generations(4))
    return evolution


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "run.npz"
    save_checkpoint(finished().state(), path)
    return path


def rewrite(path: Path, **changes: Any) -> None:
    """Replace arrays of a checkpoint, or with None leave them out; `facts` are changed within."""
    with np.load(path) as arrays:
        contents = dict(arrays)
    for name, change in changes.items():
        key = name.replace("__", ".")
        if change is None:
            del contents[key]
        elif name == "facts":
            facts = {**json.loads(contents["facts"].tobytes()), **change}
            contents["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        else:
            contents[key] = change
    with path.open("wb") as file:
        np.savez(file, allow_pickle=True, **contents)


def test_what_is_saved_is_what_is_loaded(path: Path) -> None:
    saved, loaded = finished().state(), load_checkpoint(path)
    for name in ("fingerprint", "seed", "generation", "evaluations", "stagnant"):
        assert getattr(saved, name) == getattr(loaded, name)
    arrays = [*saved.population.antecedents, *saved.population[1:], *saved.evaluation]
    again = [*loaded.population.antecedents, *loaded.population[1:], *loaded.evaluation]
    assert all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in zip(arrays, again, strict=True))
    for name in set(saved.history) - {"seconds"}:
        assert np.array_equal(saved.history[name], loaded.history[name], equal_nan=True)


def test_the_same_state_is_the_same_bytes(tmp_path: Path) -> None:
    """A population has one form in a file, whatever slots its antecedents had in memory."""
    whole, resumed = Evolution(mixed_problem(1), SMALL, seed=5), Evolution(mixed_problem(1), SMALL, seed=5)
    whole.run(Generations(9))
    resumed.restore(finished().state())
    resumed.run(Generations(9))
    one, other = whole.state().population, resumed.state().population
    for a, b in zip([*one.antecedents, *one[1:]], [*other.antecedents, *other[1:]], strict=True):
        assert a.tobytes() == b.tobytes()


def test_going_back_in_a_used_engine_is_exact() -> None:
    """What the engine and the problem remember of the abandoned generations must not count."""
    evolution = finished()
    state, end = evolution.state(), Generations(12)
    evolution.run(end)
    first = summary(evolution)
    evolution.restore(state)
    assert evolution.generation == 4
    evolution.run(end)
    assert summary(evolution) == first


def test_a_finished_run_found_again_is_not_repeated(path: Path) -> None:
    steps: list[int] = []

    def watch(evolution: Evolution, progress: float) -> None:
        steps.append(evolution.generation)

    again = Evolution(mixed_problem(1), SMALL, seed=5)
    again.run(Generations(4), [watch], checkpoint=path)
    assert steps == []
    assert summary(again) == summary(finished())
    again.run(Generations(6), [watch], checkpoint=path)
    assert steps == [5, 6], "with more generations it goes on"
    assert load_checkpoint(path).generation == 6


def test_a_run_that_is_further_than_the_file_does_not_go_back(path: Path) -> None:
    evolution = Evolution(mixed_problem(1), SMALL, seed=5)
    evolution.run(Generations(7))
    evolution.run(Generations(8), checkpoint=path)
    assert evolution.history["generation"].tolist() == list(range(9))
    assert load_checkpoint(path).generation == 8


def test_nothing_is_left_of_an_unfinished_write(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()

    def fail(descriptor: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(os, "fsync", fail)
    evolution = finished()
    evolution.step()
    with pytest.raises(OSError, match="disk full"):
        save_checkpoint(evolution.state(), path)
    assert path.read_bytes() == before
    monkeypatch.undo()
    save_checkpoint(evolution.state(), path)
    assert load_checkpoint(path).generation == 5
    assert list(path.parent.iterdir()) == [path]


def test_a_full_disk_does_not_end_the_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, fsync, broken = path.read_bytes(), os.fsync, [True]

    def sometimes(descriptor: int) -> None:
        if broken[0]:
            raise OSError(28, "No space left on device")
        fsync(descriptor)

    def repair(evolution: Evolution, progress: float) -> None:
        broken[0] = evolution.generation < 8

    monkeypatch.setattr(os, "fsync", sometimes)
    evolution = Evolution(mixed_problem(1), SMALL, seed=5)
    with pytest.warns(RuntimeWarning, match=r"run\.npz: the checkpoint could not be written \(No space left") as caught:
        evolution.run(Generations(7), checkpoint=path, checkpoint_seconds=0)
    assert len(caught) == 1
    assert evolution.generation == 7
    assert path.read_bytes() == before
    with pytest.warns(RuntimeWarning, match="could not be written"):
        evolution.run(Generations(10), [repair], checkpoint=path, checkpoint_seconds=0)
    assert load_checkpoint(path).generation == 10
    assert list(path.parent.iterdir()) == [path]


def test_a_link_to_a_checkpoint_stays_a_link(path: Path) -> None:
    link = path.with_name("link.npz")
    link.symlink_to(path)
    Evolution(mixed_problem(1), SMALL, seed=5).run(Generations(6), checkpoint=link)
    assert link.is_symlink()
    assert load_checkpoint(path).generation == 6


def test_two_runs_do_not_share_a_checkpoint(path: Path) -> None:
    def start_another(evolution: Evolution, progress: float) -> None:
        with pytest.raises(CheckpointError, match=rf"run\.npz is in use by process {os.getpid()} on"):
            Evolution(mixed_problem(1), SMALL, seed=5).run(Generations(6), checkpoint=path)

    evolution = Evolution(mixed_problem(1), SMALL, seed=5)
    evolution.run(Generations(6), [start_another], checkpoint=path)
    assert load_checkpoint(path).generation == 6


def test_a_missing_folder_is_noticed_before_the_run(tmp_path: Path) -> None:
    evolution = Evolution(plain_problem(0), SMALL)
    with pytest.raises(CheckpointError, match=r"there is no folder .*nowhere for the checkpoint; create it first"):
        evolution.run(Generations(2), checkpoint=tmp_path / "nowhere" / "run.npz")
    assert evolution.generation == -1


def other_columns() -> ClassificationProblem:
    problem = mixed_problem(1)
    columns = problem.columns.copy()
    columns[0, 0] += 0.01
    return ClassificationProblem(problem.schema, columns, problem.classes)


def other_measure() -> ClassificationProblem:
    problem = mixed_problem(1)
    return ClassificationProblem(problem.schema, problem.columns, problem.classes, measure="f1_macro")


def weighted() -> ClassificationProblem:
    problem = mixed_problem(1)
    weights = np.ones(len(problem.classes))
    return ClassificationProblem(problem.schema, problem.columns, problem.classes, sample_weight=weights)


@pytest.mark.parametrize(
    "make",
    [other_columns, other_measure, weighted, lambda: mixed_problem(2), lambda: mixed_problem(1, mode=Mode.VOTE)],
)
def test_other_data_or_another_task_is_refused(path: Path, make: Callable[[], ClassificationProblem]) -> None:
    with pytest.raises(
        CheckpointError, match=r"for other data, another objective or another start; .* use another file"
    ):
        Evolution(make(), SMALL, seed=5).run(Generations(9), checkpoint=path)


def test_another_start_is_refused(path: Path) -> None:
    problem = mixed_problem(1)
    rule = Rule([Condition(Term("a"), ">", 0.5)], "yes")
    start = RuleSet([rule], "no", problem.schema)
    with pytest.raises(CheckpointError, match="another start"):
        Evolution(problem, SMALL, seed=5, warm_start=[start]).run(Generations(9), checkpoint=path)


def test_other_settings_are_refused_by_name(path: Path) -> None:
    other = SMALL.replace(parsimony=0.5, max_power=1)
    message = r"other settings: max_power 3 \(now 1\), parsimony 0.001 \(now 0.5\); .* use another file"
    with pytest.raises(CheckpointError, match=message):
        Evolution(mixed_problem(1), other, seed=5).run(Generations(9), checkpoint=path)


def test_files_from_before_islands_are_continued(path: Path) -> None:
    new = ("n_islands", "migration_interval", "n_migrants")
    settings = {name: value for name, value in load_checkpoint(path).settings.items() if name not in new}
    rewrite(path, islands=None, facts={"settings": settings})
    old = load_checkpoint(path)
    assert len(old.islands) == 0
    finished().restore(old)


def test_another_seed_is_refused(path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"written with seed 5, this run has 6; .* use another file"):
        Evolution(mixed_problem(1), SMALL, seed=6).run(Generations(9), checkpoint=path)


def test_another_version_is_refused(path: Path) -> None:
    rewrite(path, facts={"version": VERSION + 1})
    with pytest.raises(CheckpointError, match=f"has version {VERSION + 1}, this evoter reads {VERSION}; .* delete it"):
        load_checkpoint(path)


class Bomb:
    """Goes off when unpickled."""

    def __reduce__(self) -> Any:
        return os.abort, ()


def compressed(path: Path) -> None:
    with np.load(path) as arrays:
        contents = dict(arrays)
    with path.open("wb") as file:
        np.savez_compressed(file, allow_pickle=False, **contents)


def plain_array(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.arange(3))


def foreign_archive(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("facts", b"not an array")


def enormous(path: Path) -> None:
    """Claim an array of eight exabytes."""
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<i8", "fortran_order": False, "shape": (2**60,)})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("history.best.npy", header.getvalue())


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_text("hello"),
    "pickle": lambda path: path.write_bytes(pickle.dumps(Bomb())),
    "half": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "flipped": lambda path: path.write_bytes(path.read_bytes().replace(b'"generation"', b'"generatiom"')),
    "array": plain_array,
    "archive": foreign_archive,
    "compressed": compressed,
    "pickled array": lambda path: rewrite(path, history__best=np.array([Bomb()], dtype=object)),
    "pickled header": lambda path: rewrite(path, population__header=np.array([Bomb()], dtype=object)),
    "enormous": enormous,
    "missing array": lambda path: rewrite(path, population__rules=None),
    "missing fact": lambda path: rewrite(path, facts={"seed": None}),
    "unknown fact": lambda path: rewrite(path, facts={"surprise": 1}),
    "negative count": lambda path: rewrite(path, facts={"stagnant": -1}),
    "false count": lambda path: rewrite(path, facts={"evaluations": True}),
    "text for seconds": lambda path: rewrite(path, facts={"seconds": "long"}),
    "short history": lambda path: rewrite(path, history__best=np.zeros(2)),
    "other history": lambda path: rewrite(path, facts={"generation": 3}),
    "enormous generation": lambda path: rewrite(path, facts={"generation": 10**9}),
    "no settings": lambda path: rewrite(path, facts={"settings": None}),
    "listed settings": lambda path: rewrite(path, facts={"settings": []}),
    "no fingerprint": lambda path: rewrite(path, facts={"fingerprint": None}),
}


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_damaged_and_hostile_files_are_refused(path: Path, damage: Callable[[Path], object]) -> None:
    damage(path)
    with pytest.raises(CheckpointError, match=r"not a checkpoint of evoter .* delete it to start again"):
        Evolution(mixed_problem(1), SMALL, seed=5).run(Generations(9), checkpoint=path)


def test_every_truncation_is_refused(path: Path) -> None:
    whole = path.read_bytes()
    for length in np.linspace(0, len(whole) - 1, 60).astype(int):
        path.write_bytes(whole[:length])
        with pytest.raises(CheckpointError):
            load_checkpoint(path)


def test_a_folder_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match=r"cannot be read .* use another file"):
        Evolution(plain_problem(0), SMALL).run(Generations(9), checkpoint=tmp_path)
