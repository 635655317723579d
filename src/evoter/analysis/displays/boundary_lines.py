"""Where the conditions of rules begin and cease to hold on a plane of two features."""

from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.displays.plane import Plane
from evoter.problems import decide_columns
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.modes import mode_of
from evoter.rules.schema import Kind, Schema

Floats = NDArray[np.float64]


class Line(NamedTuple):
    """The pieces [point, (x, y)] of the line of a condition, with the numbers of its rule and of itself, from 1."""

    rule: int
    condition: int
    pieces: list[Floats]


def condition_lines(ruleset: RuleSet, plane: Plane) -> Iterator[Line]:
    """Yield the line of each condition of numbers that changes on the plane, where it matters.

    That is where the other conditions of the rule hold, and in mode first no earlier rule does.

    >>> from evoter.analysis.displays.plane import make_plane
    >>> from evoter.rules.parser import parse
    >>> rules = parse("x <= 3 AND y > 1 -> a; Default -> b; where x: numeric [0..4]; y: numeric [0..2]; actions: a | b")
    >>> lines = condition_lines(rules, make_plane(rules.schema, ("x", "y"), n_cells=40))
    >>> [(line.rule, line.condition, line.pieces[0].max(axis=0).round(2).tolist()) for line in lines]
    [(1, 1, [3.0, 1.98]), (1, 2, [2.95, 1.0])]
    """
    columns = plane.columns(ruleset.schema)
    active = decide_columns(ruleset, columns).active
    for number, rule in enumerate(ruleset.rules, start=1):
        overruled = active[:, : number - 1].any(axis=1) & mode_of(ruleset.mode).in_printed_order
        for place, condition in enumerate(rule.conditions):
            height = _margin(condition, ruleset.schema, plane)
            if height is None:
                continue
            others = [*rule.conditions[:place], *rule.conditions[place + 1 :]]
            height[overruled | ~_hold(others, ruleset, columns)] = np.nan
            pieces = _zero_lines(plane, height.reshape(plane.shape))
            if pieces:
                yield Line(number, place + 1, pieces)


def _hold(conditions: list[Condition], ruleset: RuleSet, columns: Floats) -> NDArray[np.bool_]:
    if not conditions:
        return np.ones(columns.shape[1], np.bool_)
    alone = RuleSet([Rule(conditions, ruleset.default)], ruleset.default, ruleset.schema)
    return decide_columns(alone, columns).active[:, 0]


def _margin(condition: Condition, schema: Schema, plane: Plane) -> Floats | None:
    """Return in each cell by how much the left side of a condition exceeds the right one; None for other values."""
    if any(schema.feature(term.feature).kind is not Kind.NUMERIC for term in condition.terms):
        return None
    form = form_of(condition)
    with np.errstate(over="ignore", invalid="ignore"):  # where numbers end, there is no line
        terms = [_term(term, schema, plane, scale=form.scales) for term in condition.terms]
        margin: Floats | None = form.margin(condition, terms)
    return margin


def _term(term: Term, schema: Schema, plane: Plane, *, scale: bool) -> Floats:
    feature, values = schema.feature(term.feature), plane.column(term.feature)
    if scale and feature.scaled:
        low, high = feature.bounds
        values = (values - low) / (high - low) if high > low else np.zeros_like(values)
    return term.coefficient * values**term.power


def _zero_lines(plane: Plane, height: Floats) -> list[Floats]:
    """Return the lines along which the height is 0; beside a category, one straight line for each of its values."""
    across, up = plane.x, plane.y
    if across.is_numeric and up.is_numeric:
        generator = import_module("contourpy").contour_generator(
            across.middles, up.middles, np.ma.masked_invalid(height)
        )
        return [np.asarray(line) for line in generator.lines(0.0)]
    if not across.is_numeric and not up.is_numeric:
        return []
    numeric, rows = (across, height) if across.is_numeric else (up, height.T)
    lines = []
    for place, row in enumerate(rows):
        for cell in np.flatnonzero(np.sign(row[:-1]) * np.sign(row[1:]) < 0):
            share = row[cell] / (row[cell] - row[cell + 1])
            value = numeric.middles[cell] + share * (numeric.middles[cell + 1] - numeric.middles[cell])
            ends = np.array([[value, place - 0.5], [value, place + 0.5]])
            lines.append(ends if across.is_numeric else ends[:, ::-1])
    return lines
