"""Evaluating a population: a real generation with the masks of the run, and a fresh random one without any."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from baselines import LeanNumpyEvaluator, NumpyEvaluator, ObjectEvaluator, Outcome
from evoter.evolution.problem import Evaluation
from evoter.genome.codec import decode
from evoter.kernels.layout import Population
from evoter.rules.model import RuleSet
from measure import Figure, Stopwatch, no_collector, ratios
from workloads import FIRST_MEASURED, Scale, Workload, iris, synthetic

REAL_TARGETS = {150: 1_000.0, 5_000: 200.0, 100_000: 100.0}
RANDOM_TARGETS = {150: 40.0, 5_000: 8.0, 100_000: 5.0}
OBJECT_TARGET = 20_000.0
ROW_BUDGET = 4_000_000
"""Rows times rule sets that NumPy is timed on per generation; what it would take for all children follows from that."""


class Sample(NamedTuple):
    """Some rule sets of a population, with what the engine found out about them, and how many there were in all."""

    rulesets: list[RuleSet]
    outcomes: list[Outcome]
    population_size: int


def evaluation_figures(scale: Scale, preset: str) -> list[Figure]:
    """Compare the engine's evaluation with the baselines' on small, middling and large tables."""
    figures = []
    for workload in (iris(), *(synthetic(n) for n in scale.rows)):
        figures += _real_generation(workload, scale, preset)
        figures += _random_population(workload, scale, preset)
    return sorted(figures, key=lambda figure: figure.part)


def _real_generation(workload: Workload, scale: Scale, preset: str) -> list[Figure]:
    """Time the first evaluation of the children of generations 21 to 30, just as it happens in a run.

    Evaluating the same children twice would find all their masks made already, so each is timed once; the whole run
    is repeated instead.
    """
    watch = Stopwatch()
    samples: list[Sample] = []
    for repeat in range(scale.n_repeats):
        evolution = workload.evolution(scale.settings(preset))
        for _ in range(FIRST_MEASURED):
            evolution.step()
        with no_collector():
            for _ in range(scale.n_generations):
                children = evolution.ask()
                with watch:
                    evaluation = evolution.problem.evaluate(children, evolution.threads, 0)
                if repeat == 0:
                    samples.append(_sample(children, evaluation, workload))
                evolution.tell(children, evaluation)
    engine = np.median(np.reshape(watch.seconds, (scale.n_repeats, -1)), axis=0).tolist()
    target = scale.target(REAL_TARGETS.get(workload.columns.shape[1]))
    part = "a generation, 20 -> 21"
    figures = _against_numpy(part, workload, engine, samples, target)
    rate = tuple(sample.population_size / seconds for sample, seconds in zip(samples, engine, strict=True))
    figures.append(Figure(part, f"{workload.shape}: engine", rate, "rule sets/s"))
    if workload.columns.shape[1] == scale.object_rows:
        figures.append(_against_objects(part, workload, engine, samples, scale))
    return figures


def _random_population(workload: Workload, scale: Scale, preset: str) -> list[Figure]:
    """Time the evaluation of generation 0, for which no mask has been made."""
    watch = Stopwatch()
    samples = []
    for seed in range(scale.n_repeats):
        evolution = workload.evolution(scale.settings(preset), seed=seed)
        population = evolution.ask()
        with no_collector(), watch:
            evaluation = evolution.problem.evaluate(population, evolution.threads, 0)
        samples.append(_sample(population, evaluation, workload))
    target = scale.target(RANDOM_TARGETS.get(workload.columns.shape[1]))
    return _against_numpy("a random population", workload, watch.seconds, samples, target)


def _sample(population: Population, evaluation: Evaluation, workload: Workload) -> Sample:
    """Decode evenly spaced individuals, as many as NumPy can evaluate in reasonable time."""
    n = min(population.size, max(20, ROW_BUDGET // workload.columns.shape[1]))
    chosen = np.linspace(0, population.size - 1, n).astype(np.int64)
    rulesets = [decode(population, int(i), workload.schema) for i in chosen]
    outcomes = [
        Outcome(
            float(evaluation.scores[i, 0]),
            evaluation.times_applied[i, : len(ruleset.rules)].tolist(),
            evaluation.times_decided[i, : len(ruleset.rules)].tolist(),
        )
        for i, ruleset in zip(chosen, rulesets, strict=True)
    ]
    return Sample(rulesets, outcomes, population.size)


def _against_numpy(
    part: str, workload: Workload, engine: Sequence[float], samples: Sequence[Sample], target: float | None
) -> list[Figure]:
    """Compare with NumPy doing the same, which the target is about, and with the least that NumPy can do."""
    table = (workload.schema, workload.columns, workload.classes)
    numpy, lean = NumpyEvaluator(*table), LeanNumpyEvaluator(*table)
    watch, lean_watch = Stopwatch(), Stopwatch()
    for sample in samples:
        plans = [lean.plan(ruleset) for ruleset in sample.rulesets]
        with no_collector():
            with watch:
                outcomes = [numpy.evaluate(ruleset) for ruleset in sample.rulesets]
            with lean_watch:
                accuracies = [lean.accuracy(plan) for plan in plans]
        _check_equal(outcomes, sample.outcomes, "NumPy")
        _check_equal(accuracies, [outcome.accuracy for outcome in sample.outcomes], "the leanest NumPy")
    factors = [sample.population_size / len(sample.rulesets) for sample in samples]
    seconds, lean_seconds = (
        [t * factor for t, factor in zip(clock.seconds, factors, strict=True)] for clock in (watch, lean_watch)
    )
    each = 1e6 * np.median(np.divide(seconds, [sample.population_size for sample in samples]))
    note = f"{_mean_size(samples)}; NumPy {each:,.0f} us a rule set"
    bound = "accuracy alone, names looked up before"
    return [
        Figure(part, f"{workload.shape}: against NumPy", ratios(seconds, engine), "times", target, note=note),
        Figure(part, f"{workload.shape}: against the leanest NumPy", ratios(lean_seconds, engine), "times", note=bound),
    ]


def _against_objects(
    part: str, workload: Workload, engine: Sequence[float], samples: Sequence[Sample], scale: Scale
) -> Figure:
    """Extrapolate the interpreter's time from a few rule sets: all of them would take minutes."""
    evaluator = ObjectEvaluator(workload.schema, workload.columns, workload.classes)
    watch = Stopwatch()
    factors = []
    for sample in samples[: max(1, scale.n_generations // 2)]:
        picked = np.linspace(0, len(sample.rulesets) - 1, scale.n_objects).astype(np.int64).tolist()
        with no_collector(), watch:
            outcomes = [evaluator.evaluate(sample.rulesets[i]) for i in picked]
        _check_equal(outcomes, [sample.outcomes[i] for i in picked], "the interpreter")
        factors.append(sample.population_size / len(picked))
    seconds = [t * factor for t, factor in zip(watch.seconds, factors, strict=True)]
    note = f"extrapolated from {scale.n_objects} rule sets of each generation"
    what = f"{workload.shape}: against objects"
    return Figure(part, what, ratios(seconds, engine[: len(seconds)]), "times", scale.target(OBJECT_TARGET), note=note)


def _check_equal(theirs: Sequence[object], ours: Sequence[object], baseline: str) -> None:
    """Refuse to compare the speed of two evaluators that do not give exactly the same results."""
    for found, expected in zip(theirs, ours, strict=True):
        if found != expected:
            raise AssertionError(f"{baseline} finds {found} where the engine finds {expected}")


def _mean_size(samples: Sequence[Sample]) -> str:
    """Say how large the rule sets are: the cost of every baseline depends on it."""
    rulesets = [ruleset for sample in samples for ruleset in sample.rulesets]
    n_rules = np.mean([len(ruleset.rules) for ruleset in rulesets])
    n_conditions = np.mean([sum(len(rule.conditions) for rule in ruleset.rules) for ruleset in rulesets])
    return f"{n_rules:.1f} rules, {n_conditions:.1f} conditions"
