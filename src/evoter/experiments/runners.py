"""Runners: how the runs of each kind of experiment are done, what they return and what is measured in them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from inspect import Parameter, signature
from typing import Any, Literal

Better = Literal["higher", "lower", ""]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one model in one run: measures and curves over generations by name.

    `rules` is what a person reads, `features` are those that the model uses. Everything but the seconds is determined
    by the seed.
    """

    measures: Mapping[str, float]
    curves: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    rules: str = ""
    features: tuple[str, ...] = ()
    seconds: float = 0.0


Perform = Callable[..., dict[str, Outcome]]
"""Does a run, given the variant, the models, the seed and settings as keywords; returns the outcome of each model."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number measured in runs: its title, which direction is better, and to how many digits it is compared and shown.

    A `share` is 0 or 1 in each run, and is reported as the number of runs in which it is 1. `not_comparable` says why
    no figure of the paper can be compared with ours.
    """

    title: str
    better: Better = ""
    digits: int = 2
    shown_digits: int = 3
    share: bool = False
    not_comparable: str = ""


@dataclass(frozen=True, slots=True)
class Runner:
    """How runs are done: by the function `run` of a module, with all models `together` or each by itself.

    Results depend on the source code of `parts`, in addition to that of the learners. A runner without a module has no
    runs of its own and shows those of other experiments.
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
        """Return the settings that the runner requires and that are missing."""
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
            "full_parameters": Measure("nodes of full trees of the same depth", "lower", 0, 1),
            "paper_aic": Measure("AIC as in the paper, for as many cases as there are rows", "lower", 0, 0),
            "paper_bic": Measure("BIC as in the paper, for as many cases as there are rows", "lower", 0, 0),
            "aic": Measure("AIC of the test rows", "lower", 0, 0),
            "bic": Measure("BIC of the test rows", "lower", 0, 0),
            "features": Measure("features used", "lower", 0, 1),
            "overlap": Measure("features that two runs share, of those in either", "higher"),
            "train_accuracy": Measure("accuracy on training rows"),
            "p_forest": Measure("p of the difference from the forest's accuracy, paired t-test"),
        },
        ("classification", "activity"),
    ),
    "hypotension": Runner(
        "evoter.experiments.hypotension.runner",
        {
            "accuracy": Measure("accuracy", "higher"),
            "true_positive_rate": Measure("episodes predicted (TPR)", "higher"),
            "false_positive_rate": Measure("false alarms (FPR)", "lower", 3),
            "risk_weighted_error": Measure("risk-weighted error", "lower", 3),
            "risk_weighted_accuracy": Measure("risk-weighted accuracy", "higher", 3),
            "conditions": _SIZE,
        },
        ("hypotension",),
    ),
    "control": Runner(
        "evoter.experiments.control",
        {
            "in_time": Measure("runs that found a policy in time", "higher", share=True),
            "generations": Measure("generations, in runs that found one", "lower", 0, 1),
            "perfect": Measure("runs whose policy is perfect in new episodes", "higher", share=True),
            "score": Measure("mean score in new episodes", "higher", 0, 1),
            "conditions": _SIZE,
            "exchanged": Measure("the same with both actions exchanged", "", 0, 1),
        },
        ("control.py", "printed_rules.py"),
    ),
    "boundaries": Runner(
        "evoter.experiments.boundaries",
        {
            "wrong": Measure("share of the plane decided wrongly", "lower", 3),
            "size": Measure("conditions, nodes or parameters", "lower", 0, 1),
        },
        ("boundaries.py", "classification"),
    ),
    "prescription": Runner(
        "evoter.experiments.prescription.runner",
        {
            "training": Measure("predicted death rate, training patients", "lower", 3, 4),
            "gap": Measure("the same, difference from the network's", "lower", 3, 4),
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
            "overlap": Measure("cases in which the actual treatment was the same", "", 3, 3),
            "readmission_accuracy": Measure("predictor's accuracy, readmission", "higher"),
            "discharge_accuracy": Measure("predictor's accuracy, discharge", "higher"),
            "hypervolume": Measure("hypervolume, rules / network", "higher"),
            "deciding": Measure("rules that ever decide", "", 0, 1),
            "p_network": Measure("p of the difference from the network, paired t-test", ""),
            "p_readmission": Measure("p of the difference from the network's readmission, paired t-test", "", 4, 4),
            "p_discharge": Measure("p of the difference from the network's discharge, paired t-test", "", 4, 4),
            "first_no_readmission": Measure("share not readmitted, mean of generation 0", ""),
            "last_no_readmission": Measure("share not readmitted, mean of generation 40", "higher"),
            "readmission_boosting": Measure("the same, gradient boosting on all columns", "higher"),
            "readmission_majority": Measure("the same, always the most frequent kind", "higher"),
            "discharge_majority": Measure("discharge, always the most frequent kind", "higher"),
        },
        ("prescription", "printed_rules.py"),
        together=True,
    ),
    "trade-off": Runner(
        "",
        {
            "dominating": Measure("transparent models that dominate EVOTER", "lower", 0, 0),
            "dominating_paper": Measure("the same, preset paper", "lower", 0, 0),
        },
    ),
}
"""All runners by name."""
