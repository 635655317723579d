"""Prints rule sets as self-contained HTML tables that suit light and dark pages."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from evoter.rules.model import RuleSet
from evoter.rules.printing.action_pieces import action_pieces, actions_pieces
from evoter.rules.printing.pieces import (
    OPERATOR_SIGNS,
    PALETTE,
    Notation,
    Piece,
    Role,
    furthest_text,
    joined,
    number_text,
    render,
    values_pieces,
    visible,
)
from evoter.rules.printing.rule_pieces import clauses, label_pieces

_STYLE = """.evoter-rules table{border-collapse:collapse;margin:.5em 0}
.evoter-rules caption{text-align:left;font-style:italic}
.evoter-rules th,.evoter-rules td{text-align:left;vertical-align:top;padding:.2em .7em;border-top:1px solid #8888}
.evoter-rules span{white-space:pre-wrap}
.evoter-rules .feature{font-style:italic}
.evoter-rules .action{font-weight:bold}
""" + "".join(f".evoter-rules .{role.name.lower()}{{color:{colour}}}\n" for role, colour in PALETTE.items())


def _escaped(text: str) -> str:
    return escape(visible(text))


def _span(role: Role) -> Callable[[str], str]:
    return lambda text: f'<span class="{role.name.lower()}">{_escaped(text)}</span>'


HTML: Notation = {
    **dict.fromkeys(Role, _escaped),
    **{role: _span(role) for role in PALETTE},
    Role.OPERATOR: lambda operator: _span(Role.OPERATOR)(OPERATOR_SIGNS.get(operator, operator)),
    Role.TIMES: lambda _: "·",
    Role.POWER: "<sup>{}</sup>".format,
    Role.LAG: "[{}]".format,
    Role.RANGE: "[{}]".format,
    Role.AND: lambda _: "and",
    Role.ARROW: lambda _: "⟶",
}
"""The notation of HTML: the roles that matter become spans of that class."""


def html_document(
    ruleset: RuleSet, notation: Notation, *, ranges: bool, declarations: bool, applied: Sequence[int] | None
) -> str:
    """Print a rule set as a table of rules and, with declarations, a table of features to unfold."""
    certainties = [*(rule.certainty for rule in ruleset.rules), ruleset.default_certainty]
    actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
    columns = [
        ["Rule", *map(str, range(1, len(actions) + 1))],
        ["If", *_antecedents(ruleset, notation, ranges=ranges), "otherwise"],
        ["Then", *(_markup(action_pieces(action, 1.0, ruleset.schema)) for action in actions)],
    ]
    if any(certainty != 1.0 for certainty in certainties):
        columns.append(["Certainty", *(_markup([(Role.CERTAINTY, number_text(each))]) for each in certainties)])
    if applied is not None:
        columns.append(["Applied", *map(str, applied)])
    caption = (
        f"{_count(len(ruleset.rules), 'rule')}, {_count(ruleset.n_conditions, 'condition')}, decides by {ruleset.mode}"
    )
    parts = ['<div class="evoter-rules">', f"<style>\n{_STYLE}</style>", _table(columns, caption)]
    if declarations:
        parts += ["<details><summary>Features and actions</summary>", _declarations(ruleset, notation), "</details>"]
    return "\n".join([*parts, "</div>"])


def _antecedents(ruleset: RuleSet, notation: Notation, *, ranges: bool) -> list[str]:
    cells = []
    for rule in ruleset.rules:
        label = list(label_pieces(rule))
        conditions = [
            _markup(each.pieces(ruleset.schema, ranges=ranges), notation) for each in clauses(rule.conditions)
        ]
        cells.append((_markup(label) + "<br>" if label else "") + " and<br>".join(conditions))
    return cells


def _declarations(ruleset: RuleSet, notation: Notation) -> str:
    schema = ruleset.schema
    names = [_markup([(Role.FEATURE, feature.name)]) for feature in schema.features]
    values = [_markup(values_pieces(feature)) for feature in schema.features]
    names.append("actions")
    values.append(_markup(actions_pieces(schema)))
    if schema.max_lag:
        names.append("lags")
        values.append(f"0..{furthest_text(schema, notation)}")
    return _table([["Name", *names], ["Values", *values]])


def _table(columns: Sequence[Sequence[str]], caption: str = "") -> str:
    head, *rows = zip(*columns, strict=True)
    lines = ["<table>", *([f"<caption>{caption}</caption>"] if caption else [])]
    lines += ["<thead><tr>", *(f'<th scope="col">{title}</th>' for title in head), "</tr></thead>", "<tbody>"]
    for first, *others in rows:
        lines.append(f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>')
    return "\n".join([*lines, "</tbody>", "</table>"])


def _markup(pieces: Iterable[Piece], notation: Notation = HTML) -> str:
    return joined(render(pieces, notation))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
