"""What rules that were found on a sample of the training rows do on all of them, counted in chunks of rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from evoter.estimators.classification.candidates import Settled
from evoter.estimators.classification.row_samples import RowSamples
from evoter.estimators.classification.training_rows import TrainingRows
from evoter.evolution.problem import Capability
from evoter.evolution.settings import Settings
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.frequencies import smooth
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.record_parts import part_probabilities
from evoter.problems.classification.rewards import sample_by_class
from evoter.problems.deciding import TableDecisions, decide_columns, deciding_rules
from evoter.problems.importances import importances_of
from evoter.problems.probabilities import record_cells
from evoter.rules.answers.rule_counts import count_rules
from evoter.rules.answers.track_record import TrackRecord
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.tables import encode
from evoter.tables.stored.table import StoredTable

CHUNK: Final = 500_000
"""The number of rows that are encoded at a time."""


@dataclass(frozen=True, eq=False)
class EveryRow:
    """All training rows, encoded or stored, with their classes, weights and, if known, class probabilities."""

    schema: Schema
    data: Floats | StoredTable
    codes: Ints
    weights: Floats
    class_weight: Floats | None = None
    targets: Floats | None = None

    def columns(self, rows: slice | Ints, names: Sequence[str] | None = None) -> Floats:
        """Return some rows, feature by feature, of some features or of all."""
        chosen = self.schema.names if names is None else names
        if isinstance(self.data, StoredTable):
            features = [self.schema.feature(name) for name in chosen]
            return encode(self.data.take(rows), self.schema.over(features))
        return self.data[[self.schema.position(name) for name in chosen]][:, rows]

    def encoded(self) -> Floats:
        """Return all rows, feature by feature."""
        return encode(self.data, self.schema) if isinstance(self.data, StoredTable) else self.data

    def chunks(self) -> Iterator[slice]:
        """Yield all rows in chunks."""
        for first in range(0, len(self.codes), CHUNK):
            yield slice(first, min(first + CHUNK, len(self.codes)))

    def remembered(self) -> TrainingRows:
        """Return what a classifier remembers of its training rows."""
        return TrainingRows.of_parts(self.columns(rows) for rows in self.chunks())

    def recount(self, settled: Settled, groups: Mapping[str, Sequence[str]]) -> Settled:
        """Return rules with what they do on all rows in place of what they do on a sample."""
        counted = _Counts(settled.ruleset, len(groups))
        for rows in self.chunks():
            self._count(counted, rows, groups)
        class_weight = np.ones(len(self.schema.actions)) if self.class_weight is None else self.class_weight
        weights = counted.weights * class_weight
        overall = self._class_totals() * class_weight
        frequencies = smooth(weights[: counted.n_rules], overall, len(self.codes))
        ruleset = settled.ruleset.replace(
            records=_records(settled.ruleset, counted, frequencies, weights),
            counts=count_rules("training rows", len(self.codes), counted.applied, counted.decided),
        )
        importances = counted.importances / self.weights.sum()
        return Settled(ruleset, counted.applied, counted.decided, frequencies, counted.n_right, importances)

    def _class_totals(self) -> Floats:
        if self.targets is not None:
            totals: Floats = self.weights @ self.targets
            return totals
        return np.bincount(self.codes, self.weights, len(self.schema.actions)).astype(np.float64)

    def _count(self, counted: "_Counts", rows: slice, groups: Mapping[str, Sequence[str]]) -> None:
        ruleset, codes, weights = counted.ruleset, self.codes[rows], self.weights[rows]
        columns = self.columns(rows, ruleset.schema.names)
        decisions = decide_columns(ruleset, columns)
        targets = None if self.targets is None else self.targets[rows]
        counted.add_decisions(decisions, codes, weights, targets)
        cells = record_cells(ruleset, decisions, lambda rules: decide_columns(rules, columns)).of_rows
        for number in range(counted.n_rules, len(counted.labels)):
            counted.add_cell(number, cells == number, codes, weights, targets)
        shares = importances_of(ruleset, columns, groups, weights)
        counted.importances += np.array([*shares.values()]) * weights.sum()


def row_samples(problem: ClassificationProblem, settings: Settings, n_rows: int) -> RowSamples:
    """Return how many of the training rows a search evaluated rules on."""
    n_refined = 0
    if Capability.REFINEMENT in problem.capabilities and settings.n_refined > 0:
        n_refined = len(sample_by_class(problem.classes, problem.n_refinement_rows(settings))[0])
    return RowSamples(n_rows, len(problem.classes), n_refined)


class _Counts:
    """Sums over rows: by rule, the default last, and then by part of their records, in order."""

    def __init__(self, ruleset: RuleSet, n_features: int) -> None:
        self.ruleset = ruleset
        self.n_rules = len(ruleset.rules) + 1
        n_cells = self.n_rules + sum(len(record.parts) for record in ruleset.records)
        n_classes = len(ruleset.schema.actions)
        self.applied = np.zeros(self.n_rules, np.int64)
        self.decided = np.zeros(self.n_rules, np.int64)
        self.labels = np.zeros((n_cells, n_classes), np.int64)
        self.weights = np.zeros((n_cells, n_classes))
        self.cases = np.zeros(n_cells)
        self.importances = np.zeros(n_features)
        self.n_right = 0

    def add_decisions(self, decisions: TableDecisions, codes: Ints, weights: Floats, targets: Floats | None) -> None:
        """Add what rules decide on some rows."""
        deciding = deciding_rules(self.ruleset, decisions.active, decisions.deciders)
        self.applied += np.append(decisions.active.sum(axis=0), (~decisions.active.any(axis=1)).sum())
        self.decided += deciding.sum(axis=0)
        self.n_right += int(np.count_nonzero(decisions.actions == codes))
        for number, chosen in enumerate(deciding.T):
            self.add_cell(number, chosen, codes, weights, targets)

    def add_cell(self, number: int, chosen: Floats, codes: Ints, weights: Floats, targets: Floats | None) -> None:
        """Add the classes and weights of the rows of a cell."""
        n_classes = self.labels.shape[1]
        own = weights[chosen]
        self.labels[number] += np.bincount(codes[chosen], minlength=n_classes)
        self.weights[number] += np.bincount(codes[chosen], own, n_classes) if targets is None else own @ targets[chosen]
        self.cases[number] += own.sum()


def _records(ruleset: RuleSet, counted: _Counts, frequencies: Floats, weights: Floats) -> list[TrackRecord]:
    """Return the track records of rules with the same parts and other figures."""
    actions = [*(rule.action for rule in ruleset.rules), ruleset.default]
    records, cell = [], counted.n_rules
    for number, (record, action) in enumerate(zip(ruleset.records, actions, strict=True)):
        parts = []
        for part in record.parts:
            decided = ruleset.schema.actions.index(action)
            shares = part_probabilities(weights[cell], counted.cases[cell], frequencies[number], decided)
            parts.append(
                replace(part, labels=tuple(counted.labels[cell].tolist()), probabilities=tuple(shares.tolist()))
            )
            cell += 1
        labels = tuple(counted.labels[number].tolist())
        records.append(TrackRecord(labels, tuple(frequencies[number].tolist()), tuple(parts)))
    return records
