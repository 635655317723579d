"""What is optimised: each task scores populations of rule sets on its data; and what rule sets decide on data."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.problems.deciding import TableDecisions, decide_columns, decide_panel, deciding_rules
    from evoter.problems.frames import decide_frame, frame_histories

__all__ = ["TableDecisions", "decide_columns", "decide_panel", "deciding_rules", "decide_frame", "frame_histories"]

# Loaded when first asked for: compiled code takes its time, and every problem passes through here.
__getattr__, __dir__ = lazily(
    __name__,
    {
        "TableDecisions": "deciding",
        "decide_columns": "deciding",
        "decide_panel": "deciding",
        "deciding_rules": "deciding",
        "decide_frame": "frames",
        "frame_histories": "frames",
    },
)
