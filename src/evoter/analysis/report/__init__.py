"""The report: one HTML file about a rule set, with one module for each section."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.analysis.report.writing import write_report

__all__ = ["write_report"]

__getattr__, __dir__ = lazily(__name__, {"write_report": "writing"})
