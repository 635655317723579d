"""From tables and series of numpy, pandas, polars and similar libraries to schemas, arrays, rows and panels."""

from evoter.tables.encoding import encode, rows
from evoter.tables.forecast import ForecastExamples, forecast_examples
from evoter.tables.inference import infer_schema
from evoter.tables.intake.description import describe_columns
from evoter.tables.intake.kinds import ColumnConcern, ColumnKind, ColumnReport, ColumnWarning
from evoter.tables.panel import Panel, infer_panel_schema
from evoter.tables.series import read_panel

__all__ = [
    "infer_schema",
    "describe_columns",
    "ColumnReport",
    "ColumnKind",
    "ColumnWarning",
    "ColumnConcern",
    "encode",
    "rows",
    "Panel",
    "read_panel",
    "infer_panel_schema",
    "ForecastExamples",
    "forecast_examples",
]
