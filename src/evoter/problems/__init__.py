"""Tasks: each scores populations of rule sets on its data; and the decisions of rule sets on data."""

from typing import TYPE_CHECKING

from evoter.lazy import lazily

if TYPE_CHECKING:
    from evoter.problems.classification.group_rates import RATES, rate_counts
    from evoter.problems.classification.overfitting import AccuracyComparison, OverfittingWarning
    from evoter.problems.deciding import (
        TableDecisions,
        decide_columns,
        decide_panel,
        deciding_rules,
        taken_actions,
    )
    from evoter.problems.frames import decide_frame, frame_histories, schema_read
    from evoter.problems.importances import feature_importances
    from evoter.problems.probabilities import decision_probabilities
    from evoter.problems.regression.predictions import predict_frame

__all__ = [
    "AccuracyComparison",
    "OverfittingWarning",
    "RATES",
    "TableDecisions",
    "decide_columns",
    "decide_panel",
    "deciding_rules",
    "decision_probabilities",
    "decide_frame",
    "feature_importances",
    "frame_histories",
    "predict_frame",
    "rate_counts",
    "schema_read",
    "taken_actions",
]

# Loaded on first use: importing compiled code is slow, and every problem imports this package.
__getattr__, __dir__ = lazily(
    __name__,
    {
        "AccuracyComparison": "classification.overfitting",
        "OverfittingWarning": "classification.overfitting",
        "RATES": "classification.group_rates",
        "TableDecisions": "deciding",
        "decide_columns": "deciding",
        "decide_panel": "deciding",
        "deciding_rules": "deciding",
        "decision_probabilities": "probabilities",
        "decide_frame": "frames",
        "feature_importances": "importances",
        "frame_histories": "frames",
        "predict_frame": "regression.predictions",
        "rate_counts": "classification.group_rates",
        "schema_read": "frames",
        "taken_actions": "deciding",
    },
)
