"""A sheet of a workbook that takes text as text and values as values, and the styles of its cells."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from evoter.export.xml import check_characters
from evoter.rules.values import Value

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

_MAX_TEXT = 32_767
_BORDER: dict[str, Any] = {"border": 1, "border_color": "#BFBFBF"}
_HEAD: dict[str, Any] = {"bold": True, "font_color": "#FFFFFF", "text_wrap": True, "valign": "top"}
_STYLES: Mapping[str, dict[str, Any]] = {
    "title": {"bold": True, "font_size": 16},
    "plain": {"text_wrap": True, "valign": "top"},
    "head": {**_HEAD, "bg_color": "#1F4E79"},
    "rule head": {**_HEAD, "bg_color": "#7F7F7F", "num_format": '"rule "0', "align": "center"},
    "cell": {**_BORDER, "text_wrap": True, "valign": "top"},
    "number": {**_BORDER, "valign": "top", "align": "left"},
    "action": {**_BORDER, "text_wrap": True, "valign": "top", "bold": True},
    "input": {**_BORDER, "bg_color": "#FFF9E5"},
    "truth input": {**_BORDER, "bg_color": "#FFF9E5", "num_format": '"TRUE";"TRUE";"FALSE"', "align": "left"},
    "text input": {**_BORDER, "bg_color": "#FFF9E5"},
    "decision": {**_BORDER, "bg_color": "#E2EFDA", "bold": True},
    "rule": {"font_color": "#A6A6A6", "align": "center"},
    "holds": {"font_color": "#006100", "bg_color": "#C6EFCE"},
    "no number": {"font_color": "#9C0006", "bg_color": "#FFC7CE"},
}


_TEXTS = {"title", "plain", "head", "cell", "action", "text input"}


def make_styles(workbook: "Workbook") -> dict[str, "Format"]:
    """Add the styles to a workbook."""
    # With a quote prefix, text such as =1+1 stays text also when a person edits the cell.
    return {name: workbook.add_format({**style, "quote_prefix": name in _TEXTS}) for name, style in _STYLES.items()}


def _worksheet_class() -> type["Worksheet"]:
    from xlsxwriter.worksheet import Worksheet

    class Plain(Worksheet):  # type: ignore[misc]
        """A worksheet that writes formulas as they are."""

        def _prepare_formula(self, formula: str, *_: object, **__: object) -> str:
            # No formula here has a newer function, and looking for them takes most of the time.
            return formula.removeprefix("=")

    return Plain


class Sheet:
    """A sheet; rows and columns are counted from 0."""

    def __init__(self, workbook: "Workbook", name: str, styles: Mapping[str, "Format"]) -> None:
        self.inner: Worksheet = workbook.add_worksheet(name, _worksheet_class())
        self.styles = styles

    def text(self, row: int, column: int, text: str, style: str) -> None:
        """Write text; `=1+1` stays what it is."""
        check_characters(text)
        shown = text if len(text) <= _MAX_TEXT else text[: _MAX_TEXT - 3] + "..."
        self.inner.write_string(row, column, shown, self.styles[style])

    def paragraph(self, row: int, n_columns: int, text: str, height: int) -> None:
        """Write text across several columns."""
        self.inner.merge_range(row, 0, row, n_columns - 1, "", self.styles["plain"])
        self.text(row, 0, text, "plain")
        self.inner.set_row(row, height)

    def value(self, row: int, column: int, value: Value, style: str = "input") -> None:
        """Write a value, or an empty cell where it is missing."""
        if value is None:
            self.inner.write_blank(row, column, None, self.styles[style])
        elif isinstance(value, str):
            self.text(row, column, value, "text input")
        elif isinstance(value, bool):
            self.inner.write_boolean(row, column, value, self.styles[style])
        else:
            self.inner.write_number(row, column, value, self.styles[style])

    def formula(self, row: int, column: int, formula: str, style: str, result: str | float) -> None:
        """Write a formula and its result, for programs that show a workbook without computing it."""
        self.inner.write_formula(row, column, formula, self.styles[style], result)
