"""Shares as people read them: percentages that never round to nothing or to all."""

import math


def percent(share: float | None, decimals: int = 1) -> str:
    """Print a share as a percentage, so that only 0 is 0% and only 1 is 100%.

    >>> [percent(share) for share in (None, 0.0, 0.00001, 0.9583, 0.99999, 1.0)]
    ['-', '0%', '<0.1%', '95.8%', '>99.9%', '100%']
    >>> [percent(share, decimals=0) for share in (0.001, 0.5, 0.999)]
    ['<1%', '50%', '>99%']
    """
    if share is None or math.isnan(share):
        return "-"
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    printed = f"{share:.{decimals}%}"
    least = 10.0**-decimals
    if printed == f"{0:.{decimals}%}":
        return f"<{least:.{decimals}f}%"
    return f">{100 - least:.{decimals}f}%" if printed == f"{1:.{decimals}%}" else printed
