"""Why a rule set decided as it did: which rules held, which did not, and on which values."""

import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from evoter.rules.answers.reliability import (
    amount_text,
    basis_text,
    deciding_record,
    deciding_residuals,
    interval_text,
    probabilities,
)
from evoter.rules.answers.track_record import TrackRecord
from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.forms.outcome import DIGITS, ConditionOutcome, Reading, value_text
from evoter.rules.forms.registry import form_of
from evoter.rules.interpreter import decide_now, evaluate, holds
from evoter.rules.model import Condition, Rule, RuleSet, Term
from evoter.rules.modes import Decision, mode_of
from evoter.rules.numbers.actions import read_action
from evoter.rules.printing.action_pieces import decision_text
from evoter.rules.printing.pieces import TimeStep, action_text, name_text, number_text, quoted
from evoter.rules.schema import Schema
from evoter.rules.text import EXPLANATIONS_IN_WORDS, plain_words, print_condition
from evoter.rules.values import Row, read

if TYPE_CHECKING:
    from rich.text import Text as RichText

__all__ = ["ConditionOutcome", "Explanation", "ExplanationForm", "Paragraph", "Reading", "RuleOutcome", "explain"]

ExplanationForm = Literal["compact", "plain"]


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

    `str()` gives text for a reader who knows the features, not the code: what decided, what held beside it, what could
    have decided instead but did not hold, and how reliable the decision is, if rules have track records. `history` are
    the rows that were decided on, the last one at last, and `time_step` is the time from one to the next, if known.
    """

    ruleset: RuleSet
    decision: Decision
    rules: tuple[RuleOutcome, ...]
    history: tuple[Row, ...] = field(default=(), repr=False, compare=False)
    time_step: TimeStep | None = field(default=None, repr=False, compare=False)

    @property
    def deciding(self) -> tuple[RuleOutcome, ...]:
        """The rules that decided; none if the default did."""
        return tuple(outcome for outcome in self.rules if outcome.decided)

    @property
    def failed(self) -> tuple[RuleOutcome, ...]:
        """The rules that could have decided but did not hold, in mode first those before the deciding one."""
        indices = mode_of(self.ruleset.mode).could_have_decided(self.ruleset, self.decision)
        return tuple(self.rules[index] for index in indices if not self.rules[index].is_active)

    @property
    def probabilities(self) -> Mapping[str, float] | None:
        """The probability of each class, as in `predict_proba`; None where the rules have no track records."""
        return probabilities(self.ruleset, self.decision, self.history)

    @property
    def record(self) -> TrackRecord | None:
        """The training rows that the deciding rule decided, of several rules the first; None where they are unknown."""
        return deciding_record(self.ruleset, self.decision)

    @property
    def number(self) -> float | None:
        """The number that was predicted; None where actions are no numbers."""
        return self._number(self.decision.action) if self.ruleset.schema.target is not None else None

    def _number(self, action: str) -> float:
        return read_action(action).value(self.history[-1], self.ruleset.schema)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval around the predicted number; None where the rules have no residuals."""
        spread = deciding_residuals(self.ruleset, self.decision)
        return None if spread is None or self.number is None else spread.interval(self.number)

    @property
    def reliability(self) -> str:
        """The probability of the decision and the training rows that it rests on, in words; empty if unknown.

        For a number, the interval around it.
        """
        if self.number is not None:
            return interval_text(self.ruleset, self.decision, self.number)
        return basis_text(self.ruleset, self.decision, self.history)

    def paragraphs(self, time_step: TimeStep | None = None) -> Iterator[Paragraph]:
        """Yield the explanation piece by piece, the deciding rules first; with a `time_step`, lags are times."""
        mode = mode_of(self.ruleset.mode)
        if self.decision.by_default:
            certainty = _certainty(self.ruleset.default_certainty)
            yield Paragraph(f"the default decided: {self._said(self.ruleset.default)}{certainty}", True, ())
        for outcome in self.deciding:
            yield self._paragraph(outcome, "decided", outcome.conditions, time_step)
        if means := mode.mean_certainties(self.ruleset, self.decision):
            yield Paragraph(f"mean certainties: {_means_text(means)}", False, ())
        for outcome in self.rules:
            if outcome.is_active and not outcome.decided:
                reason = mode.why_not_deciding(self.ruleset, self.decision, outcome.index)
                yield self._paragraph(outcome, reason, outcome.conditions, time_step)
        for outcome in self.failed:
            yield self._paragraph(outcome, "did not hold", outcome.failing, time_step)

    def decided_texts(self) -> list[str]:
        """Return what was decided as text: each action, or the number with its unit."""
        if self.number is not None:
            return [amount_text(self.number, self.ruleset.schema)]
        return [action_text(action) for action in self.decision.actions]

    def _said(self, action: str) -> str:
        """Print an action; a linear term with the number that it gives here, and the value that it reads."""
        schema = self.ruleset.schema
        text = decision_text(action, schema)
        name = read_action(action).feature if schema.target is not None else ""
        if not name:
            return text
        value = value_text(_reading(Term(name), self.history, schema), schema.feature(name), None)
        return f"{text} = {amount_text(self._number(action), schema)} ({name_text(name)} {value})"

    def _paragraph(
        self, outcome: RuleOutcome, fate: str, shown: Sequence[ConditionOutcome], time_step: TimeStep | None
    ) -> Paragraph:
        rule, schema = outcome.rule, self.ruleset.schema
        name = f" {quoted(rule.name)}" if rule.name else ""
        heading = f"rule {outcome.number}{name} {fate}: {self._said(rule.action)}{_certainty(rule.certainty)}"
        conditions = [
            (
                print_condition(each.condition, schema, time_step=time_step),
                form_of(each.condition).explained(each, schema, time_step),
                each.holds,
            )
            for each in shown
        ]
        return Paragraph(heading, outcome.decided, tuple(conditions))

    def to_text(
        self,
        form: ExplanationForm = "compact",
        *,
        time_step: TimeStep | None = None,
        language: str | None = None,
        labels: Any = None,
    ) -> str:
        """Print the explanation; with a `time_step` such as (30, "min"), lags are printed as times.

        The form plain is sentences for people in a `language` ("en" or "de"), with `labels` for names; lags are times
        there also where the data told the time step.
        """
        if form == "plain":
            options = {"language": language or "en", "labels": labels, "time_step": time_step}
            return plain_words(EXPLANATIONS_IN_WORDS)(self, **options)
        check_explanation_form(form, language, labels)
        lines = []
        for paragraph in self.paragraphs(time_step):
            lines.append(paragraph.heading)
            lines += [f"  {text:<{paragraph.width}}   ({values})" for text, values, _ in paragraph.conditions]
        return "\n".join([*lines, *filter(None, [self.reliability])])

    def __str__(self) -> str:
        return self.to_text()

    def __rich__(self) -> "RichText":
        from evoter.rules.terminal import colour_explanation

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
        if self.reliability:
            blocks.append(f"<p>{html.escape(self.reliability)}</p>")
        return f'<div class="evoter-explanation">{"".join(blocks)}</div>'


def explain(ruleset: RuleSet, row_or_history: Row | Sequence[Row], *, time_step: TimeStep | None = None) -> Explanation:
    """Explain the decision on one row, or on the last row of a history in time order.

    A `time_step` such as (30, "min") is the time from one row of a history to the next, which plain words tell.

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
    return Explanation(ruleset, decision, rules, tuple(history), time_step)


def check_explanation_form(form: str, language: str | None, labels: object | None) -> None:
    """Refuse a form of explanations that there is not, and options of another one."""
    if form not in get_args(ExplanationForm):
        raise RuleError(f"unknown form {form!r}{did_you_mean(form, get_args(ExplanationForm))}")
    for option, given in (("language", language), ("labels", labels)):
        if given is not None:
            raise RuleError(f'{option} is for plain words, not for the form {form!r}; print the form "plain"')


def _outcome(condition: Condition, history: Sequence[Row], schema: Schema) -> ConditionOutcome:
    left, right = evaluate(condition, history, schema) or (None, None)
    readings = tuple(_reading(term, history, schema) for term in condition.terms)
    return ConditionOutcome(condition, holds(condition, history, schema), readings, left, right)


def _reading(term: Term, history: Sequence[Row], schema: Schema) -> Reading:
    if term.lag >= len(history):
        return Reading(term, None, available=False)
    return Reading(term, read(schema.feature(term.feature), history[-1 - term.lag]))


def _means_text(means: Mapping[str, float]) -> str:
    largest_first = sorted(means.items(), key=lambda item: -item[1])
    return ", ".join(f"{action_text(action)} {mean:.{DIGITS}g}" for action, mean in largest_first)


def _certainty(certainty: float) -> str:
    return "" if certainty == 1.0 else f" (certainty {number_text(certainty)})"
