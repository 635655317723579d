"""Prints rule sets as Markdown tables; every name is in a code span, where it cannot act as markup."""

import re
from collections.abc import Iterable, Sequence

from evoter.rules.model import RuleSet
from evoter.rules.printing.action_pieces import action_pieces, actions_pieces
from evoter.rules.printing.pieces import (
    ASCII,
    Notation,
    Piece,
    Role,
    action_text,
    furthest_text,
    joined,
    number_text,
    render,
    values_pieces,
)
from evoter.rules.printing.rule_pieces import clauses, label_pieces


def markdown_document(
    ruleset: RuleSet, notation: Notation, *, ranges: bool, declarations: bool, applied: Sequence[int] | None
) -> str:
    """Print a rule set as a table of rules and, with declarations, a table of features."""
    certainties = [*(rule.certainty for rule in ruleset.rules), ruleset.default_certainty]
    columns = [
        ["Rule", *(str(number) for number in range(1, len(certainties) + 1))],
        ["If", *_antecedents(ruleset, notation, ranges=ranges), "*otherwise*"],
        [
            "Then",
            *(_code(action_pieces(rule.action, 1.0, ruleset.schema)) for rule in ruleset.rules),
            _code(action_pieces(ruleset.default, 1.0, ruleset.schema)),
        ],
    ]
    if any(certainty != 1.0 for certainty in certainties):
        columns.append(["Certainty", *map(number_text, certainties)])
    if applied is not None:
        columns.append(["Applied", *map(str, applied)])
    text = _table(columns)
    if declarations:
        text += "\n\n" + _declarations(ruleset, notation)
    return text


def code_span(text: str) -> str:
    """Print text as Markdown code, with a fence that no run of backticks inside it can end.

    >>> print(code_span("a`b"))
    ``a`b``
    """
    runs = {len(run) for run in re.findall("`+", text)}
    fence = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def _code(pieces: Iterable[Piece], notation: Notation = ASCII) -> str:
    # A bar would end the table's cell even inside code.
    return code_span(joined(render(pieces, notation))).replace("|", r"\|")


def _antecedents(ruleset: RuleSet, notation: Notation, *, ranges: bool) -> list[str]:
    cells = []
    for rule in ruleset.rules:
        label = list(label_pieces(rule))
        conditions = [_code(each.pieces(ruleset.schema, ranges=ranges), notation) for each in clauses(rule.conditions)]
        cells.append((_code(label) + "<br>" if label else "") + " and<br>".join(conditions))
    return cells


def _declarations(ruleset: RuleSet, notation: Notation) -> str:
    schema = ruleset.schema
    columns = [
        ["Feature", *(_code([(Role.FEATURE, feature.name)]) for feature in schema.features)],
        ["Values", *(_code(values_pieces(feature)) for feature in schema.features)],
    ]
    if schema.target is None:
        facts = [f"Actions: {', '.join(code_span(action_text(action)) for action in schema.actions)}."]
    else:
        facts = [f"Actions: {_code(actions_pieces(schema))}."]
    if schema.max_lag:
        facts.append(f"Lags: 0 to {furthest_text(schema, notation)}.")
    facts.append(f"Decides by `{ruleset.mode.value}`.")
    return (_table(columns) + "\n\n" if schema.features else "") + " ".join(facts)


def _table(columns: Sequence[Sequence[str]]) -> str:
    head, *rows = zip(*columns, strict=True)
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])
