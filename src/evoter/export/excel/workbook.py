"""Writes the workbook of a rule set: what is refused, the sheet that people read, and the order of the sheets."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from typing import assert_never

from evoter.export.deciding import deciding, refuse_polls, refuse_several_actions
from evoter.export.excel.decisions import Layout, write_decisions
from evoter.export.excel.sheets import Sheet, make_styles
from evoter.export.names import Input, inputs
from evoter.rules.errors import RuleError
from evoter.rules.model import RuleSet
from evoter.rules.modes import Procedure, mode_of
from evoter.rules.numbers.actions import read_action
from evoter.rules.printing.pieces import ASCII, joined, render, values_pieces
from evoter.rules.printing.rule_pieces import clauses
from evoter.rules.schema import is_finite
from evoter.rules.values import Value, is_missing, plain_value

_FIRST_RULE = 5
"""The line of the first rule on the sheet of rules."""

_N_COLUMNS = 4
_EXPLANATION = (
    "The sheet Decide decides rows: type or paste values into the yellow cells, and copy the formulas further down "
    "for more rows. An empty cell is a missing value; so is text in a column of numbers or of TRUE and FALSE, which is "
    "marked red. A row is decided as soon as one of its yellow cells is filled: to decide on a row without any values, "
    "fill in the column Row. The columns on the right show which rules hold."
)


def to_excel(ruleset: RuleSet, table: Mapping[str, Sequence[Value]] | None = None, *, rows: int = 100) -> bytes:
    """Write a rule set as an Excel workbook; needs the extra `excel`.

    The sheet Rules is for people to read. On the sheet Decide, formulas decide on the values in a row: there are `rows`
    empty rows, or those of a `table`, column by column. A column holds a feature, and an earlier value `x[2]` is a
    column of that name. An empty cell is missing. One more column for each rule shows whether it holds.

    Spreadsheets compare numbers to about 15 digits: two that differ less than that are equal. They have no infinities.

    >>> from evoter.rules.parser import parse
    >>> workbook = to_excel(parse("x > 1 -> up; Default -> down"), {"x": [0.5, None, 1.5]})
    >>> workbook[:2]
    b'PK'
    """
    try:
        from xlsxwriter import Workbook
    except ImportError as error:
        raise ImportError("to_excel needs the package xlsxwriter: pip install 'evoter[excel]'") from error
    plan = deciding(ruleset)
    match plan.procedure:
        case Procedure.IN_ORDER:
            layout = Layout(inputs(ruleset, "Excel"), plan.rules)
        case Procedure.POLL:
            refuse_polls(ruleset, "Excel")
        case Procedure.EVERY:
            refuse_several_actions(ruleset, "Excel")
        case _:
            assert_never(plan.procedure)
    if type(rows) is not int:
        raise RuleError(f"rows must be a whole number, not {rows!r}")
    if not isinstance(table, Mapping | None):
        raise RuleError("table must hold columns by name, such as {'x': [1, 2]}, which is possible in Python only")
    fields = list(layout.inputs.values())
    given = [(None,) * len(fields)] * rows if table is None else _rows(fields, table)
    layout.check(len(given))
    file = BytesIO()
    with Workbook(file, {"in_memory": True}) as workbook:
        # A fixed date, so that the same rules give the same file.
        workbook.set_properties({"title": "Rules", "created": datetime(2000, 1, 1, tzinfo=UTC)})
        styles = make_styles(workbook)
        _write_rules(Sheet(workbook, "Rules", styles), ruleset)
        actions = f"Rules!$C${_FIRST_RULE}:$C${_FIRST_RULE + len(ruleset.rules)}"
        sheet = Sheet(workbook, "Decide", styles)
        write_decisions(sheet, ruleset, layout, actions, given, filled=table is not None)
    return file.getvalue()


def _rows(fields: Sequence[Input], table: Mapping[str, Sequence[Value]]) -> list[tuple[Value, ...]]:
    for each in fields:
        if each.name not in table:
            raise RuleError(f"the table has no column {each.name!r}, which the rules read: add it")
    lengths = {len(column) for column in table.values()}
    if len(lengths) != 1:
        found = ", ".join(map(str, sorted(lengths))) or "there are no columns"
        raise RuleError(f"the columns of the table must have one length, but: {found}")
    columns = [[_cell_value(each.name, value) for value in table[each.name]] for each in fields]
    return list(zip(*columns, strict=True)) if columns else [()] * lengths.pop()


def _cell_value(name: str, value: object) -> Value:
    plain = plain_value(value)
    if is_missing(plain):
        return None
    if isinstance(plain, str) or (isinstance(plain, int | float) and is_finite(plain)):
        return plain
    raise RuleError(f"a cell of Excel cannot hold {plain!r}, a value of {name!r}: use a finite number, text or None")


def _write_rules(sheet: Sheet, ruleset: RuleSet) -> None:
    mode, schema = mode_of(ruleset.mode), ruleset.schema
    sheet.text(0, 0, "Rules", "title")
    sheet.paragraph(1, _N_COLUMNS, f"{mode.sentence} Where no rule holds, the last line decides.", 30)
    for column, title in enumerate(["Rule", "If", "Then", *(["Certainty"] if mode.uses_certainty else [])]):
        sheet.text(_FIRST_RULE - 2, column, title, "head")
    lines = [
        ("\nAND ".join(joined(render(each.pieces(schema), ASCII)) for each in clauses(rule.conditions)), rule)
        for rule in ruleset.rules
    ]
    outcomes = [(text, rule.action, rule.certainty) for text, rule in lines]
    outcomes.append(("otherwise", ruleset.default, ruleset.default_certainty))
    row = _FIRST_RULE - 1
    for number, (text, action, certainty) in enumerate(outcomes, start=1):
        sheet.value(row, 0, number, "number")
        sheet.text(row, 1, text, "cell")
        amount = None if schema.target is None else read_action(action)
        if amount is not None and not amount.feature:
            sheet.value(row, 2, amount.constant, "number")
        else:
            sheet.text(row, 2, action, "action")
        if mode.uses_certainty:
            sheet.value(row, 3, certainty, "number")
        sheet.inner.set_row(row, 15 * (text.count("\n") + 1))
        row += 1
    if ruleset.features_used:
        row += 1
        sheet.text(row, 1, "Column", "head")
        sheet.text(row, 2, "Values", "head")
    for name in ruleset.features_used:
        row += 1
        sheet.text(row, 1, name, "cell")
        sheet.text(row, 2, joined(render(values_pieces(schema.feature(name)), ASCII)), "cell")
    sheet.paragraph(row + 2, _N_COLUMNS, _EXPLANATION, 80)
    for column, width in enumerate((8, 60, 36, 10)):
        sheet.inner.set_column(column, column, width)
    sheet.inner.hide_gridlines(2)
    sheet.inner.set_landscape()
    sheet.inner.fit_to_pages(1, 0)
