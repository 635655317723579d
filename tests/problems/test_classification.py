"""A classification problem scores whole populations as scikit-learn scores their predictions, row by row."""

from collections.abc import Callable

import numpy as np
import pytest
from sklearn import metrics

from evoter.evolution.engine import Evolution
from evoter.evolution.problem import Objective
from evoter.kernels.layout import Floats, Ints, Population
from evoter.kernels.threads import Threads
from evoter.problems.classification import ClassificationProblem
from evoter.rules.model import Mode
from tasks import SMALL, mixed_columns, mixed_problem

N_CLASSES = 3
MODES = [Mode.FIRST, Mode.HARDMAX, Mode.VOTE]
THREADS = Threads(1)

Score = Callable[[Ints, Ints, Floats, Floats], float]


def probabilities(predicted: Ints, certainties: Floats) -> Floats:
    """What a decision of some certainty says about all classes."""
    table = np.repeat((1.0 - certainties[:, None]) / (N_CLASSES - 1), N_CLASSES, axis=1)
    table[np.arange(len(predicted)), predicted] = certainties
    return np.clip(table, 1e-15, 1.0)


SCORES: dict[str, Score] = {
    "accuracy": lambda t, p, c, w: metrics.accuracy_score(t, p, sample_weight=w),
    "balanced_accuracy": lambda t, p, c, w: metrics.balanced_accuracy_score(t, p, sample_weight=w),
    "f1_macro": lambda t, p, c, w: metrics.f1_score(t, p, average="macro", sample_weight=w),
    "matthews": lambda t, p, c, w: metrics.matthews_corrcoef(t, p, sample_weight=w),
    "log_loss": lambda t, p, c, w: float(-np.average(np.log(probabilities(p, c)[np.arange(len(t)), t]), weights=w)),
}


def problem(measure: object, mode: Mode, *, weighted: bool, budget: int = 2**20) -> ClassificationProblem:
    rng = np.random.default_rng(8)
    plain = mixed_problem(1)
    classes = rng.integers(0, N_CLASSES, 200)
    return ClassificationProblem(
        plain.schema,
        mixed_columns(rng, 200),
        classes,
        measure=measure,  # type: ignore[arg-type]
        sample_weight=rng.uniform(0.5, 2.0, 200) if weighted else None,
        class_weight=np.array([1.0, 2.0, 0.5]) if weighted else None,
        mode=mode,
        mask_budget=budget,
    )


def population(problem: ClassificationProblem) -> Population:
    evolution = Evolution(problem, SMALL, seed=4)
    for _ in range(3):
        evolution.step()
    return evolution.population


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("measure", SCORES)
def test_compiled_scores_are_scikit_learns(measure: str, mode: Mode, weighted: bool) -> None:
    task = problem(measure, mode, weighted=weighted)
    individuals = population(task)
    scores = task.evaluate(individuals, THREADS).scores[:, 0]
    for i in range(individuals.size):
        predicted, certainties = task.predict(individuals, i, THREADS)
        expected = SCORES[measure](task.classes, predicted, certainties, task.row_weights)
        assert scores[i] == pytest.approx(expected)


@pytest.mark.parametrize("mode", MODES)
def test_costs_are_of_true_and_predicted_classes(mode: Mode) -> None:
    costs = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [50.0, 6.0, 0.0]])
    task = problem(costs, mode, weighted=True)
    assert task.objectives == (Objective("cost", maximise=False),)
    individuals = population(task)
    scores = task.evaluate(individuals, THREADS).scores[:, 0]
    for i in range(individuals.size):
        predicted, _ = task.predict(individuals, i, THREADS)
        assert scores[i] == pytest.approx(np.average(costs[task.classes, predicted], weights=task.row_weights))


def test_any_function_of_the_predictions_is_a_measure() -> None:
    objective = Objective("share of class 2", maximise=False)

    def share(predicted: Ints, certainties: Floats) -> float:
        return float((predicted == 2).mean())

    task = problem((objective, share), Mode.FIRST, weighted=False)
    assert task.objectives == (objective,)
    individuals = population(task)
    scores = task.evaluate(individuals, THREADS).scores[:, 0]
    assert scores.tolist() == [share(*task.predict(individuals, i, THREADS)) for i in range(individuals.size)]


@pytest.mark.parametrize("mode", MODES)
def test_the_budget_for_masks_changes_nothing(mode: Mode) -> None:
    generous = problem("log_loss", mode, weighted=True)
    individuals = population(generous)
    expected = generous.evaluate(individuals, THREADS)
    for budget in (0, 8, 1_000, 5_000):
        mean = problem("log_loss", mode, weighted=True, budget=budget).evaluate(individuals, THREADS)
        assert np.allclose(mean.scores, expected.scores, rtol=1e-12)
        for counts, expected_counts in zip(mean[1:], expected[1:], strict=True):
            assert np.array_equal(counts, expected_counts)


def test_the_fingerprint_tells_tasks_apart() -> None:
    costs = np.array([[0.0, 1.0, 2.0], [3.0, 0.0, 4.0], [50.0, 6.0, 0.0]])
    tasks = [
        problem("accuracy", Mode.FIRST, weighted=False),
        problem("accuracy", Mode.FIRST, weighted=True),
        problem("accuracy", Mode.VOTE, weighted=False),
        problem("f1_macro", Mode.FIRST, weighted=False),
        problem(costs, Mode.FIRST, weighted=False),
        problem(costs.T, Mode.FIRST, weighted=False),
        problem((Objective("mine"), lambda p, c: 0.0), Mode.FIRST, weighted=False),
        mixed_problem(1),
    ]
    assert len({task.fingerprint() for task in tasks}) == len(tasks)
    assert problem(costs, Mode.FIRST, weighted=False).fingerprint() == tasks[4].fingerprint()


def test_certainties_evolve_only_where_they_matter() -> None:
    for measure, mode, evolves in [
        ("accuracy", Mode.FIRST, False),
        ("log_loss", Mode.FIRST, True),
        ("accuracy", Mode.HARDMAX, True),
        ("accuracy", Mode.VOTE, True),
        (np.ones((3, 3)), Mode.FIRST, False),
    ]:
        assert problem(measure, mode, weighted=False).grammar(SMALL).evolve_certainty is evolves
