"""The run of a fit: the classifier that the options ask for, on the training rows, tested on the others."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evoter.cli.failure import Failure, nearest, split_hint
from evoter.cli.fit.column_roles import Plan
from evoter.cli.fit.split import Split
from evoter.cli.interruption import Interruption

if TYPE_CHECKING:
    from evoter.analysis.rule_statistics import RuleStatistics
    from evoter.estimators.classifier import EvoterClassifier

UNLIMITED = 1_000_000
"""Generations of a run that only its time limits."""


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """What the user says about the run; None leaves it to the classifier."""

    preset: str = "default"
    metric: str | None = None
    objectives: tuple[str, ...] = ()
    select: str | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    generations: int | None = None
    seconds: float | None = None
    patience: int | None = None
    population_size: int | None = None
    max_rules: int | None = None
    max_conditions: int | None = None
    parsimony: float | None = None
    settings: Mapping[str, object] = field(default_factory=dict)
    balanced: bool = False
    jobs: int = -1
    seed: int = 0

    @property
    def for_rare_classes(self) -> bool:
        """Whether something else than the share of right answers was asked for."""
        first = self.objectives[0] if self.objectives else self.metric
        return self.balanced or first not in (None, "accuracy")

    def parameters(self) -> dict[str, Any]:
        """Return the parameters of the classifier.

        A limit of time lifts the usual limit of generations: who waits a minute wants a minute's work.
        """
        given: dict[str, Any] = {
            "preset": self.preset,
            "metric": self.metric,
            "objectives": list(self.objectives) or None,
            "select": self.select,
            "constraints": dict(self.limits) or None,
            "generations": self.generations or (UNLIMITED if self.seconds is not None else None),
            "max_seconds": self.seconds,
            "patience": self.patience,
            "population_size": self.population_size,
            "max_rules": self.max_rules,
            "max_conditions": self.max_conditions,
            "parsimony": self.parsimony,
            "settings": dict(self.settings) or None,
            "class_weight": "balanced" if self.balanced else None,
            "n_jobs": self.jobs,
            "random_state": self.seed,
        }
        return {name: value for name, value in given.items() if value is not None}

    def check(self) -> None:
        """Refuse what the classifier would refuse, before anybody is asked anything."""
        from evoter.estimators.classifier import EvoterClassifier
        from evoter.estimators.objectives import read_constraints, read_objectives
        from evoter.estimators.search import settings_of
        from evoter.evolution.settings import PRESETS

        if self.preset not in PRESETS:
            hint = nearest(self.preset, PRESETS, f"known: {', '.join(PRESETS)}")
            raise Failure(f"there is no preset {self.preset!r}", hint)
        if self.seconds is not None and self.seconds <= 0:
            raise Failure(f"--time {self.seconds:g} leaves no time", "give some seconds, such as --time 60")
        model = EvoterClassifier(**self.parameters())
        try:
            settings_of(model)
            metric, _ = read_objectives(model.objectives, model.metric)
            read_constraints(model.constraints)
            _check_metric(metric)
        except ValueError as error:
            raise Failure(*split_hint(str(error))) from None


@dataclass(frozen=True, slots=True)
class Learnt:
    """A fitted model with what its rules do on the rows it has seen and on those it has not."""

    model: "EvoterClassifier"
    seen: "RuleStatistics"
    unseen: "RuleStatistics | None"
    interrupted: bool


def learn(plan: Plan, split: Split, options: LearningOptions, *, progress: bool) -> Learnt:
    """Evolve rules on the training rows; Ctrl-C keeps the best so far."""
    from evoter.analysis.rule_statistics import measure
    from evoter.estimators.classifier import EvoterClassifier

    frame, labels = plan.frame, list(plan.labels)
    train, test = split.train.tolist(), split.test.tolist()
    interruption = Interruption()
    model = EvoterClassifier(
        **options.parameters(), categorical=plan.categorical, watchers=[interruption], verbose=int(progress)
    )
    try:
        with warnings.catch_warnings(), interruption:
            warnings.filterwarnings("ignore", message="interrupted", category=UserWarning)
            model.fit(frame[train], [labels[row] for row in train])
    except (ValueError, TypeError) as error:
        message, hint = split_hint(str(error))
        raise Failure(message, hint or "evoter fit --help lists what can be set") from None
    return Learnt(
        model,
        measure(model.ruleset_, frame[train], [labels[row] for row in train]),
        measure(model.ruleset_, frame[test], [labels[row] for row in test]) if test else None,
        interruption.asked or model.stop_reason_ == "interrupted",
    )


def _check_metric(name: object) -> None:
    from evoter.problems.classification.fitness import MEASURES
    from evoter.rules.errors import did_you_mean

    if name in MEASURES or not isinstance(name, str):
        return
    from sklearn.metrics import get_scorer_names

    known = [*MEASURES, *get_scorer_names()]
    if name not in known:
        raise ValueError(f"unknown metric {name!r}{did_you_mean(name, known)}")
