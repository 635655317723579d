"""Means, intervals and verdicts follow from the runs."""

from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, ttest_1samp

from evoter.experiments.declarations import catalogue
from evoter.experiments.records import Record, runs_of
from evoter.experiments.results import (
    Estimate,
    Figure,
    Point,
    Result,
    dominating,
    estimate,
    judge,
    paper_points,
    points_of,
    summarise,
    summarise_trade_off,
)
from evoter.experiments.runners import RUNNERS, Measure, Outcome
from trials import small_iris

HIGHER, LOWER, SHARE = Measure("x", "higher", 2), Measure("x", "lower", 0), Measure("x", "higher", share=True)
values = st.lists(st.floats(0, 1).filter(lambda value: value == 0 or value > 1e-6), min_size=2, max_size=12)


@given(values)
def test_an_interval_is_students(found: list[float]) -> None:
    made = estimate([Outcome({"x": value}) for value in found], "x", HIGHER)
    assert made is not None
    assert made.mean == pytest.approx(fmean(found))
    if max(found) - min(found) > 1e-3:
        expected = ttest_1samp(found, 0).confidence_interval()
        assert (made.low, made.high) == pytest.approx((expected.low, expected.high))


def test_overlapping_splits_have_wider_intervals() -> None:
    apart = [Outcome({"x": value}) for value in (0.8, 0.9, 0.85)]
    splits = [Outcome({**each.measures, "n_train": 70, "n_test": 30}) for each in apart]
    plain, corrected = estimate(apart, "x", HIGHER), estimate(splits, "x", HIGHER)
    assert plain is not None
    assert corrected is not None
    assert plain.high is not None
    assert corrected.high is not None
    assert (corrected.high - corrected.mean) / (plain.high - plain.mean) == pytest.approx((1 + 3 * 30 / 70) ** 0.5)


@given(st.integers(1, 20), st.data())
def test_the_interval_of_a_share_is_wilsons(n: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, n))
    expected = binomtest(hits, n).proportion_ci(method="wilson")
    made = estimate([Outcome({"x": float(run < hits)}) for run in range(n)], "x", SHARE)
    assert made is not None
    assert made.mean == pytest.approx(hits / n)
    assert (made.low, made.high) == pytest.approx((expected.low, expected.high))


def test_few_runs_say_less() -> None:
    assert estimate([], "x", HIGHER) is None
    assert estimate([Outcome({"y": 1.0})], "x", HIGHER) is None
    assert estimate([Outcome({"x": float("nan")})], "x", HIGHER) is None
    assert estimate([Outcome({"x": 0.5})], "x", HIGHER) == Estimate(1, 0.5)


@pytest.mark.parametrize(
    ("mean", "paper", "measure", "verdict"),
    [
        (0.985, 0.98, HIGHER, "reached"),
        (0.9751, 0.98, HIGHER, "reached"),
        (0.974, 0.98, HIGHER, "not reached"),
        (5.4, 5, LOWER, "reached"),
        (5.6, 5, LOWER, "not reached"),
        (0.9, 1.0, SHARE, "not reached"),
        (5.0, 5.0, Measure("x"), ""),
    ],
)
def test_verdicts_round_as_the_paper_does(mean: float, paper: float, measure: Measure, verdict: str) -> None:
    assert judge(Figure("m", "v", "x", Estimate(10, mean), paper), measure).verdict == verdict


def test_what_cannot_be_compared_is_not() -> None:
    figure = Figure("m", "v", "x", Estimate(3, 0.5, 0.4, 0.6), 0.55)
    assert judge(replace(figure, ours=None), HIGHER).verdict == "not run"
    assert judge(replace(figure, paper=None), HIGHER).verdict == ""
    other = judge(figure, HIGHER, "other data")
    assert (other.verdict, other.reason) == ("not comparable", "other data")
    assert figure.within
    assert not replace(figure, paper=0.7).within
    assert not replace(figure, ours=Estimate(1, 0.5)).within


def result(accuracies: dict[str, float], **more: float) -> Result:
    experiment = small_iris(1)
    records = [
        Record(run, {run.models[0]: Outcome({"accuracy": accuracies[run.models[0]], "parameters": 5.0, **more})})
        for run in runs_of(experiment, "quick", 0)
    ]
    return summarise(experiment, records, len(records))


def test_every_model_has_its_figures() -> None:
    found = result({"evoter": 0.995, "bayes": 0.9, "tree": 1.0})
    ours = found.figure("evoter", "clean", "accuracy")
    assert ours is not None
    assert (ours.paper, ours.verdict) == (0.99, "reached")
    assert found.figure("bayes", "clean", "train_accuracy") is None
    assert found.count("reached", "evoter") == 4, "accuracy and size, under two protocols"
    assert found.count("not run", "evoter") == 4, "AIC and BIC, without the numbers of rows"
    assert found.to_dict()["figures"][0]["ours"]["mean"] == 0.995


def test_information_criteria_are_computed_as_in_the_paper_for_all_rows() -> None:
    found = result({"evoter": 0.993, "bayes": 0.95, "tree": 1.0}, n_train=105, n_test=45, full_parameters=63)
    ours, tree = (found.figure(model, "clean", "paper_aic") for model in ("evoter", "tree"))
    assert ours is not None
    assert ours.ours is not None
    assert (ours.paper, round(ours.ours.mean), ours.verdict) == (83, 83, "reached")
    assert tree is not None
    assert tree.ours is not None
    assert tree.ours.mean == 2 * 63, "the tree counts as a full one"


def test_companions_have_the_papers_figures_and_p_values_compare_runs() -> None:
    experiment = replace(catalogue()["iris"], variants={"clean": "clean"})
    accuracies = {"evoter": 0.96, "evoter-paper": 0.95, "forest": 0.97}
    runs = [run for run in runs_of(experiment, "quick", 0) if run.models[0] in accuracies]
    records = [
        Record(run, {m: Outcome({"accuracy": accuracies[m] + run.seed * (0.01 if m == "forest" else 0.0)})})
        for run in runs
        for m in run.models
    ]
    found = summarise(experiment, records, len(records))
    companion = found.figure("evoter-paper", "clean", "accuracy")
    assert companion is not None
    assert (companion.paper, companion.verdict) == (0.99, "not reached")
    p = found.figure("evoter", "clean", "p_forest")
    assert p is not None
    assert p.ours is not None
    assert 0 < p.ours.mean < 1
    assert found.figure("bayes", "clean", "p_forest") is None


def test_features_in_common_are_those_of_signals() -> None:
    experiment = replace(catalogue()["activity-series"], variants={"clean": "clean"})
    runs = [run for run in runs_of(experiment, "full", 0) if run.models == ("evoter",)][:2]
    features = [("total_acc_x[0]", "total_acc_x[1]"), ("total_acc_x[1]", "total_acc_x[2]")]
    records = [
        Record(run, {"evoter": Outcome({"features": 2}, features=each)})
        for run, each in zip(runs, features, strict=True)
    ]
    found = summarise(experiment, records, 2).figure("evoter", "clean", "overlap")
    assert found is not None
    assert found.ours == Estimate(2, 1 / 3)
    alone = summarise(experiment, records[:1], 2).figure("evoter", "clean", "overlap")
    assert alone is not None
    assert alone.verdict == "not run"


def test_who_dominates_is_counted() -> None:
    trade_off = catalogue()["accuracy-complexity"]
    behind, ahead = (
        result({"evoter": 0.9, "bayes": 0.8, "tree": 0.95}),
        result({"evoter": 0.9, "bayes": 0.8, "tree": 0.8}),
    )
    lost, won = (
        summarise_trade_off(trade_off, {"iris": each}).figure("iris", "clean", "dominating") for each in (behind, ahead)
    )
    assert lost is not None
    assert won is not None
    assert lost.ours == Estimate(1, 1)
    assert (lost.verdict, won.verdict) == ("not reached", "reached")
    assert summarise_trade_off(trade_off, {}).count("not run") == 16, "four data sets, two protocols, two presets"


def test_points_are_means_here_and_figures_there() -> None:
    found = result({"evoter": 0.9, "bayes": 0.8, "tree": 0.95})
    assert points_of(found, "clean")["tree"] == Point(5.0, 0.95)
    assert paper_points(found.experiment)["evoter"] == Point(5, 0.99)
    assert set(RUNNERS["classification"].measures) >= {"accuracy", "parameters"}


points = st.builds(Point, st.floats(0, 100), st.floats(0, 1))


@given(points, points, points)
def test_domination_is_a_strict_order(a: Point, b: Point, c: Point) -> None:
    assert not a.dominates(a)
    assert not (a.dominates(b) and b.dominates(a))
    if a.dominates(b) and b.dominates(c):
        assert a.dominates(c)


def test_black_boxes_are_not_asked() -> None:
    found = {"evoter": Point(5, 0.9), "tree": Point(5, 0.95), "bayes": Point(3, 0.8), "forest": Point(1, 1)}
    assert dominating(found, ["tree", "bayes"]) == ["tree"]
    assert dominating({"tree": Point(5, 0.95)}, ["tree"]) == []
