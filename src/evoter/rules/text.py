"""Prints terms, conditions, rules and rule sets in every form; compact, aligned and unicode text parses back."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, cast, get_args

from evoter.rules.errors import RuleError, did_you_mean
from evoter.rules.model import Condition, Format, Rule, RuleSet, Term
from evoter.rules.printing.html import HTML, html_document
from evoter.rules.printing.latex import LATEX, latex_document
from evoter.rules.printing.layout import aligned_lines, compact_lines
from evoter.rules.printing.markdown import code_span, markdown_document
from evoter.rules.printing.pieces import (
    ASCII,
    UNICODE,
    Notation,
    Piece,
    TimeStep,
    joined,
    render,
    term_pieces,
    timed,
)
from evoter.rules.printing.rule_pieces import condition_pieces, rule_pieces
from evoter.rules.schema import Schema

RULESETS_IN_WORDS = "evoter.language.sentences:plain_text"
EXPLANATIONS_IN_WORDS = "evoter.language.explanations:plain_explanation"
"""Where plain words are written: these functions are loaded when someone asks for words, as nothing here needs them."""

_NOTATIONS: dict[Format, Notation] = {
    "compact": ASCII,
    "aligned": ASCII,
    "unicode": UNICODE,
    "markdown": ASCII,
    "latex": LATEX,
    "html": HTML,
}


def print_ruleset(
    ruleset: RuleSet,
    form: Format = "compact",
    *,
    ranges: bool = False,
    declarations: bool = True,
    applied: Sequence[int] | None = None,
    time_step: TimeStep | None = None,
    language: str | None = None,
    labels: Any = None,
    importances: Mapping[str, float] | None = None,
) -> str:
    """Print a rule set.

    Parsing the forms compact, aligned and unicode gives back an equal rule set, with `ranges` (each constant is
    followed by its feature's range) and without; where `declarations` are left out, the schema and the mode must be
    given to `parse`. Markdown, LaTeX and HTML are for readers. `applied` adds how often each rule, and last the
    default, was applied. `time_step` says how long a step takes, and lags are then printed as times, for readers: what
    is parsed has lags in steps.

    The form plain is sentences for people in a `language` ("en" or "de"), with `labels` for names; see
    `evoter.language`, which reads them back. Of the conditions in a rule it says those on the most important features
    first: `importances` says which these are, by default those on which most decisions rest.

    >>> from evoter.rules.parser import parse
    >>> ruleset = parse("0.5*angle^2 <= 0.1 [0..1] AND push != 0 -> 0.9*Left; Default -> Right")
    >>> print(print_ruleset(ruleset, "unicode", ranges=True, declarations=False, applied=[7, 3]))
    1. 0.5·angle² ≤ 0.1 [0..1] ∧ push ≠ 0 ⟶ 0.9·Left  # applied 7 times
    2. Default ⟶ Right  # applied 3 times
    >>> ruleset = parse("MAP[2] <= 60 -> Low; Default -> Normal")
    >>> print(print_ruleset(ruleset, declarations=False, time_step=(30, "min")))
    1. MAP[60 min] <= 60 -> Low
    2. Default -> Normal
    >>> print(print_ruleset(ruleset, "plain", time_step=(30, "min"), declarations=False))
    1. If the MAP one hour earlier was at most 60, the decision is Low.
    2. In all other cases, the decision is Normal.
    """
    if form == "plain":
        if ranges or applied is not None:
            option = "ranges" if ranges else "applied"
            raise RuleError(f"{option}: plain words do not say it; leave it out, or choose another form")
        options = {"language": language or "en", "labels": labels, "importances": importances}
        return plain_words(RULESETS_IN_WORDS)(ruleset, time_step=time_step, declarations=declarations, **options)
    for option, given in (("language", language), ("labels", labels), ("importances", importances)):
        if given is not None:
            raise RuleError(f'{option} is for plain words, not for the form {form!r}; print the form "plain"')
    _check_form(form)
    if applied is not None and len(applied) != len(ruleset.rules) + 1:
        message = f"applied has {len(applied)} counts; {len(ruleset.rules)} rules and the default need one each"
        raise RuleError(message)
    notation = timed(_NOTATIONS[form], time_step)
    if form == "markdown":
        return markdown_document(ruleset, notation, ranges=ranges, declarations=declarations, applied=applied)
    if form == "latex":
        return latex_document(ruleset, notation, ranges=ranges, declarations=declarations, applied=applied)
    if form == "html":
        return html_document(ruleset, notation, ranges=ranges, declarations=declarations, applied=applied)
    if form == "aligned":
        lines = aligned_lines(ruleset, notation, ranges=ranges, declarations=declarations, applied=applied)
    else:
        lines = compact_lines(ruleset, notation, ranges=ranges, declarations=declarations, applied=applied)
    return "".join([joined(line) + "\n" for line in lines]).removesuffix("\n")


def plain_words(writer: str) -> Callable[..., str]:
    """Return a function that writes plain words."""
    module, _, function = writer.partition(":")
    return cast("Callable[..., str]", getattr(import_module(module), function))


def print_rule(
    rule: Rule,
    schema: Schema | None = None,
    form: Format = "compact",
    *,
    ranges: bool = False,
    time_step: TimeStep | None = None,
) -> str:
    """Print one rule without a number, on one line; a schema adds units and, when asked, ranges."""
    return _print(rule_pieces(rule, schema, ranges=ranges), form, time_step)


def print_condition(
    condition: Condition,
    schema: Schema | None = None,
    form: Format = "compact",
    *,
    ranges: bool = False,
    time_step: TimeStep | None = None,
) -> str:
    """Print one condition; a schema adds the unit and, when asked, the range of a constant.

    >>> print_condition(Condition(Term("angle", 0.5, power=2), "<=", Term("velocity", lag=1)))
    '0.5*angle^2 <= velocity[1]'
    """
    return _print(condition_pieces(condition, schema, ranges=ranges), form, time_step)


def print_term(term: Term, form: Format = "compact", *, time_step: TimeStep | None = None) -> str:
    r"""Print one term.

    >>> print(print_term(Term("angle", 0.5, power=2), "latex"))
    0.5 \cdot \textit{angle}^{2}
    """
    return _print(term_pieces(term), form, time_step)


def _print(pieces: Iterable[Piece], form: Format, time_step: TimeStep | None) -> str:
    _check_form(form)
    text = joined(render(pieces, timed(_NOTATIONS[form], time_step)))
    return code_span(text) if form == "markdown" else text


def _check_form(form: str) -> None:
    if form == "plain":
        raise RuleError("plain words are for whole rule sets; print those, or choose another form")
    if form not in _NOTATIONS:
        raise RuleError(f"unknown form {form!r}{did_you_mean(form, get_args(Format))}")
