"""EvoterTimeSeriesClassifier: readable classification rules from series, whose lags evolve."""

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from numbers import Integral, Real
from typing import Any, ClassVar

from sklearn.base import clone
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.classification.evolved import EvolvedClassifier
from evoter.estimators.classification.scoring import Metric
from evoter.estimators.forms import SERIES_FORMS, Forms
from evoter.estimators.guardrails import Forbiddens
from evoter.estimators.inputs import is_frame
from evoter.estimators.objectives import Select
from evoter.estimators.run_parameters import (
    CLASSIFIER_PARAMETERS,
    GUARDRAIL_PARAMETERS,
    METRIC,
    RUN_PARAMETERS,
    share_parameters,
)
from evoter.estimators.search import RandomState, refuse_unused
from evoter.estimators.series.windowed_stream import WindowedStream
from evoter.estimators.series.windows import WindowStatistics
from evoter.evolution.engine import Watcher
from evoter.evolution.stopping import GENERATIONS, PATIENCE
from evoter.problems.deciding import TableDecisions, decide_panel
from evoter.rules.answers.explanations import Explanations
from evoter.rules.explain import Explanation, explain
from evoter.rules.guardrails.reading import Monotones, Pinned
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.rules.stream import Stream, furthest_lag
from evoter.rules.values import Row
from evoter.tables.panel import Floats, Panel, infer_panel_schema
from evoter.tables.series import read_panel


@share_parameters(CLASSIFIER_PARAMETERS, GUARDRAIL_PARAMETERS, RUN_PARAMETERS)
class EvoterTimeSeriesClassifier(EvolvedClassifier):
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
        "windows": [WindowStatistics, None],
        "channels": ["array-like", None],
        "units": [Mapping, None],
        "id_column": [str, None],
        "time_column": [str, None],
        "step": [Interval(Real, 0, None, closed="neither"), timedelta, None],
        "padded": ["boolean"],
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

    def explain(self, X: Any) -> Explanation | Explanations:
        """Explain the decision on each instance: which rule decided, on which values at which lags, and why.

        A single instance gives one explanation, several print as a table.
        """
        check_is_fitted(self)
        panel = self._read(X, reset=False)
        explanations = Explanations(explain(self.ruleset_, history) for history in self._histories(panel))
        return explanations[0] if len(explanations) == 1 else explanations

    def stream(self) -> Stream | WindowedStream:
        """Return the rules ready for a series that is still going on.

        Its `observe` takes one observation at a time, a mapping or the channels' values, and gives the decision that
        the batch gives for the series up to there; actions are the names of the classes.
        """
        check_is_fitted(self)
        if self.windows_ is None:
            return Stream(self.ruleset_, self.channel_names_)
        return WindowedStream(self.ruleset_, self.windows_)

    def read(self, X: Any) -> Panel:
        """Return series as `predict` reads them: a panel of the channels, before any windows."""
        check_is_fitted(self)
        return self._read_channels(X, reset=False)

    def _read(self, X: Any, *, reset: bool) -> Panel:
        panel = self._read_channels(X, reset=reset)
        if reset:
            self.channel_names_: tuple[str, ...] = panel.names
            self.n_features_in_ = len(panel.names)
            self.windows_ = None if self.windows is None else clone(self.windows).fit(panel)
        return panel if self.windows_ is None else self.windows_.transform(panel)

    def _read_channels(self, X: Any, *, reset: bool) -> Panel:
        if reset:
            is_array = not (is_frame(X) or isinstance(X, Panel | list | tuple))
            refuse_unused(self, "padded", used=is_array, needs="an array, whose instances may be padded")
        # After training, series without names are matched by position, whatever the training series came in.
        by_columns = reset or is_frame(X)
        return read_panel(
            X,
            id_column=self.id_column if by_columns else None,
            time_column=self.time_column if by_columns else None,
            step=self.step if by_columns else None,
            channels=self.channels if reset else self.channel_names_,
            units=self.units,
            padded=self.padded,
        )

    def _describe(self, examples: Panel, actions: Iterable[str]) -> tuple[Schema, Panel]:
        reached = self._encode(examples)
        return infer_panel_schema(reached, actions=actions, max_lag=self.max_lag), reached

    def _encode(self, examples: Panel) -> Panel:
        return examples if self.max_lag is None else examples.recent(self.max_lag + 1)

    def _feature_groups(self, schema: Schema) -> dict[str, tuple[str, ...]]:
        if self.windows_ is None:
            return super()._feature_groups(schema)
        names = self.windows_.get_feature_names_out().reshape(len(self.channel_names_), -1)
        return {channel: tuple(own) for channel, own in zip(self.channel_names_, names, strict=True)}

    def _decide(self, X: Any) -> TableDecisions:
        check_is_fitted(self)
        return decide_panel(self.ruleset_, self._read(X, reset=False))

    def _histories(self, panel: Panel) -> list[list[Row]]:
        """Return for each instance the steps that the rules can look at."""
        names = self.ruleset_.schema.names
        reached = panel.recent(furthest_lag(self.ruleset_) + 1)
        channels = panel.channel_indices(names)
        return [[_row(names, values) for values in reached[i][channels].T] for i in range(len(panel))]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.three_d_array = True
        return tags


def _row(names: Sequence[str], values: Floats) -> Row:
    return dict(zip(names, values.tolist(), strict=True))
