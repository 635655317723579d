"""Fronts: generations per second beside pymoo's NSGA-II, and what refinement does for accuracy against size."""

import argparse
from collections.abc import Sequence

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import Problem as PymooProblem
from rich.console import Console
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import train_test_split

from evoter.estimators.evolved import PARSIMONY
from evoter.evolution.engine import Evolution
from evoter.evolution.front import Front
from evoter.evolution.settings import DEFAULT, Settings
from evoter.evolution.stopping import Generations
from evoter.kernels.layout import Floats
from evoter.problems.classification import ClassificationProblem
from evoter.problems.secondary import COMPLEXITY
from evoter.tables import encode, infer_schema
from measure import CPU, Figure, Stopwatch, no_collector, ratios, results_table

REFERENCE = {"accuracy": 0.5, "complexity": 31.0}
"""What hypervolumes are measured from: guessing, and more conditions than anybody reads."""

GOAL = 10.0


class Numbers(PymooProblem):  # type: ignore[misc]
    """Two objectives that cost pymoo next to nothing, so that its loop is what is timed."""

    def __init__(self, n_variables: int) -> None:
        super().__init__(n_var=n_variables, n_obj=2, xl=0.0, xu=1.0)

    def _evaluate(self, x: Floats, out: dict[str, Floats], *_: object, **__: object) -> None:
        out["F"] = np.column_stack([x[:, 0], 1.0 + x[:, 1:].sum(axis=1) - np.sqrt(x[:, 0])])


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
    return DEFAULT.replace(parsimony=PARSIMONY * problem.uncertainty, **changes)


def loop_figures(repeats: int, n_generations: int) -> list[Figure]:
    """Time whole generations, evaluation included on our side, with equal populations and two objectives."""
    problem = problem_of("iris")
    figures = []
    for size in (100, 500):
        for label, n_refined in (("bred only", 0), ("as by default, refined children included", DEFAULT.n_refined)):
            settings = settings_for(problem, population_size=size, n_refined=n_refined)
            ours, theirs = Stopwatch(CPU), Stopwatch(CPU)
            for seed in range(repeats):
                evolution = Evolution(problem, settings, seed=seed)
                evolution.step()
                algorithm = NSGA2(pop_size=size)
                algorithm.setup(Numbers(10), termination=("n_gen", n_generations + 1), seed=seed, verbose=False)
                algorithm.next()
                with no_collector(), ours:
                    for _ in range(n_generations):
                        evolution.step()
                with no_collector(), theirs:
                    for _ in range(n_generations):
                        algorithm.next()
            speeds = tuple(n_generations / seconds for seconds in ours.seconds)
            part = f"population {size}, {label}"
            figures.append(Figure(part, "generations per second", speeds, "/s"))
            figures.append(Figure(part, "times pymoo's speed", ratios(theirs.seconds, ours.seconds), "x", target=GOAL))
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


def volume_figures(repeats: int, n_generations: int) -> list[Figure]:
    """Compare fronts on training rows with and without refinement: after equal generations, and after equal time."""
    problem = problem_of("cancer")
    whole = (1.0 - REFERENCE["accuracy"]) * REFERENCE["complexity"]
    runs: dict[str, list[float]] = {"refined": [], "bred, equal generations": [], "bred, equal CPU time": []}
    for seed in range(repeats):
        refined, seconds = evolved_front(problem, settings_for(problem), seed, n_generations)
        bred, bred_seconds = evolved_front(problem, settings_for(problem, n_refined=0), seed, n_generations)
        longer = round(n_generations * max(1.0, seconds / bred_seconds))
        patient, _ = evolved_front(problem, settings_for(problem, n_refined=0), seed, longer)
        for values, front in zip(runs.values(), (refined, bred, patient), strict=True):
            values.append(front.hypervolume(REFERENCE) / whole)
    part = f"breast cancer, training rows, {n_generations} generations: share of the hypervolume"
    return [Figure(part, name, tuple(values), "") for name, values in runs.items()]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and show."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few repeats: does it run?")
    quick = parser.parse_args(arguments).quick
    evolved_front(problem_of("iris"), DEFAULT, 0, 2)  # compiled before any clock runs
    figures = [
        *loop_figures(2 if quick else 7, 12 if quick else 60),
        *volume_figures(1 if quick else 5, 12 if quick else 100),
    ]
    Console(width=150).print(results_table(figures, "several objectives; medians; CPU time of one thread"))


if __name__ == "__main__":
    main()
