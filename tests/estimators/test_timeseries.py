"""EvoterTimeSeriesClassifier: what it learns from series, in which forms they come, and that a stream agrees."""

import pickle
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score

from evoter import EvoterTimeSeriesClassifier, SchemaError, WindowStatistics, parse
from evoter.evolution.checkpoint import CheckpointError
from evoter.rules.answers.explanations import Explanations
from evoter.rules.explain import Explanation
from evoter.tables.series import read_panel
from waves import CHANNELS, N, kinds, long_frame, quick_series, waves


@pytest.fixture(scope="module")
def model() -> EvoterTimeSeriesClassifier:
    return quick_series().fit(waves(), kinds())


@pytest.fixture(scope="module")
def windowed() -> EvoterTimeSeriesClassifier:
    return quick_series(windows=WindowStatistics(3, ("mean", "max", "slope"), step=2)).fit(waves(), kinds())


def test_the_lag_is_found(model: EvoterTimeSeriesClassifier) -> None:
    assert model.score(waves(), kinds()) > 0.95
    terms = {(t.feature, t.lag) for rule in model.ruleset_.rules for c in rule.conditions for t in c.terms}
    assert ("pulse", 3) in terms
    assert model.classes_.tolist() == ["high", "low"]
    assert model.channel_names_ == CHANNELS
    assert model.n_features_in_ == 2
    assert model.schema_.max_lag == 11
    assert parse(str(model.ruleset_)) == model.ruleset_
    assert model.windows_ is None


def test_the_powers_of_keplers_third_law_are_found() -> None:
    """Section 5.2.2 of the paper: the square of a period is proportional to the cube of the distance."""
    rng = np.random.default_rng(0)
    axis = rng.uniform(0.3, 5, 300)
    period = axis**1.5 * np.exp(rng.uniform(-0.3, 0.3, 300))
    planets = np.column_stack([axis, period])[:, :, np.newaxis]
    settings = {"comparison_rate": 1.0, "max_power": 3}
    model = EvoterTimeSeriesClassifier(channels=["axis", "period"], settings=settings, random_state=0)
    model.fit(planets, np.where(period**2 > axis**3, "slower", "faster"))
    assert model.ruleset_.n_conditions == 1
    assert "axis^3" in str(model.ruleset_)
    assert "period^2" in str(model.ruleset_)


@pytest.mark.parametrize("windows", [None, WindowStatistics(3, ("mean", "max"), step=2)])
def test_several_objectives_give_a_front(windows: WindowStatistics | None) -> None:
    objectives = ["accuracy", "complexity", "novelty"]
    model = quick_series(objectives=objectives, select="knee", windows=windows).fit(waves(), kinds())
    assert [objective.name for objective in model.front_.objectives] == objectives
    for number, candidate in enumerate(model.front_):
        other = model.with_ruleset(number)
        assert other.ruleset_ == candidate.ruleset
        assert candidate.behaviour is not None
        assert other.classes_[candidate.behaviour].tolist() == other.predict(waves()).tolist()


def test_probabilities_counts_and_deciding_rules(model: EvoterTimeSeriesClassifier) -> None:
    probabilities = model.predict_proba(waves())
    deciders = model.deciding_rules(waves())
    n_rules = len(model.ruleset_.rules)
    assert np.allclose(probabilities.sum(axis=1), 1.0)
    assert np.array_equal(model.classes_[probabilities.argmax(axis=1)], model.predict(waves()))
    assert model.times_decided_.tolist() == np.bincount(deciders, minlength=n_rules + 1).tolist()
    assert model.times_applied_[:-1].tolist() == model.decision_path(waves()).sum(axis=0).tolist()[0]


def test_explanations_tell_what_was_read(model: EvoterTimeSeriesClassifier) -> None:
    explanations = model.explain(waves())
    assert isinstance(explanations, Explanations)
    assert [one.decision.action for one in explanations] == model.predict(waves()).tolist()
    one = model.explain(waves()[:1])
    assert isinstance(one, Explanation)
    assert "pulse[3]" in str(one)


@pytest.mark.parametrize("name", ["model", "windowed"])
def test_a_stream_decides_as_the_batch(name: str, request: pytest.FixtureRequest) -> None:
    fitted: EvoterTimeSeriesClassifier = request.getfixturevalue(name)
    stream = fitted.stream()
    for i, values in enumerate(waves()[:40]):
        stream.reset()
        decisions = [stream.observe(step if i % 2 else dict(zip(CHANNELS, step, strict=True))) for step in values.T]
        n = values.shape[1]
        upto = read_panel([values], channels=CHANNELS)[np.zeros(n, np.int64)].until(np.arange(1, n + 1))
        assert [decision.action for decision in decisions] == fitted.predict(upto).tolist()


def test_windows_are_features(windowed: EvoterTimeSeriesClassifier) -> None:
    assert windowed.windows_ is not None
    assert windowed.windows_ is not windowed.windows, "parameters stay as they were"
    assert not hasattr(windowed.windows, "channel_names_")
    assert windowed.schema_.names == tuple(windowed.windows_.get_feature_names_out())
    assert windowed.schema_.max_lag == 4, "lags count windows"
    assert windowed.score(waves(), kinds()) > 0.8
    explanations = windowed.explain(waves()[:5])
    assert isinstance(explanations, Explanations)
    assert [one.decision.action for one in explanations] == windowed.predict(waves()[:5]).tolist()


def test_series_are_read_as_in_training_and_before_windows(windowed: EvoterTimeSeriesClassifier) -> None:
    for X in (waves()[:2], read_panel(waves()[:2], channels=CHANNELS).select(CHANNELS[::-1])):
        panel = windowed.read(X)
        assert panel.names == CHANNELS
        assert np.array_equal(panel[1], waves()[1], equal_nan=True)


def test_every_form_of_the_same_series_gives_the_same_rules(model: EvoterTimeSeriesClassifier) -> None:
    longest = max(values.shape[1] for values in waves())
    padded = np.full((N, 2, longest), np.nan)
    for row, values in zip(padded, waves(), strict=True):
        row[:, : values.shape[1]] = values
    panel = read_panel(waves(), channels=CHANNELS)
    columns = {"id_column": "patient", "time_column": "minute"}
    forms: list[tuple[Any, dict[str, Any]]] = [
        (padded, {}),
        (panel, {"channels": None}),
        (long_frame(), {**columns, "channels": None}),
        (pl.from_pandas(long_frame()), {**columns, "step": 1}),
    ]
    for X, parameters in forms:
        other = quick_series(**parameters).fit(X, kinds())
        assert other.ruleset_ == model.ruleset_
        for again in (X, waves(), panel):
            assert np.array_equal(other.predict(again), model.predict(waves()))


def test_rows_of_a_frame_may_come_in_any_order(model: EvoterTimeSeriesClassifier) -> None:
    frame = long_frame()
    shuffled = frame.sample(frac=1.0, random_state=0)
    order = [int(patient[1:]) for patient in shuffled["patient"].unique()]
    other = quick_series(id_column="patient", time_column="minute").fit(shuffled, kinds()[order])
    assert other.score(frame, kinds()) > 0.95


@pytest.mark.parametrize("windows", [None, WindowStatistics(3)])
def test_the_same_seed_gives_the_same_rules(windows: WindowStatistics | None) -> None:
    one, two, threaded, other = (
        quick_series(windows=windows, generations=6, random_state=seed, n_jobs=n_jobs).fit(waves(), kinds())
        for seed, n_jobs in ((1, 1), (1, 1), (1, 3), (2, 1))
    )
    assert one.evolved_ruleset_ == two.evolved_ruleset_ == threaded.evolved_ruleset_
    assert one.history_.records[-1].best == threaded.history_.records[-1].best
    assert one.history_.records[-1].mean != other.history_.records[-1].mean


def test_a_run_goes_on_from_its_checkpoint_and_refuses_other_series(tmp_path: Path) -> None:
    path = tmp_path / "run"
    quick_series(generations=4, checkpoint=path).fit(waves(), kinds())
    resumed = quick_series(generations=8, checkpoint=path).fit(waves(), kinds())
    assert resumed.evolved_ruleset_ == quick_series(generations=8).fit(waves(), kinds()).evolved_ruleset_
    with pytest.raises(CheckpointError):
        quick_series(generations=9, checkpoint=path).fit([values[:, 1:] for values in waves()], kinds())


def test_max_lag_bounds_the_rules_and_what_they_are_measured_on() -> None:
    near = quick_series(max_lag=1).fit(waves(), kinds())
    assert near.schema_.max_lag == 1
    recent = read_panel(waves(), channels=CHANNELS).recent(2)
    assert near.ruleset_ == quick_series().fit(recent, kinds()).ruleset_
    assert near.score(waves(), kinds()) < 0.95, "the lag that matters is out of reach"
    assert quick_series(max_lag=50).fit(waves(), kinds()).schema_.max_lag == 11


def test_instances_of_weight_0_are_absent() -> None:
    labels, weights = kinds(), np.ones(N)
    labels[100:] = labels[100:][::-1]
    weights[100:] = 0.0
    weighted = quick_series(generations=5).fit(waves(), labels, weights)
    # Weights as such change nothing when all are 1.
    assert weighted.ruleset_ == quick_series(generations=5).fit(waves()[:100], kinds()[:100], np.ones(100)).ruleset_


def test_short_and_missing_series_are_decided() -> None:
    model = quick_series().fit(waves(), kinds())
    for values in (np.ones((2, 1)), np.full((2, 8), np.nan), np.ones((2, 400))):
        assert model.predict([values])[0] in model.classes_
    assert model.predict([np.full((2, 8), np.nan)])[0] == model.ruleset_.default


def test_units_are_printed_and_keep_unlike_channels_apart() -> None:
    model = quick_series(units={"pulse": "bpm"}, settings={"comparison_rate": 1.0}).fit(waves(), kinds())
    assert model.schema_.feature("pulse").unit == "bpm"
    for rule in model.evolved_ruleset_.rules:
        for condition in rule.conditions:
            assert len({term.feature for term in condition.terms}) == 1
    plain = quick_series(units={"pulse": "bpm"}, settings={"comparison_rate": 0.0}).fit(waves(), kinds())
    assert " bpm" in str(plain.ruleset_)


def test_scikit_learns_machinery(model: EvoterTimeSeriesClassifier) -> None:
    copy = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert np.array_equal(copy.predict(waves()), model.predict(waves()))
    assert clone(model).get_params()["channels"] == CHANNELS
    panel = read_panel(waves(), channels=CHANNELS)
    scores = cross_val_score(quick_series(), panel, kinds(), cv=3)
    assert scores.mean() > 0.8
    assert "pulse[3]" in repr(model)


@pytest.mark.parametrize(
    "metric",
    ["balanced_accuracy", "f1_macro", "matthews", {("high", "low"): 5.0, ("low", "high"): 1.0}, "jaccard_macro"],
)
def test_metrics_are_for_series_too(metric: Any) -> None:
    model = quick_series(metric=metric, generations=5).fit(waves(), kinds())
    assert model.score(waves(), kinds()) > 0.6


@pytest.mark.parametrize("mode", ["hardmax", "vote"])
def test_every_mode_is_for_series_too(mode: str) -> None:
    model = quick_series(mode=mode, generations=8).fit(waves(), kinds())
    explanations = model.explain(waves())
    assert isinstance(explanations, Explanations)
    assert [one.decision.action for one in explanations] == model.predict(waves()).tolist()
    assert np.allclose(model.predict_proba(waves()).sum(axis=1), 1.0)


@pytest.mark.parametrize(
    ("X", "y", "parameters", "message"),
    [
        (np.ones((4, 3, 5)), "abab", {}, "3 channels, but there are 2 names"),
        (np.ones(4), "abab", {}, "1 dimension"),
        (np.full((2, 2, 3), np.inf), "ab", {}, "the value is inf"),
        ([np.ones((2, 3)), np.ones((1, 3))], "ab", {}, "instance 1 has 1 channels, but instance 0 has 2"),
        (np.full((2, 2, 3), np.nan), "ab", {}, "instance 0 has no values at all"),
        ([], "", {}, "empty list"),
        (np.ones((4, 2, 5)), "aba", {}, "inconsistent numbers of samples"),
        (np.ones((4, 2, 5)), "abab", {"units": {"puls": "bpm"}}, "no channel 'puls'; did you mean 'pulse'"),
        (np.ones((4, 2, 5)), "abab", {"id_column": "patient"}, "are for data frames"),
        (np.ones((4, 2, 5)), "abab", {"max_lag": -1}, "'max_lag' parameter"),
        (np.ones((4, 2, 5)), "abab", {"windows": 3}, "'windows' parameter"),
        (np.ones((4, 2, 5)), "abab", {"windows": WindowStatistics(2, ("men",))}, "no statistic 'men'"),
    ],
)
def test_wrong_input_is_refused(X: Any, y: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, SchemaError), match=message):
        quick_series(**parameters).fit(X, list(y))


def test_wrong_frames_are_refused(model: EvoterTimeSeriesClassifier) -> None:
    frame = long_frame()
    with pytest.raises(SchemaError, match="needs the names of two columns"):
        quick_series().fit(frame, kinds())
    with pytest.raises(SchemaError, match="no column 'patent'; did you mean 'patient'"):
        quick_series(id_column="patent", time_column="minute").fit(frame, kinds())
    with pytest.raises(SchemaError, match="step must be a number"):
        quick_series(id_column="patient", time_column="minute", step=timedelta(1)).fit(frame, kinds())
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        quick_series(id_column="patient", time_column="minute").fit(frame, np.repeat("a", len(frame)))


def test_other_channels_are_refused_after_training(model: EvoterTimeSeriesClassifier) -> None:
    with pytest.raises(SchemaError, match="3 channels, but there are 2 names"):
        model.predict(np.ones((1, 3, 5)))
    with pytest.raises(SchemaError, match="lacks 1 of the channels: 'pulse'"):
        model.predict(read_panel(np.ones((1, 2, 5)), channels=["puls", "pressure"]))


def test_nothing_is_answered_before_fit() -> None:
    for ask in ("predict", "predict_proba", "deciding_rules", "decision_path", "explain", "read"):
        with pytest.raises(NotFittedError):
            getattr(quick_series(), ask)(waves())
    with pytest.raises(NotFittedError):
        quick_series().stream()
