"""The track record of a rule: the training rows that it decided, by label, and the probabilities that follow."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evoter.rules.errors import RuleError

_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """What a rule, or the default, did in training; the numbers are in the order of the actions of the schema.

    `labels` counts the training rows that it decided by their label. `probabilities` are those of `predict_proba`:
    class frequencies among these rows, smoothed, and weighted if the rows were. They inform readers and decide nothing.

    >>> TrackRecord((1, 19), (0.1, 0.9)).cases
    20
    """

    labels: tuple[int, ...]
    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))
        object.__setattr__(self, "probabilities", tuple(map(float, self.probabilities)))
        if len(self.labels) != len(self.probabilities):
            raise RuleError(
                f"a track record has a probability for each label, not {len(self.probabilities)} for {len(self.labels)}"
            )
        if not all(type(count) is int and count >= 0 for count in self.labels):
            raise RuleError(f"a track record counts rows in whole numbers, 0 or more, not {list(self.labels)}")
        inside = all(0.0 <= probability <= 1.0 for probability in self.probabilities)
        if not inside or not math.isclose(sum(self.probabilities), 1.0, abs_tol=_ROUNDING):
            raise RuleError("the probabilities of a track record lie between 0 and 1 and add up to 1")

    @property
    def cases(self) -> int:
        """The number of training rows that the rule decided."""
        return sum(self.labels)


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
