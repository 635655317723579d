"""Audits as tables: what is shown, section by section, and how it is printed as plain text and as HTML."""

import html
from collections.abc import Sequence
from typing import NamedTuple

from evoter.analysis.formatting import counted, percent
from evoter.analysis.group_statistics import Share
from evoter.fairness.audit import Audit
from evoter.fairness.group_audit import ColumnAudit, Disparity, GroupRates
from evoter.rules.printing.pieces import visible
from evoter.rules.text import print_rule

SHOWN = {
    "selection_rate": "selected",
    "accuracy": "accuracy",
    "false_negative_rate": "false negatives",
    "false_positive_rate": "false positives",
    "precision": "precision",
}
"""The rates that tables show, and their headings; the others are what is left of these to 100 %."""

MAX_SMALL = 5
"""If more groups than this have too few rows, as many do where columns are combined, they are only counted."""


class Section(NamedTuple):
    """A table with a title and notes below; all columns but those numbered in `texts` are aligned to the right."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    notes: Sequence[str]
    texts: tuple[int, ...] = (0,)


def sections(audit: Audit) -> list[Section]:
    """Return everything that an audit shows, in order."""
    found: list[Section] = []
    for audited in audit.columns:
        found.append(_groups(audit, audited))
        if audited.disparities:
            found += [_disparities(audited), _contributions(audit, audited)]
        if any(group.calibration is not None for group in audited.groups):
            found.append(_calibration(audit, audited))
    return [*found, _proxies(audit)]


def title_of(audit: Audit) -> str:
    """Return the heading of an audit."""
    decisions = ", ".join(audit.favourable)
    labels = "" if audit.has_labels else ", without labels"
    return f"{counted(audit.n_rows, 'row')}{labels}; counted as favourable: {decisions}"


def text_of(audit: Audit) -> str:
    """Print an audit as plain text."""
    blocks = [visible(title_of(audit))]
    blocks += ["\n".join(map(visible, table_lines(section))) for section in sections(audit)]
    return "\n\n".join(blocks)


def table_lines(section: Section) -> list[str]:
    """Return the lines of a section: its title, the aligned cells, and the notes."""
    lines = [section.title]
    if section.rows:
        cells = [section.head, *section.rows]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        for row in cells:
            padded = [
                cell.ljust(width) if place in section.texts else cell.rjust(width)
                for place, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            lines.append("  " + "  ".join(padded).rstrip())
    return lines + [f"  {note}" for note in section.notes]


def html_of(audit: Audit) -> str:
    """Print an audit as HTML."""
    parts = [f"<p>{_escaped(title_of(audit))}. Intervals are 95% intervals.</p>"]
    for section in sections(audit):
        parts.append(f"<h3>{_escaped(section.title)}</h3>")
        if section.rows:
            head = "".join(f'<th scope="col">{_escaped(cell)}</th>' for cell in section.head)
            body = "".join(
                f"<tr>{''.join(f'<td>{_escaped(cell)}</td>' for cell in row)}</tr>\n" for row in section.rows
            )
            parts.append(f"<table><thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>")
        parts += [f'<p class="note">{_escaped(note)}</p>' for note in section.notes]
    return "\n".join(parts)


def _escaped(text: str) -> str:
    return html.escape(visible(text))


def _groups(audit: Audit, audited: ColumnAudit) -> Section:
    shown = [rate for rate in SHOWN if any(rate in group.rates for group in audited.groups)]
    listed, note = _listed(audit, audited)
    head = ("group", "rows", *(SHOWN[rate] for rate in shown))
    rows = [
        (
            _group_name(audit, group),
            f"{group.n_rows:,}",
            *(share_text(group.rates[rate]) if rate in group.rates else "-" for rate in shown),
        )
        for group in listed
    ]
    read = ", ".join(map(str, audited.read_by))
    reading = f"read by rule {read}" if audited.read_by else "read by no rule"
    return Section(f"{audited.column} ({reading}), decision {audited.favourable}", head, rows, note)


def _calibration(audit: Audit, audited: ColumnAudit) -> Section:
    rows = [
        (
            _group_name(audit, group),
            percent(known.predicted),
            percent(known.observed.value),
            points(known.gap),
            points_between(known.interval),
        )
        for group in _listed(audit, audited)[0]
        if (known := group.calibration) is not None
    ]
    head = ("group", "predicted", "observed", "gap", "interval")
    return Section(
        f"{audited.column}: the probability of {audited.favourable}, and how often it was so", head, rows, []
    )


def _listed(audit: Audit, audited: ColumnAudit) -> tuple[list[GroupRates], list[str]]:
    """Return the groups to show, without small ones if there are many of these, and a note about them."""
    small = [group for group in audited.groups if group.n_rows < audit.min_rows]
    if len(small) > MAX_SMALL:
        listed = [group for group in audited.groups if group not in small]
        return listed, [f"{len(small)} groups of fewer than {audit.min_rows} rows are not shown"]
    few = f"* fewer than {audit.min_rows} rows: the intervals are wide, and there is no verdict"
    return list(audited.groups), [few] if small else []


def _group_name(audit: Audit, group: GroupRates) -> str:
    return f"{group.name}{' *' if group.n_rows < audit.min_rows else ''}"


def _disparities(audited: ColumnAudit) -> Section:
    rows = [
        (
            SHOWN[each.rate],
            each.highest,
            each.lowest,
            points(each.difference),
            points_between(each.interval),
            f"{each.ratio:.2f}",
            "clear" if each.is_clear else "may be chance",
        )
        for each in audited.disparities
        if each.rate in SHOWN
    ]
    head = ("largest difference", "highest", "lowest", "points", "interval", "ratio", "")
    return Section(f"{audited.column}: largest differences in percentage points", head, rows, [], (0, 1, 2, 6))


def _contributions(audit: Audit, audited: ColumnAudit) -> Section:
    shown = [each for each in audited.disparities if each.rate in SHOWN]
    rules = audit.ruleset.rules
    texts = [*(print_rule(rule, audit.ruleset.schema) for rule in rules), f"Default -> {audit.ruleset.default}"]
    rows = [
        (f"{number + 1}. {text}", *(points(each.contributions[number].part) for each in shown))
        for number, text in enumerate(texts)
        if any(each.contributions[number].part for each in shown)
    ]
    rows.append(("all", *(points(_total(each)) for each in shown)))
    head = ("deciding rule", *(SHOWN[each.rate] for each in shown))
    return Section(f"{audited.column}: what each rule adds to these differences", head, rows, [])


def _total(disparity: Disparity) -> float:
    return sum(each.part for each in disparity.contributions)


def _proxies(audit: Audit) -> Section:
    head = ("rule", "what holds", "stands for", "in group", "in others", "strength", "interval", "AUC")
    rows = [
        (
            str(each.rule),
            each.condition or "all its conditions",
            f"{each.column}: {each.group}",
            percent(each.inside, 0),
            percent(each.outside, 0),
            f"{each.strength:.2f}",
            f"{each.interval[0]:.2f} to {each.interval[1]:.2f}",
            f"{each.auc:.2f}",
        )
        for each in audit.proxies
    ]
    threshold = f"a correlation of {audit.proxy_strength:g} or more with a group"
    notes = [] if rows else [f"no rule or condition has {threshold}"]
    return Section(f"Proxies: {threshold} by what does not read the column", head, rows, notes, (1, 2))


def share_text(share: Share) -> str:
    """Print a share with its interval."""
    return f"{100 * share.value:.1f}% ({100 * share.low:.0f}-{100 * share.high:.0f})"


def points(value: float) -> str:
    """Print a difference of shares in percentage points."""
    text = f"{100 * value:+.1f}"
    return "0.0" if text in {"+0.0", "-0.0"} else text


def points_between(ends: tuple[float, float]) -> str:
    """Print an interval in percentage points."""
    return f"{points(ends[0])} to {points(ends[1])}"
