"""The engine: the same by ask and tell as by step, the same for the same seed, and never worse than before."""

import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from evoter.evolution.engine import CROWDED, MOST_CROWDING, Evolution, evaluation_seed
from evoter.evolution.problem import Evaluation, Problem, Refinable
from evoter.evolution.settings import DEFAULT, PAPER, PRESETS, Settings
from evoter.evolution.stopping import Generations, Seconds, Stagnation, TargetScore
from evoter.kernels.layout import Grammar, Refinement
from evoter.kernels.threads import Threads
from evoter.problems.classification.problem import ClassificationProblem
from evoter.rules.interpreter import decide_table
from evoter.rules.model import Mode
from evoter.rules.modes import Task, modes_for
from long_run import summary
from tasks import SMALL, as_rows, decoded, mixed_problem, plain_problem


def ask_and_tell(evolution: Evolution) -> None:
    children = evolution.ask()
    seed = evaluation_seed(evolution.seed, evolution.generation + 1)
    evolution.tell(children, evolution.problem.evaluate(children, evolution.threads, seed))


def ask_twice_and_tell(evolution: Evolution) -> None:
    evolution.ask()
    ask_and_tell(evolution)


def run(step: Callable[[Evolution], None], mode: Mode = Mode.FIRST, seed: int = 3) -> dict[str, object]:
    evolution = Evolution(mixed_problem(1, mode=mode), SMALL, seed=seed)
    for _ in range(8):
        step(evolution)
    return summary(evolution)


@pytest.mark.parametrize("mode", modes_for(Task.CLASSIFICATION))
def test_asking_and_telling_is_stepping(mode: Mode) -> None:
    assert run(Evolution.step, mode) == run(ask_and_tell, mode) == run(ask_twice_and_tell, mode)


def test_running_is_stepping() -> None:
    evolution = Evolution(mixed_problem(1), SMALL, seed=3)
    result = evolution.run(Generations(7))
    assert summary(evolution) == run(Evolution.step)
    assert result.reason == "finished"
    evolution = Evolution(mixed_problem(1), SMALL, seed=3)
    evolution.run(Generations(3))
    evolution.run(Generations(7))
    assert summary(evolution) == run(Evolution.step), "a run in two parts is one run"


def test_the_seed_decides() -> None:
    assert run(Evolution.step, seed=3) == run(Evolution.step, seed=np.int64(3))  # type: ignore[arg-type]
    assert run(Evolution.step, seed=3)["population"] != run(Evolution.step, seed=4)["population"]


def test_threads_do_not_matter() -> None:
    def outcome(n_threads: int) -> dict[str, object]:
        threads = Threads(n_threads)
        settings = SMALL.replace(population_size=300)
        evolution = Evolution(mixed_problem(1, n_rows=2_000), settings, seed=3, threads=threads)
        evolution.run(Generations(6))
        threads.close()
        return summary(evolution)

    assert outcome(1) == outcome(2) == outcome(5)


@pytest.mark.parametrize("seed", [-1, 2**63, 1.0, True, None])
def test_a_seed_is_a_whole_number(seed: int) -> None:
    with pytest.raises(ValueError, match=r"seed must be a whole number from 0 to 2\*\*63 - 1, got"):
        Evolution(plain_problem(0), SMALL, seed=seed)


def test_the_largest_seed_is_fine() -> None:
    assert Evolution(plain_problem(0), SMALL, seed=2**63 - 1).run(Generations(2)).reason == "finished"


@pytest.mark.parametrize("parsimony", [0.0, 0.01])
@pytest.mark.parametrize("n_elites", [1, 5])
def test_the_best_never_gets_worse(parsimony: float, n_elites: int) -> None:
    evolution = Evolution(mixed_problem(2), SMALL.replace(parsimony=parsimony, n_elites=n_elites), seed=1)
    evolution.run(Generations(40))
    penalised = evolution.history["best"] - parsimony * evolution.history["n_conditions"]
    assert (np.diff(penalised) >= -1e-12).all()
    assert penalised[-1] > penalised[0] or parsimony > 0, "without a price there is always something to gain here"


def test_a_measure_to_minimise_goes_down() -> None:
    plain = plain_problem(3)
    costs = np.array([[0.0, 1.0], [5.0, 0.0]])
    problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, measure=costs)
    evolution = Evolution(problem, SMALL.replace(parsimony=0.0), seed=1)
    evolution.run(Generations(40))
    assert (np.diff(evolution.history["best"]) <= 0).all()
    assert evolution.history["best"][-1] < evolution.history["best"][0]


@pytest.mark.parametrize("mode", [Mode.FIRST, Mode.HARDMAX, Mode.VOTE])
def test_the_result_says_what_the_interpreter_says(mode: Mode) -> None:
    problem = mixed_problem(4, mode=mode)
    result = Evolution(problem, SMALL, seed=2).run(Generations(15))
    truth = decide_table(result.best, as_rows(problem.columns, problem.schema))
    assert result.times_applied == truth.times_applied
    assert result.times_decided == truth.times_decided
    assert result.default_applied == truth.default_applied
    classes = np.array([problem.schema.actions.index(action) for action in truth.actions])
    assert result.score == pytest.approx((classes == problem.classes).mean())
    assert result.best.n_conditions == result.history.last.n_conditions
    assert len(result.best.rules) == result.history.last.n_rules


def test_what_a_run_returned_does_not_change_when_it_goes_on() -> None:
    evolution = Evolution(plain_problem(0), SMALL)
    result, state = evolution.run(Generations(2)), evolution.state()
    evolution.run(Generations(5))
    assert result.history.n_generations == state.history.n_generations == 3


def test_criteria_end_a_run() -> None:
    def generations_until(evolution: Evolution, seconds: float = 60.0, target: float = 2.0, patience: int = 999) -> int:
        until = Generations(500) | Seconds(seconds) | TargetScore(target) | Stagnation(patience)
        return evolution.run(until).history.n_generations

    def new(parsimony: float = 0.0) -> Evolution:
        return Evolution(plain_problem(0), SMALL.replace(parsimony=parsimony), seed=1)

    assert generations_until(new(), seconds=1e-9) == 1
    assert generations_until(new(), target=0.5) == 1
    evolution = new()
    assert generations_until(evolution, target=0.9) < 500
    assert evolution.history["best"][-1] >= 0.9 > evolution.history["best"][-2]
    evolution = new()
    assert generations_until(evolution, patience=20) < 500
    best = evolution.history["best"]
    assert best[-1] == best[-21], "nothing got better for twenty generations"


def test_the_clock_and_the_evaluations_are_counted() -> None:
    evolution = Evolution(plain_problem(0), SMALL)
    evolution.run(Generations(10))
    seconds = evolution.history["seconds"]
    assert (np.diff(seconds) > 0).all()
    assert seconds[-1] == evolution.seconds > 0
    children = SMALL.population_size - SMALL.n_elites
    assert evolution.history["evaluations"].tolist() == [SMALL.population_size + g * children for g in range(11)]


def test_watchers_see_every_generation_and_may_stop_the_run() -> None:
    seen: list[tuple[int, float]] = []

    def stop_at_five(evolution: Evolution, progress: float) -> bool:
        return evolution.generation == 5

    def look(evolution: Evolution, progress: float) -> None:
        seen.append((evolution.generation, progress))

    result = Evolution(plain_problem(0), SMALL).run(Generations(10), [stop_at_five, look])
    assert result.reason == "stopped"
    assert result.history.n_generations == 6
    assert seen == [(g, g / 10) for g in range(6)], "also the last generation, also after a watcher that stops"


def test_scores_that_are_not_numbers_come_last() -> None:
    evolution = Evolution(plain_problem(0), SMALL.replace(parsimony=0.0))
    children = evolution.ask()
    scores = np.full((SMALL.population_size, 1), np.nan)
    scores[7] = 0.25
    counts = np.zeros((SMALL.population_size, SMALL.max_rules), np.int64)
    evolution.tell(children, Evaluation(scores, counts, counts, counts[:, 0]))
    assert evolution.result().score == evolution.history.last.mean == 0.25


def test_telling_without_asking_is_refused() -> None:
    evolution = Evolution(plain_problem(0), SMALL)
    children = evolution.ask()
    evaluation = evolution.problem.evaluate(children, evolution.threads, 0)
    evolution.tell(children, evaluation)
    with pytest.raises(RuntimeError, match="call ask before each tell"):
        evolution.tell(children, evaluation)


@pytest.mark.parametrize("read", [Evolution.result, Evolution.state, lambda evolution: evolution.status])
def test_before_the_first_generation_there_is_nothing_to_see(read: Callable[[Evolution], object]) -> None:
    with pytest.raises(RuntimeError, match="no generation has been evaluated yet: call run, step, or ask and tell"):
        read(Evolution(plain_problem(0), SMALL))


REFINING = SMALL.replace(n_refined=8, refinement_interval=3, refinement_moves=50)


def refined_children(settings: Settings, problem: Problem, n_generations: int = 8) -> list[int]:
    """How many children of each generation are not those that the same parents have without refinement."""
    refining = Evolution(problem, settings, seed=3)
    counts = []
    for _ in range(n_generations):
        bred = Evolution(problem, settings.replace(n_refined=0), seed=3)
        if refining.generation >= 0:
            bred.restore(replace(refining.state(), settings=bred.settings.as_dict()))
        pairs = zip(decoded(refining, refining.ask()), decoded(bred, bred.ask()), strict=True)
        differ = [one != other for one, other in pairs]
        assert not any(differ[: len(differ) - sum(differ)]), "the refined ones come last"
        counts.append(sum(differ))
        refining.step()
    return counts


def test_every_few_generations_some_children_are_refined() -> None:
    problem = mixed_problem(1)
    brief = REFINING.replace(parsimony=0.02)
    assert refined_children(brief, problem) == [0, 8, 0, 0, 8, 0, 0, 8], "in the first there is nothing to refine"
    assert refined_children(brief.replace(refinement_interval=1, n_refined=999), problem, 3) == [0, 19, 19], "half"
    assert refined_children(REFINING.replace(n_refined=0), problem) == [0] * 8


def test_where_rules_have_many_conditions_fewer_children_take_more_moves() -> None:
    evolution = Evolution(mixed_problem(1), REFINING.replace(parsimony=0.0, max_rules=20), seed=3)
    evolution.run(Generations(12))
    assert evolution.generation % 3 == 0, "children are refined in the next generation"
    n_conditions = evolution.history.last.n_conditions
    assert n_conditions > CROWDED
    children = evolution.ask()
    bred = Evolution(evolution.problem, evolution.settings.replace(n_refined=0), seed=3)
    bred.restore(replace(evolution.state(), settings=bred.settings.as_dict()))
    pairs = zip(decoded(evolution, children), decoded(bred, bred.ask()), strict=True)
    assert sum(one != other for one, other in pairs) == int(8 / min(n_conditions / CROWDED, MOST_CROWDING)) < 8


def test_tasks_that_cannot_be_refined_do_without() -> None:
    plain = mixed_problem(1)
    for measure, mode in (("f1_macro", Mode.FIRST), ("accuracy", Mode.VOTE)):
        problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, measure=measure, mode=mode)
        assert isinstance(problem, Refinable)
        assert refined_children(REFINING, problem) == [0] * 8


class Unrefined:
    """A task with nothing but what every task has."""

    def __init__(self, problem: Problem) -> None:
        self.schema, self.mode, self.objectives = problem.schema, problem.mode, problem.objectives
        self.grammar, self.fingerprint, self.evaluate = problem.grammar, problem.fingerprint, problem.evaluate


def test_tasks_need_not_know_of_refinement() -> None:
    problem = Unrefined(mixed_problem(1))
    assert not isinstance(problem, Refinable)
    assert refined_children(REFINING, problem) == [0] * 8


class Noting(ClassificationProblem):
    """A classification task that notes when its rows are prepared for exact moves."""

    n_prepared = 0

    def refinement(self, grammar: Grammar, settings: Settings) -> Refinement | None:
        """Prepare them."""
        self.n_prepared += 1
        return super().refinement(grammar, settings)


def test_moves_are_prepared_once_and_not_for_the_first_generation() -> None:
    plain = mixed_problem(1)
    problem = Noting(plain.schema, plain.columns, plain.classes)
    evolution = Evolution(problem, REFINING, seed=3)
    evolution.step()
    assert problem.n_prepared == 0
    for _ in range(3):
        evolution.step()
    assert problem.n_prepared == 1
    other = Noting(plain.schema, plain.columns, plain.classes)
    Evolution(other, REFINING, seed=3).run(Generations(0), deadline=time.perf_counter() + 60.0)
    assert other.n_prepared == 1, "where time is limited, what is left after that is known before the first generation"


@pytest.mark.parametrize("step", [ask_and_tell, ask_twice_and_tell])
def test_asking_and_telling_is_stepping_with_refinement_too(step: Callable[[Evolution], None]) -> None:
    one, other = (Evolution(mixed_problem(1), REFINING, seed=3) for _ in range(2))
    for _ in range(8):
        one.step()
        step(other)
    assert summary(one) == summary(other)


@pytest.mark.parametrize("generation", [1, 3, 4])
def test_a_refined_run_goes_on_from_a_checkpoint_as_if_nothing_had_happened(generation: int, tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    plain = mixed_problem(1)

    def new() -> Evolution:
        targets = np.random.default_rng(3).dirichlet(np.ones(3), len(plain.classes))
        problem = ClassificationProblem(plain.schema, plain.columns, plain.classes, targets=targets)
        return Evolution(problem, REFINING, seed=3)

    whole, first, second = new(), new(), new()
    whole.run(Generations(11))
    first.run(Generations(generation), checkpoint=path)
    second.run(Generations(11), checkpoint=path)
    assert summary(second) == summary(whole)
    assert summary(first) != summary(whole)


def test_refinement_finds_in_a_few_generations_what_breeding_takes_long_for() -> None:
    problem = plain_problem(5, n_rows=400)
    scores = []
    for n_refined in (0, 8):
        settings = REFINING.replace(n_refined=n_refined, refinement_interval=1, refinement_moves=300, parsimony=1e-4)
        scores.append(Evolution(problem, settings, seed=1).run(Generations(5)).score)
    assert scores[1] > max(0.97, scores[0])


@pytest.mark.parametrize("settings", PRESETS.values(), ids=PRESETS)
def test_presets_learn(settings: Settings) -> None:
    evolution = Evolution(plain_problem(5), settings.replace(population_size=100), seed=1)
    assert evolution.run(Generations(40)).score > 0.93


def test_the_presets_differ() -> None:
    differences = {name for name, value in asdict(PAPER).items() if value != asdict(DEFAULT)[name]}
    assert {"parsimony", "operators", "comparison_rate", "max_power", "uniform_constants"} <= differences


def test_a_deadline_that_is_far_away_changes_nothing() -> None:
    refined = SMALL.replace(n_refined=5, refinement_interval=2)
    runs = []
    for deadline in (None, time.perf_counter() + 1e6):
        evolution = Evolution(plain_problem(1), refined, seed=3)
        evolution.run(Generations(5), deadline=deadline)
        runs.append(summary(evolution))
    assert runs[0] == runs[1]


def test_a_deadline_that_is_over_leaves_time_for_a_part_of_the_first_generation_only() -> None:
    evolution = Evolution(plain_problem(1), SMALL, seed=3)
    result = evolution.run(Generations(50), deadline=time.perf_counter() - 1.0)
    assert (evolution.generation, result.reason) == (0, "finished")
    scored = int(np.isfinite(evolution.evaluation.scores[:, 0]).sum())
    assert 0 < scored <= -(-SMALL.population_size // 10)
    assert np.isfinite(result.score)


def test_refinement_ends_at_the_deadline() -> None:
    evolution = Evolution(plain_problem(1), SMALL.replace(n_refined=8), seed=3)
    evolution.step()
    evolution._deadline = time.perf_counter() - 1.0
    bred = evolution.ask()
    evolution._deadline = None
    assert bred.size == evolution.ask().size, "what is not refined is bred"
