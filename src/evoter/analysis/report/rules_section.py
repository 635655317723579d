"""The rules of a report, each with what it does."""

from typing import Any, NamedTuple

from evoter.analysis.intervals import proportion_interval
from evoter.analysis.report.material import Material
from evoter.analysis.rule_statistics import RuleStatistic
from evoter.language.catalogue import load_catalogue
from evoter.rules.model import Condition
from evoter.rules.modes import mode_of
from evoter.rules.printing.pieces import UNICODE, Notation, Role, number_text, render, timed
from evoter.rules.printing.rule_pieces import condition_pieces

_NOTATION: Notation = {
    role: write for role, write in UNICODE.items() if role in (Role.OPERATOR, Role.TIMES, Role.LAG, Role.RANGE)
} | {Role.UNIT: str}
"""Names are written as they are, because their look sets them apart from the rest of a condition."""


class Mark(NamedTuple):
    """Why a rule is weak: in a few words, and a style, bad or doubtful."""

    word: str
    style: str


class ShownRule(NamedTuple):
    """A rule with what it does on the rows.

    `conditions` are lists of pieces, each a role and its text, and None for the default; `certainty` is empty where it
    is 1. `mark` tells why a rule is weak, and `text` is what the rule says, for its length.
    """

    statistic: RuleStatistic
    conditions: list[list[tuple[str, str]]] | None
    certainty: str
    name: str = ""
    pinned: bool = False
    mark: Mark | None = None

    @property
    def text(self) -> str:
        """What the rule says, as far as its length matters."""
        conditions = " and ".join("".join(text for _, text in pieces) for pieces in self.conditions or ())
        return f"{self.name} if {conditions} then {self.statistic.action} {self.mark.word if self.mark else ''}"


class RulesSection(NamedTuple):
    """All rules and the default, how they decide together, and the highest lift, which has the longest bar.

    `guardrails` are sentences about what the rules keep on every input; `words` are the rules in plain words, in a
    `language`.
    """

    shown: list[ShownRule]
    explanation: str
    highest_lift: float
    guardrails: tuple[str, ...] = ()
    words: str = ""
    language: str = "en"


def rules_section(material: Material) -> RulesSection:
    """Return the rules, each with the shares of rows that it decides, is right on, and holds on."""
    statistics = material.sample.statistics
    lifts = [rule.lift for rule in statistics.rules if rule.lift is not None]
    shown = [_shown_rule(material, statistic) for statistic in statistics.rules]
    options: dict[str, Any] = {"language": material.language, "labels": material.labels}
    words = material.ruleset.to_text("plain", time_step=material.time_step, **options)
    explanation, guardrails = _reading(material), tuple(material.guardrails)
    return RulesSection(
        shown, explanation, max([1.0, *lifts]), guardrails, words, load_catalogue(material.language).code
    )


def _shown_rule(material: Material, statistic: RuleStatistic) -> ShownRule:
    ruleset = material.ruleset
    if statistic.number > len(ruleset.rules):
        return ShownRule(statistic, None, _certainty_text(ruleset.default_certainty), mark=rule_mark(statistic))
    rule = ruleset.rules[statistic.number - 1]
    conditions = [_condition(material, condition) for condition in rule.conditions]
    return ShownRule(
        statistic, conditions, _certainty_text(rule.certainty), rule.name, rule.pinned, rule_mark(statistic)
    )


def rule_mark(statistic: RuleStatistic) -> Mark | None:
    """Return why a rule is weak on the rows, None if it is not.

    It is, if it decides no row, if it is right less often than a guess of its action would be, which is the share of
    rows with that label, or if the 95 % interval of its precision includes that share.
    """
    if statistic.decided == 0:
        return Mark("decides no row", "doubtful")
    if statistic.correct is None or statistic.precision is None or statistic.base_rate is None:
        return None
    if statistic.correct == 0:
        return Mark("never right", "bad")
    if statistic.precision < statistic.base_rate:
        return Mark("right less often than a guess", "bad")
    low, _ = proportion_interval(statistic.correct, statistic.decided)
    return Mark("may be chance", "doubtful") if low <= statistic.base_rate < 1.0 else None


def _condition(material: Material, condition: Condition) -> list[tuple[str, str]]:
    pieces = condition_pieces(condition, material.ruleset.schema)
    return [(role.name.lower(), text) for role, text in render(pieces, timed(_NOTATION, material.time_step))]


def _certainty_text(certainty: float) -> str:
    return "" if certainty == 1.0 else number_text(certainty)


def _reading(material: Material) -> str:
    ruleset = material.ruleset
    sentences = [mode_of(ruleset.mode).sentence]
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
            "Where two features are compared with each other, scaled(x) is x as a share of its range in training "
            "(0 the lowest value, 1 the highest); comparisons with a number are in the feature's own unit."
        )
    sentences.append(f"Figures are for the {material.sample.statistics.n_rows:,} {material.rows_called}.")
    return " ".join(sentences)
