"""Slices: the rows on which conditions hold, the figures there and elsewhere, and which rows they are."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from evoter.rules.model import Condition, Rule, RuleSet
from evoter.rules.printing.pieces import action_text
from evoter.rules.schema import Schema
from evoter.rules.text import print_condition, print_rule
from evoter.studio.answers.cards import EditedRules, rule_figures
from evoter.studio.answers.effects import RowName
from evoter.studio.answers.figures import figures, share_difference
from evoter.studio.table.labelled_rows import Bools, Decided, LabelledRows


def conditions_text(conditions: Sequence[Condition], schema: Schema) -> str:
    """Print conditions as they are typed."""
    return " AND ".join(print_condition(each, schema) for each in conditions)


def rows_where(rows: LabelledRows, conditions: Sequence[Condition], schema: Schema) -> Bools:
    """Tell on which rows all conditions hold."""
    if not conditions:
        return np.ones(len(rows), np.bool_)
    asked = RuleSet([Rule(tuple(conditions), schema.actions[0])], schema.actions[0], schema)
    return rows.holds(asked.restricted())


def slice_figures(
    rows: LabelledRows, edited: EditedRules, decided: Decided, inside: Bools, part: Bools, favourable: str | None
) -> dict[str, Any]:
    """Return the figures of a slice of a part, and of the rest of the part, with the difference between them."""
    here, elsewhere = inside & part, part & ~inside
    schema = edited.ruleset.schema
    texts = [print_rule(rule, schema) for rule in edited.active.rules]
    n_here, n_elsewhere = int(here.sum()), int(elsewhere.sum())
    answer: dict[str, Any] = {
        "rows": n_here,
        "of": int(part.sum()),
        "inside": figures(rows, decided, here, favourable) if n_here else None,
        "outside": figures(rows, decided, elsewhere, favourable) if n_elsewhere else None,
        "cards": [
            {"number": number, "text": text, "stat": stat}
            for number, text, stat in zip(
                edited.numbers,
                [*texts, f"Default -> {action_text(edited.ruleset.default)}"],
                rule_figures(rows, decided, here),
                strict=True,
            )
        ],
        "difference": None,
    }
    if n_here and n_elsewhere:
        among = (n_here, n_elsewhere)
        right = (int(decided.right[here].sum()), int(decided.right[elsewhere].sum()))
        answer["difference"] = {"accuracy": share_difference(right, among), "selected": None}
        if favourable in rows.classes:
            chosen = decided.classes == rows.classes.index(favourable)
            hits = (int(chosen[here].sum()), int(chosen[elsewhere].sum()))
            answer["difference"]["selected"] = share_difference(hits, among)
    return answer


def list_rows(
    rows: LabelledRows,
    edited: EditedRules,
    decided: Decided,
    mask: Bools,
    *,
    offset: int,
    limit: int,
    name_row: RowName,
) -> dict[str, Any]:
    """Return some of the rows of a mask with their values and decisions."""
    found = np.flatnonzero(mask)
    read = list(decided.ruleset.features_used)
    listed = []
    for row in found[offset : offset + limit].tolist():
        values = rows.values(row)
        listed.append(
            name_row(row)
            | {
                "label": rows.classes[rows.labels[row]],
                "decision": rows.classes[decided.classes[row]],
                "rule": edited.numbers[int(decided.decisions.deciders[row])],
                "right": bool(decided.right[row]),
                "values": {name: values[name] for name in read},
            }
        )
    return {"total": len(found), "rows": listed}
