"""Rewards for exact moves towards constraints on groups: what a decision on a row is worth beside its correctness."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evoter.kernels.layout import Floats, Ints
from evoter.problems.classification.group_counts import GroupCounter, GroupMeasure

MOST_SHIFT: Final = 1.0
"""How much a row may gain or lose by being selected, in units of a right decision: then either one is worth as much."""

MOST_WEIGHT: Final = 4.0
"""The logarithm of the largest weight of a right decision on rows whose recall has a limit."""


def draw_group_rewards(
    measures: Sequence[GroupMeasure], groups: GroupCounter, classes: Ints, rows: Ints, rng: np.random.Generator
) -> Floats:
    """Return what each action adds on each of some rows, in units of a right decision.

    Which group must gain to bring a rate closer to that of others is not known beforehand, and how much neither, so
    both are drawn at random: rule sets that were refined with other draws compete, and constraints choose among them.
    """
    labels, n_actions = classes[rows], groups.n_classes
    added = np.zeros((len(rows), n_actions))
    for measure in measures:
        of_class = labels == measure.code
        if measure.kind == "value":
            added[of_class, measure.code] += np.expm1(MOST_WEIGHT * rng.random())
            continue
        strength = MOST_SHIFT * rng.random()
        for column in groups.columns:
            shifts = strength * rng.uniform(-1.0, 1.0, len(column.names))[column.codes[rows]]
            if measure.rates == ("accuracy",):
                added[np.arange(len(rows)), labels] += shifts
            else:
                added[:, measure.code] += np.where(_concerned(measure, of_class), shifts, 0.0)
    return added


def _concerned(measure: GroupMeasure, of_class: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which rows the rates of a measure are about, by whether the class is their label."""
    positive = {"true_positive_rate", "false_negative_rate"}
    negative = {"false_positive_rate", "true_negative_rate"}
    rates = set(measure.rates)
    if rates <= positive:
        return of_class
    return ~of_class if rates <= negative else np.ones_like(of_class)
