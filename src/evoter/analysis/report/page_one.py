"""The first page of a report: the verdict, the warnings, the rules and the confusion matrix, on one sheet of A4."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from evoter.analysis.formatting import counted, percent
from evoter.analysis.report.decisions_section import ConfusionTable, confusion_table
from evoter.analysis.report.material import Material
from evoter.analysis.report.rules_section import RulesSection, ShownRule
from evoter.analysis.rule_statistics import Confusion

MOSTLY_ONE_LABEL = 0.8
"""Where the most frequent label has this share of the rows, accuracy says little about the others."""

MAX_LABELS = 7
"""The size of a confusion matrix that fits beside the rules; a larger one is in the appendix."""

_ALIKE = 0.9
"""If runs with other seeds decide a smaller share of rows alike, the reader is warned."""

# Heights in lines of print, as the style sheet sets them; estimated generously, because a page that is not
# full is better than one that runs over.
_SHEET = 71.0
_HEAD, _LEAD = 6.5, 5.0
_TITLE_WIDTH, _VERDICT_WIDTH, _TEXT_WIDTH, _RULE_WIDTH = 58, 72, 105, 54
_RULES_HEAD, _RULE_PADDING, _MATRIX_HEAD, _MATRIX_PADDING, _MAX_MATRIX_LINES = 4.0, 0.55, 3.5, 0.9, 24
_WARNINGS_HEAD, _MAX_WARNING_LINES = 2.2, 13


class Verdict(NamedTuple):
    """Whether the rules are better than a constant answer, in a sentence; `style` is good, doubtful or bad."""

    sentence: str
    style: str


class PageOne(NamedTuple):
    """What fits on the first page, and how much of it is in the appendix only."""

    verdict: Verdict
    warnings: list[str]
    n_more_warnings: int
    rules: list[ShownRule]
    n_more_rules: int
    share_of_more: float
    matrix: ConfusionTable | None


def page_one(material: Material, rules: RulesSection) -> PageOne:
    """Choose what the first page shows: all rules if they fit, else the first ones."""
    warnings = all_warnings(material, rules)
    shown_warnings = _fitting([_lines(each, _TEXT_WIDTH) for each in warnings], _MAX_WARNING_LINES)
    (matrix, matrix_height), said = _matrix(material), verdict(material)
    used = _HEAD + _LEAD + 2 * _lines(material.title, _TITLE_WIDTH) + 1.5 * _lines(said.sentence, _VERDICT_WIDTH)
    used += _RULES_HEAD + _lines(rules.explanation, _TEXT_WIDTH) + matrix_height
    if warnings:
        used += _WARNINGS_HEAD + sum(_lines(each, _TEXT_WIDTH) for each in warnings[:shown_warnings])
    heights = [_lines(each.text, _RULE_WIDTH) + _RULE_PADDING for each in rules.shown]
    n_shown = _fitting(heights, _SHEET - used)
    n_rows = material.sample.statistics.n_rows
    return PageOne(
        verdict=said,
        warnings=warnings[:shown_warnings],
        n_more_warnings=len(warnings) - shown_warnings,
        rules=rules.shown[:n_shown],
        n_more_rules=len(rules.shown) - n_shown,
        share_of_more=min(1.0, sum(each.statistic.decided for each in rules.shown[n_shown:]) / n_rows),
        matrix=matrix,
    )


def verdict(material: Material) -> Verdict:
    """Say whether the rules are better than always giving the most frequent label."""
    confusion = material.sample.statistics.confusion
    if confusion is None:
        return Verdict("Not tested: the rows have no labels.", "doubtful")
    constant = f"always answering “{confusion.most_frequent}”"
    where = "" if material.unseen else " on the training rows" if material.unseen is False else " on these rows"
    low, high = confusion.interval
    if low > confusion.baseline:
        return Verdict(f"Better than {constant}{where}.", "good" if material.unseen else "doubtful")
    if high < confusion.baseline:
        sentence = f"Less often right than {constant}{where}."
    else:
        sentence = f"Not shown to be right more often than {constant}{where}: the interval includes its accuracy."
    n_labels = unequal_labels(confusion)
    if n_labels is not None and confusion.balanced_accuracy > 1 / n_labels:
        found = percent(confusion.balanced_accuracy)
        return Verdict(f"Finds {found} of each label on average. {sentence}", "doubtful")
    return Verdict(sentence, "bad" if high < confusion.baseline else "doubtful")


def unequal_labels(confusion: Confusion) -> int | None:
    """Return the number of labels that occur, if one of them is much more frequent than the others, else None."""
    n_labels = int((confusion.matrix.sum(axis=1) > 0).sum())
    return None if n_labels < 2 or confusion.baseline < MOSTLY_ONE_LABEL else n_labels


def all_warnings(material: Material, rules: RulesSection) -> list[str]:
    """Return the warnings that were given, and what the figures themselves warn of."""
    return [*material.warnings, *_about_figures(material), *_about_rules(rules)]


def _about_figures(material: Material) -> list[str]:
    statistics, warnings = material.sample.statistics, []
    if material.unseen is False and statistics.confusion is not None:
        warnings.append("the figures are about rows that the rules were trained on: expect worse on new rows")
    train = None if material.train is None else material.train.statistics.accuracy
    if material.unseen and statistics.confusion is not None and train is not None:
        high = statistics.confusion.interval[1]
        if train > high:
            warnings.append(
                f"the accuracy on training rows, {percent(train)}, is above the interval of that on unseen rows: "
                f"the rules are partly fitted to chance"
            )
    read = [column for column in material.protected if column in material.ruleset.features_used]
    warnings += [f"rules read {column!r}, which is named as protected" for column in read]
    if material.stability is not None and material.stability["agreement"] < _ALIKE:
        alike = percent(material.stability["agreement"])
        warnings.append(f"searches with different seeds decide only {alike} of the rows alike, on average")
    return warnings


def _about_rules(rules: RulesSection) -> list[str]:
    bad = [each for each in rules.shown if each.mark is not None and each.mark.style == "bad"]
    warnings = []
    for word in dict.fromkeys(each.mark.word for each in bad if each.mark is not None):
        named = [
            f"{each.statistic.number} ({each.statistic.correct:,} of {each.statistic.decided:,})"
            for each in bad
            if each.mark is not None and each.mark.word == word
        ]
        noun = "rule" if len(named) == 1 else "rules"
        more = f" and {counted(len(named) - 8, 'other')}" if len(named) > 8 else ""
        warnings.append(f"{word}: {noun} {', '.join(named[:8])}{more}")
    return warnings


def _matrix(material: Material) -> tuple[ConfusionTable | None, float]:
    """Return the confusion matrix with as many labels as there is space for, and its height."""
    for n_labels in range(MAX_LABELS, 0, -1):
        matrix = confusion_table(material, n_labels)
        if matrix is None:
            return None, 0.0
        longest, width = max(map(len, matrix.head[1:])), 100 // len(matrix.head)
        height = _MATRIX_HEAD + (_lines("-" * longest, max(width - 2, 6)) + _MATRIX_PADDING) * len(matrix.rows)
        if height <= _MAX_MATRIX_LINES:
            return matrix, height
    return None, 0.0  # labels of hundreds of letters: the matrix is in the appendix


def _lines(text: str, width: int) -> int:
    return max(1, math.ceil(len(text) / width))


def _fitting(heights: Sequence[float], space: float) -> int:
    """Return how many items fit; if not all do, a line is kept to say so."""
    if sum(heights) <= space:
        return len(heights)
    used, n_shown = 1.0, 0
    for height in heights:
        used += height
        if used > space:
            break
        n_shown += 1
    return n_shown
