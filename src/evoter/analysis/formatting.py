"""Counts, percentages and rounded numbers, printed for people."""

import math

_PLAIN, _SCIENTIFIC = 9_999.5, 1e10
"""Numbers from the first up to the second are printed with all digits before the decimal point."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which is in the plural unless the number is 1.

    >>> counted(1, "rule"), counted(1200, "row"), counted(2, "category")
    ('1 rule', '1,200 rows', '2 categories')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number:,} {noun[:-1]}ies" if noun.endswith("y") else f"{number:,} {noun}s"


def percent(share: float | None, decimals: int = 1) -> str:
    """Print a proportion as a percentage; only 0 is printed as 0% and only 1 as 100%.

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


def rounded(value: float) -> str:
    """Print a number to four significant digits; large numbers keep all digits before the decimal point.

    >>> [rounded(value) for value in (0.30000000000000004, 18830.44, 1234567.0, 2.0, 2.5e10)]
    ['0.3', '18,830', '1,234,567', '2', '2.5e+10']
    """
    return f"{value:,.0f}" if _PLAIN <= abs(value) < _SCIENTIFIC else f"{value:.4g}"
