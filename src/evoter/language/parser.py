"""Reads rule sets back from plain words, so that nothing can be said that is not a rule."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from evoter.language.names.glossary import Glossary
from evoter.language.names.quoting import outside_quotes, unquote
from evoter.language.sentences import default_key, mode_sentence, notes, rule_key, unbroken
from evoter.language.statements.outcomes import read_outcome
from evoter.language.statements.reading import ConditionReader
from evoter.language.templates import PLACEHOLDER
from evoter.rules.condition import Condition
from evoter.rules.errors import RuleSyntaxError
from evoter.rules.model import Mode, Rule, RuleSet
from evoter.rules.printing.pieces import TimeStep
from evoter.rules.schema import Schema

if TYPE_CHECKING:
    from evoter.language.names.labels import Labels

MAX_TEXT_LENGTH = 1_000_000
"""Longer text (in characters) is refused before any work is done on it."""

_NUMBERED = re.compile(r"^([0-9]{1,9})\. ", re.MULTILINE)


def parse_plain(
    text: str,
    schema: Schema,
    *,
    language: str = "en",
    labels: "Labels | Mapping[str, Any] | None" = None,
    time_step: TimeStep | None = None,
    mode: Mode | str | None = None,
) -> RuleSet:
    """Read a rule set from the plain words that `RuleSet.to_text` wrote for it.

    Schema, language, labels and time step are those that it was written with. The result has the same rules, with their
    conditions in the order of the text; of a feature that is yes or no, `!= false` is read as `= true`. Where the text
    does not say how rules decide together, because it was written without declarations, `mode` does.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("2 < x <= 3.5 AND colour in {red, blue} -> A; Default -> B")
    >>> parse_plain(rules.to_text("plain"), rules.schema) == rules
    True
    """
    if len(text) > MAX_TEXT_LENGTH:
        message = f"the text has {len(text):,} characters; at most {MAX_TEXT_LENGTH:,} are read"
        raise RuleSyntaxError(message, line=1, column=1, source="")
    return _Reader(text.strip("\n"), Glossary(schema, language, labels, time_step)).read(mode)


class _Reader:
    """Reads one text."""

    def __init__(self, text: str, glossary: Glossary) -> None:
        self.text = text
        self.glossary = glossary
        self.conditions = ConditionReader(glossary)

    def read(self, mode: Mode | str | None) -> RuleSet:
        begins = list(_NUMBERED.finditer(self.text))
        if not begins:
            raise self._error("there is no sentence with a number, such as '1. ...'", 0)
        for expected, match in enumerate(begins, start=1):
            if int(match[1]) != expected:
                raise self._error(f"sentence {match[1]} stands where sentence {expected} is expected", match.start())
        ends = [match.start() - 1 for match in begins[1:]]
        last = self.text.find("\n\n", begins[-1].end())
        ends.append(last if last >= 0 else len(self.text))
        stated = self.text[: begins[0].start()].strip()
        decides = self._mode(stated, mode)
        rules = [
            self._rule(number, match.end(), end, decides)
            for number, (match, end) in enumerate(zip(begins[:-1], ends[:-1], strict=True), start=1)
        ]
        ruleset = self._ruleset(rules, begins[-1].end(), ends[-1], decides)
        self._check_notes(ruleset, stated, self.text[ends[-1] :].strip(), ends[-1])
        return ruleset

    def _mode(self, stated: str, given: Mode | str | None) -> Mode:
        """Return how rules decide, by the sentence before them or as given."""
        said = next(
            (each for each in Mode if stated and self.glossary.catalogue[f"modes.{each.value}"] == stated), None
        )
        if stated and said is None:
            raise self._error("this does not say how the rules decide", 0)
        if said is not None and given is not None and said is not Mode(given):
            raise self._error(f"the text says mode {said}, not {Mode(given)}", 0)
        return said or Mode(given or Mode.FIRST)

    def _rule(self, number: int, start: int, end: int, mode: Mode) -> Rule:
        sentence = unbroken(self.text[start:end])
        name, pinned, sentence = self._name(sentence, start)
        before, between, after = PLACEHOLDER.split(self.glossary.catalogue[rule_key(mode, number)])[::2]
        if not (sentence.startswith(before) and sentence.endswith(after)):
            raise self._error(f"the sentence does not begin with {before.strip()!r} and end with {after!r}", start)
        body = sentence[len(before) : len(sentence) - len(after)]
        quotes = self.glossary.catalogue.quotes
        for match in outside_quotes(body, re.compile(re.escape(between)), quotes):
            outcome = read_outcome(body[match.end() :], mode, self.glossary)
            if outcome is not None:
                conditions = self._conditions(body[: match.start()], start)
                return Rule(conditions, *outcome, name=name, pinned=pinned)
        raise self._error("the sentence leads to no known action", start)

    def _conditions(self, text: str, start: int) -> list[Condition]:
        found = self.conditions.conditions(text)
        if found is None:
            raise self._error(f"these conditions cannot be read: {text!r}", start)
        return found

    def _ruleset(self, rules: list[Rule], start: int, end: int, mode: Mode) -> RuleSet:
        sentence, schema = unbroken(self.text[start:end]), self.glossary.schema
        draft = RuleSet(rules, "0" if schema.target is not None else schema.actions[0], schema, mode=mode)
        before, after = self.glossary.catalogue[default_key(draft)].split("{outcome}")
        if not (sentence.startswith(before) and sentence.endswith(after)):
            raise self._error(f"the last sentence does not begin with {before.strip()!r}", start)
        said = sentence[len(before) : len(sentence) - len(after)]
        outcome = read_outcome(said, mode if rules else Mode.FIRST, self.glossary)
        if outcome is not None:
            return RuleSet(rules, outcome[0], schema, outcome[1], mode)
        raise self._error("the last sentence leads to no known action", start)

    def _check_notes(self, ruleset: RuleSet, stated: str, said: str, start: int) -> None:
        """Refuse notes that do not belong to the rules, which would be read by people only."""
        expected = " ".join(notes(ruleset, self.glossary))
        if said != expected and (said or stated):
            raise self._error("what follows the rules is not what belongs to them", start)
        if said and stated != mode_sentence(ruleset, self.glossary):
            raise self._error("it is not said how the rules decide", 0)

    def _name(self, sentence: str, start: int) -> tuple[str, bool, str]:
        """Take the name of a rule, and that it is pinned, off a sentence."""
        pinned = f"({self.glossary.catalogue['rules.pinned']})"
        begin, end = self.glossary.catalogue.quotes
        match = re.match(rf"({begin}(?:[^\\{begin}{end}]|\\.)*{end})?( ?{re.escape(pinned)})?: ", sentence)
        if match is None:
            return "", False, sentence
        name = "" if match[1] is None else unquote(match[1], self.glossary.catalogue.quotes)
        if name is None:
            raise self._error("the name of the rule cannot be read", start)
        return name, match[2] is not None, sentence[match.end() :]

    def _error(self, message: str, position: int) -> RuleSyntaxError:
        line = self.text.count("\n", 0, position) + 1
        begin = self.text.rfind("\n", 0, position) + 1
        source = self.text[begin:].partition("\n")[0]
        return RuleSyntaxError(message, line=line, column=position - begin + 1, source=source)
