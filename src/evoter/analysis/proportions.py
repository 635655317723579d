"""How far a share that was counted on some rows may be from the true one."""

from math import sqrt

Z = 1.959963984540054
"""The standard deviations within which 95 % of a normal distribution lie."""


def proportion_interval(n_hits: int, n_rows: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for the share of hits among rows that were drawn independently.

    It stays between 0 and 1, and is honest for few rows and for shares near the ends.

    >>> [round(end, 3) for end in proportion_interval(95, 100)]
    [0.888, 0.978]
    >>> proportion_interval(3, 3)[1]
    1.0
    """
    if not 0 <= n_hits <= n_rows or n_rows == 0:
        raise ValueError(f"there must be some rows, and no more hits than rows, not {n_hits} of {n_rows}")
    share = n_hits / n_rows
    spread = Z * Z / n_rows
    middle = share + spread / 2
    width = Z * sqrt(share * (1 - share) / n_rows + spread / (4 * n_rows))
    # What rounding leaves of 0 and 1 is set right.
    low = 0.0 if n_hits == 0 else (middle - width) / (1 + spread)
    high = 1.0 if n_hits == n_rows else (middle + width) / (1 + spread)
    return low, high
