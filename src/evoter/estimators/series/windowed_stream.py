"""Deciding on a stream through windows: one observation at a time, as the batch would decide."""

from collections import deque
from collections.abc import Sequence

import numpy as np

from evoter.estimators.series.windows import WindowStatistics
from evoter.rules.errors import SchemaError
from evoter.rules.interpreter import Decision, decide_now
from evoter.rules.model import RuleSet
from evoter.rules.schema import Feature
from evoter.rules.stream import furthest_lag, named
from evoter.rules.values import Row, Value, read


class WindowedStream:
    """A rule set about windows at work on a series that is still going on.

    Every observation gives a decision: the one that the batch gives for the series up to there, whose last window ends
    with it. The stream keeps the values of one window, and the statistics that the lags of the rules reach.
    `windows` has been fitted to the channels.
    """

    def __init__(self, ruleset: RuleSet, windows: WindowStatistics) -> None:
        lacking = [name for name in ruleset.features_used if name not in windows.get_feature_names_out()]
        if lacking:
            raise SchemaError(
                f"the rules read {lacking[0]!r}, which these windows do not have: fit them as in training"
            )
        self.ruleset = ruleset
        self.windows = windows
        self._channels = [Feature(name) for name in windows.channel_names_]
        self._furthest = furthest_lag(ruleset)
        self.reset()

    def reset(self) -> None:
        """Forget the history: the next observation begins another series."""
        self._n_seen = 0
        self._recent = np.empty((len(self._channels), self.windows.window))
        self._statistics: deque[Row] = deque(maxlen=self._furthest * self.windows.stride + 1)

    def observe(self, observation: Row | Sequence[Value]) -> Decision:
        """Take the next observation, a mapping or the channels' values, and decide; a bad one changes nothing."""
        window, stride = self.windows.window, self.windows.stride
        row = named(observation, self.windows.channel_names_)
        values = [_number(feature, row) for feature in self._channels]
        self._recent[:, :-1] = self._recent[:, 1:]
        self._recent[:, -1] = values
        self._n_seen += 1
        self._statistics.append(self.windows.window_now(self._recent[:, -min(self._n_seen, window) :]))
        # The newest window may be short, older ones count only if they are whole: as in the batch.
        n_whole = max(self._n_seen - window, 0) // stride
        ages = range(min(self._furthest, n_whole), -1, -1)
        return decide_now(self.ruleset, [self._statistics[-1 - age * stride] for age in ages])


def _number(feature: Feature, row: Row) -> float:
    value = read(feature, row)
    number = np.nan if value is None else float(value)
    if np.isinf(number):
        raise SchemaError(f"the channel {feature.name!r} is {number}: replace infinite values by None (missing)")
    return number
