"""The kinds of tasks: what does an experiment's runs, and what is measured in them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, Literal

from evoter.experiments.outcome import Outcome

Better = Literal["higher", "lower", ""]

Perform = Callable[..., dict[str, Outcome]]
"""Does a run: variant, models and seed, settings as keywords; returns what each model came to."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that runs come to: what it is called, which is better, the digits it is compared to and shown with.

    A `share` is 0 or 1 in each run, and only the share of ones means something.
    """

    title: str
    better: Better = ""
    digits: int = 2
    shown_digits: int = 3
    share: bool = False


@dataclass(frozen=True, slots=True)
class Runner:
    """How runs are done: by the function `run` of a module, with all models `together` or each by itself.

    What comes out depends on the source code of `parts`, beside that of the learners. Without a module there are no
    runs: those of other experiments are shown.
    """

    module: str
    measures: Mapping[str, Measure]
    parts: tuple[str, ...] = ()
    together: bool = False

    def perform(
        self, variant: str, models: Sequence[str], seed: int, settings: Mapping[str, Any]
    ) -> dict[str, Outcome]:
        """Do one run."""
        return self._function()(variant, models, seed, **settings)

    def unknown_settings(self, settings: Mapping[str, Any]) -> list[str]:
        """Return the settings that the runner does not take."""
        return [key for key in settings if key not in self._keywords()]

    def missing_settings(self, settings: Mapping[str, Any]) -> list[str]:
        """Return the settings that the runner cannot do without."""
        keywords = self._keywords()
        return [key for key, found in keywords.items() if found.default is Parameter.empty and key not in settings]

    def _keywords(self) -> dict[str, Parameter]:
        found = signature(self._function()).parameters
        return {name: each for name, each in found.items() if each.kind is Parameter.KEYWORD_ONLY}

    def _function(self) -> Perform:
        function: Perform = import_module(self.module).run
        return function


_SIZE = Measure("conditions", "lower", 0, 1)

RUNNERS: Mapping[str, Runner] = {
    "classification": Runner(
        "evoter.experiments.classification.runner",
        {
            "accuracy": Measure("accuracy on test rows", "higher"),
            "parameters": Measure("conditions, nodes or parameters", "lower", 0, 1),
            "full_parameters": Measure("nodes if every tree were full to its depth", "lower", 0, 1),
            "aic": Measure("AIC", "lower", 0, 0),
            "bic": Measure("BIC", "lower", 0, 0),
            "features": Measure("features used", "lower", 0, 1),
            "overlap": Measure("features in both of two runs, of those in either", "higher"),
            "train_accuracy": Measure("accuracy on training rows"),
        },
        ("classification", "activity"),
    ),
    "hypotension": Runner(
        "evoter.experiments.hypotension.runner",
        {
            "accuracy": Measure("accuracy", "higher"),
            "true_positive_rate": Measure("alarms raised in time (TPR)", "higher"),
            "false_positive_rate": Measure("false alarms (FPR)", "lower", 3),
            "risk_weighted_error": Measure("risk-weighted error", "lower", 3),
            "conditions": _SIZE,
        },
        ("hypotension",),
    ),
    "control": Runner(
        "evoter.experiments.control.runner",
        {
            "in_time": Measure("runs that found a policy in time", "higher", share=True),
            "generations": Measure("generations, in runs that found one", "lower", 0, 1),
            "perfect": Measure("runs whose policy is perfect in new episodes", "higher", share=True),
            "score": Measure("mean score in new episodes", "higher", 0, 1),
            "conditions": _SIZE,
        },
        ("control",),
    ),
    "boundaries": Runner(
        "evoter.experiments.boundaries.runner",
        {
            "wrong": Measure("share of the plane decided wrongly", "lower", 3),
            "size": Measure("conditions, nodes or parameters", "lower", 0, 1),
        },
        ("boundaries", "classification"),
    ),
    "prescription": Runner(
        "evoter.experiments.prescription.runner",
        {
            "training": Measure("predicted death rate, training patients", "lower", 3, 4),
            "gap": Measure("the same, more than the network's", "lower", 3, 4),
            "held_out": Measure("predicted death rate, held-out patients", "lower", 3, 4),
            "judged": Measure("the same, by a second predictor", "lower", 3, 4),
            "matthews": Measure("predictor's Matthews correlation", "higher"),
            "evolved_rules": Measure("rules evolved", "", 0, 1),
            "rules": Measure("rules after pruning", "lower", 0, 1),
            "conditions": _SIZE,
            "active": Measure("rules active per case", "lower", 0, 2),
            "readmission": Measure("best readmission score", "higher"),
            "discharge": Measure("best discharge score", "higher"),
            "no_readmission": Measure("share not readmitted, predicted", "higher"),
            "home": Measure("share sent home, predicted", "higher"),
            "readmission_judged": Measure("readmission score, second predictor, other patients"),
            "discharge_judged": Measure("discharge score, second predictor, other patients"),
            "overlap": Measure("cases in which history did the same", "", 3, 3),
            "readmission_accuracy": Measure("predictor's accuracy, readmission", "higher"),
            "discharge_accuracy": Measure("predictor's accuracy, discharge", "higher"),
            "hypervolume": Measure("hypervolume, rules / network", "higher"),
        },
        ("prescription",),
        together=True,
    ),
    "trade-off": Runner("", {"dominating": Measure("transparent models that dominate EVOTER", "lower", 0, 0)}),
}
"""By the name that an experiment asks for."""
