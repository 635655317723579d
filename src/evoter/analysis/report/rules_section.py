"""The rules of a report, each with what it does."""

from collections.abc import Iterator

from evoter.analysis.formatting import counted
from evoter.analysis.report.markup import bar, escaped, section, share_text
from evoter.analysis.report.material import Material
from evoter.analysis.rule_statistics import RuleStatistic
from evoter.rules.model import Mode, Rule
from evoter.rules.printing.pieces import number_text as exact_number
from evoter.rules.text import print_condition

_DECIDING = {
    Mode.FIRST: "The rules are tried from the top, and the first one whose conditions all hold decides.",
    Mode.HARDMAX: "Of the rules whose conditions all hold, the most certain one decides; of several, the first.",
    Mode.VOTE: "The rules whose conditions all hold vote, and the action with the highest mean certainty wins.",
}


def rules_section(material: Material) -> str:
    """Return the rules, each with the shares of rows that it decides, is right on, and holds on."""
    statistics = material.sample.statistics
    lifts = [rule.lift for rule in statistics.rules if rule.lift is not None]
    items = []
    for statistic in statistics.rules:
        figures = "".join(_figures(statistic, max([1.0, *lifts])))
        items.append(
            f'<li><div class="rule"><span class="place">{statistic.number}</span>'
            f"<div>{_antecedent(material, statistic)} {_consequent(material, statistic)}</div></div>"
            f"<dl>{figures}</dl></li>"
        )
    return section(
        "rules", "Rules", f"<p>{_reading(material)}</p>", f'<ol class="rules">{"".join(items)}</ol>', _legend()
    )


def _antecedent(material: Material, statistic: RuleStatistic) -> str:
    rules = material.ruleset.rules
    if statistic.number > len(rules):
        return '<span class="word">otherwise</span>'
    rule = rules[statistic.number - 1]
    schema, time_step = material.ruleset.schema, material.time_step
    conditions = [print_condition(each, schema, "html", time_step=time_step) for each in rule.conditions]
    joined = ' <span class="word">and</span><br>'.join(conditions)
    return f'{_label(rule)}<span class="word">if</span> {joined}'


def _label(rule: Rule) -> str:
    notes = [f"<b>{escaped(rule.name)}</b>"] if rule.name else []
    notes += ["pinned"] if rule.pinned else []
    return f'<span class="note">{", ".join(notes)}</span><br>' if notes else ""


def _consequent(material: Material, statistic: RuleStatistic) -> str:
    rules = material.ruleset.rules
    own = statistic.number <= len(rules)
    certainty = rules[statistic.number - 1].certainty if own else material.ruleset.default_certainty
    surely = "" if certainty == 1.0 else f' <span class="note">certainty {exact_number(certainty)}</span>'
    arrow = '<span class="word" aria-label="then">→</span>'
    return f'<span class="then">{arrow} <span class="action">{escaped(statistic.action)}</span>{surely}</span>'


def _figures(statistic: RuleStatistic, highest_lift: float) -> Iterator[str]:
    yield _figure(
        "coverage", share_text(statistic.coverage), f"decides {counted(statistic.decided, 'row')}", statistic.coverage
    )
    if statistic.correct is not None:
        right = f"right in {statistic.correct:,} of {statistic.decided:,}" if statistic.decided else "decides nothing"
        yield _figure("precision", share_text(statistic.precision), right, statistic.precision, "good")
        lift = "–" if statistic.lift is None else f"{statistic.lift:.2f}"
        base = f"base {share_text(statistic.base_rate)}"
        yield _figure("lift", lift, base, (statistic.lift or 0.0) / highest_lift, "good")
    yield _figure("support", share_text(statistic.support), f"holds on {statistic.held:,}", statistic.support)


def _figure(name: str, value: str, note: str, share: float | None, look: str = "") -> str:
    return f"<div><dt>{name}</dt><dd>{value} {bar(share or 0.0, look)}<small>{note}</small></dd></div>"


def _reading(material: Material) -> str:
    ruleset = material.ruleset
    sentences = [_DECIDING[ruleset.mode]]
    if ruleset.rules:
        sentences.append("If none holds, the default at the end does.")
    else:
        sentences = ["There are no rules: every row gets the default."]
    compared = {
        term.feature
        for rule in ruleset.rules
        for condition in rule.conditions
        if len(condition.terms) == 2
        for term in condition.terms
    }
    if any(feature.scaled and feature.name in compared for feature in ruleset.schema.features):
        sentences.append(
            "Where two features are compared with each other, each is read as a share of its range in training "
            "(0 the lowest value, 1 the highest); comparisons with a number are in the feature's own unit."
        )
    sentences.append(f"Figures are for the {material.sample.statistics.n_rows:,} {material.rows_called}.")
    return " ".join(sentences)


def _legend() -> str:
    return (
        '<p class="note"><b>Coverage</b>: the share of rows that the rule decides. <b>Precision</b>: how often it is '
        "right there. <b>Lift</b>: precision over the share of all rows that have this label, the base; 1 is no "
        "better than chance. <b>Support</b>: the share of rows on which its conditions hold, whoever decides.</p>"
    )
