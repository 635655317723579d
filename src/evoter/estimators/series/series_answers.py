"""SeriesAnswers: how classifiers of series read instances, decide on them, and answer questions about them."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from numbers import Real
from typing import Any

from sklearn.base import clone
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.classification.answering import RuleClassifier
from evoter.estimators.inputs import is_frame
from evoter.estimators.search import refuse_unused
from evoter.estimators.series.windowed_stream import WindowedStream
from evoter.estimators.series.windows import WindowStatistics
from evoter.problems.deciding import decide_panel
from evoter.problems.probabilities import Decider
from evoter.rules.answers.explanations import Explanations
from evoter.rules.explain import Explanation, explain
from evoter.rules.schema import Schema
from evoter.rules.stream import Stream, furthest_lag
from evoter.rules.values import Row
from evoter.tables.panel import Floats, Panel
from evoter.tables.series import read_panel

SERIES_CONSTRAINTS: Mapping[str, list[Any]] = {
    "windows": [WindowStatistics, None],
    "channels": ["array-like", None],
    "units": [Mapping, None],
    "id_column": [str, None],
    "time_column": [str, None],
    "step": [Interval(Real, 0, None, closed="neither"), timedelta, None],
    "padded": ["boolean"],
}
"""What the parameters that say how series are read may be."""


class SeriesAnswers(RuleClassifier):
    """A classifier of series whose model is a rule set."""

    windows: WindowStatistics | None
    channels: Sequence[str] | None
    units: Mapping[str, str] | None
    id_column: str | None
    time_column: str | None
    step: float | timedelta | None
    padded: bool
    windows_: WindowStatistics | None
    channel_names_: tuple[str, ...]

    def explain(self, X: Any) -> Explanation | Explanations:
        """Explain the decision on each instance: which rule decided, on which values at which lags, and why.

        A single instance gives one explanation, several print as a table.
        """
        check_is_fitted(self)
        panel = self._read(X, reset=False)
        step = self.time_step_
        explanations = Explanations(
            explain(self.ruleset_, history, time_step=step) for history in self._histories(panel)
        )
        return explanations[0] if len(explanations) == 1 else explanations

    @property
    def time_step_(self) -> tuple[float, str] | None:
        """The time from one step of a lag to the next, in seconds, if `step` says it; plain words tell it."""
        if not isinstance(self.step, timedelta):
            return None
        return self.step.total_seconds() * (1 if self.windows_ is None else self.windows_.stride), "s"

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
            self.channel_names_ = panel.names
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

    def _encode_as(self, examples: Panel, schema: Schema) -> Panel:
        return examples.recent(schema.max_lag + 1)

    def _feature_groups(self, schema: Schema) -> dict[str, tuple[str, ...]]:
        if self.windows_ is None:
            return super()._feature_groups(schema)
        names = self.windows_.get_feature_names_out().reshape(len(self.channel_names_), -1)
        return {channel: tuple(own) for channel, own in zip(self.channel_names_, names, strict=True)}

    def _decider(self, X: Any) -> Decider:
        panel = self._read(X, reset=False)
        return lambda ruleset: decide_panel(ruleset, panel)

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
