"""Explanations in plain words: what was decided, because of which values, and what could have decided instead."""

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evoter.language.names.glossary import Glossary
from evoter.language.order import importances_of, ordered_clauses
from evoter.language.sentences import join_statements
from evoter.language.statements.amounts import write_amount, write_prediction
from evoter.language.statements.conditions import join, verb_forms, write_condition
from evoter.language.statements.numerals import write_number
from evoter.language.statements.outcomes import write_action
from evoter.language.statements.times import time_words
from evoter.language.statements.values import values_in_words, write_value
from evoter.language.templates import fill
from evoter.rules.answers.reliability import deciding_residuals, part_of, right
from evoter.rules.condition import Condition, Operator, Term
from evoter.rules.forms.outcome import ConditionOutcome
from evoter.rules.forms.registry import form_of
from evoter.rules.modes import mode_of
from evoter.rules.numbers.actions import read_action
from evoter.rules.printing.pieces import TimeStep, visible
from evoter.rules.schema import Kind
from evoter.rules.values import read

if TYPE_CHECKING:
    from evoter.language.names.labels import Labels
    from evoter.rules.answers.changes import Change, Counterfactuals
    from evoter.rules.answers.explanations import Explanations
    from evoter.rules.explain import Explanation, RuleOutcome

PROBABILITY_DECIMALS = 2


def plain_explanation(
    explanation: "Explanation",
    *,
    language: str = "en",
    labels: "Labels | Mapping[str, Any] | None" = None,
    time_step: TimeStep | None = None,
) -> str:
    """Say an explanation in plain words, a sentence per line; see `Explanation.to_text`.

    >>> from evoter import explain, parse
    >>> rules = parse("length <= 2.45 cm -> setosa; width > 1.7 cm -> virginica; Default -> versicolor")
    >>> print(plain_explanation(explain(rules, {"length": 5.9, "width": 2.1})))
    The decision is virginica.
    Rule 2 decided, because the width is above 1.7 cm (2.1 cm).
    Rule 1 (setosa) did not apply, because the length is above 2.45 cm (5.9 cm).
    """
    step = explanation.time_step if time_step is None else time_step
    glossary = Glossary(explanation.ruleset.schema, language, labels, step)
    return "\n".join(_Speaker(explanation, glossary).sentences())


def plain_explanations(
    explanations: "Explanations",
    *,
    language: str = "en",
    labels: "Labels | Mapping[str, Any] | None" = None,
    time_step: TimeStep | None = None,
) -> str:
    """Say several explanations in plain words, each after the name of its row."""
    paragraphs = []
    glossary: Glossary | None = None
    for row, each in zip(explanations.rows, explanations, strict=True):
        schema, step = each.ruleset.schema, each.time_step if time_step is None else time_step
        if glossary is None or glossary.schema is not schema or glossary.time_step != step:
            glossary = Glossary(schema, language, labels, step)
        heading = fill(glossary.catalogue["explanation.row"], {"row": visible(row)})
        paragraphs.append("\n".join([heading, *_Speaker(each, glossary).sentences()]))
    return "\n\n".join(paragraphs)


def plain_changes(found: "Counterfactuals", explanation: "Explanation", **options: Any) -> str:
    """Say what would change a decision, a sentence for each possibility."""
    glossary = Glossary(explanation.ruleset.schema, options.get("language", "en"), options.get("labels"))
    catalogue = glossary.catalogue
    if not found:
        if not found.complete:
            return catalogue["explanation.no_change_found"]
        if found.to is None:
            return catalogue["explanation.no_change"]
        return fill(catalogue["explanation.no_change_to"], {"action": write_action(found.to, glossary)})
    sentences = []
    key = "explanation.change" if glossary.schema.target is None else "explanation.change_number"
    for each in found:
        changes = [_change(change, glossary) for change in each.changes]
        actions = join([write_action(action, glossary) for action in each.decision.actions], "lists.and", glossary)
        parts = {"actions": actions, "changes": catalogue["lists.and"].join(changes)}
        sentences.append(fill(catalogue[key], parts))
    return "\n".join(sentences)


def _change(change: "Change", glossary: Glossary) -> str:
    """Say that a feature had another value."""
    feature = change.feature
    parts = {"feature": glossary.subjects[feature.name].phrase}
    is_yes_or_no = feature.kind is Kind.BOOLEAN or feature.is_binary
    if is_yes_or_no and change.after in (True, False):
        return fill(glossary.catalogue["explanation.change_yes" if change.after else "explanation.change_no"], parts)
    for when, value in (("before", change.before), ("after", change.after)):
        parts[when] = write_value(value, feature, glossary)
    return fill(glossary.catalogue["explanation.change_value"], parts)


class _Speaker:
    """Says one explanation."""

    def __init__(self, explanation: "Explanation", glossary: Glossary) -> None:
        self.explanation = explanation
        self.glossary = glossary
        self.catalogue = glossary.catalogue
        self.mode = mode_of(explanation.ruleset.mode)
        self.importances = importances_of(explanation.ruleset, None)

    def sentences(self) -> Iterator[str]:
        """Yield the sentences: the decision, what decided, what else held, what did not, and how reliable it is."""
        explanation = self.explanation
        yield self._decision()
        if explanation.decision.by_default:
            always = "always" if explanation.number is None else "always_number"
            yield self._say("default" if explanation.ruleset.rules else always)
        for outcome in explanation.deciding:
            yield self._about(outcome, "because", self._shown(outcome), with_action=self.mode.several_actions)
        yield from self._linear_term()
        if self.mode.uses_certainty:
            yield from self._certainties()
        for outcome in explanation.rules:
            if outcome.is_active and not outcome.decided:
                yield self._about(outcome, f"also_{explanation.ruleset.mode.value}", self._shown(outcome))
        for outcome in explanation.failed:
            reasons = [self._failure(each) for each in self._ordered(outcome) if not each.holds]
            yield self._about(outcome, "failed", reasons)
        yield from self._reliability()
        yield from self._interval()

    def _decision(self) -> str:
        number = self.explanation.number
        if number is not None and not self.glossary.labels.decision:
            return self._prediction(write_prediction(number, self.glossary))
        actions = [self._decided(action) for action in self.explanation.decision.actions]
        decision = self.glossary.decision
        parts = {"Decision": decision[0].upper() + decision[1:], "says": self.glossary.says, "action": actions[0]}
        if len(actions) > 1:
            return self._say("decisions", **parts, actions=join(actions, "lists.and", self.glossary))
        return self._say("decision", **parts)

    def _prediction(self, amount: str) -> str:
        target = self.glossary.target
        if target is None:
            return self._say("prediction", amount=amount)
        return self._say("predicted", target=target.phrase, amount=amount, **self._verbs(plural=target.plural))

    def _decided(self, action: str) -> str:
        number = self.explanation.number
        return write_action(action, self.glossary) if number is None else write_prediction(number, self.glossary)

    def _linear_term(self) -> Iterator[str]:
        """Say how a linear term gave the number: what it reads, and what that comes to."""
        explanation, glossary = self.explanation, self.glossary
        if explanation.number is None or not (name := read_action(explanation.decision.action).feature):
            return
        feature, subject = glossary.schema.feature(name), glossary.subjects[name]
        value = read(feature, explanation.history[-1])
        parts = {"amount": write_amount(explanation.decision.action, glossary), "feature": subject.phrase}
        parts |= self._verbs(plural=subject.plural)
        if value is None:
            yield self._say("linear_unknown", **parts)
            return
        number = write_prediction(explanation.number, glossary)
        yield self._say("linear", value=write_value(value, feature, glossary), number=number, **parts)

    def _interval(self) -> Iterator[str]:
        """Say how far off the rule was in training, and the interval that follows."""
        explanation, glossary = self.explanation, self.glossary
        spread, ends = deciding_residuals(explanation.ruleset, explanation.decision), explanation.interval
        if spread is None or ends is None:
            return
        kind = "default_record" if explanation.decision.by_default else "record"
        if spread.cases:
            cases = write_number(float(spread.cases), self.catalogue)
            yield self._say(f"number_{kind}", cases=cases, error=write_prediction(spread.error, glossary))
        else:
            yield self._say(f"no_{kind}")
        if all(map(math.isfinite, ends)):
            low, high = (write_prediction(end, glossary) for end in ends)
            level = write_number(float(f"{100 * spread.level:.6g}"), self.catalogue)
            yield self._say("interval", low=low, high=high, level=level)

    def _verbs(self, *, plural: bool) -> dict[str, str]:
        return verb_forms(self.glossary, plural=plural, earlier=False)

    def _about(self, outcome: "RuleOutcome", key: str, statements: list[str], *, with_action: bool = True) -> str:
        parts = {"action": write_action(outcome.rule.action, self.glossary)}
        label = self._say("label", **parts) if with_action else ""
        if outcome.rule.name:
            label = self._say("named_label", name=self.glossary.quoted(outcome.rule.name), **parts)
        conditions = join_statements(statements, self.glossary)
        sentence = self._say(key, number=str(outcome.number), label=label, conditions=conditions)
        return sentence.replace(" \n", "\n")

    def _shown(self, outcome: "RuleOutcome") -> list[str]:
        return [self._held(each) for each in self._ordered(outcome)]

    def _ordered(self, outcome: "RuleOutcome") -> list[ConditionOutcome]:
        """Return the outcomes of conditions in the order in which the rule says them."""
        clauses = ordered_clauses(outcome.rule.conditions, self.importances)
        said = [each for clause in clauses for each in (clause.lower, clause.condition) if each is not None]
        left = list(outcome.conditions)
        return [left.pop(next(at for at, one in enumerate(left) if one.condition == each)) for each in said]

    def _held(self, outcome: ConditionOutcome) -> str:
        statement = write_condition(outcome.condition, self.glossary)
        return self._with_values(statement, outcome)

    def _failure(self, outcome: ConditionOutcome) -> str:
        """Say why a condition did not hold: the opposite, where it holds, or what is unknown."""
        condition = outcome.condition
        for reading in outcome.readings:
            feature = self.glossary.subjects[reading.term.feature].phrase
            if not reading.available:
                time = time_words(reading.term.lag, self.glossary.time_step, self.catalogue)
                return self._say("too_early", feature=feature, time=time)
        if any(reading.value is None for reading in outcome.readings) and form_of(condition).compares:
            unknown = next(
                Term(reading.term.feature, lag=reading.term.lag)
                for reading in outcome.readings
                if reading.value is None
            )
            return write_condition(Condition(unknown, Operator.IS_MISSING), self.glossary)
        opposite = form_of(condition).negation(condition)
        history, schema = self.explanation.history, self.glossary.schema
        if history and form_of(opposite).holds(opposite, history, schema):
            return self._with_values(write_condition(opposite, self.glossary), outcome)
        statement = write_condition(condition, self.glossary)
        return self._with_values(self._say("not_true", condition=statement), outcome)

    def _with_values(self, statement: str, outcome: ConditionOutcome) -> str:
        values = values_in_words(outcome, self.glossary)
        return self._say("value", condition=statement, value=values) if values else statement

    def _certainties(self) -> Iterator[str]:
        ruleset, decision = self.explanation.ruleset, self.explanation.decision
        means = self.mode.mean_certainties(ruleset, decision)
        if not means:
            yield self._say("certainty", certainty=write_number(decision.certainty, self.catalogue))
            return
        largest_first = sorted(means.items(), key=lambda item: -item[1])
        said = [
            self._say(
                "mean", value=write_number(float(f"{mean:.6g}"), self.catalogue), action=self.glossary.actions[action]
            )
            for action, mean in largest_first
        ]
        yield self._say("means", means=join(said, "lists.and", self.glossary))

    def _reliability(self) -> Iterator[str]:
        explanation = self.explanation
        record, found = explanation.record, explanation.probabilities
        if record is None or found is None:
            return
        ruleset, decision = explanation.ruleset, explanation.decision
        action = {"action": self.glossary.actions[decision.action]}
        kind = "default_record" if decision.by_default else "record"
        if not record.cases:
            yield self._say(f"no_{kind}")
        else:
            yield self._say(kind, **self._counts(record.cases, right(record, ruleset, decision.action)), **action)
            if part := part_of(record, explanation.history, ruleset.schema):
                yield self._say("part", **self._counts(part.cases, right(part, ruleset, decision.action)), **action)
        yield self._say("probability", probability=self._probability(found[decision.action]), **action)

    def _counts(self, cases: int, correct: int) -> dict[str, str]:
        written = [write_number(float(count), self.catalogue) for count in (cases, correct)]
        return dict(zip(("cases", "right"), written, strict=True))

    def _probability(self, share: float) -> str:
        """Write a probability with two decimals, but none that is not 1 as 1."""
        rounded = round(share, PROBABILITY_DECIMALS)
        if rounded == 1.0 and share < 1.0:
            return self._say("almost_one", number=write_number(0.99, self.catalogue))
        return write_number(rounded, self.catalogue)

    def _say(self, key: str, **parts: str) -> str:
        return fill(self.catalogue[f"explanation.{key}"], parts)
