"""A few rows of a report with the decision on each explained."""

from collections.abc import Iterator

import numpy as np

from evoter.analysis.formatting import counted
from evoter.analysis.model_inputs import match_labels
from evoter.analysis.report.markup import escaped, section
from evoter.analysis.report.material import Material
from evoter.analysis.rule_statistics import RuleStatistics
from evoter.problems import frame_histories
from evoter.rules.explain import Explanation, Paragraph, explain
from evoter.tables import Panel

MAX_OTHERS = 4
"""So many rules that held as well, or did not, are told of; the rest are counted."""


def cases_section(material: Material) -> str:
    """Return explanations of rows that the rules decided, right and wrong ones."""
    sample = material.sample
    labels = None
    if sample.y is not None:
        names, codes = match_labels(sample.y, material.ruleset.schema.actions)
        labels = np.array(names, dtype=object)[codes]
    right = None if labels is None else sample.statistics.predictions == labels
    chosen = choose_cases(sample.statistics, right, material.n_examples)
    if not chosen:
        return ""
    histories = frame_histories(material.readable, sample.X, chosen)
    articles = []
    for row, history in zip(chosen, histories, strict=True):
        explanation = explain(material.ruleset, history)
        label = None if labels is None else str(labels[row])
        articles.append(_article(material, row, explanation, label))
    said = "<p>For rules that decide, the first row that each is right on, and the first that it is wrong on"
    said += f" ({_named(material)}).</p>"
    return section("cases", "Decisions explained", said, f'<div class="cases">{"".join(articles)}</div>')


def choose_cases(statistics: RuleStatistics, right: "np.typing.NDArray[np.bool_] | None", most: int) -> list[int]:
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


def _named(material: Material) -> str:
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


def _article(material: Material, row: int, explanation: Explanation, label: str | None) -> str:
    action = explanation.decision.action
    verdict = ""
    if label is not None:
        verdict = (
            '<span class="verdict hit">✓ right</span>'
            if label == action
            else f'<span class="verdict miss">✗ wrong, the label is {escaped(label)}</span>'
        )
    what = "Series" if isinstance(material.sample.X, Panel) else "Row"
    heading = f"<h3>{what} {escaped(_name(material, row))}: {escaped(action)} {verdict}</h3>"
    return f"<article>{heading}{''.join(_paragraphs(material, explanation))}</article>"


def _paragraphs(material: Material, explanation: Explanation) -> Iterator[str]:
    paragraphs = list(explanation.paragraphs(material.time_step))
    decisive = [each for each in paragraphs if each.decided or not each.conditions]
    others = [each for each in paragraphs if not (each.decided or not each.conditions)]
    for paragraph in [*decisive, *others[:MAX_OTHERS]]:
        yield _paragraph(paragraph)
    if len(others) > MAX_OTHERS:
        yield f'<p class="note">And {counted(len(others) - MAX_OTHERS, "other rule")}.</p>'


def _paragraph(paragraph: Paragraph) -> str:
    heading = escaped(paragraph.heading[:1].upper() + paragraph.heading[1:])
    look = ' class="decided"' if paragraph.decided else ""
    items = "".join(
        f'<li class="{"hit" if holds else "miss"}"><span aria-label="{"holds" if holds else "does not hold"}">'
        f"{'✓' if holds else '✗'}</span> <code>{escaped(condition)}</code> <small>(here {escaped(values)})</small></li>"
        for condition, values, holds in paragraph.conditions
    )
    return f"<p{look}>{heading}</p>" + (f"<ul>{items}</ul>" if items else "")
