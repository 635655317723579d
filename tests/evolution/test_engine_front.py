"""Runs with several objectives: fronts only grow, threads and interruptions do not matter, refinement helps."""

from pathlib import Path

import numpy as np
import pytest

from evoter.evolution.checkpoint import CheckpointError, load_checkpoint, save_checkpoint
from evoter.evolution.engine import Evolution
from evoter.evolution.stopping import Generations, Stagnation, TargetScore
from evoter.kernels.threads import Threads
from evoter.problems.behaviour import sample_behaviours
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY, Secondary, feature_cost, novelty
from evoter.rules.model import Mode
from long_run import summary
from tasks import SMALL, mixed_problem, plain_problem

REFINING = SMALL.replace(n_refined=8, refinement_interval=3, refinement_moves=50)


def new_run(
    seed: int = 3, *, with_novelty: bool = False, n_rows: int = 150, threads: Threads | None = None
) -> Evolution:
    plain = mixed_problem(1, n_rows=n_rows)
    secondary: list[Secondary] = [COMPLEXITY]
    if with_novelty:
        secondary.append(novelty(sample_behaviours(plain.schema, plain.columns, Mode.FIRST, n_rows=64)))
    problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=secondary)
    return Evolution(problem, REFINING, seed=seed, threads=threads)


def outcome(evolution: Evolution) -> dict[str, object]:
    return {**summary(evolution), "front": repr(evolution.result().front)}


def test_the_hypervolume_never_falls() -> None:
    evolution = new_run()
    evolution.run(Generations(40))
    volumes, sizes = evolution.history["hypervolume"], evolution.history["front_size"]
    assert (np.diff(volumes) >= -1e-12).all()
    assert volumes[-1] > volumes[0] > 0
    assert (sizes >= 1).all()
    assert sizes[-1] > sizes[0]
    assert (np.diff(evolution.history["best"]) >= 0).all(), "the end of the front is not crowded out"


def test_one_objective_has_no_hypervolume() -> None:
    evolution = Evolution(mixed_problem(1), SMALL)
    evolution.run(Generations(2))
    assert np.isnan(evolution.history["hypervolume"]).all()
    assert np.isnan(evolution.history["front_size"]).all()


def test_all_children_are_evaluated() -> None:
    evolution = new_run()
    evolution.run(Generations(4))
    assert evolution.history["evaluations"].tolist() == [SMALL.population_size * (g + 1) for g in range(5)]
    assert evolution.population.size == SMALL.population_size


def test_threads_do_not_matter() -> None:
    outcomes = []
    for n_threads in (1, 2, 3):
        threads = Threads(n_threads)
        evolution = new_run(n_rows=1_500, with_novelty=True, threads=threads)
        evolution.run(Generations(8))
        outcomes.append(outcome(evolution))
        threads.close()
    assert outcomes[0] == outcomes[1] == outcomes[2]


@pytest.mark.parametrize("with_novelty", [False, True])
@pytest.mark.parametrize("generation", [0, 3, 4])
def test_going_on_from_a_checkpoint_is_not_having_stopped(generation: int, with_novelty: bool, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    whole, first, second = (new_run(with_novelty=with_novelty) for _ in range(3))
    whole.run(Generations(12))
    first.run(Generations(generation), checkpoint=path)
    second.run(Generations(12), checkpoint=path)
    assert outcome(second) == outcome(whole)
    assert outcome(first) != outcome(whole)


def test_the_result_does_not_disturb_the_run() -> None:
    looked, blind = new_run(with_novelty=True), new_run(with_novelty=True)
    for _ in range(8):
        looked.step()
        looked.result()
        blind.step()
    assert outcome(looked) == outcome(blind)


def test_stagnation_and_target_look_at_the_hypervolume() -> None:
    evolution = new_run()
    evolution.run(Generations(30))
    volumes = evolution.history["hypervolume"]
    target = float(volumes[12])
    reached = new_run()
    reached.run(Generations(30) | TargetScore(target))
    assert reached.generation == int(np.argmax(volumes >= target))
    patient = new_run()
    patient.run(Generations(300) | Stagnation(5))
    last = patient.history["hypervolume"][-6:]
    assert patient.generation < 300
    assert (last == last[0]).all()


def test_another_objective_is_another_task(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    plain = mixed_problem(1)

    def priced(price: float) -> Evolution:
        secondary = [feature_cost(plain.schema, {"a": price})]
        problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=secondary)
        return Evolution(problem, SMALL)

    priced(1.0).run(Generations(2), checkpoint=path)
    priced(1.0).run(Generations(3), checkpoint=path)
    with pytest.raises(CheckpointError, match="another objective"):
        priced(2.0).run(Generations(4), checkpoint=path)


@pytest.mark.parametrize("reference", [np.ones(1), np.array([1.0, np.nan]), np.array([1, 2])])
def test_a_damaged_reference_is_refused(
    reference: "np.ndarray[tuple[int], np.dtype[np.float64]]", tmp_path: Path
) -> None:
    path = tmp_path / "run.npz"
    new_run().run(Generations(2), checkpoint=path)
    with np.load(path) as arrays:
        contents = {**arrays, "reference": reference}
    with path.open("wb") as file:
        np.savez(file, allow_pickle=False, **contents)
    with pytest.raises(CheckpointError, match=r"damaged.*reference.*delete the file"):
        new_run().run(Generations(4), checkpoint=path)


def test_the_reference_is_saved(tmp_path: Path) -> None:
    evolution = new_run()
    evolution.run(Generations(3))
    save_checkpoint(evolution.state(), tmp_path / "run.npz")
    assert load_checkpoint(tmp_path / "run.npz").reference.tolist() == evolution.state().reference.tolist()


def test_refinement_makes_fronts_better() -> None:
    plain = plain_problem(5, n_rows=400)
    problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, secondary=[COMPLEXITY])
    volumes = []
    for n_refined in (0, 8):
        settings = REFINING.replace(n_refined=n_refined, refinement_moves=300)
        front = Evolution(problem, settings, seed=1).run(Generations(12)).front
        assert front is not None
        volumes.append(front.hypervolume({"accuracy": 0.5, "complexity": 20}))
    assert volumes[1] > volumes[0]
