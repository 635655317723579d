"""What a classifier keeps of each candidate of a front, so that it can switch between them without refitting."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from evoter.evolution.fronts.front import Front
from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.problem import ClassificationProblem
from evoter.problems.classification.record_parts import divide_records
from evoter.problems.classification.support import majority_actions, measure_support, smoothed_frequencies
from evoter.problems.importances import importances_of
from evoter.rules.answers.rule_counts import count_rules
from evoter.rules.answers.track_record import TrackRecord
from evoter.rules.model import RuleSet
from evoter.rules.schema import Schema
from evoter.tables.panel import Panel


class Settled(NamedTuple):
    """Rules over the features they read, and what each of them, and the default, does on the training rows."""

    ruleset: RuleSet
    times_applied: Ints
    times_decided: Ints
    probabilities: Floats
    n_right: int
    importances: Floats


Importances = Callable[[RuleSet], Floats]
"""How important each feature of the training table is to a rule set over the features it reads."""


def importances_on(
    schema: Schema, data: Floats | Panel, groups: Mapping[str, Sequence[str]], weights: Floats
) -> Importances:
    """Return the function that measures importances on training rows over a schema."""

    def importances(ruleset: RuleSet) -> Floats:
        read = data if isinstance(data, Panel) else data[[schema.position(name) for name in ruleset.schema.names]]
        return np.array([*importances_of(ruleset, read, groups, weights).values()])

    return importances


Recount = Callable[[Settled], Settled]
"""Replaces what rules do on a sample of the training rows by what they do on all of them."""


def settle(
    ruleset: RuleSet, problem: ClassificationProblem, importances: Importances, recount: Recount | None = None
) -> Settled:
    """Count what the rules do on the rows of a problem, whose schema is theirs; `recount` does so on further rows.

    Where actions do not matter to the measure, evolution has left them to chance: they become those that the
    probabilities suggest.
    """
    if problem.ignores_actions:
        ruleset = majority_actions(ruleset, problem)
    support = measure_support(ruleset, problem)
    frequencies = smoothed_frequencies(support, problem)
    figures = zip(
        support.labels.tolist(), frequencies.tolist(), divide_records(ruleset, problem, frequencies), strict=True
    )
    records = [TrackRecord(tuple(labels), tuple(shares), parts) for labels, shares, parts in figures]
    counted = count_rules(problem.data_name, len(problem.classes), support.times_applied, support.times_decided)
    recorded = ruleset.restricted().replace(records=records, counts=counted)
    counts = (support.times_applied, support.times_decided)
    settled = Settled(recorded, *counts, frequencies, support.n_right, importances(recorded))
    return settled if recount is None else recount(settled)


def settle_front(
    front: Front, problem: ClassificationProblem, importances: Importances, recount: Recount | None = None
) -> tuple[Front, tuple[Settled, ...]]:
    """Settle all candidates; those of the front get the same rules, and what they decide on the training rows."""
    settled = tuple(settle(candidate.ruleset, problem, importances, recount) for candidate in front)
    candidates = tuple(
        replace(
            candidate,
            ruleset=one.ruleset,
            behaviour=problem.decide(one.ruleset.replace(schema=problem.schema)).actions,
        )
        for candidate, one in zip(front, settled, strict=True)
    )
    return replace(front, candidates=candidates), settled
