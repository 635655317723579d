"""Rule sets in other languages: each export is a file of its own, checked by running what it writes."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.export.c import to_c
    from evoter.export.dmn import to_dmn
    from evoter.export.excel import to_excel
    from evoter.export.formats import FORMATS, Format, find_format
    from evoter.export.javascript import to_javascript
    from evoter.export.onnx import to_onnx
    from evoter.export.pmml import to_pmml
    from evoter.export.python import to_python
    from evoter.export.sql import to_sql

__all__ = [
    "FORMATS",
    "Format",
    "find_format",
    "to_python",
    "to_javascript",
    "to_c",
    "to_sql",
    "to_dmn",
    "to_excel",
    "to_pmml",
    "to_onnx",
]

# What one format needs is loaded when that format is first asked for.
__getattr__, __dir__ = lazily(
    __name__,
    {
        "FORMATS": "formats",
        "Format": "formats",
        "find_format": "formats",
        "to_python": "python",
        "to_javascript": "javascript",
        "to_c": "c",
        "to_sql": "sql",
        "to_dmn": "dmn",
        "to_excel": "excel",
        "to_pmml": "pmml",
        "to_onnx": "onnx",
    },
)
