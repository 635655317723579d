"""Fronts compared with pymoo's and moocore's: ranks, crowding, volumes, convergence, generations per second."""

import argparse
from collections.abc import Sequence

import moocore
import numpy as np
from pymoo.operators.survival.rank_and_crowding.metrics import get_crowding_function
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting
from rich.console import Console
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import train_test_split

from evoter.estimators.search import fair_parsimony
from evoter.evolution.engine import Evolution
from evoter.evolution.fronts.front import Front
from evoter.evolution.mechanisms.constraints import violations
from evoter.evolution.mechanisms.nsga2 import stand
from evoter.evolution.problem import Constraint, Problem
from evoter.evolution.settings import DEFAULT, Settings
from evoter.evolution.stopping import Generations
from evoter.kernels.fronts.hypervolume import hypervolume
from evoter.kernels.layout import Floats
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY
from evoter.tables import encode, infer_schema
from measure import CPU, Figure, Stopwatch, no_collector, ratios, results_table
from standard import AsRules, Assignment, AsVectors, knapsacks, pymoo_nsga2, zdt1

WORST = {"accuracy": 0.5, "complexity": 31.0}
"""What hypervolumes are measured from: guessing, and more conditions than anybody reads."""

SPEED = 10.0
MILESTONES = (10, 25, 50, 100, 200)
"""The generations after which fronts are compared."""


def agreement_figures(n_sets: int) -> list[Figure]:
    """Compare ranks, crowding and volumes of random points with the libraries'."""
    rng = np.random.default_rng(0)
    sorting, crowded = NonDominatedSorting(), get_crowding_function("cd")
    part = f"the same numbers, on {n_sets} sets of 200 random points"
    figures = []
    for n_objectives in (2, 3, 4):
        ranks, crowding, volumes = [], [], []
        for _ in range(n_sets):
            points = rng.random((200, n_objectives))
            standing = stand(points)
            expected = np.empty(len(points), np.int64)
            distances = np.empty(len(points))
            for rank, front in enumerate(sorting.do(points)):
                expected[front] = rank
                distances[front] = crowded.do(points[front])
            finite = np.isfinite(distances)
            same_ends = np.array_equal(finite, np.isfinite(standing.crowding))
            ranks.append(float(np.count_nonzero(standing.ranks != expected)))
            crowding.append(float(np.abs(standing.crowding - distances)[finite].max()) if same_ends else np.inf)
            exact = moocore.hypervolume(points, ref=np.ones(n_objectives))
            volumes.append(abs(float(hypervolume(points, np.ones(n_objectives))) / exact - 1.0))
        name = f"{n_objectives} objectives"
        figures += [
            Figure(part, f"{name}: ranks unlike pymoo's, at most", (max(ranks),), "", 0.0, at_most=True),
            Figure(part, f"{name}: crowding unlike pymoo's, at most", (max(crowding),), "", 1e-12, at_most=True),
            Figure(part, f"{name}: volume unlike moocore's, at most", (max(volumes),), "", 1e-12, at_most=True),
        ]
    return figures


def volume(costs: Floats, excess: Floats, assignment: Assignment) -> float:
    """Return the hypervolume of those that keep all constraints."""
    kept = violations(excess, [Constraint(str(k), 0.0) for k in range(excess.shape[1])]) == 0.0
    return float(hypervolume(np.ascontiguousarray(costs[kept]), np.array(assignment.reference)))


def convergence_figures(repeats: int, milestones: Sequence[int], size: int = 100) -> list[Figure]:
    """Compare hypervolumes after equal evaluations on problems that both can state."""
    figures = []
    for assignment in (zdt1(), knapsacks()):
        ours = np.empty((repeats, len(milestones)))
        theirs = np.empty_like(ours)
        for seed in range(repeats):
            evolution = Evolution(AsRules(assignment), DEFAULT.replace(population_size=size), seed=seed)
            algorithm = pymoo_nsga2(assignment, size)
            termination = ("n_gen", max(milestones) + 2)
            algorithm.setup(AsVectors(assignment), termination=termination, seed=seed, verbose=False)
            for generation in range(max(milestones) + 1):
                evolution.step()
                algorithm.next()
                if generation in milestones:
                    k = milestones.index(generation)
                    scores = evolution.evaluation.scores
                    ours[seed, k] = volume(scores[:, :2], scores[:, 2:], assignment)
                    costs, excess = algorithm.pop.get("F", "G")
                    theirs[seed, k] = volume(costs, excess, assignment)
        part = f"{assignment.name} as rules, {size} individuals: hypervolume after equal evaluations"
        for k, generation in enumerate(milestones):
            mine, other = ours[:, k], theirs[:, k]
            note = f"{np.median(mine):.4f} and {np.median(other):.4f}"
            what = f"{(generation + 1) * size:,} evaluations: ours over pymoo's"
            figures.append(Figure(part, what, ratios(mine.tolist(), other.tolist()), "times", 1.0, note=note))
    return figures


def problem_of(name: str) -> ClassificationProblem:
    """Accuracy and the number of conditions: all of iris, or 70 % of the rows of breast cancer."""
    data = load_iris(as_frame=True) if name == "iris" else load_breast_cancer(as_frame=True)
    table, classes = data.data, data.target
    if name != "iris":
        table, _, classes, _ = train_test_split(table, classes, test_size=0.3, random_state=0, stratify=classes)
    schema = infer_schema(table, actions=[str(each) for each in data.target_names], categorical="auto", scaled=True)
    codes = classes.to_numpy().astype(np.int64)
    return ClassificationProblem(schema, encode(table, schema), codes, secondary=[COMPLEXITY])


def settings_for(problem: ClassificationProblem, **changes: object) -> Settings:
    """The default settings with a classifier's own parsimony."""
    return DEFAULT.replace(parsimony=fair_parsimony(problem), **changes)


def speed_figures(repeats: int, n_generations: int, sizes: Sequence[int] = (100, 500, 1_000)) -> list[Figure]:
    """Time whole generations, evaluation included, with equal populations and two objectives."""
    iris = problem_of("iris")
    bred, refined = settings_for(iris, n_refined=0), settings_for(iris)
    runs: dict[str, tuple[Problem, Settings]] = {
        "ZDT1 as rules": (AsRules(zdt1()), bred),
        "accuracy and size on iris, bred": (iris, bred),
        "accuracy and size on iris, bred and refined": (iris, refined),
    }
    figures = []
    for size in sizes:
        for label, (problem, settings) in runs.items():
            ours, theirs = Stopwatch(CPU), Stopwatch(CPU)
            for seed in range(repeats):
                evolution = Evolution(problem, settings.replace(population_size=size), seed=seed)
                evolution.step()
                algorithm = pymoo_nsga2(zdt1(), size)
                algorithm.setup(AsVectors(zdt1()), termination=("n_gen", n_generations + 2), seed=seed, verbose=False)
                algorithm.next()
                with no_collector(), ours:
                    for _ in range(n_generations):
                        evolution.step()
                with no_collector(), theirs:
                    for _ in range(n_generations):
                        algorithm.next()
            rates = [np.median([n_generations / seconds for seconds in watch.seconds]) for watch in (ours, theirs)]
            note = f"{rates[0]:,.0f} and {rates[1]:,.0f} a second"
            part = f"{size:,} individuals, 2 objectives: speed over that of pymoo's ZDT1"
            figures.append(Figure(part, label, ratios(theirs.seconds, ours.seconds), "times", SPEED, note=note))
    return figures


def evolved_front(problem: ClassificationProblem, settings: Settings, seed: int, n: int) -> tuple[Front, float]:
    """Return the front after `n` generations and the CPU seconds they took."""
    watch = Stopwatch(CPU)
    evolution = Evolution(problem, settings, seed=seed)
    with no_collector(), watch:
        evolution.run(Generations(n))
    front = evolution.result().front
    assert front is not None
    return front, watch.seconds[0]


def refinement_figures(repeats: int, n_generations: int) -> list[Figure]:
    """Compare fronts on training rows with and without refinement: after equal generations, and after equal time."""
    problem = problem_of("cancer")
    whole = (1.0 - WORST["accuracy"]) * WORST["complexity"]
    runs: dict[str, list[float]] = {"refined": [], "bred, equal generations": [], "bred, equal CPU time": []}
    for seed in range(repeats):
        refined, seconds = evolved_front(problem, settings_for(problem), seed, n_generations)
        bred, bred_seconds = evolved_front(problem, settings_for(problem, n_refined=0), seed, n_generations)
        longer = round(n_generations * max(1.0, seconds / bred_seconds))
        patient, _ = evolved_front(problem, settings_for(problem, n_refined=0), seed, longer)
        for values, front in zip(runs.values(), (refined, bred, patient), strict=True):
            values.append(front.hypervolume(WORST) / whole)
    part = f"breast cancer, training rows, {n_generations} generations: share of the hypervolume"
    return [Figure(part, name, tuple(values), "") for name, values in runs.items()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few repeats: does it run?")
    parts = ("agreement", "convergence", "speed", "refinement")
    parser.add_argument("--only", nargs="+", choices=parts, default=parts, help="these parts only")
    chosen = parser.parse_args(arguments)
    quick = chosen.quick
    evolved_front(problem_of("iris"), DEFAULT, 0, 2)  # compiled before any clock runs
    figures = []
    if "agreement" in chosen.only:
        figures += agreement_figures(3 if quick else 100)
    if "convergence" in chosen.only:
        figures += convergence_figures(1 if quick else 9, MILESTONES[:1] if quick else MILESTONES)
    if "speed" in chosen.only:
        figures += speed_figures(1, 2, [50]) if quick else speed_figures(5, 30)
    if "refinement" in chosen.only:
        figures += refinement_figures(1 if quick else 5, 2 if quick else 100)
    Console(width=150).print(results_table(figures, "several objectives; medians; CPU time of one thread"))


if __name__ == "__main__":
    main()
