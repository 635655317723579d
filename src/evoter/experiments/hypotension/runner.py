"""The runner of blood pressure: alarms within the hour, or the class of the coming hours."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any

from evoter.experiments.hypotension import forecast, patients
from evoter.experiments.hypotension.patients import FOREST, FOUND, RULES, TREE, Choice
from evoter.experiments.hypotension.window_models import Trial, try_out
from evoter.experiments.runners import Outcome

BOTH = "A and B"
WITHIN_THE_HOUR = {
    "evoter": FOUND,
    "tree": Choice(TREE, FOUND.windowing, None),
    "forest": Choice(FOREST, FOUND.windowing, None),
}
IN_COMING_HOURS = {"evoter": RULES, "tree": "decision tree, depth 4", "forest": "random forest, leaves of 20"}
"""The models of the two tasks, by the same names."""


def run(
    variant: str, models: Sequence[str], seed: int, *, parameters: Mapping[str, Any] | None = None
) -> dict[str, Outcome]:
    """Fit models and try them on other patients: of 2009, minute by minute, or of 2019, hour by hour."""
    given = {"evoter": dict(parameters or {})}
    if variant == "2019":
        examples = _examples()
        trials = {
            name: forecast.forecast(examples, IN_COMING_HOURS[name], seed, **given.get(name, {})) for name in models
        }
    else:
        train, tests = _patients()
        step = (FOUND.windowing.window, "min")
        trials = {
            name: try_out(WITHIN_THE_HOUR[name].make(seed), train, {BOTH: tests[BOTH]}, patients.ALARM, step)[BOTH]
            for name in models
        }
    return {name: _outcome(trial) for name, trial in trials.items()}


def _outcome(trial: Trial) -> Outcome:
    measures = {**asdict(trial.scores), "conditions": trial.n_conditions}
    return Outcome(measures, rules=trial.rules, seconds=trial.seconds)


_patients = cache(patients.load)
_examples = cache(forecast.load)
