"""The lines of the lossless text forms, as pieces: compact with a rule per line, aligned with a condition per line."""

from collections.abc import Iterator, Sequence

from evoter.rules.model import Mode, RuleSet
from evoter.rules.printing.action_pieces import action_pieces, actions_pieces
from evoter.rules.printing.pieces import (
    ASCII,
    SPACE,
    Notation,
    Piece,
    Role,
    furthest_text,
    joined,
    render,
    values_pieces,
)
from evoter.rules.printing.rule_pieces import clauses, default_pieces, label_pieces, rule_pieces

Line = list[Piece]

_MAX_COLUMN = 60
"""A wider cell does not push the columns of all other lines to the right."""


def compact_lines(
    ruleset: RuleSet, notation: Notation, *, ranges: bool, declarations: bool, applied: Sequence[int] | None
) -> Iterator[Line]:
    """Lay out a rule set with one rule per line."""
    bodies = [rule_pieces(rule, ruleset.schema, ranges=ranges) for rule in ruleset.rules]
    for position, body in enumerate([*bodies, default_pieces(ruleset)]):
        yield [(Role.WORD, f"{position + 1}."), SPACE, *render(body, notation), *_comment(applied, position)]
    if declarations:
        yield from _where_lines(ruleset, notation)


def aligned_lines(
    ruleset: RuleSet, notation: Notation, *, ranges: bool, declarations: bool, applied: Sequence[int] | None
) -> Iterator[Line]:
    """Lay out a rule set with one condition per line and the operators and arrows in columns."""
    cells = [
        [
            (
                render(clause.left_pieces(ruleset.schema), notation),
                clause.condition.operator,
                render(clause.right_pieces(ruleset.schema, ranges=ranges), notation),
            )
            for clause in clauses(rule.conditions)
        ]
        for rule in ruleset.rules
    ]
    flat = [cell for row in cells for cell in row]
    left_width = _column([_width(left) for left, _, _ in flat])
    right_width = _column([_width(right) for _, _, right in flat])
    actions = [render(action_pieces(rule.action, rule.certainty, ruleset.schema), ASCII) for rule in ruleset.rules]
    actions.append(render(action_pieces(ruleset.default, ruleset.default_certainty, ruleset.schema), ASCII))
    if applied is not None:
        action_width = _column([_width(action) for action in actions])
        actions = [_padded(action, action_width) for action in actions]
    margin = len(str(len(cells) + 1)) + 2
    body_width = left_width + right_width + 4
    for position, (rule, row) in enumerate(zip(ruleset.rules, cells, strict=True)):
        lead = _padded([(Role.WORD, f"{position + 1}.")], margin)
        if label := list(label_pieces(rule)):
            yield lead + render(label, ASCII)
            lead = _padded([], margin)
        for number, (left, operator, right) in enumerate(row, start=1):
            middle = _padded([(Role.OPERATOR, operator.value)], 2)
            body = [*_padded(left, left_width), SPACE, *middle, *([SPACE, *right] if right else [])]
            line = [*lead, *_padded(body, body_width), SPACE]
            if number < len(row):
                yield [*line, (Role.AND, "AND")]
                lead = _padded([], margin)
            else:
                yield [*line, (Role.ARROW, "->"), SPACE, *actions[position], *_comment(applied, position)]
    lead = _padded([(Role.WORD, f"{len(cells) + 1}.")], margin)
    body = _padded([(Role.WORD, "Default")], body_width if flat else 0)
    yield [*lead, *body, SPACE, (Role.ARROW, "->"), SPACE, *actions[-1], *_comment(applied, len(cells))]
    if declarations:
        yield from _where_lines(ruleset, notation, in_columns=True)


def _where_lines(ruleset: RuleSet, notation: Notation, *, in_columns: bool = False) -> Iterator[Line]:
    schema = ruleset.schema
    entries: list[tuple[Line, Line]] = [
        (render([(Role.FEATURE, feature.name)], ASCII), render(values_pieces(feature), ASCII))
        for feature in schema.features
    ]
    entries.append(([(Role.WORD, "actions")], render(actions_pieces(schema), ASCII)))
    if schema.max_lag:
        entries.append(([(Role.WORD, "lags")], [(Role.WORD, f"0..{furthest_text(schema, notation)}")]))
    if ruleset.mode is not Mode.FIRST:
        entries.append(([(Role.WORD, "decide")], [(Role.WORD, ruleset.mode.value)]))
    width = _column([_width(name) for name, _ in entries]) + 1 if in_columns else 0
    yield []
    yield [(Role.WORD, "where")]
    for name, values in entries:
        yield [(Role.BLANK, "  "), *_padded([*name, (Role.WORD, ":")], width), SPACE, *values]


def _comment(applied: Sequence[int] | None, position: int) -> Line:
    if applied is None:
        return []
    times = "once" if applied[position] == 1 else f"{applied[position]} times"
    return [(Role.BLANK, "  "), (Role.COMMENT, f"# applied {times}")]


def _width(line: Line) -> int:
    return len(joined(line))


def _column(widths: list[int]) -> int:
    return max((width for width in widths if width <= _MAX_COLUMN), default=0)


def _padded(line: Line, width: int) -> Line:
    missing = width - _width(line)
    return [*line, (Role.BLANK, " " * missing)] if missing > 0 else line
