"""The records of runs: what was done, and what came of it, kept as soon as it is had."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from evoter.experiments.declarations import Effort, Experiment
from evoter.experiments.journal import Journal
from evoter.experiments.outcome import Outcome
from evoter.experiments.runners import RUNNERS
from evoter.experiments.versions import experiment_version


@dataclass(frozen=True, slots=True)
class Run:
    """One run of an experiment: some models, under one variant, from one seed, with all settings that count.

    `version` says which source code it is a run of.
    """

    experiment: str
    variant: str
    models: tuple[str, ...]
    seed: int
    settings: Mapping[str, Any]
    version: str

    @property
    def key(self) -> str:
        """What tells the run from all others."""
        parts = [self.experiment, self.variant, self.models, self.seed, self.settings, self.version]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Record:
    """A run and the outcomes of its models."""

    run: Run
    outcomes: Mapping[str, Outcome]


def runs_of(experiment: Experiment, effort: Effort, seed: int) -> list[Run]:
    """Return the runs of an experiment in the order in which they are done: one seed after the other.

    A model that the runner does by itself has runs of its own.
    """
    runner = RUNNERS[experiment.runner]
    version = experiment_version(*runner.parts)
    groups = [tuple(experiment.models)] if runner.together else [(m,) for m in experiment.models]
    return [
        Run(experiment.name, variant, models, seed + number, experiment.settings_of(variant, effort), version)
        for number in range(experiment.extents[effort].runs)
        for variant in experiment.variants
        for models in groups
    ]


class Store:
    """The records in a folder."""

    def __init__(self, path: Path) -> None:
        self._journal = Journal(path)
        self._outcomes: dict[str, dict[str, Outcome]] = {}
        for values in self._journal:
            if {"key", "outcomes"} <= set(values):
                self._outcomes[values["key"]] = {name: _outcome(each) for name, each in values["outcomes"].items()}

    def get(self, run: Run) -> Record | None:
        """Return what came of a run, or None."""
        outcomes = self._outcomes.get(run.key)
        return None if outcomes is None else Record(run, outcomes)

    def add(self, record: Record) -> None:
        """Write a record down at once."""
        self._outcomes[record.run.key] = dict(record.outcomes)
        outcomes = {name: asdict(outcome) for name, outcome in record.outcomes.items()}
        self._journal.append({"key": record.run.key, **asdict(record.run), "outcomes": outcomes})

    def records_of(self, experiment: Experiment, effort: Effort, seed: int) -> list[Record]:
        """Return the records of an experiment that there are."""
        found = [self.get(run) for run in runs_of(experiment, effort, seed)]
        return [record for record in found if record is not None]


def _outcome(values: Mapping[str, Any]) -> Outcome:
    curves = {name: tuple(curve) for name, curve in values["curves"].items()}
    return Outcome(values["measures"], curves, values["rules"], tuple(values["features"]), values["seconds"])
