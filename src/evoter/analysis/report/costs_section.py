"""The costs of a report: what wrong decisions cost, in the units of a cost matrix."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.intervals import mean_interval
from evoter.analysis.model_inputs import match_labels
from evoter.analysis.report.material import Material

MAX_CELLS = 30
"""Further pairs of label and decision are summed up."""


class CostRow(NamedTuple):
    """A label and another decision: the cost of one such row, the number of rows, and what they cost together."""

    label: str
    decision: str
    cost: float
    n_rows: int
    total: float


class CostsSection(NamedTuple):
    """The cost of a row on average with its 95 % interval, that of the best constant answer, and where it comes from.

    `rest` is the total of pairs that are not listed.
    """

    mean: float
    low: float
    high: float
    total: float
    constant: float
    constant_answer: str
    rows: list[CostRow]
    rest: float


def read_costs(costs: Any, actions: tuple[str, ...]) -> NDArray[np.float64]:
    """Return a cost matrix, true labels as rows and decisions as columns in the order of the actions.

    Pairs (label, decision) that a mapping does not name cost nothing.

    >>> read_costs({("sick", "well"): 10, ("well", "sick"): 1}, ("sick", "well"))
    array([[ 0., 10.],
           [ 1.,  0.]])
    """
    if isinstance(costs, Mapping):
        matrix = np.zeros((len(actions), len(actions)))
        for pair, cost in costs.items():
            codes = match_labels(pair, actions)[1] if isinstance(pair, tuple) and len(pair) == 2 else np.array([-1])
            if not ((codes >= 0) & (codes < len(actions))).all():
                raise ValueError(
                    f"a cost belongs to a pair (label, decision) of {', '.join(map(repr, actions))}; got {pair!r}"
                )
            matrix[tuple(codes)] = cost
    else:
        matrix = np.asarray(costs, np.float64)
    if matrix.shape != (len(actions), len(actions)) or not np.isfinite(matrix).all():
        raise ValueError(
            f"costs must be {len(actions)} x {len(actions)} finite numbers, rows the labels and columns the decisions "
            f"{', '.join(map(repr, actions))}; got shape {matrix.shape}"
        )
    return matrix


def costs_section(material: Material) -> CostsSection | None:
    """Return what the decisions cost; None without labels or costs."""
    confusion, costs = material.sample.statistics.confusion, material.costs
    if confusion is None or costs is None:
        return None
    actions = material.ruleset.schema.actions
    counts = confusion.matrix
    if len(confusion.labels) > len(actions):
        unknown = ", ".join(map(repr, confusion.labels[len(actions) :][:5]))
        raise ValueError(f"costs are unknown for labels that the rules never decide: {unknown}; drop these rows")
    totals = counts * costs
    single = np.repeat(costs.ravel(), counts.ravel())
    mean = mean_interval(single)
    constants = (counts.sum(axis=1)[:, None] * costs).sum(axis=0) / counts.sum()
    pairs = sorted(zip(*np.nonzero(totals), strict=True), key=lambda pair: (-totals[pair], pair))
    rows = [
        CostRow(actions[a], actions[b], float(costs[a, b]), int(counts[a, b]), float(totals[a, b]))
        for a, b in pairs[:MAX_CELLS]
    ]
    best = int(constants.argmin())
    return CostsSection(
        mean=float(mean.mean),
        low=float(mean.mean - mean.half),
        high=float(mean.mean + mean.half),
        total=float(totals.sum()),
        constant=float(constants[best]),
        constant_answer=actions[best],
        rows=rows,
        rest=float(totals.sum() - sum(row.total for row in rows)),
    )
