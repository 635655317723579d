"""Figures of decisions on some rows: accuracy, each class, and each group, all with counts and intervals."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evoter.analysis.intervals import difference_interval, proportion_intervals
from evoter.analysis.rule_statistics import Confusion
from evoter.fairness.group_audit import FEW_ROWS
from evoter.studio.table.labelled_rows import Bools, Decided, Ints, LabelledRows

Shares = list[tuple[float | None, list[float] | None]]


def figures(rows: LabelledRows, decided: Decided, mask: Bools | None, favourable: str | None) -> dict[str, Any]:
    """Return the figures of some rows, ready for JSON; `mask` says which, None all of them.

    `selected` is the share of a group that gets the favourable decision, if there is one.
    """
    labels, classes, right = rows.labels, decided.classes, decided.right
    if mask is not None:
        labels, classes, right = labels[mask], classes[mask], right[mask]
    n_rows, n_classes = len(labels), len(rows.classes)
    answer: dict[str, Any] = {"rows": n_rows, "right": int(right.sum()), "favourable": favourable}
    matrix = np.bincount(labels * n_classes + classes, minlength=n_classes**2).reshape(n_classes, n_classes)
    ((accuracy, interval),) = shares([answer["right"]], [n_rows])
    confusion = Confusion(rows.classes, matrix)
    answer |= {
        "accuracy": accuracy,
        "interval": interval,
        "balanced_accuracy": confusion.balanced_accuracy if n_rows else None,
        "baseline": confusion.baseline if n_rows else None,
        "classes": _of_classes(rows.classes, matrix),
    }
    code = rows.classes.index(favourable) if favourable in rows.classes else None
    selected = None if code is None else classes == code
    answer["groups"] = [
        figure
        for groups in rows.groups
        for figure in _of_groups(
            groups.column, groups.names, groups.codes if mask is None else groups.codes[mask], right, selected
        )
    ]
    return answer


def shares(hits: Any, among: Any) -> Shares:
    """Return each share with its 95 % interval; None where there are no rows.

    >>> [(share, [round(end, 3) for end in ends or ()]) for share, ends in shares([95, 0], [100, 0])]
    [(0.95, [0.888, 0.978]), (None, [])]
    """
    low, high = proportion_intervals(hits, among)
    return [
        (hit / n, [float(a), float(b)]) if n else (None, None)
        for hit, n, a, b in zip(
            np.asarray(hits).tolist(), np.asarray(among).tolist(), low.tolist(), high.tolist(), strict=True
        )
    ]


def share_difference(hits: tuple[int, int], among: tuple[int, int]) -> dict[str, Any] | None:
    """Return the difference of two shares with its 95 % interval; None where one of them has no rows.

    >>> share_difference((56, 48), (70, 80))["value"].__round__(3)
    0.2
    """
    if not all(among):
        return None
    low, high = proportion_intervals(hits, among)
    one, other = ((hits[i] / among[i], float(low[i]), float(high[i])) for i in (0, 1))
    return {"value": one[0] - other[0], "interval": list(difference_interval(one, other))}


def _of_classes(names: Sequence[str], matrix: Ints) -> list[dict[str, Any]]:
    labelled, decided, right = matrix.sum(axis=1), matrix.sum(axis=0), matrix.diagonal()
    found, exact = shares(right, labelled), shares(right, decided)
    return [
        {
            "name": name,
            "rows": int(labelled[code]),
            "decided": int(decided[code]),
            "right": int(right[code]),
            "recall": found[code][0],
            "recall_interval": found[code][1],
            "precision": exact[code][0],
            "precision_interval": exact[code][1],
        }
        for code, name in enumerate(names)
    ]


def _of_groups(
    column: str, names: Sequence[str], codes: Ints, right: Bools, selected: Bools | None
) -> list[dict[str, Any]]:
    sizes = np.bincount(codes, minlength=len(names))
    correct = shares(np.bincount(codes[right], minlength=len(names)), sizes)
    nothing: Shares = [(None, None)] * len(names)
    chosen = nothing if selected is None else shares(np.bincount(codes[selected], minlength=len(names)), sizes)
    return [
        {
            "column": column,
            "name": name,
            "rows": int(sizes[code]),
            "too_few_rows": bool(sizes[code] < FEW_ROWS),
            "accuracy": correct[code][0],
            "interval": correct[code][1],
            "selected": chosen[code][0],
            "selected_interval": chosen[code][1],
        }
        for code, name in enumerate(names)
    ]
