"""What each rule with a number does on a table: on how many rows it holds and decides, and how far off it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.formatting import counted
from evoter.problems import predict_frame
from evoter.rules.errors import SchemaError
from evoter.rules.model import RuleSet
from evoter.rules.printing.pieces import ASCII, joined, render, visible
from evoter.rules.printing.rule_pieces import default_pieces
from evoter.rules.text import print_rule

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NumberRule:
    """One rule, or the default, on some rows; `number` is the number it is printed with.

    `error` is the mean absolute error of the rows that it decides, and `bias` the mean of prediction less truth; both
    are None where it decides none, or nothing is known of the truth.
    """

    number: int
    text: str
    held: int
    decided: int
    error: float | None = None
    bias: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by name, ready for JSON."""
        return {name: getattr(self, name) for name in ("number", "text", "held", "decided", "error", "bias")}


@dataclass(frozen=True, slots=True, eq=False)
class NumberFigures:
    """How good predictions are: R2, the mean absolute error, the root mean squared error, and that of the mean.

    `coverage` is the share of true numbers in the intervals of their rules, None where rules have none; `level` is what
    it is meant to be.
    """

    r2: float
    mean_error: float
    root_error: float
    deviation: float
    coverage: float | None
    level: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the figures by name, ready for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, eq=False)
class NumberStatistics:
    """What the rules of a rule set, and last its default, predict on the rows of a table.

    `decided_by` is the rule that decided each row, from 0, and the number of rules for the default; `intervals` are the
    ends of the interval of each row, None where rules have no residuals; `figures` are None without true numbers.
    """

    ruleset: RuleSet
    rules: tuple[NumberRule, ...]
    predictions: Floats
    decided_by: Ints
    intervals: Floats | None
    figures: NumberFigures | None = None

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.predictions)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the single rows, ready for JSON."""
        return {
            "n_rows": self.n_rows,
            "figures": None if self.figures is None else self.figures.to_dict(),
            "rules": [rule.to_dict() for rule in self.rules],
        }

    def lines(self) -> Iterator[str]:
        """Yield the lines of a table: each rule, on how many rows it holds and decides, and how far off it is."""
        known = self.figures is not None
        head = ("holds", "decides", *(("mean error",) if known else ()), "rule")
        rows = [head]
        for rule in self.rules:
            error = ("" if rule.error is None else f"{rule.error:.4g}",) if known else ()
            rows.append((f"{rule.held:,}", f"{rule.decided:,}", *error, visible(f"{rule.number}. {rule.text}")))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            *cells, text = row
            yield "  ".join([*(cell.rjust(width) for cell, width in zip(cells, widths, strict=False)), text])

    def sentence(self) -> str:
        """Return the figures in words; empty without true numbers."""
        if self.figures is None:
            return ""
        unit = self.ruleset.schema.target.unit if self.ruleset.schema.target else ""
        found, rows = self.figures, counted(self.n_rows, "row")
        said = (
            f"R2 {found.r2:.3f} on {rows}: on average {f'{found.mean_error:.4g} {unit}'.strip()} off, root mean "
            f"squared error {found.root_error:.4g} (of the mean {found.deviation:.4g})"
        )
        if found.coverage is None or found.level is None:
            return said
        return f"{said}; {found.coverage:.1%} of the true numbers lie in their {found.level:.0%} intervals"


def measure_numbers(ruleset: RuleSet, X: Any, y: Any = None) -> NumberStatistics:
    """Measure rules with numeric actions on the rows of a frame or array, with true numbers or without.

    Columns are found by name, and only those that the rules read need be there. Rows for which a linear term has no
    value are left out of the figures.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("age > 60 -> 2 + 0.5*age; Default -> 10.5")
    >>> statistics = measure_numbers(rules, [{"age": 36}, {"age": 80}], [10, 43])
    >>> statistics.predictions, statistics.figures.mean_error
    (array([10.5, 42. ]), 0.75)
    """
    if ruleset.schema.target is None:
        raise SchemaError("the actions of these rules are names: measure them with evoter.analysis.rule_statistics")
    predicted, decisions = predict_frame(ruleset, X)
    n_rules = len(ruleset.rules)
    held = np.append(decisions.active.sum(axis=0), np.count_nonzero(decisions.deciders == n_rules))
    truth = None if y is None else np.asarray(y, np.float64)
    if truth is not None and len(truth) != len(predicted):
        raise SchemaError(f"there are {len(predicted)} rows and {len(truth)} true numbers: give every row its number")
    intervals = None
    if ruleset.residuals:
        reach = np.array([[-each.below, each.above] for each in ruleset.residuals])
        intervals = predicted[:, None] + reach[decisions.deciders]
    texts = [*(print_rule(rule, ruleset.schema) for rule in ruleset.rules)]
    texts.append(joined(render(default_pieces(ruleset), ASCII)))
    rules = []
    for place, text in enumerate(texts):
        own = (decisions.deciders == place) & np.isfinite(predicted)
        error = bias = None
        if truth is not None and own.any():
            difference = predicted[own] - truth[own]
            error, bias = float(np.abs(difference).mean()), float(difference.mean())
        n_decided = int(np.count_nonzero(decisions.deciders == place))
        rules.append(NumberRule(place + 1, text, int(held[place]), n_decided, error, bias))
    level = ruleset.residuals[0].level if ruleset.residuals else None
    figures = None if truth is None else _figures(predicted, truth, intervals, level)
    return NumberStatistics(ruleset, tuple(rules), predicted, decisions.deciders, intervals, figures)


def _figures(predicted: Floats, truth: Floats, intervals: Floats | None, level: float | None) -> NumberFigures:
    known = np.isfinite(predicted)
    difference = predicted[known] - truth[known]
    deviation = float(truth[known].std()) if known.any() else 0.0
    squared = float((difference**2).mean()) if known.any() else 0.0
    coverage = None
    if intervals is not None and known.any():
        inside = (intervals[known, 0] <= truth[known]) & (truth[known] <= intervals[known, 1])
        coverage = float(inside.mean())
    return NumberFigures(
        1.0 - squared / deviation**2 if deviation > 0.0 else 0.0,
        float(np.abs(difference).mean()) if known.any() else 0.0,
        float(np.sqrt(squared)),
        deviation,
        coverage,
        level,
    )
