"""X."""

Difference = differences = simplify = None
