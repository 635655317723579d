"""EvoterTimeSeriesClassifier: readable classification rules from series, whose lags evolve."""

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from numbers import Integral
from typing import Any, ClassVar

from sklearn.utils._param_validation import Interval

from evoter.estimators.classification.evolved import EvolvedClassifier
from evoter.estimators.classification.scoring import Metric
from evoter.estimators.forms import SERIES_FORMS, Forms
from evoter.estimators.guardrails import Forbiddens
from evoter.estimators.objectives import Select
from evoter.estimators.ruleset_timeseries import RuleSetTimeSeriesClassifier
from evoter.estimators.run_parameters import (
    CLASSIFIER_PARAMETERS,
    GUARDRAIL_PARAMETERS,
    METRIC,
    RUN_PARAMETERS,
    share_parameters,
)
from evoter.estimators.search import RandomState
from evoter.estimators.series.series_answers import SERIES_CONSTRAINTS, SeriesAnswers
from evoter.estimators.series.windows import WindowStatistics
from evoter.evolution.engine import Watcher
from evoter.evolution.stopping import GENERATIONS, PATIENCE
from evoter.execution.starting import Startable
from evoter.rules.files.sources import Rules
from evoter.rules.guardrails.reading import Monotones, Pinned
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.tables.panel import Panel, infer_panel_schema


@share_parameters(CLASSIFIER_PARAMETERS, GUARDRAIL_PARAMETERS, RUN_PARAMETERS)
class EvoterTimeSeriesClassifier(SeriesAnswers, EvolvedClassifier):
    """A classifier of series that is a short list of IF-THEN rules, found by evolution.

    Every instance is decided at its last step, from which the lags in the rules count back: `gyro.x[12]` is the value
    12 steps earlier. Lags evolve like everything else in a rule; no lagged columns are built. Series may be of
    unequal lengths, and values may be missing: a condition that looks back further than there is history is false.

    Series come as an array (instances, channels, time), as a list of arrays (channels, time), as a `Panel`, or as a
    long frame with a row for each instance and time; `evoter.tables.series.read_panel` has the details. The labels
    are one per instance, for a frame in the order in which the ids first appear.

    Parameters
    ----------
    max_lag : int or None, default=None
        The furthest that rules may look back, in steps, or in windows if there are `windows`; None is as far as the
        longest training instance reaches.
    windows : WindowStatistics or None, default=None
        Rules read statistics of windows instead of single values. It is cloned and fitted.
    channels : sequence of str or None, default=None
        The names of the channels of arrays, x0, x1, ... without it, or the columns of a frame that are channels.
    units : mapping or None, default=None
        The units of some channels by name; rules print them, and compare only features of equal unit.
    id_column, time_column : str or None, default=None
        For frames: which column tells instances apart, and which orders their rows.
    step : float, timedelta or None, default=None
        For frames: the time from one step to the next, so that times left out become missing values; None counts rows.
    padded : bool, default=True
        For arrays: steps at the end at which all channels are NaN are padding, not missing values.

    Attributes
    ----------
    channel_names_ : tuple of str
        The channels of the training series.
    windows_ : WindowStatistics or None
        The windows, fitted.
    schema_ : Schema
        A feature for each channel, or for each statistic of each channel, with the range of what rules can reach.
    n_features_in_ : int
        The number of channels.
    feature_importances_ : ndarray of shape (n_features,)
        The share of the decisions on the training series that change if a channel, with all its statistics, is unknown.
    classes_, ruleset_, evolved_ruleset_, front_, history_, rule_probabilities_, times_applied_, times_decided_, \
    stop_reason_, guardrails_
        As for `EvoterClassifier`, with instances for rows.

    Examples
    --------
    >>> import numpy as np
    >>> from evoter import EvoterTimeSeriesClassifier
    >>> X = np.random.default_rng(0).normal(size=(200, 2, 10))
    >>> y = np.where(X[:, 1, -4] > 0.5, "high", "low")
    >>> model = EvoterTimeSeriesClassifier(random_state=0, generations=20).fit(X, y)
    >>> bool(model.score(X, y) > 0.95), model.ruleset_.features_used
    (True, ('x1',))
    """

    _default_forms: ClassVar[tuple[str, ...]] = SERIES_FORMS
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "max_lag": [Interval(Integral, 0, None, closed="left"), None],
        **SERIES_CONSTRAINTS,
    }

    def __init__(
        self,
        *,
        max_lag: int | None = None,
        windows: WindowStatistics | None = None,
        channels: Sequence[str] | None = None,
        units: Mapping[str, str] | None = None,
        id_column: str | None = None,
        time_column: str | None = None,
        step: float | timedelta | None = None,
        padded: bool = True,
        preset: str = "default",
        metric: Metric = METRIC,
        objectives: Sequence[str] | None = None,
        select: Select = None,
        constraints: Mapping[str, float] | None = None,
        feature_prices: Mapping[str, float] | None = None,
        pinned: Pinned = (),
        forbidden_features: Sequence[str | int] = (),
        forbidden: Forbiddens = (),
        monotone: Monotones | None = None,
        monotone_order: Sequence[Any] | None = None,
        generations: int = GENERATIONS,
        patience: int | None = PATIENCE,
        max_seconds: float | None = None,
        target_score: float | None = None,
        population_size: int | None = None,
        n_islands: int | None = None,
        max_rules: int | None = None,
        max_conditions: int | None = None,
        parsimony: float | None = None,
        forms: Forms = None,
        settings: Mapping[str, object] | None = None,
        mode: str = "first",
        class_weight: str | Mapping[Any, float] | None = None,
        initial_rulesets: Sequence[RuleSet] = (),
        checkpoint: str | os.PathLike[str] | None = None,
        watchers: Sequence[Watcher] = (),
        n_jobs: int | None = None,
        executor: str | Startable = "threads",
        random_state: RandomState = None,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            preset=preset,
            metric=metric,
            objectives=objectives,
            select=select,
            constraints=constraints,
            feature_prices=feature_prices,
            pinned=pinned,
            forbidden_features=forbidden_features,
            forbidden=forbidden,
            monotone=monotone,
            monotone_order=monotone_order,
            generations=generations,
            patience=patience,
            max_seconds=max_seconds,
            target_score=target_score,
            population_size=population_size,
            n_islands=n_islands,
            max_rules=max_rules,
            max_conditions=max_conditions,
            parsimony=parsimony,
            forms=forms,
            settings=settings,
            mode=mode,
            class_weight=class_weight,
            initial_rulesets=initial_rulesets,
            checkpoint=checkpoint,
            watchers=watchers,
            n_jobs=n_jobs,
            executor=executor,
            random_state=random_state,
            verbose=verbose,
        )
        self.max_lag = max_lag
        self.windows = windows
        self.channels = channels
        self.units = units
        self.id_column = id_column
        self.time_column = time_column
        self.step = step
        self.padded = padded

    @classmethod
    def from_ruleset(
        cls, ruleset: Rules, *, classes: Sequence[Any] | None = None, **parameters: Any
    ) -> RuleSetTimeSeriesClassifier:
        """Return a classifier that is a given rule set, which predicts without having been fitted.

        Its `fit` measures the rules and never changes them; see `RuleSetTimeSeriesClassifier.from_ruleset`.
        """
        return RuleSetTimeSeriesClassifier.from_ruleset(ruleset, classes=classes, **parameters)

    def _describe(self, examples: Panel, actions: Iterable[str]) -> tuple[Schema, Panel]:
        reached = self._encode(examples)
        return infer_panel_schema(reached, actions=actions, max_lag=self.max_lag), reached

    def _encode(self, examples: Panel) -> Panel:
        return examples if self.max_lag is None else examples.recent(self.max_lag + 1)
