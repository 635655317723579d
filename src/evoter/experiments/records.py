"""The records of runs: what was run, from which source code, and what resulted, written to disk at once."""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import evoter
from evoter.experiments.declarations import Effort, Experiment
from evoter.experiments.runners import RUNNERS, Outcome

LEARNING_PARTS = ("rules", "kernels", "tables", "genome", "evolution", "environments", "problems", "estimators")
"""The parts of this project that a fit depends on."""


def learning_version() -> str:
    """Return the version of this project with a digest of the source code that learns."""
    return f"evoter {evoter.__version__} {source_digest(*_sources(*LEARNING_PARTS))}"


def experiment_version(*parts: str) -> str:
    """Return the same with a digest of some folders or modules of the experiments: those that results depend on."""
    return f"{learning_version()} {source_digest(*_sources(*(f'experiments/{part}' for part in parts)))}"


def _sources(*parts: str) -> list[Path]:
    paths = [Path(evoter.__file__).parent / part for part in parts]
    return [source for path in paths for source in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]


@cache
def source_digest(*paths: Path) -> str:
    """Return a short digest of source code, which changes between releases while the version does not."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


class Journal:
    """A file of JSON objects, one per line, that survives crashes: incomplete or garbled lines are skipped."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[dict[str, Any]]:
        if not self.path.exists():
            return
        for line in self.path.read_bytes().split(b"\n"):
            try:
                values = json.loads(line)
            except ValueError:
                continue
            if isinstance(values, dict):
                yield values

    def append(self, values: Mapping[str, Any]) -> None:
        """Write an object to disk at once."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps(values))  # the newline comes first: it ends a line that a crash cut short
            file.flush()
            os.fsync(file.fileno())


@dataclass(frozen=True, slots=True)
class Run:
    """One run of an experiment: some models, under one variant, from one seed, with all settings that count.

    `version` identifies the source code.
    """

    experiment: str
    variant: str
    models: tuple[str, ...]
    seed: int
    settings: Mapping[str, Any]
    version: str

    @property
    def key(self) -> str:
        """The identifier of the run, which no other run has."""
        parts = [self.experiment, self.variant, self.models, self.seed, self.settings, self.version]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:20]


@dataclass(frozen=True, slots=True)
class Record:
    """A run and the outcomes of its models."""

    run: Run
    outcomes: Mapping[str, Outcome]


def runs_of(experiment: Experiment, effort: Effort, seed: int) -> list[Run]:
    """Return the runs of an experiment in the order in which they are done: one seed after the other.

    Unless the runner fits all models together, each model has runs of its own.
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
        """Return the record of a run, or None."""
        outcomes = self._outcomes.get(run.key)
        return None if outcomes is None else Record(run, outcomes)

    def add(self, record: Record) -> None:
        """Write a record to disk at once."""
        self._outcomes[record.run.key] = dict(record.outcomes)
        outcomes = {name: asdict(outcome) for name, outcome in record.outcomes.items()}
        self._journal.append({"key": record.run.key, **asdict(record.run), "outcomes": outcomes})

    def records_of(self, experiment: Experiment, effort: Effort, seed: int) -> list[Record]:
        """Return the records of an experiment that exist so far."""
        found = [self.get(run) for run in runs_of(experiment, effort, seed)]
        return [record for record in found if record is not None]


def _outcome(values: Mapping[str, Any]) -> Outcome:
    curves = {name: tuple(curve) for name, curve in values["curves"].items()}
    return Outcome(values["measures"], curves, values["rules"], tuple(values["features"]), values["seconds"])
