"""The runner of blood pressure: alarms within the hour, or the class of the coming hours."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from evoter.experiments.hypotension import forecast, half_hours, patients
from evoter.experiments.hypotension.patients import FOREST, FOUND, RULES, TREE, Choice
from evoter.experiments.hypotension.window_models import Trial, try_out
from evoter.experiments.runners import Outcome

BOTH = "A and B"
WITHIN_THE_HOUR = {
    "evoter": FOUND,
    "tree": Choice(TREE, FOUND.windowing, None),
    "forest": Choice(FOREST, FOUND.windowing, None),
    "evoter-paper": FOUND,
}
IN_COMING_HOURS = {
    "evoter": RULES,
    "evoter-paper": RULES,
    "tree": "decision tree, depth 4",
    "forest": "random forest, leaves of 20",
}
"""The models of two tasks, by the same names."""
OWN_SIZES = ("max_rules", "max_conditions", "parsimony")
"""Parameters that the preset "paper" decides itself."""
AHEAD = {"next": 1, "ahead": 30}
"""Variants of the third task: how many minutes before the half hour it is decided."""


def run(
    variant: str,
    models: Sequence[str],
    seed: int,
    *,
    parameters: Mapping[str, Any] | None = None,
    paper_parameters: Mapping[str, Any] | None = None,
) -> dict[str, Outcome]:
    """Fit models and try them on other patients: of 2009, minute by minute, or of 2019, hour by hour.

    `parameters` are EVOTER's, `paper_parameters` those of its preset "paper", which has sizes of its own.
    """
    given: dict[str, dict[str, Any]] = {
        "evoter": dict(parameters or {}),
        "evoter-paper": {"preset": "paper", **dict.fromkeys(OWN_SIZES), **(paper_parameters or {})},
    }
    if variant in AHEAD:
        examples, is_test = _half_hours(AHEAD[variant])
        tried = {name: half_hours.forecast(examples, is_test, name, seed, **given.get(name, {})) for name in models}
        return {name: _outcome(trial) for name, trial in tried.items()}
    if variant == "2019":
        examples = _examples()
        trials = {
            name: forecast.forecast(examples, IN_COMING_HOURS[name], seed, **given.get(name, {})) for name in models
        }
    else:
        train, tests = _patients()
        step = (FOUND.windowing.window, "min")
        made = {name: WITHIN_THE_HOUR[name].make(seed, given.get(name)) for name in models}
        trials = {
            name: try_out(model, train, {BOTH: tests[BOTH]}, patients.ALARM, step)[BOTH] for name, model in made.items()
        }
    return {name: _outcome(trial) for name, trial in trials.items()}


def _outcome(trial: Trial) -> Outcome:
    scores = trial.scores
    measures = {
        **asdict(scores),
        "risk_weighted_accuracy": 1.0 - scores.risk_weighted_error,
        "conditions": trial.n_conditions,
    }
    return Outcome(measures, rules=trial.rules, seconds=trial.seconds)


_patients = cache(patients.load)
_examples = cache(forecast.load)
_half_hours = cache(half_hours.load)
