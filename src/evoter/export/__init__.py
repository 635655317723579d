"""Rule sets in other languages: each export is a file of its own, checked by running what it writes."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evoter.export.formats import FORMATS, Format, find_format
    from evoter.export.onnx import to_onnx
    from evoter.export.pmml import to_pmml
    from evoter.export.python import to_python
    from evoter.export.sql import to_sql

__all__ = ["FORMATS", "Format", "find_format", "to_python", "to_sql", "to_pmml", "to_onnx"]

# What one format needs is loaded when that format is first asked for.
_LAZY = {
    "FORMATS": "evoter.export.formats",
    "Format": "evoter.export.formats",
    "find_format": "evoter.export.formats",
    "to_python": "evoter.export.python",
    "to_sql": "evoter.export.sql",
    "to_pmml": "evoter.export.pmml",
    "to_onnx": "evoter.export.onnx",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
