"""Rule sets in plain words: a numbered sentence for each rule, which `parser` reads back."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from evoter.language.names.glossary import Glossary
from evoter.language.order import importances_of, ordered_clauses
from evoter.language.statements.conditions import write_clause
from evoter.language.statements.numerals import write_number
from evoter.language.statements.outcomes import write_outcome
from evoter.language.templates import fill
from evoter.rules.forms.registry import form_of
from evoter.rules.model import Mode, Rule, RuleSet
from evoter.rules.printing.pieces import TimeStep

if TYPE_CHECKING:
    from evoter.language.names.labels import Labels

LISTED_FROM = 4
"""So many statements are written on a line each."""

_BREAK = re.compile(r"\n {3}(?:- )?")


def plain_text(
    ruleset: RuleSet,
    *,
    language: str = "en",
    labels: "Labels | Mapping[str, Any] | None" = None,
    importances: Mapping[str, float] | None = None,
    time_step: TimeStep | None = None,
    declarations: bool = True,
) -> str:
    """Say a rule set in plain words; see `RuleSet.to_text`.

    >>> from evoter.rules.parser import parse
    >>> rules = parse("length <= 2.45 cm -> setosa; width > 1.7 cm -> virginica; Default -> versicolor")
    >>> print(plain_text(rules))
    1. If the length is at most 2.45 cm, the decision is setosa.
    2. Otherwise, if the width is above 1.7 cm, the decision is virginica.
    3. In all other cases, the decision is versicolor.
    >>> print(plain_text(rules, language="de", labels={"length": "die Länge", "width": "die Breite"}))
    1. Wenn die Länge höchstens 2,45 cm beträgt, lautet die Entscheidung setosa.
    2. Andernfalls, wenn die Breite mehr als 1,7 cm beträgt, lautet die Entscheidung virginica.
    3. In allen anderen Fällen lautet die Entscheidung versicolor.
    """
    glossary = Glossary(ruleset.schema, language, labels, time_step)
    weights = importances_of(ruleset, importances)
    lines = list(rule_sentences(ruleset, glossary, weights))
    if not declarations:
        return "\n".join(lines)
    parts = [mode_sentence(ruleset, glossary), "\n".join(lines), " ".join(notes(ruleset, glossary))]
    return "\n\n".join(filter(None, parts))


def rule_sentences(ruleset: RuleSet, glossary: Glossary, importances: Mapping[str, float]) -> Iterator[str]:
    """Yield a numbered sentence for each rule, and last one for the default."""
    for number, rule in enumerate(ruleset.rules, start=1):
        yield f"{number}. {_rule_sentence(ruleset, number, rule, glossary, importances)}"
    mode = ruleset.mode if ruleset.rules else Mode.FIRST
    outcome = write_outcome(ruleset.default, ruleset.default_certainty, mode, glossary)
    yield f"{len(ruleset.rules) + 1}. {fill(glossary.catalogue[default_key(ruleset)], {'outcome': outcome})}"


def rule_key(mode: Mode, number: int) -> str:
    """Return the key of the sentence for a rule: those of a list begin with "otherwise", except the first."""
    if mode is not Mode.FIRST:
        return "rules.each"
    return "rules.first" if number == 1 else "rules.later"


def default_key(ruleset: RuleSet) -> str:
    """Return the key of the sentence for the default."""
    if not ruleset.rules:
        return "rules.always"
    return "rules.default" if ruleset.mode is Mode.FIRST else "rules.no_rule_applies"


def mode_sentence(ruleset: RuleSet, glossary: Glossary) -> str:
    """Say how the rules decide together; nothing where the sentences say it themselves."""
    return glossary.catalogue[f"modes.{ruleset.mode.value}"] if ruleset.rules else ""


def notes(ruleset: RuleSet, glossary: Glossary) -> Iterator[str]:
    """Yield what a reader must know besides: what unknown values mean, and what relative levels are."""
    catalogue, schema = glossary.catalogue, ruleset.schema
    conditions = [condition for rule in ruleset.rules for condition in rule.conditions]
    read = [term for each in conditions if form_of(each).compares for term in each.terms]
    if any(term.lag for term in read):
        yield catalogue["notes.history"]
    elif any(schema.feature(term.feature).missing for term in read):
        yield catalogue["notes.missing"]
    scaled = {
        term.feature
        for condition in conditions
        if form_of(condition).scales
        for term in condition.terms
        if schema.feature(term.feature).scaled
    }
    if scaled:
        ranges = [_range(name, glossary) for name in schema.names if name in scaled]
        yield fill(catalogue["notes.scaled"], {"ranges": catalogue["lists.comma"].join(ranges)})


def unbroken(sentence: str) -> str:
    r"""Return a sentence in one line.

    >>> unbroken("1. If\n   - a applies,\n   - b applies,\n   stop.")
    '1. If a applies, b applies, stop.'
    """
    return _BREAK.sub(" ", sentence)


def join_statements(statements: Sequence[str], glossary: Glossary) -> str:
    """Join statements with commas and "and"; many are written on a line each."""
    catalogue = glossary.catalogue
    if len(statements) == 1:
        return statements[0]
    if len(statements) == 2:
        return catalogue["lists.and"].join(statements)
    comma, last = catalogue["lists.comma"], catalogue["lists.last_and"]
    if len(statements) < LISTED_FROM:
        return f"{comma.join(statements[:-1])}{last}{statements[-1]}"
    ends = [comma.rstrip()] * (len(statements) - 2) + [last.rstrip(), ""]
    return "".join(f"\n   - {text}{end}" for text, end in zip(statements, ends, strict=True))


def name_words(rule: Rule, glossary: Glossary) -> str:
    """Say the name of a rule and that it is pinned, with a colon; nothing where it has neither."""
    pinned = glossary.catalogue["rules.pinned"]
    if rule.name:
        return f"{glossary.quoted(rule.name)}{f' ({pinned})' if rule.pinned else ''}: "
    return f"({pinned}): " if rule.pinned else ""


def _rule_sentence(
    ruleset: RuleSet, number: int, rule: Rule, glossary: Glossary, importances: Mapping[str, float]
) -> str:
    clauses = ordered_clauses(rule.conditions, importances)
    statements = [write_clause(clause, glossary) for clause in clauses]
    conditions = join_statements(statements, glossary)
    outcome = write_outcome(rule.action, rule.certainty, ruleset.mode, glossary)
    template = glossary.catalogue[rule_key(ruleset.mode, number)]
    if len(statements) >= LISTED_FROM:
        # The line ends before the first statement, and after the last one.
        template = template.replace(" {conditions}", "{conditions}").replace(", {outcome}", ",\n   {outcome}")
    return name_words(rule, glossary) + fill(template, {"conditions": conditions, "outcome": outcome})


def _range(name: str, glossary: Glossary) -> str:
    feature = glossary.schema.feature(name)
    low, high = (write_number(bound, glossary.catalogue) for bound in feature.bounds)
    parts = {"feature": glossary.subjects[name].phrase, "low": low, "high": glossary.quantity(high, feature)}
    return fill(glossary.catalogue["notes.range"], parts)
