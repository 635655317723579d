"""Rule sets as Excel workbooks: a sheet with the rules for people to read, and a sheet whose formulas decide rows."""

from evoter.export.excel.workbook import to_excel

__all__ = ["to_excel"]
