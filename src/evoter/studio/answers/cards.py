"""Rules as cards: text, plain words, conditions that can be edited, and what each rule does on some rows."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evoter.analysis.rule_statistics import RuleStatistic
from evoter.language.names.glossary import Glossary
from evoter.language.order import importances_of
from evoter.language.sentences import rule_sentences
from evoter.language.statements.conditions import write_condition
from evoter.rules.model import Condition, Rule, RuleSet
from evoter.rules.printing.pieces import ASCII, Role, joined, name_text, render
from evoter.rules.printing.rule_pieces import condition_pieces, default_pieces
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.text import print_condition, print_rule
from evoter.studio.answers.figures import shares
from evoter.studio.table.labelled_rows import Bools, Decided, LabelledRows

MAX_CATEGORIES = 200
"""The most categories of a feature that are listed for completion."""

_NUMBER = re.compile(r"^\d+\. ")


@dataclass(frozen=True, slots=True)
class EditedRules:
    """Rules as a person sees them: all of them, and the numbers, from 1, of those that are switched off."""

    ruleset: RuleSet
    off: frozenset[int] = frozenset()

    @property
    def active(self) -> RuleSet:
        """The rules that decide."""
        if not self.off:
            return self.ruleset
        kept = [rule for number, rule in enumerate(self.ruleset.rules, start=1) if number not in self.off]
        return self.ruleset.replace(rules=kept)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The number of each rule that decides, and last that of the default."""
        n_rules = len(self.ruleset.rules)
        return (*(number for number in range(1, n_rules + 1) if number not in self.off), n_rules + 1)


def make_cards(
    edited: EditedRules, rows: LabelledRows, decided: Decided, parts: Mapping[str, Bools], ranges: Schema
) -> list[dict[str, Any]]:
    """Return a card for each rule, switched off or not, and last one for the default.

    `ranges` has the features as they are in the table, from the smallest to the largest value.
    """
    ruleset, schema = edited.ruleset, edited.ruleset.schema
    glossary = Glossary(schema)
    sentences = plain_rules(ruleset, glossary)
    statistics = {name: rule_figures(rows, decided, mask) for name, mask in parts.items()}
    position = {number: index for index, number in enumerate(edited.numbers)}
    cards: list[dict[str, Any]] = []
    for number, (rule, plain) in enumerate(zip((*ruleset.rules, None), sentences, strict=True), start=1):
        of_parts = {
            name: found[position[number]] if number in position else _nothing(int(parts[name].sum()))
            for name, found in statistics.items()
        }
        described = _default_card(ruleset) if rule is None else _rule_card(rule, schema, ranges, glossary)
        cards.append(
            {"number": number, "plain": plain, "off": number in edited.off, "is_default": rule is None}
            | described
            | of_parts
        )
    return cards


def rule_figures(rows: LabelledRows, decided: Decided, mask: Bools) -> list[dict[str, Any]]:
    """Return what each rule that decides, and last the default, does on the rows of a mask."""
    ruleset = decided.ruleset
    actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
    codes = np.array([rows.classes.index(action) for action in actions], np.int64)
    tallies = decided.tally(mask)
    labelled = np.bincount(rows.labels[mask], minlength=len(rows.classes))
    n_rows = int(labelled.sum())
    found = []
    for index, (_, interval) in enumerate(shares(tallies.correct, tallies.decided)):
        statistic = RuleStatistic(
            index + 1,
            "",  # a card has it
            actions[index],
            n_rows,
            held=int(tallies.held[index]),
            decided=int(tallies.decided[index]),
            correct=int(tallies.correct[index]),
            labelled=int(labelled[codes[index]]),
        )
        found.append(_statistic(statistic) | {"interval": interval})
    return found


def _statistic(statistic: RuleStatistic) -> dict[str, Any]:
    """Return the counts and shares of a rule; of no rows there are no shares."""
    names = ("coverage", "support", "precision", "lift")
    counted = {"rows": statistic.n_rows} | {name: getattr(statistic, name) for name in ("held", "decided", "correct")}
    return counted | {name: getattr(statistic, name) if statistic.n_rows else None for name in names}


def plain_rules(ruleset: RuleSet, glossary: Glossary) -> list[str]:
    """Return a sentence for each rule, and last one for the default, without numbers."""
    return [_NUMBER.sub("", each) for each in rule_sentences(ruleset, glossary, importances_of(ruleset, None))]


def describe_features(schema: Schema) -> list[dict[str, Any]]:
    """Return what rules may read, for completion and for sliders."""
    return [_described(feature) for feature in schema.features]


def _described(feature: Feature) -> dict[str, Any]:
    return {
        "name": feature.name,
        "text": name_text(feature.name),
        "kind": str(feature.kind),
        "unit": feature.unit,
        "low": feature.low,
        "high": feature.high,
        "decimals": _decimals(feature),
        "categories": list(feature.categories[:MAX_CATEGORIES]),
        "may_be_missing": feature.missing,
    }


def _decimals(feature: Feature) -> int | None:
    """Return how many decimals the numbers of a feature have; None if that is not known."""
    if feature.kind is not Kind.NUMERIC or feature.step is None:
        return None
    return len(f"{feature.step:.10f}".rstrip("0").partition(".")[2])


def _rule_card(rule: Rule, schema: Schema, ranges: Schema, glossary: Glossary) -> dict[str, Any]:
    return {
        "text": print_rule(rule, schema),
        "name": rule.name,
        "pinned": rule.pinned,
        "action": rule.action,
        "certainty": rule.certainty,
        "conditions": list(_conditions(rule.conditions, schema, ranges, glossary)),
    }


def _default_card(ruleset: RuleSet) -> dict[str, Any]:
    return {
        "text": joined(render(default_pieces(ruleset), ASCII)),
        "name": "",
        "pinned": False,
        "action": ruleset.default,
        "certainty": ruleset.default_certainty,
        "conditions": [],
    }


def _conditions(
    conditions: Sequence[Condition], schema: Schema, ranges: Schema, glossary: Glossary
) -> Iterator[dict[str, Any]]:
    for number, condition in enumerate(conditions, start=1):
        yield {
            "number": number,
            "text": print_condition(condition, schema),
            "plain": write_condition(condition, glossary),
            "features": list(dict.fromkeys(term.feature for term in condition.terms)),
            "editable": _editable(condition, schema, ranges),
        }


def _editable(condition: Condition, schema: Schema, ranges: Schema) -> dict[str, Any] | None:
    """Return the text around the number of a condition, so that another one can be put there; None without one."""
    if not isinstance(condition.right, float):
        return None
    pieces = render(condition_pieces(condition, schema), ASCII)
    index = max(index for index, (role, _) in enumerate(pieces) if role is Role.CONSTANT)
    terms = list(condition.terms)
    feature = ranges.feature(terms[0].feature) if len(terms) == 1 and terms[0].is_plain else None
    return {
        "feature": None if feature is None else feature.name,
        "low": None if feature is None else feature.low,
        "high": None if feature is None else feature.high,
        "before": joined(pieces[:index]),
        "value": condition.right,
        "after": joined(pieces[index + 1 :]),
        "operator": condition.operator.value,
    }


def _nothing(n_rows: int) -> dict[str, Any]:
    """Return the figures of a rule that is switched off."""
    return _statistic(RuleStatistic(0, "", "", n_rows, 0, 0, 0, 0)) | {"interval": None}
