"""The effect of an edit on some rows: figures before and after, and the rows that are decided otherwise."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from evoter.analysis.edit_effects import EditEffect, Judged
from evoter.studio.table.labelled_rows import Bools, Decided, LabelledRows

MAX_SHOWN = 50
"""How many of the rows that are decided otherwise are listed."""

RowName = Callable[[int], dict[str, Any]]
"""Says which row of the table it is: its number, its identifier and its part."""


FiguresOfPart = Callable[[Decided, str], dict[str, Any]]
"""Says how right decisions are on the rows of a part."""


def effect_of(
    rows: LabelledRows,
    before: Decided,
    after: Decided,
    *,
    parts: Mapping[str, Bools],
    figures_of: FiguresOfPart,
    name_row: RowName,
    validation: str,
) -> dict[str, Any]:
    """Return what changes from one rule set to another, ready for JSON; sentences are about the validation rows."""
    changed = before.classes != after.classes
    answer: dict[str, Any] = {
        name: {
            "before": figures_of(before, name),
            "after": figures_of(after, name),
            "changed": int(np.count_nonzero(changed & mask)),
            "gained": int(np.count_nonzero(after.right & ~before.right & mask)),
            "lost": int(np.count_nonzero(before.right & ~after.right & mask)),
        }
        for name, mask in parts.items()
    }
    edit = EditEffect(*(_judged(rows, each, parts[validation]) for each in (before, after)))
    sizes = (before.ruleset, after.ruleset)
    shown = np.flatnonzero(changed)[:MAX_SHOWN].tolist()
    return answer | {
        "lines": [{"about": line.about, "text": line.text} for line in edit.lines()],
        "size": {
            "rules": [len(each.rules) for each in sizes],
            "conditions": [each.n_conditions for each in sizes],
        },
        "changed": {
            "rows": int(np.count_nonzero(changed)),
            "of": len(rows),
            "flows": _flows(rows, before, after, changed),
            "shown": [
                name_row(row)
                | {
                    "label": rows.classes[rows.labels[row]],
                    "before": rows.classes[before.classes[row]],
                    "after": rows.classes[after.classes[row]],
                }
                for row in shown
            ],
        },
    }


def _judged(rows: LabelledRows, decided: Decided, mask: Bools) -> Judged:
    names = np.array(rows.classes, object)
    return Judged(decided.ruleset, names[decided.classes[mask]], decided.right[mask])


def _flows(rows: LabelledRows, before: Decided, after: Decided, changed: Bools) -> list[list[Any]]:
    n_classes = len(rows.classes)
    pairs = np.bincount(before.classes[changed] * n_classes + after.classes[changed], minlength=n_classes**2)
    order = np.argsort(-pairs, kind="stable")
    return [
        [rows.classes[pair // n_classes], rows.classes[pair % n_classes], int(pairs[pair])]
        for pair in order.tolist()
        if pairs[pair]
    ]
