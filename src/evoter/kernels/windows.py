"""Statistics of windows: mean, spread, slope and others of each span of a series, without missing values."""

from typing import Final

import numpy as np

from evoter.kernels.compilation import allocating_kernel, kernel
from evoter.kernels.layout import Floats, Ints

STATISTICS: Final = ("mean", "std", "min", "max", "slope", "skew", "kurtosis", "energy")
"""The statistics, in the order of their codes."""

_MEAN: Final = 0
_STD: Final = 1
_MIN: Final = 2
_MAX: Final = 3
_SLOPE: Final = 4
_SKEW: Final = 5
_KURTOSIS: Final = 6
_ENERGY: Final = 7


@kernel
def _describe(values: Floats, out: Floats) -> None:
    """Write all statistics of the values that are present; NaN where there are too few for one.

    The moments are those of the population, taken around the mean in a pass of their own: no sum runs from window to
    window, so a window's statistics depend on its values alone, in a batch as in a stream.
    """
    out[:] = np.nan
    n = 0
    total = 0.0
    squares = 0.0
    times = 0.0
    low = np.inf
    high = -np.inf
    for j in range(len(values)):
        x = values[j]
        if x == x:
            n += 1
            total += x
            squares += x * x
            times += j
            low = min(low, x)
            high = max(high, x)
    if n == 0:
        return
    mean = total / n
    rest = 0.0
    for j in range(len(values)):
        if values[j] == values[j]:
            rest += values[j] - mean
    mean = min(max(mean + rest / n, low), high)  # what rounding took from the sum comes back
    out[_MEAN], out[_MIN], out[_MAX], out[_ENERGY] = mean, low, high, squares / n
    if low == high:  # said outright, because rounding could leave a spread where there is none
        out[_STD] = 0.0
        if n > 1:
            out[_SLOPE] = 0.0
        return
    reach = max(high - mean, mean - low)  # deviations are counted in it, so that no power of them over- or underflows
    middle = times / n
    second, third, fourth = 0.0, 0.0, 0.0
    along, spread = 0.0, 0.0
    for j in range(len(values)):
        if values[j] == values[j]:
            z = (values[j] - mean) / reach
            second += z * z
            third += z * z * z
            fourth += z * z * z * z
            along += (j - middle) * z
            spread += (j - middle) * (j - middle)
    second /= n
    out[_STD] = reach * np.sqrt(second)
    out[_SLOPE] = reach * (along / spread)
    out[_SKEW] = third / n / (second * np.sqrt(second))
    out[_KURTOSIS] = fourth / n / (second * second)


@allocating_kernel
def fill_windows(first: int, last: int, values: Floats, begins: Ints, ends: Ints, codes: Ints, out: Floats) -> None:
    """Write the statistics `codes` of the windows `first` to `last`, which are the steps from `begins` to `ends`.

    Statistic `s` of channel `c` goes to the row `c * len(codes) + s` of `out`.
    """
    all_of_them = np.empty(len(STATISTICS))
    for channel in range(len(values)):
        for w in range(first, last):
            _describe(values[channel, begins[w] : ends[w]], all_of_them)
            for s in range(len(codes)):
                out[channel * len(codes) + s, w] = all_of_them[codes[s]]
