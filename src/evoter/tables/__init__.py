"""Tables of numpy, pandas, polars and their kin: in goes data, out come schemas, arrays and rows."""

from evoter.tables.encoding import encode, rows
from evoter.tables.inference import infer_schema

__all__ = ["infer_schema", "encode", "rows"]
