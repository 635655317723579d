"""What estimators' parameters say about a run: its settings, and when it stops."""

from typing import Any

from evoter.evolution.settings import PRESETS, Settings
from evoter.evolution.stopping import Generations, Seconds, Stagnation, Stopping, TargetScore

_NAMED = ("population_size", "max_rules", "max_conditions", "parsimony")


def settings_of(estimator: Any) -> Settings:
    """Return the settings of an estimator's preset with the changes that its parameters make."""
    named = {name: getattr(estimator, name) for name in _NAMED}
    chosen = {name: value for name, value in named.items() if value is not None}
    return PRESETS[estimator.preset].replace(**{**chosen, **(estimator.settings or {})})


def parsimony_is_free(estimator: Any) -> bool:
    """Tell whether nobody has said what a condition costs."""
    unsaid = estimator.parsimony is None and "parsimony" not in (estimator.settings or {})
    return bool(estimator.preset == "default" and unsaid)


def stopping_of(estimator: Any, maximise: bool) -> Stopping:
    """Return when an estimator's run stops, for a score that is to be maximised or not."""
    until: Stopping = Generations(estimator.generations)
    if estimator.patience is not None:
        until |= Stagnation(estimator.patience)
    if estimator.max_seconds is not None:
        until |= Seconds(estimator.max_seconds)
    if estimator.target_score is not None:
        until |= TargetScore(estimator.target_score, maximise)
    return until
