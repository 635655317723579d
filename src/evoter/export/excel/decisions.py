"""The sheet of a workbook whose formulas decide rows: yellow cells for values, the decision, and which rules hold."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evoter.export.deciding import Numbered, added_features
from evoter.export.excel.formulas import MAX_FORMULA, Formulas
from evoter.export.excel.sheets import Sheet
from evoter.export.names import Input
from evoter.rules.errors import RuleError
from evoter.rules.interpreter import is_active
from evoter.rules.model import RuleSet
from evoter.rules.numbers.actions import read_action
from evoter.rules.schema import Kind
from evoter.rules.values import Row, Value

_MAX_COLUMNS, _MAX_ROWS = 16_384, 1_048_576
_MAX_LIST = 250
_LINE = "\0"
"""What stands for the number of the line in formulas; no text of a rule set in a workbook contains it."""


class Layout(NamedTuple):
    """Where things are on the sheet: the names of rows, inputs, the decision, the deciding rule, and every rule."""

    inputs: Mapping[tuple[str, int], Input]
    rules: Sequence[Numbered]

    @property
    def decision(self) -> int:
        """The column of the decision, counted from 0."""
        return len(self.inputs) + 1

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.decision + 2 + len(self.rules)

    def check(self, n_rows: int) -> None:
        """Refuse what does not fit on a sheet."""
        if not 1 <= n_rows < _MAX_ROWS:
            raise RuleError(f"a sheet has room for 1 to {_MAX_ROWS - 1:,} rows below its head, not {n_rows:,}")
        if self.width > _MAX_COLUMNS:
            raise RuleError(
                f"{len(self.inputs):,} features and {len(self.rules):,} rules need {self.width:,} columns, and Excel "
                f"has {_MAX_COLUMNS:,}: simplify the rules, or export to SQL or Python"
            )


def write_decisions(
    sheet: Sheet,
    ruleset: RuleSet,
    layout: Layout,
    actions: str,
    rows: Sequence[Sequence[Value]],
    *,
    filled: bool,
) -> None:
    """Write the sheet, for `rows` or, unless they are `filled`, as many empty ones; `actions` is a range of cells."""
    from xlsxwriter.utility import xl_col_to_name

    columns = [xl_col_to_name(column) for column in range(layout.width)]
    first = layout.decision + 2
    last_rule = len(ruleset.rules) + 1
    labels = [*(rule.action for rule in ruleset.rules), ruleset.default]
    for column, title in enumerate(["Row", *(each.name for each in layout.inputs.values()), "decision", "rule"]):
        sheet.text(0, column, title, "head")
    for column, (number, _) in enumerate(layout.rules, start=first):
        sheet.value(0, column, number, "rule head")
    kinds = [each.feature.kind for each in layout.inputs.values()]
    styles = ["input", *("truth input" if kind is Kind.BOOLEAN else "input" for kind in kinds)]
    templates = _templates(ruleset, layout, columns, actions)
    for place, values in enumerate(rows, start=1):
        history = _history(layout, values)
        holding = [is_active(rule, history, ruleset.schema) for _, rule in layout.rules]
        decider = next((number for (number, _), holds in zip(layout.rules, holding, strict=True) if holds), last_rule)
        for column, (value, style) in enumerate(zip([place if filled else None, *values], styles, strict=True)):
            sheet.value(place, column, value, style)
        results = [_result(labels[decider - 1], ruleset, history), decider] if filled else ["", ""]
        for column, (template, result) in enumerate(
            zip(templates, [*results, *("yes" if holds else "no" for holds in holding)], strict=True),
            start=layout.decision,
        ):
            style = "decision" if column < first else "rule"
            sheet.formula(place, column, template.replace(_LINE, str(place + 1)), style, result)
    _decorate(sheet, layout, columns, len(rows))


def _templates(ruleset: RuleSet, layout: Layout, columns: Sequence[str], actions: str) -> list[str]:
    """Return the formulas of a row, which differ between rows only in the number of the line."""
    rule, last_input = f"{columns[layout.decision + 1]}{_LINE}", columns[layout.decision - 1]
    default = str(len(ruleset.rules) + 1)
    found = default
    if layout.rules:
        start, end = columns[layout.decision + 2], columns[-1]
        match = f'MATCH("yes",{start}{_LINE}:{end}{_LINE},0)'
        found = f"IFERROR(INDEX(${start}$1:${end}$1,{match}),{default})"
    cells = {key: f"{columns[place]}{_LINE}" for place, key in enumerate(layout.inputs, start=1)}
    formulas = Formulas(ruleset.schema, cells)
    return [
        f'=IF({rule}="","",{_outcome(ruleset, formulas, actions, rule)})',
        f'=IF(COUNTA($A{_LINE}:${last_input}{_LINE})=0,"",{found})',
        *(formulas.rule(number, each) for number, each in layout.rules),
    ]


def _outcome(ruleset: RuleSet, formulas: Formulas, actions: str, rule: str) -> str:
    """Write what is decided: a cell of the sheet of rules, or where that says a linear term, its value."""
    found = f"INDEX({actions},{rule})"
    if not added_features(ruleset):
        return found
    parts = [f"IF(ISTEXT({found}),0,{found})"]
    for number, action in enumerate([*(each.action for each in ruleset.rules), ruleset.default], start=1):
        if read_action(action).feature:
            piece = formulas.amount(action)
            parts.append(f"IF({rule}={number},IF(ISNUMBER({piece.cells[0]}),{piece.text},NA()),0)")
    formula = "+".join(parts)
    if len(formula) > MAX_FORMULA // 2:
        raise RuleError(
            f"the linear terms of {len(parts) - 1} rules make a formula of {len(formula):,} characters, and Excel "
            f"reads {MAX_FORMULA:,} at most: simplify the rules, or export to SQL or Python"
        )
    return formula


def _result(action: str, ruleset: RuleSet, history: Sequence[Row]) -> float | str:
    """Return what a decision comes to: the name of an action, or its number, where there is one."""
    if ruleset.schema.target is None:
        return action
    number = read_action(action).value(history[-1], ruleset.schema)
    return "#N/A" if math.isnan(number) else number


def _history(layout: Layout, values: Sequence[Value]) -> list[Row]:
    """Return the values of a row as a history, in which earlier values are in earlier rows."""
    furthest = max((lag for _, lag in layout.inputs), default=0)
    names = {name for name, _ in layout.inputs}
    history: list[dict[str, Value]] = [dict.fromkeys(names) for _ in range(furthest + 1)]
    for (name, lag), value in zip(layout.inputs, values, strict=True):
        history[-1 - lag][name] = _readable(layout.inputs[name, lag], value)
    return list(history)


def _readable(field: Input, value: Value) -> Value:
    """Return a value as formulas read it: text is missing where a number or truth value is expected."""
    if field.feature.kind is Kind.CATEGORICAL:
        return value
    if isinstance(value, str):
        return None
    return value if field.feature.kind is Kind.NUMERIC or value in (0, 1) else None


def _decorate(sheet: Sheet, layout: Layout, columns: Sequence[str], n_rows: int) -> None:
    """Set widths, mark what is no number and which rules hold, and offer the known categories."""
    inner = sheet.inner
    inner.freeze_panes(1, 1)
    inner.repeat_rows(0)
    inner.set_landscape()
    inner.fit_to_pages(1, 0)
    inner.autofilter(0, 0, n_rows, layout.decision + 1)
    inner.set_column(0, 0, 8)
    for place, field in enumerate(layout.inputs.values(), start=1):
        longest = max(map(len, (field.name, *field.feature.categories)))
        inner.set_column(place, place, min(max(longest + 3, 10), 28))
        if field.feature.kind is not Kind.CATEGORICAL:
            wrong = {"type": "formula", "criteria": f"=ISTEXT({columns[place]}2)", "format": sheet.styles["no number"]}
            inner.conditional_format(1, place, n_rows, place, wrong)
        elif _can_be_offered(field.feature.categories):
            offer = {"validate": "list", "source": list(field.feature.categories), "error_type": "information"}
            inner.data_validation(1, place, n_rows, place, {**offer, "show_error": False})
    inner.set_column(layout.decision, layout.decision, 18)
    inner.set_column(layout.decision + 1, layout.decision + 1, 7)
    if layout.rules:
        inner.set_column(layout.decision + 2, layout.width - 1, 8)
        holds = {"type": "cell", "criteria": "==", "value": '"yes"', "format": sheet.styles["holds"]}
        inner.conditional_format(1, layout.decision + 2, n_rows, layout.width - 1, holds)


def _can_be_offered(categories: Sequence[str]) -> bool:
    """Tell whether a list of choices can hold these: it is short, and divided by commas."""
    return len(",".join(categories)) <= _MAX_LIST and all(re.fullmatch(r"[\w .()/-]+", each) for each in categories)
