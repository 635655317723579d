"""What is optimised: each task scores populations of rule sets on its data; and what rule sets decide on data."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evoter.problems.deciding import TableDecisions, decide_columns, decide_panel
    from evoter.problems.frames import decide_frame, frame_histories

__all__ = ["TableDecisions", "decide_columns", "decide_panel", "decide_frame", "frame_histories"]

# Loaded when first asked for: compiled code takes its time, and every problem passes through here.
_LAZY = {
    "TableDecisions": "evoter.problems.deciding",
    "decide_columns": "evoter.problems.deciding",
    "decide_panel": "evoter.problems.deciding",
    "decide_frame": "evoter.problems.frames",
    "frame_histories": "evoter.problems.frames",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
