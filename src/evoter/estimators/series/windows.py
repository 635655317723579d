"""WindowStatistics: from series of values to series of the statistics of windows."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import check_is_fitted

from evoter.estimators.run_parameters import RUN_PARAMETERS
from evoter.estimators.search import count_threads
from evoter.kernels.layout import Floats, Ints
from evoter.kernels.threads import Threads
from evoter.kernels.windows import STATISTICS, fill_windows
from evoter.rules.errors import did_you_mean
from evoter.rules.parsing.tokens import is_bare_name
from evoter.tables.panel import Panel
from evoter.tables.series import read_panel

_UNITS = {"slope": "{} per step", "energy": "{} squared", "skew": "", "kurtosis": ""}
"""Units of statistics, where they are not those of the channel."""


class WindowStatistics(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):  # type: ignore[misc,call-arg]
    """A transformer of series into series of statistics, whose steps, and hence lags, are windows.

    The last window of an instance ends with its last step, the one before `step` steps earlier, and so on as long as a
    whole window fits; an instance shorter than a window has one window of what there is. `pressure.mean[2]` is thus
    the mean of the window that ended `2 * step` steps before the decision.

    Missing values are left out. The statistics of the n values x that are present, at the steps t of a window:

    - `mean`: sum(x) / n; `min` and `max`;
    - `std`: the square root of the second moment, sum((x - mean)^2) / n, of the population and not of a sample;
    - `skew`: the third moment over std^3; `kurtosis`: the fourth moment over std^4 (3 for a normal distribution, never
      below 1); both are missing where all values are equal;
    - `slope`: of the line of least squares through the points (t, x), per step; missing with a single value;
    - `energy`: sum(x^2) / n.

    Without any value, all are missing. A window's statistics depend on its values alone: a batch and a stream agree to
    the last bit.

    Parameters
    ----------
    window : int, default=8
        Steps per window.
    statistics : sequence of str, default=("mean", "std", "min", "max", "slope", "skew", "kurtosis", "energy")
        Which statistics, in this order for each channel.
    step : int or None, default=None
        Steps from one window to the next; None means `window`, so that windows do not overlap.
    n_jobs : int or None, default=None
        Number of threads; None means 1, -1 all cores.

    Attributes
    ----------
    channel_names_ : tuple of str
        The channels of the series seen in `fit`.

    Examples
    --------
    >>> windows = WindowStatistics(window=2, statistics=("mean", "slope"))
    >>> panel = windows.fit_transform([[1.0, 2.0, 4.0, 8.0, 16.0]])
    >>> panel.names, panel[0].tolist()
    (('x0.mean', 'x0.slope'), [[3.0, 12.0], [2.0, 8.0]])
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "window": [Interval(Integral, 1, None, closed="left")],
        "statistics": ["array-like"],
        "step": [Interval(Integral, 1, None, closed="left"), None],
        "n_jobs": list(RUN_PARAMETERS["n_jobs"].constraints),
    }

    def __init__(
        self,
        window: int = 8,
        statistics: Sequence[str] = STATISTICS,
        step: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.window = window
        self.statistics = statistics
        self.step = step
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: object = None) -> Self:
        """Learn the names of the channels; `X` is a panel, or series that `read_panel` reads without more arguments."""
        self._validate_params()
        self._codes()
        self.channel_names_ = read_panel(X).names
        return self

    def transform(self, X: Any) -> Panel:
        """Return a panel with the statistics of each instance's windows."""
        check_is_fitted(self)
        panel = read_panel(X, channels=self.channel_names_)
        panel.refuse_infinite()
        begins, ends, firsts, stops = self._spans(panel)
        codes = self._codes()
        values = np.empty((len(panel.names) * len(codes), len(ends)))
        threads = Threads(count_threads(self.n_jobs))
        try:
            work = 10.0 * len(panel.names) * len(ends) * self.window
            threads.run(fill_windows, len(ends), work, panel.values, begins, ends, codes, values)
        finally:
            threads.close()
        return Panel(self._names(), values, firsts, stops, panel.ids, self._units(panel.units))

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """Return the names of the channels that come out, such as `gyro.x.mean`."""
        check_is_fitted(self)
        return np.array(self._names(), dtype=object)

    def window_now(self, recent: Floats) -> dict[str, float]:
        """Return the statistics of one window that holds the given steps (channels, steps), by name."""
        check_is_fitted(self)
        codes = self._codes()
        values = np.empty((len(recent) * len(codes), 1))
        fill_windows(0, 1, np.ascontiguousarray(recent), np.array([0]), np.array([recent.shape[1]]), codes, values)
        return dict(zip(self._names(), values[:, 0].tolist(), strict=True))

    @property
    def stride(self) -> int:
        """The steps from one window to the next."""
        return self.window if self.step is None else self.step

    def _spans(self, panel: Panel) -> tuple[Ints, Ints, Ints, Ints]:
        """Return where the windows begin and end, each once, and which of them each instance has.

        Windows whose ends are `stride` apart are next to each other, so that those of an instance follow one another
        and instances that share steps share windows.
        """
        whole = panel.lengths >= self.window
        counts = np.where(whole, 1 + (panel.lengths - self.window) // self.stride, 0)
        turns, phases = np.divmod(panel.stops, self.stride)
        n_turns = panel.values.shape[1] // self.stride + 1
        stops = phases * n_turns + turns + 1  # among all windows there could be, those of one phase together
        changes = np.zeros(self.stride * n_turns + 1, np.int64)
        np.add.at(changes, stops - counts, 1)
        np.add.at(changes, stops, -1)
        needed = np.cumsum(changes[:-1]) > 0
        phase, turn = np.divmod(np.flatnonzero(needed), n_turns)
        n_before = np.append(0, np.cumsum(needed))
        firsts, stops = n_before[stops - counts], n_before[stops]
        # What is shorter than a window has one of its own.
        n_whole, short = len(turn), np.flatnonzero(~whole)
        firsts[short] = n_whole + np.arange(len(short))
        stops[short] = firsts[short] + 1
        ends = np.append(turn * self.stride + phase, panel.stops[short])
        begins = np.append(ends[:n_whole] - self.window, panel.firsts[short])
        return begins, ends, firsts, stops

    def _codes(self) -> Ints:
        chosen = list(self.statistics)
        for name in chosen:
            if name not in STATISTICS:
                raise ValueError(
                    f"there is no statistic {name!r}{did_you_mean(str(name), STATISTICS)}; there are "
                    f"{', '.join(STATISTICS)}"
                )
        if not chosen or len(set(chosen)) != len(chosen):
            raise ValueError(f"statistics must be different ones of {', '.join(STATISTICS)}, not {self.statistics!r}")
        return np.array([STATISTICS.index(name) for name in chosen], np.int64)

    def _names(self) -> tuple[str, ...]:
        return tuple(statistic_name(channel, name) for channel in self.channel_names_ for name in self.statistics)

    def _units(self, units: Iterable[str]) -> list[str]:
        return [_unit(name, unit) if unit else "" for unit in units for name in self.statistics]


def _unit(statistic: str, unit: str) -> str:
    """Return the unit of a statistic, in which it is clear what is squared: g squared, but squared rad/s."""
    if statistic == "energy" and not unit.isalnum():
        return f"squared {unit}"
    return _UNITS.get(statistic, "{}").format(unit)


def statistic_name(channel: str, statistic: str) -> str:
    """Return the name of a channel's statistic; one that rules print without quotes if the channel's is.

    >>> statistic_name("gyro.x", "mean"), statistic_name("pressure (mmHg)", "std")
    ('gyro.x.mean', 'pressure.std (mmHg)')
    """
    before, parenthesis, after = channel.partition(" (")
    if parenthesis and is_bare_name(channel):
        return f"{before}.{statistic}{parenthesis}{after}"
    return f"{channel}.{statistic}"
