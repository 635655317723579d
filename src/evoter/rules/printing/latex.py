"""Prints rule sets as LaTeX in the layout of the paper; amsmath is the only package needed."""

import re
from collections.abc import Iterable, Sequence

from evoter.rules.model import RuleSet
from evoter.rules.printing.action_pieces import action_pieces, actions_pieces
from evoter.rules.printing.pieces import (
    Notation,
    Piece,
    Role,
    furthest_text,
    joined,
    render,
    values_pieces,
    visible,
)
from evoter.rules.printing.rule_pieces import clauses, label_pieces
from evoter.rules.schema import Schema

_SPECIAL_CHARACTERS = str.maketrans(
    {character: rf"\{character}" for character in "{}$&#_%"}
    | {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
    }
)
_OPERATORS = {
    "!=": r"\ne",
    "<=": r"\le",
    ">=": r"\ge",
    "in": r"\in",
    "not in": r"\notin",
    "is missing": r"\text{ is missing}",
    "is present": r"\text{ is present}",
}
_EXPONENT = re.compile(r"e([+-]?)0*([0-9]+)")


def _escaped(text: str) -> str:
    # Two hyphens or quotes in a row would become a dash or a double quote.
    return re.sub(r"([-`'?!,])(?=[-`',])", r"\1{}", visible(text).translate(_SPECIAL_CHARACTERS))


def _italic(text: str) -> str:
    return rf"\textit{{{_escaped(text)}}}"


def _upright(text: str) -> str:
    return rf"\text{{{_escaped(text)}}}"


def _operator(operator: str) -> str:
    return _OPERATORS.get(operator, rf"\mathrel{{\text{{{operator}}}}}" if operator[0].isalpha() else operator)


def _constant(text: str) -> str:
    return _upright(text) if text in ("true", "false") else _number(text)


def _number(text: str) -> str:
    return _EXPONENT.sub(lambda match: rf" \cdot 10^{{{match[1].removeprefix('+')}{match[2]}}}", text)


LATEX: Notation = {
    Role.FEATURE: _italic,
    Role.ACTION: _italic,
    Role.CATEGORY: _upright,
    Role.UNIT: lambda unit: rf"\,{_upright(unit)}",
    Role.LABEL: _upright,
    Role.WORD: lambda word: _upright(word) + (r"\ " if word.endswith(":") else ""),
    Role.COEFFICIENT: _number,
    Role.CERTAINTY: _number,
    Role.CONSTANT: _constant,
    Role.TIMES: lambda _: r" \cdot ",
    Role.POWER: "^{{{}}}".format,
    Role.LAG: "[{}]".format,
    Role.RANGE: lambda bounds: rf"\,[{_number(bounds)}]",
    Role.OPERATOR: _operator,
    Role.AND: lambda _: r"\wedge",
    Role.ARROW: lambda _: r"\longrightarrow",
}
"""The notation of LaTeX's mathematics."""


def latex_document(
    ruleset: RuleSet, notation: Notation, *, ranges: bool, declarations: bool, applied: Sequence[int] | None
) -> str:
    """Print a rule set as a display of rules and, with declarations, a display of features."""
    counts: Sequence[str] = (
        [""] * (len(ruleset.rules) + 1) if applied is None else [f" && {count}" for count in applied]
    )
    rows = []
    for number, (rule, count) in enumerate(zip(ruleset.rules, counts[:-1], strict=True), start=1):
        bodies = [_math(each.pieces(ruleset.schema, ranges=ranges), notation) for each in clauses(rule.conditions)]
        lines = [body + r" \wedge {}" for body in bodies[:-1]]
        lines.append(f"{bodies[-1]} && {_consequence(rule.action, rule.certainty, ruleset.schema)}{count}")
        if label := list(label_pieces(rule)):
            lines.insert(0, _math(label))
        rows += [f"{number}.\\ & {lines[0]}", *(f"& {line}" for line in lines[1:])]
    default = _consequence(ruleset.default, ruleset.default_certainty, ruleset.schema)
    rows.append(rf"{len(counts)}.\ & \text{{Default}} && {default}{counts[-1]}")
    text = _display(rows)
    if declarations:
        text += "\nwhere\n" + _display(_declarations(ruleset, notation))
    return text


def _declarations(ruleset: RuleSet, notation: Notation) -> list[str]:
    schema = ruleset.schema
    rows = [rf"{_italic(feature.name)}:\ & {_math(values_pieces(feature))}" for feature in schema.features]
    rows.append(rf"\text{{actions}}:\ & {_math(actions_pieces(schema))}")
    if schema.max_lag:
        rows.append(rf"\text{{lags}}:\ & 0..{furthest_text(schema, notation)}")
    rows.append(rf"\text{{decide}}:\ & \text{{{ruleset.mode.value}}}")
    return rows


def _consequence(action: str, certainty: float, schema: Schema) -> str:
    return rf"\longrightarrow {_math(action_pieces(action, certainty, schema))}"


def _math(pieces: Iterable[Piece], notation: Notation = LATEX) -> str:
    return joined(render(pieces, notation))


def _display(rows: Iterable[str]) -> str:
    body = " \\\\\n".join(rows)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"
