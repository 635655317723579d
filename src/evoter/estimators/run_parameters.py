"""What estimators' parameters say about a run: what they may be, its settings, and when it stops."""

import os
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, Protocol

from sklearn.utils._param_validation import Interval

from evoter.evolution.settings import PRESETS, Settings
from evoter.evolution.stopping import Generations, Seconds, Stagnation, Stopping, TargetScore

RUN_CONSTRAINTS: dict[str, list[Any]] = {
    "generations": [Interval(Integral, 1, None, closed="left")],
    "patience": [Interval(Integral, 1, None, closed="left"), None],
    "max_seconds": [Interval(Real, 0, None, closed="neither"), None],
    "target_score": [Interval(Real, None, None, closed="neither"), None],
    "population_size": [Interval(Integral, 2, None, closed="left"), None],
    "max_rules": [Interval(Integral, 1, None, closed="left"), None],
    "max_conditions": [Interval(Integral, 1, None, closed="left"), None],
    "parsimony": [Interval(Real, 0, None, closed="left"), None],
    "settings": [Mapping, None],
    "initial_rulesets": [list, tuple],
    "checkpoint": [str, os.PathLike, None],
    "watchers": [list, tuple],
    "n_jobs": [Integral, None],
    "random_state": ["random_state"],
    "verbose": ["verbose"],
}
"""What the parameters of a run may be, in the words of scikit-learn's validation."""

PARSIMONY = 0.06
"""What a condition costs by default, in units of how far chance may move the score."""

LEAST_PARSIMONY = 5e-4
"""What it costs at least, of all that is at stake: no table is so large that less is worth a reader's time."""

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


class Judged(Protocol):
    """A task whose score adds up over rows."""

    @property
    def stake(self) -> float:
        """How far decisions can move the score."""
        ...

    @property
    def uncertainty(self) -> float:
        """How far chance may move it."""
        ...


def fair_parsimony(problem: Judged) -> float:
    """Return what a condition costs where nobody has said it."""
    return max(PARSIMONY * problem.uncertainty, LEAST_PARSIMONY * problem.stake)


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
