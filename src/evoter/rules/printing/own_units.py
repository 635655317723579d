"""Says a comparison of scaled features as one of features in their own units."""

import math
from collections.abc import Sequence

from evoter.rules.condition import MIRRORED, Condition, Term
from evoter.rules.printing.pieces import ASCII, TimeStep, joined, render, term_pieces, timed
from evoter.rules.schema import Feature

DIGITS = 4
"""The slope and the offset are results of arithmetic, which a reader wants to see in round figures."""


def in_own_units(condition: Condition, features: Sequence[Feature], time_step: TimeStep | None) -> str:
    """Say a comparison of scaled features as one of features in their own units; nothing where powers forbid it."""
    if any(term.power != 1 for term in condition.terms):
        return ""
    if any(feature.scaled and feature.low == feature.high for feature in features):
        return ""
    spans = [feature.bounds[1] - feature.bounds[0] if feature.scaled else 1.0 for feature in features]
    slopes = [term.coefficient / span for term, span in zip(condition.terms, spans, strict=True)]
    lows = [feature.bounds[0] if feature.scaled else 0.0 for feature in features]
    slope = slopes[1] / slopes[0] if slopes[0] != 0.0 else math.inf
    offset = lows[0] - slope * lows[1]
    if slope == 0.0 or not math.isfinite(slope) or not math.isfinite(offset):
        return ""
    operator = condition.operator if slopes[0] > 0.0 else MIRRORED[condition.operator]
    plain = [term_pieces(Term(term.feature, lag=term.lag)) for term in condition.terms]
    left, right = (joined(render(pieces, timed(ASCII, time_step))) for pieces in plain)
    factor = "" if slope == 1.0 else f"{slope:.{DIGITS}g}*"
    rest = f" {'-' if offset < 0.0 else '+'} {abs(offset):.{DIGITS}g}" if offset else ""
    return f"{left} {operator} {factor}{right}{rest}"
