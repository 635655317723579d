"""Why a rule set decided as it did: which rules held, which did not, and on which values."""

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from evoter.rules.interpreter import decide_now, evaluate, holds
from evoter.rules.model import Condition, Constant, Rule, RuleSet, Term
from evoter.rules.modes import Decision, mode_of
from evoter.rules.printing.pieces import TimeStep, name_text, number_text, quoted, visible
from evoter.rules.schema import Feature, Schema
from evoter.rules.text import print_condition, print_term
from evoter.rules.values import Row, read

if TYPE_CHECKING:
    from rich.text import Text as RichText

DIGITS = 6
"""Results of arithmetic are shown to so many digits, unless both sides would then look equal and are not."""

MEASURED_DIGITS = 10
"""A value of more digits than this is a result of arithmetic too, be it of whoever measured it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a term read: the feature's own value, None where missing; `available` is false with too little history."""

    term: Term
    value: Constant | None
    available: bool = True


@dataclass(frozen=True, slots=True)
class ConditionOutcome:
    """Whether a condition held, what its terms read, and what its two sides came to.

    `left` and `right` are the sides as they were compared, after scaling, power and coefficient; they are None where
    a value is missing or lies beyond the history.
    """

    condition: Condition
    holds: bool
    readings: tuple[Reading, ...]
    left: Constant | None
    right: Constant | None


@dataclass(frozen=True, slots=True)
class RuleOutcome:
    """What became of one rule; `index` counts from 0, as in a decision, and `number` from 1, as in the text."""

    index: int
    rule: Rule
    conditions: tuple[ConditionOutcome, ...]
    decided: bool

    @property
    def number(self) -> int:
        """The number of the rule as it is printed."""
        return self.index + 1

    @property
    def is_active(self) -> bool:
        """Whether all conditions held."""
        return not self.failing

    @property
    def failing(self) -> tuple[ConditionOutcome, ...]:
        """The conditions that did not hold."""
        return tuple(outcome for outcome in self.conditions if not outcome.holds)


class Paragraph(NamedTuple):
    """A part of an explanation as it is shown: a heading, and conditions with the values they read and if they held."""

    heading: str
    decided: bool
    conditions: tuple[tuple[str, str, bool], ...]

    @property
    def width(self) -> int:
        """The length of the longest condition, to which plain text pads the others."""
        return max((len(condition) for condition, _, _ in self.conditions), default=0)


@dataclass(frozen=True, slots=True)
class Explanation:
    """One decision of a rule set and the outcome of each of its rules, in order.

    `str()` gives text for a reader who knows the features, not the code: what decided, what held beside it, and what
    could have decided instead but did not hold.
    """

    ruleset: RuleSet
    decision: Decision
    rules: tuple[RuleOutcome, ...]

    @property
    def deciding(self) -> tuple[RuleOutcome, ...]:
        """The rules that decided; none if the default did."""
        return tuple(outcome for outcome in self.rules if outcome.decided)

    @property
    def failed(self) -> tuple[RuleOutcome, ...]:
        """The rules that could have decided but did not hold, in mode first those before the deciding one."""
        indices = mode_of(self.ruleset.mode).could_have_decided(self.ruleset, self.decision)
        return tuple(self.rules[index] for index in indices if not self.rules[index].is_active)

    def paragraphs(self, time_step: TimeStep | None = None) -> Iterator[Paragraph]:
        """Yield the explanation piece by piece, the deciding rules first; with a `time_step`, lags are times."""
        schema, mode = self.ruleset.schema, mode_of(self.ruleset.mode)
        if self.decision.by_default:
            certainty = _certainty(self.ruleset.default_certainty)
            yield Paragraph(f"the default decided: {name_text(self.ruleset.default)}{certainty}", True, ())
        for outcome in self.deciding:
            yield _paragraph(outcome, "decided", outcome.conditions, schema, time_step)
        if means := mode.mean_certainties(self.ruleset, self.decision):
            yield Paragraph(f"mean certainties: {_means_text(means)}", False, ())
        for outcome in self.rules:
            if outcome.is_active and not outcome.decided:
                reason = mode.why_not_deciding(self.ruleset, self.decision, outcome.index)
                yield _paragraph(outcome, reason, outcome.conditions, schema, time_step)
        for outcome in self.failed:
            yield _paragraph(outcome, "did not hold", outcome.failing, schema, time_step)

    def to_text(self, *, time_step: TimeStep | None = None) -> str:
        """Print the explanation; with a `time_step` such as (30, "min"), lags are printed as times."""
        lines = []
        for paragraph in self.paragraphs(time_step):
            lines.append(paragraph.heading)
            lines += [f"  {text:<{paragraph.width}}   ({values})" for text, values, _ in paragraph.conditions]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.to_text()

    def __rich__(self) -> "RichText":
        from evoter.rules.printing.explanation_terminal import colour_explanation

        return colour_explanation(self)

    def _repr_html_(self) -> str:
        blocks = []
        for paragraph in self.paragraphs():
            title = html.escape(paragraph.heading)
            items = "".join(
                f"<li><code>{html.escape(condition)}</code> ({html.escape(values)})</li>"
                for condition, values, _ in paragraph.conditions
            )
            blocks.append(f"<p><b>{title}</b></p>" if paragraph.decided else f"<p>{title}</p>")
            blocks.append(f"<ul>{items}</ul>" if items else "")
        return f'<div class="evoter-explanation">{"".join(blocks)}</div>'


def explain(ruleset: RuleSet, row_or_history: Row | Sequence[Row]) -> Explanation:
    """Explain the decision on one row, or on the last row of a history in time order.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("length <= 2.45 -> setosa; width > 1.7 -> virginica; Default -> versicolor")
    >>> print(explain(rules, {"length": 5.9, "width": 2.1}))
    rule 2 decided: virginica
      width > 1.7   (2.1)
    rule 1 did not hold: setosa
      length <= 2.45   (5.9)
    """
    history = [row_or_history] if isinstance(row_or_history, Mapping) else row_or_history
    decision = decide_now(ruleset, history)
    rules = tuple(
        RuleOutcome(
            index,
            rule,
            tuple(_outcome(condition, history, ruleset.schema) for condition in rule.conditions),
            index in decision.deciding,
        )
        for index, rule in enumerate(ruleset.rules)
    )
    return Explanation(ruleset, decision, rules)


def _outcome(condition: Condition, history: Sequence[Row], schema: Schema) -> ConditionOutcome:
    left, right = evaluate(condition, history, schema) or (None, None)
    readings = tuple(_reading(term, history, schema) for term in condition.terms)
    return ConditionOutcome(condition, holds(condition, history, schema), readings, left, right)


def _reading(term: Term, history: Sequence[Row], schema: Schema) -> Reading:
    if term.lag >= len(history):
        return Reading(term, None, available=False)
    return Reading(term, read(schema.feature(term.feature), history[-1 - term.lag]))


def _paragraph(
    outcome: RuleOutcome, fate: str, shown: Sequence[ConditionOutcome], schema: Schema, time_step: TimeStep | None
) -> Paragraph:
    rule = outcome.rule
    name = f" {quoted(rule.name)}" if rule.name else ""
    heading = f"rule {outcome.number}{name} {fate}: {name_text(rule.action)}{_certainty(rule.certainty)}"
    conditions = [
        (print_condition(each.condition, schema, time_step=time_step), _values(each, schema, time_step), each.holds)
        for each in shown
    ]
    return Paragraph(heading, outcome.decided, tuple(conditions))


def _means_text(means: Mapping[str, float]) -> str:
    largest_first = sorted(means.items(), key=lambda item: -item[1])
    return ", ".join(f"{name_text(action)} {mean:.{DIGITS}g}" for action, mean in largest_first)


def _certainty(certainty: float) -> str:
    return "" if certainty == 1.0 else f" (certainty {number_text(certainty)})"


def _values(outcome: ConditionOutcome, schema: Schema, time_step: TimeStep | None) -> str:
    """Say what a condition read: the value alone if nothing else was compared, else also what the sides came to."""
    features = [schema.feature(reading.term.feature) for reading in outcome.readings]
    if len(features) == 1 and outcome.condition.left.is_plain:
        reading = outcome.readings[0]
        return _absence(reading) or _shown(reading.value, features[0], outcome.condition.right)
    values = [reading.value for reading in outcome.readings]
    said = ", ".join(
        _sentence(reading, feature, other, time_step)
        for reading, feature, other in zip(outcome.readings, features, reversed(values), strict=True)
    )
    scaled = len(features) == 2 and any(feature.scaled for feature in features)
    as_read = not scaled and all(term.is_plain for term in outcome.condition.terms)
    if as_read or outcome.left is None or outcome.right is None:
        return said
    return f"{said}: {'scaled, ' if scaled else ''}{_compared(outcome.left, outcome.right)}"


def _sentence(reading: Reading, feature: Feature, other: Constant | None, time_step: TimeStep | None) -> str:
    place = print_term(Term(feature.name, lag=reading.term.lag), time_step=time_step)
    absence = _absence(reading)
    return f"{place} has {absence}" if absence else f"{place} = {_shown(reading.value, feature, other)}"


def _absence(reading: Reading) -> str:
    if not reading.available:
        return "too little history"
    return "no value" if reading.value is None else ""


def _shown(value: Constant | None, feature: Feature, other: Term | Constant | None) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{_measured(value, other)} {visible(feature.unit)}".rstrip()
    return name_text(str(value))


def _measured(value: float, other: Term | Constant | None) -> str:
    """Print a value as it is, or shorter if it has many digits and still compares alike with the other side."""
    text, rounded = number_text(value), _rounded(value)
    if sum(map(str.isdigit, text.partition("e")[0].lstrip("-0."))) <= MEASURED_DIGITS:
        return text
    sides = (other, _rounded(other)) if isinstance(other, float) else ()
    alike = all((value < side, value > side) == (rounded < side, rounded > side) for side in sides)
    return number_text(rounded) if alike else text


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _compared(left: Constant, right: Constant) -> str:
    sides = [f"{float(side):.{DIGITS}g}" for side in (left, right)]
    if sides[0] == sides[1] and left != right:
        sides = [number_text(float(side)) for side in (left, right)]
    return f"{sides[0]} against {sides[1]}"
