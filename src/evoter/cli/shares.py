"""Shares as people read them in a terminal."""

import math


def percent(share: float | None) -> str:
    """Return a share as text of one decimal.

    >>> percent(0.9301), percent(None)
    ('93.0%', '-')
    """
    return "-" if share is None or math.isnan(share) else f"{share:.1%}"
