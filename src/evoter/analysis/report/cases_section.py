"""A few rows of a report with the decision on each explained."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.model_inputs import match_labels
from evoter.analysis.report.material import Material
from evoter.analysis.rule_statistics import RuleStatistics
from evoter.problems import frame_histories
from evoter.rules.explain import Explanation, Paragraph, explain
from evoter.tables import Panel

MAX_OTHERS = 4
"""Number of rules that did not decide that are shown with a decision; the rest are counted."""


class Case(NamedTuple):
    """One row with its decision, its label, None without labels, and the explanation as far as it is shown."""

    name: str
    action: str
    label: str | None
    paragraphs: list[Paragraph]
    n_others: int


class Cases(NamedTuple):
    """Rows with their decisions explained, what a row is, and how rows are named."""

    shown: list[Case]
    noun: str
    naming: str


def cases_section(material: Material) -> Cases | None:
    """Explain some rows that the rules decided, right and wrong ones; None where there is no row to explain."""
    sample = material.sample
    labels = None
    if sample.y is not None:
        names, codes = match_labels(sample.y, material.ruleset.schema.actions)
        labels = np.array(names, dtype=object)[codes]
    right = None if labels is None else sample.statistics.predictions == labels
    chosen = choose_cases(sample.statistics, right, material.n_examples)
    if not chosen:
        return None
    histories = frame_histories(material.readable, sample.X, chosen)
    shown = [
        _case(material, row, explain(material.ruleset, history), None if labels is None else str(labels[row]))
        for row, history in zip(chosen, histories, strict=True)
    ]
    return Cases(shown, "Series" if isinstance(sample.X, Panel) else "Row", _naming(material))


def choose_cases(statistics: RuleStatistics, right: NDArray[np.bool_] | None, most: int) -> list[int]:
    """Return the rows to explain: of each rule the first that it is right on and the first that it is wrong on.

    Up to half of them are wrong ones, those of the rules with most mistakes first; the others are of the rules that
    decide most. They come in the order of the rules, a right one before a wrong one.
    """
    decided_by = statistics.decided_by
    good = np.ones(len(decided_by), np.bool_) if right is None else right
    hits: list[tuple[int, int, int]] = []
    misses: list[tuple[int, int, int]] = []
    for rule in range(len(statistics.rules)):
        for found, kept in ((good, hits), (~good, misses)):
            rows = np.flatnonzero((decided_by == rule) & found)
            if rows.size:
                kept.append((-rows.size, rule, int(rows[0])))
    wrong = sorted(misses)[: max(most // 2, most - len(hits))]
    others = sorted(hits)[: most - len(wrong)]
    chosen = [(rule, 0, row) for _, rule, row in others] + [(rule, 1, row) for _, rule, row in wrong]
    return [row for _, _, row in sorted(chosen)]


def _naming(material: Material) -> str:
    if material.row_names is not None:
        return "rows by the names they were given"
    if isinstance(material.sample.X, Panel):
        return "series by their identifiers"
    return "rows by the index of the data frame" if _index(material) is not None else "rows counted from 0"


def _index(material: Material) -> "object | None":
    index = getattr(material.sample.X, "index", None)
    return index if hasattr(index, "to_list") else None


def _name(material: Material, row: int) -> str:
    names = material.row_names
    if names is None and isinstance(material.sample.X, Panel):
        names = material.sample.X.ids.tolist()
    if names is None:
        names = _index(material)  # type: ignore[assignment]
    return str(row if names is None else names[row])


def _case(material: Material, row: int, explanation: Explanation, label: str | None) -> Case:
    paragraphs = list(explanation.paragraphs(material.time_step))
    decisive = [each for each in paragraphs if each.decided or not each.conditions]
    others = [each for each in paragraphs if not (each.decided or not each.conditions)]
    return Case(
        name=_name(material, row),
        action=explanation.decision.action,
        label=label,
        paragraphs=[*decisive, *others[:MAX_OTHERS]],
        n_others=max(len(others) - MAX_OTHERS, 0),
    )
