"""From runs to results: means with intervals, each compared with the paper's figure, and the verdicts."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, Literal

from evoter.analysis.information_criteria import information_criteria
from evoter.analysis.intervals import mean_interval, proportion_interval
from evoter.experiments.declarations import Experiment
from evoter.experiments.records import Record
from evoter.experiments.runners import RUNNERS, Measure, Outcome

Verdict = Literal["reached", "not reached", "not comparable", "not run", ""]
VERDICTS: tuple[Verdict, ...] = ("reached", "not reached", "not comparable", "not run")

REFERENCE = "evoter"
"""The model that is compared with the others."""

COMPARED = {
    "p_forest": ("forest", "accuracy"),
    "p_network": ("network", "training"),
    "p_readmission": ("network", "readmission"),
    "p_discharge": ("network", "discharge"),
}
"""Measures that compare a model with another one over the runs of both: the other one, and what is compared."""

BLACK_BOXES = ("forest",)
"""Models that are not transparent."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over runs with a 95 % interval; a single run has none."""

    n_runs: int
    mean: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """One measure of one model under one variant, here and in the paper, and the verdict of the comparison.

    A figure is reached if our mean, rounded as the paper rounds, is at least as good; whether the paper's figure lies
    within our interval is a separate question.
    """

    model: str
    variant: str
    measure: str
    ours: Estimate | None
    paper: float | None = None
    verdict: Verdict = ""
    reason: str = ""

    @property
    def within(self) -> bool:
        """Whether the paper's figure lies within our interval."""
        ours = self.ours
        if ours is None or self.paper is None or ours.low is None or ours.high is None:
            return False
        return ours.low <= self.paper <= ours.high


@dataclass(frozen=True, slots=True)
class Result:
    """An experiment with all its figures, the outcomes they are computed from, and why some runs could not be done."""

    experiment: Experiment
    figures: tuple[Figure, ...]
    outcomes: Mapping[tuple[str, str], Sequence[Outcome]]
    n_runs: int
    n_planned: int
    problem: str = ""

    def figure(self, model: str, variant: str, measure: str) -> Figure | None:
        """Return one of the figures."""
        wanted = (model, variant, measure)
        return next((each for each in self.figures if (each.model, each.variant, each.measure) == wanted), None)

    def count(self, verdict: Verdict, model: str | None = None) -> int:
        """Count the figures with a verdict, of one model or of all."""
        return sum(each.verdict == verdict and model in (None, each.model) for each in self.figures)

    def to_dict(self) -> dict[str, Any]:
        """Return everything that is determined by the seed as plain values."""
        return {
            "title": self.experiment.title,
            "where": self.experiment.where,
            "runs": self.n_runs,
            "planned": self.n_planned,
            "problem": self.problem,
            "figures": [_figure_dict(figure) for figure in self.figures],
        }


def _figure_dict(figure: Figure) -> dict[str, Any]:
    ours = figure.ours
    return {
        "model": figure.model,
        "variant": figure.variant,
        "measure": figure.measure,
        "ours": None if ours is None else {"runs": ours.n_runs, "mean": ours.mean, "low": ours.low, "high": ours.high},
        "paper": figure.paper,
        "verdict": figure.verdict,
        "reason": figure.reason,
        "within_interval": figure.within,
    }


def estimate(outcomes: Sequence[Outcome], name: str, measure: Measure) -> Estimate | None:
    """Return the mean of a measure and its interval; None where no run has it.

    Where runs are random splits of the same rows, which overlap, the interval is that of the corrected resampled
    t-test (Nadeau and Bengio, 2003). The interval of a share is Wilson's.
    """
    chosen = [outcome.measures for outcome in outcomes if name in outcome.measures]
    values = [float(measures[name]) for measures in chosen]
    values = [value for value in values if not math.isnan(value)]
    if not values:
        return None
    n, mean = len(values), fmean(values)
    if measure.share:
        return Estimate(n, mean, *proportion_interval(round(sum(values)), n))
    if n == 1:
        return Estimate(n, mean)
    shared = [measures["n_test"] / measures["n_train"] for measures in chosen if "n_train" in measures]
    half = float(mean_interval(values, test_per_train=fmean(shared) if shared else 0.0).half)
    return Estimate(n, mean, mean - half, mean + half)


def judge(figure: Figure, measure: Measure, reason: str = "") -> Figure:
    """Give a figure the verdict of its comparison with the paper's; with a reason, it is not comparable.

    >>> better = Measure("accuracy", "higher", 2)
    >>> judge(Figure("evoter", "clean", "accuracy", Estimate(10, 0.9851), 0.99), better).verdict
    'reached'
    """
    if figure.paper is None or not measure.better:
        return figure
    if reason := reason or measure.not_comparable:
        return replace(figure, verdict="not comparable", reason=reason)
    if figure.ours is None:
        return replace(figure, verdict="not run")
    ours, paper = round(figure.ours.mean, measure.digits), round(figure.paper, measure.digits)
    reached = ours >= paper if measure.better == "higher" else ours <= paper
    return replace(figure, verdict="reached" if reached else "not reached")


def summarise(experiment: Experiment, records: Sequence[Record], n_planned: int, problem: str = "") -> Result:
    """Return the results of an experiment's runs."""
    outcomes: dict[tuple[str, str], list[Outcome]] = {}
    for record in records:
        for model, outcome in record.outcomes.items():
            measured = {**outcome.measures, **_paper_criteria(experiment, model, outcome.measures)}
            outcomes.setdefault((model, record.run.variant), []).append(replace(outcome, measures=measured))
    figures = []
    for model in experiment.models:
        published = experiment.base_of(model)
        paper = next((each for each in experiment.paper if each.model == published), None)
        for name in experiment.measures:
            for variant in experiment.variants:
                found = outcomes.get((model, variant), [])
                ours = _overlap(found) if (experiment.runner, name) == ("classification", "overlap") else None
                if name in COMPARED and published == next(iter(experiment.models)):
                    other, compared = COMPARED[name]
                    ours = _p_value(found, outcomes.get((other, variant), []), compared)
                measure = RUNNERS[experiment.runner].measures[name]
                ours = ours or estimate(found, name, measure)
                value = None if paper is None else paper.values.get(name)
                if ours is None and value is None:
                    continue
                reason = "" if paper is None else paper.not_comparable.get(name, "")
                figures.append(judge(Figure(model, variant, name, ours, value), measure, reason))
    return Result(experiment, tuple(figures), outcomes, len(records), n_planned, problem)


def _paper_criteria(experiment: Experiment, model: str, measures: Mapping[str, float]) -> dict[str, float]:
    """Return AIC and BIC as the paper's appendix B computes them, for models whose size and accuracy were measured.

    The paper takes the accuracy on test rows for that of all rows: its figures follow from their number, and not from
    that of the test rows. Trees count as full ones where the experiment says so.
    """
    if not {"accuracy", "parameters", "n_train", "n_test"} <= set(measures):
        return {}
    full = model in experiment.settings.get("full_trees", ())
    size = measures["full_parameters" if full else "parameters"]
    n_rows = int(measures["n_train"] + measures["n_test"])
    aic, bic = information_criteria((1 - measures["accuracy"]) * n_rows, int(size), n_rows)
    return {"paper_aic": aic, "paper_bic": bic}


def _p_value(ours: Sequence[Outcome], theirs: Sequence[Outcome], measure: str) -> Estimate | None:
    """Return the p-value of a paired test over the runs of two models, corrected for splits of the same rows."""
    from evoter.experiments.classification.evaluation import corrected_t_test

    pairs = list(zip(ours, theirs, strict=False))
    if any(measure not in one.measures or measure not in other.measures for one, other in pairs):
        return None
    differences = [one.measures[measure] - other.measures[measure] for one, other in pairs]
    sizes = [(one.measures.get("n_train", 0.7), one.measures.get("n_test", 0.3)) for one in ours]
    p = corrected_t_test(differences, *sizes[0]) if len(differences) > 1 else None
    return None if p is None else Estimate(len(differences), p)


def _overlap(outcomes: Sequence[Outcome]) -> Estimate | None:
    """Return the share of the signals' features that runs have in common; None for a single run."""
    from evoter.experiments.activity.overlap import overlap
    from evoter.experiments.activity.signals import COLUMNS

    features = [outcome.features for outcome in outcomes if outcome.features]
    if not features or not set().union(*features) <= set(COLUMNS):
        return None
    found = overlap(features, COLUMNS)
    return None if found is None else Estimate(found.n_runs, found.union.found)


def summarise_trade_off(experiment: Experiment, used: Mapping[str, Result], problem: str = "") -> Result:
    """Return, for each experiment whose runs are shown, how many transparent models dominate EVOTER."""
    figures = []
    measures = RUNNERS[experiment.runner].measures
    for model in experiment.models:
        paper = next((each for each in experiment.paper if each.model == model), None)
        for variant in experiment.variants:
            points = points_of(used[model], variant) if model in used else {}
            transparent = [name for name in points if name not in BLACK_BOXES and not name.startswith(REFERENCE)]
            for name, reference in (("dominating", REFERENCE), ("dominating_paper", f"{REFERENCE}-paper")):
                found = len(dominating(points, transparent, reference))
                ours = Estimate(1, found) if reference in points else None
                value = None if paper is None else paper.values.get("dominating")
                figures.append(judge(Figure(model, variant, name, ours, value), measures[name]))
    done = sum(figure.ours is not None for figure in figures)
    return Result(experiment, tuple(figures), {}, done, len(figures), problem)


@dataclass(frozen=True, slots=True)
class Point:
    """A model's mean complexity and accuracy, here or in the paper."""

    complexity: float
    accuracy: float

    def dominates(self, other: "Point") -> bool:
        """Return whether a point is no worse in both respects and better in one.

        >>> Point(3, 0.9).dominates(Point(5, 0.9)), Point(3, 0.9).dominates(Point(2, 0.8))
        (True, False)
        """
        no_worse = self.complexity <= other.complexity and self.accuracy >= other.accuracy
        return no_worse and self != other


def dominating(points: Mapping[str, Point], transparent: Sequence[str], reference: str = REFERENCE) -> list[str]:
    """Return the transparent models that dominate EVOTER."""
    ours = points.get(reference)
    return [name for name in transparent if ours is not None and name in points and points[name].dominates(ours)]


def points_of(result: Result, variant: str) -> dict[str, Point]:
    """Return complexity and accuracy of the models of a comparison under a variant."""
    points = {}
    for model in result.experiment.models:
        size, accuracy = result.figure(model, variant, "parameters"), result.figure(model, variant, "accuracy")
        if size is not None and accuracy is not None and size.ours is not None and accuracy.ours is not None:
            points[model] = Point(size.ours.mean, accuracy.ours.mean)
    return points


def paper_points(experiment: Experiment) -> dict[str, Point]:
    """Return complexity and accuracy of the models of a comparison in the paper."""
    return {
        each.model: Point(each.values["parameters"], each.values["accuracy"])
        for each in experiment.paper
        if {"parameters", "accuracy"} <= set(each.values)
    }
