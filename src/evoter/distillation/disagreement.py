"""Where a twin and its original disagree: the rows, and regions of the table as conditions.

Regions are conjunctions of up to three conditions within which disagreement is much more frequent than elsewhere. They
are found by a beam search on probes, which are queries that the twin was not learnt from; what is reported about them
is counted on unseen rows, so that a region found by chance shows.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from evoter.analysis.group_statistics import Share
from evoter.genome.cuts import cuts_and_levels
from evoter.kernels.layout import Floats
from evoter.problems.deciding import decide_columns
from evoter.rules.condition import Condition, Term
from evoter.rules.model import Rule, RuleSet
from evoter.rules.schema import Feature, Kind, Schema
from evoter.rules.text import print_condition

Bools = NDArray[np.bool_]

MAX_REGIONS: Final = 4
MAX_CONDITIONS: Final = 3
N_CUTS: Final = 12
"""The number of thresholds of a numeric feature."""

BEAM: Final = 30
LEAST_SHARE: Final = 0.03
"""The share of the probes that a region has at least: queries come in clusters, so that a few of them say little."""

LEAST_LIFT: Final = 2.0
"""How many times as frequent as elsewhere disagreement is in a region at least."""

LEAST_GAIN: Final = 3.5
"""The standard errors by which a region must exceed what is expected: the best of thousands does so by chance, too."""

ADDED_GAIN: Final = 0.5
"""What another condition must add to that."""

AGREES, DISAGREES = "agrees", "disagrees"


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the table, as conditions that all hold there, with its disagreements among unseen rows.

    `unseen` is None where no unseen row lies in the region; `probes` counts the queries that it was found on.
    """

    conditions: tuple[Condition, ...]
    schema: Schema
    probes: Share
    unseen: Share | None

    @property
    def ruleset(self) -> RuleSet:
        """The rule set that says "disagrees" within the region."""
        return RuleSet([Rule(self.conditions, DISAGREES)], AGREES, self.schema)

    def __str__(self) -> str:
        return " AND ".join(print_condition(each, self.schema) for each in self.conditions)

    def to_dict(self) -> dict[str, Any]:
        """Return the conditions as text with the counts, ready for JSON."""
        return {
            "conditions": [print_condition(each, self.schema) for each in self.conditions],
            "unseen": None if self.unseen is None else {"rows": self.unseen.n_rows, **_counts(self.unseen)},
            "probes": {"rows": self.probes.n_rows, **_counts(self.probes)},
        }


@dataclass(frozen=True, slots=True, eq=False)
class Disagreement:
    """The unseen rows on which twin and original disagree, with both answers; and regions.

    `rows` are positions in the table that the unseen rows come from: in `X`, or in `X_test` if that was given.
    `overall` is the share of all unseen rows. `confidence` is the mean probability that the original gives to its own
    answer where they disagree, and where they agree; None where it gives no probabilities.
    Numbers disagree where they differ by more than `limit`.
    """

    rows: tuple[int, ...]
    twin: tuple[Any, ...]
    original: tuple[Any, ...]
    overall: Share
    regions: tuple[Region, ...]
    confidence: tuple[float, float] | None = None
    limit: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {
            "rows": list(self.rows),
            "twin": [str(each) for each in self.twin],
            "original": [str(each) for each in self.original],
            "unseen_rows": self.overall.n_rows,
            **_counts(self.overall),
            "limit": self.limit,
            "confidence": None if self.confidence is None else list(self.confidence),
            "regions": [each.to_dict() for each in self.regions],
        }


def _counts(share: Share) -> dict[str, Any]:
    return {"disagree": share.n_hits, "share": share.value, "interval": [share.low, share.high]}


def find_regions(schema: Schema, probes: Floats, differs: Bools, unseen: Floats, differs_unseen: Bools) -> list[Region]:
    """Search for regions on encoded probes, and count on unseen ones; the most striking region first."""
    asked = Schema(schema.features, [AGREES, DISAGREES])
    conditions = [each for line, feature in zip(probes, schema.features, strict=True) for each in _tests(feature, line)]
    if not conditions or not differs.any() or differs.all():
        return []
    masks = _masks(asked, conditions, probes)
    left = np.ones(len(differs), np.bool_)
    regions: list[Region] = []
    while len(regions) < MAX_REGIONS:
        found = _best(masks, differs, left)
        if found is None:
            break
        chosen = tuple(conditions[number] for number in found)
        held = masks[list(found)].all(axis=0)
        there = _masks(asked, [chosen], unseen)[0]
        counted = Share.of(int((there & differs_unseen).sum()), int(there.sum())) if there.any() else None
        regions.append(Region(chosen, asked, Share.of(int((held & differs).sum()), int(held.sum())), counted))
        left &= ~held
    return regions


def _tests(feature: Feature, line: Floats) -> list[Condition]:
    """Return the conditions on a feature that regions may be made of."""
    term = Term(feature.name)
    tests = []
    if feature.kind is Kind.NUMERIC:
        for cut in cuts_and_levels(line, N_CUTS)[0].tolist():
            tests += [Condition(term, "<=", cut), Condition(term, ">", cut)]
    elif feature.kind is Kind.BOOLEAN:
        tests += [Condition(term, "=", True), Condition(term, "=", False)]
    else:
        tests += [Condition(term, "=", category) for category in feature.categories]
    missing = np.isnan(line)
    return [*tests, Condition(term, "is missing")] if missing.any() and not missing.all() else tests


def _masks(schema: Schema, rules: list[Any], columns: Floats) -> Bools:
    """Return on which rows each condition, or each conjunction of conditions, holds [condition, row]."""
    made = [Rule((each,) if isinstance(each, Condition) else each, DISAGREES) for each in rules]
    held: Bools = decide_columns(RuleSet(made, AGREES, schema), columns).active.T
    return np.ascontiguousarray(held)


def _best(masks: Bools, differs: Bools, left: Bools) -> tuple[int, ...] | None:
    """Return the conjunction with the largest excess of disagreements among the rows that are left."""
    rate = float(differs[left].mean()) if left.any() else 0.0
    if not 0.0 < rate < 1.0:
        return None
    best: tuple[float, tuple[int, ...]] = (LEAST_GAIN, ())
    beam: list[tuple[int, ...]] = [()]
    for depth in range(MAX_CONDITIONS):
        grown: dict[frozenset[int], float] = {}
        for members in beam:
            inside = left & masks[list(members)].all(axis=0) if members else left
            rows = (masks & inside).sum(axis=1)
            hits = (masks & (inside & differs)).sum(axis=1)
            expected = rows * rate
            gains = (hits - expected) / np.sqrt(np.maximum(expected * (1.0 - rate), 1e-9))
            allowed = rows >= LEAST_SHARE * len(differs)
            for number in np.argsort(-np.where(allowed, gains, -np.inf), kind="stable")[:BEAM].tolist():
                if allowed[number] and number not in members:
                    grown.setdefault(frozenset((*members, number)), float(gains[number]))
                    if hits[number] >= LEAST_LIFT * expected[number]:
                        value = float(gains[number]) - ADDED_GAIN * depth
                        best = max(best, (value, tuple(sorted((*members, number)))), key=lambda each: each[0])
        ranked = sorted(grown.items(), key=lambda each: (-each[1], sorted(each[0])))[:BEAM]
        beam = [tuple(sorted(members)) for members, _ in ranked]
    return best[1] or None
