"""The track record of a rule: the training rows that it decided, by label, and the probabilities that follow."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evoter.rules.condition import Condition
from evoter.rules.errors import RuleError

_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class RecordPart:
    """Some of the training rows that a rule decided: those of no earlier part where all conditions hold.

    The last part has no conditions and has all rows that are left.
    """

    labels: tuple[int, ...]
    probabilities: tuple[float, ...]
    conditions: tuple[Condition, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "probabilities", tuple(map(float, self.probabilities)))
        object.__setattr__(self, "conditions", tuple(self.conditions))
        _check(self.labels, self.probabilities)

    @property
    def cases(self) -> int:
        """The number of training rows of the part."""
        return sum(self.labels)


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What a rule, or the default, did in training; the numbers are in the order of the actions of the schema.

    `labels` counts the training rows that it decided by their label. `probabilities` are class frequencies among these
    rows, smoothed, and weighted if the rows were. Where these rows differ among themselves, they are divided into
    `parts`, whose probabilities are those of `predict_proba`. They inform readers and decide nothing.

    >>> TrackRecord((1, 19), (0.1, 0.9)).cases
    20
    """

    labels: tuple[int, ...]
    probabilities: tuple[float, ...]
    parts: tuple[RecordPart, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "probabilities", tuple(map(float, self.probabilities)))
        object.__setattr__(self, "parts", tuple(self.parts))
        _check(self.labels, self.probabilities)
        if not self.parts:
            return
        if any(bool(part.conditions) == (number == len(self.parts)) for number, part in enumerate(self.parts, 1)):
            raise RuleError("every part of a track record has conditions, except the last")
        if any(len(part.labels) != len(self.labels) for part in self.parts) or self.labels != tuple(
            map(sum, zip(*(part.labels for part in self.parts), strict=True))
        ):
            raise RuleError("the labels of the parts of a track record add up to its own")

    @property
    def cases(self) -> int:
        """The number of training rows that the rule decided."""
        return sum(self.labels)


def _check(labels: tuple[int, ...], probabilities: tuple[float, ...]) -> None:
    if len(labels) != len(probabilities):
        raise RuleError(f"a track record has a probability for each label, not {len(probabilities)} for {len(labels)}")
    if not all(type(count) is int and count >= 0 for count in labels):
        raise RuleError(f"a track record counts rows in whole numbers, 0 or more, not {list(labels)}")
    inside = all(0.0 <= probability <= 1.0 for probability in probabilities)
    if not inside or not math.isclose(sum(probabilities), 1.0, abs_tol=_ROUNDING):
        raise RuleError("the probabilities of a track record lie between 0 and 1 and add up to 1")


def check_records(records: Sequence[TrackRecord], n_rules: int, n_actions: int) -> None:
    """Refuse track records that are not one for each rule and the default, over all actions."""
    if records and len(records) != n_rules + 1:
        raise RuleError(
            f"there are {len(records)} track records for {n_rules} rules: there must be one for each, and one for the "
            "default"
        )
    for number, record in enumerate(records, start=1):
        if len(record.labels) != n_actions:
            raise RuleError(f"track record {number} has {len(record.labels)} labels, but there are {n_actions} actions")
